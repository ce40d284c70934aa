package io.eldr.router.artifact;

import io.eldr.core.artifact.ArtifactCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps the last good state in one file: a line with the format and the SHA-256 of what follows, then JSON. It is replaced
 * as a whole, so that a crash leaves the old state or the new one. A file that does not match its checksum is refused.
 */
public final class LastGoodFile {

    private static final Logger log = LoggerFactory.getLogger(LastGoodFile.class);
    private static final String NAME = "last-good.eldr";
    private static final String FORMAT = "eldr-last-good 1 ";
    private static final int HEADER = FORMAT.length() + 64 + 1;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private final Path directory;

    public LastGoodFile(Path directory) {
        this.directory = directory;
    }

    Path path() {
        return directory.resolve(NAME);
    }

    /** What was saved last; empty if nothing was, or if it cannot be trusted. */
    public Optional<LastGood> load() {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(path());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            log.warn("{} cannot be read and is ignored: {}", path(), e.toString());
            return Optional.empty();
        }
        try {
            return Optional.of(MAPPER.readValue(body(bytes), LastGood.class));
        } catch (IllegalArgumentException | JacksonException e) {
            log.warn("{} is refused and ignored: {}", path(), e.getMessage());
            return Optional.empty();
        }
    }

    /** Replaces what was saved; on return it is on the disk. */
    public void save(LastGood state) throws IOException {
        byte[] body = MAPPER.writeValueAsBytes(state);
        ByteArrayOutputStream out = new ByteArrayOutputStream(HEADER + body.length);
        out.writeBytes((FORMAT + ArtifactCodec.sha256Hex(body) + "\n").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(body);
        Files.createDirectories(directory);
        Path temporary = Files.createTempFile(directory, NAME, ".tmp");
        try {
            try (FileChannel file = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                file.force(true);
            }
            Files.move(temporary, path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            // The rename itself is on the disk after this.
            folder.force(true);
        }
    }

    private static byte[] body(byte[] bytes) {
        if (bytes.length < HEADER || bytes[HEADER - 1] != '\n') {
            throw new IllegalArgumentException("it is truncated");
        }
        String header = new String(bytes, 0, HEADER - 1, StandardCharsets.US_ASCII);
        if (!header.startsWith(FORMAT)) {
            throw new IllegalArgumentException("it has an unknown format");
        }
        byte[] body = Arrays.copyOfRange(bytes, HEADER, bytes.length);
        if (!ArtifactCodec.sha256Hex(body).equals(header.substring(FORMAT.length()))) {
            throw new IllegalArgumentException("its checksum does not match");
        }
        return body;
    }
}
