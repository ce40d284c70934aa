package io.eldr.benchmarks.gateway;

import io.eldr.benchmarks.process.BenchFiles;
import io.eldr.benchmarks.process.ProcessFigures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A proxy of others before one decode worker, configured for streams: one hop, no decision. */
final class PlainProxy implements Server {
    private static final int START_TRIES = 100;
    private static final long TRY_MILLIS = 50;

    private final String name;
    private final Process process;
    private final int port;

    private PlainProxy(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /** Nothing where HAProxy is not installed. */
    static Optional<PlainProxy> haproxy(Path folder, URI engine) throws IOException {
        int port = freePort();
        String configuration = """
                global
                  maxconn 8000
                defaults
                  mode http
                  timeout connect 5s
                  timeout client 5m
                  timeout server 5m
                  option http-no-delay
                frontend in
                  bind 127.0.0.1:%d
                  default_backend engine
                backend engine
                  http-reuse always
                  server one %s:%d
                """.formatted(port, engine.getHost(), engine.getPort());
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration);
        return start("haproxy", port, folder, program("haproxy"), List.of("-db", "-f", file.toString()));
    }

    /** Nothing where nginx is not installed. */
    static Optional<PlainProxy> nginx(Path folder, URI engine) throws IOException {
        int port = freePort();
        String configuration = """
                daemon off;
                worker_processes 2;
                pid %1$s/nginx.pid;
                error_log %1$s/nginx.log;
                events { worker_connections 8000; }
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  client_body_buffer_size 64k;
                  keepalive_requests 1000000;
                  upstream engine { server %2$s:%3$d; keepalive 256; keepalive_requests 1000000; }
                  server {
                    listen 127.0.0.1:%4$d;
                    location / {
                      proxy_pass http://engine;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_buffering off;
                      proxy_read_timeout 5m;
                    }
                  }
                }
                """.formatted(folder, engine.getHost(), engine.getPort(), port);
        Path file = Files.writeString(folder.resolve("nginx.conf"), configuration);
        return start("nginx", port, folder, program("nginx"), List.of("-c", file.toString(), "-p", folder.toString()));
    }

    private static Optional<PlainProxy> start(
            String name, int port, Path folder, Optional<Path> program, List<String> arguments) throws IOException {
        if (program.isEmpty()) {
            System.err.println("eldr: " + name + " is not installed; it is left out");
            return Optional.empty();
        }
        List<String> command = new ArrayList<>(List.of(program.get().toString()));
        command.addAll(arguments);
        Path log = folder.resolve(name + ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        for (int i = 0; i < START_TRIES && process.isAlive(); i++) {
            try (Exchange probe = Exchange.to(port)) {
                if (probe.exchange(Messages.get("/health")) == 200) {
                    return Optional.of(new PlainProxy(name, process, port));
                }
            } catch (IOException notYet) {
                // It does not listen yet.
            }
            Engines.pause(TRY_MILLIS);
        }
        String said = Files.readString(log);
        BenchFiles.stop(process);
        throw new IllegalStateException(name + " does not start: " + said);
    }

    private static Optional<Path> program(String name) {
        return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin")
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public ProcessFigures process() {
        return new ProcessFigures(process.toHandle());
    }

    @Override
    public void close() {
        BenchFiles.stop(process);
    }
}
