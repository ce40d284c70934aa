package io.eldr.core.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** Writes the files of a small trace, good or bad. */
final class TraceFolder {
    private final Path directory;

    TraceFolder(Path directory) {
        this.directory = directory;
    }

    /**
     * Two layers of four experts, k = 2. Request a has two prompt tokens and one decoded, b one and none.
     */
    static TraceFolder tokenExperts(Path directory) throws IOException {
        return new TraceFolder(directory)
                .meta("moe-routing-u8-v1", 2, 4, 2)
                .index(
                        "{'id':'a','domain':'law','prefillTokens':2,'decodeTokens':1,'offset':0,'more':{'x':[1.5]}}",
                        "{'id':'b','prefillTokens':1,'decodeTokens':0,'offset':12}")
                .experts(0, 1, 2, 3, 1, 0, 3, 1, 2, 0, 0, 1, 3, 2, 1, 2);
    }

    /** Two layers of three experts, k = 2. Request a has three prompt tokens, b one. */
    static TraceFolder promptCounts(Path directory) throws IOException {
        return new TraceFolder(directory)
                .meta("moe-counts-u16le-v1", 2, 3, 2)
                .index(
                        "{'id':'a','domain':'law','prefillTokens':3,'offset':0}",
                        "{'id':'b','domain':'','prefillTokens':1,'offset':12}")
                .counts(3, 2, 1, 0, 3, 3, 1, 1, 0, 0, 1, 1);
    }

    TraceFolder meta(String format, int layers, int experts, int topK) throws IOException {
        return meta("{'format':'" + format + "','model':'tiny','layers':" + layers + ",'experts':" + experts
                + ",'topK':" + topK + ",'requests':2}");
    }

    /** Quotes may be single. */
    TraceFolder meta(String json) throws IOException {
        Files.writeString(directory.resolve("meta.json"), json.replace('\'', '"'));
        return this;
    }

    /** Quotes may be single. */
    TraceFolder index(String... lines) throws IOException {
        Files.writeString(
                directory.resolve("index.jsonl"), String.join("\n", lines).replace('\'', '"') + "\n");
        return this;
    }

    TraceFolder experts(int... ids) throws IOException {
        byte[] bytes = new byte[ids.length];
        for (int i = 0; i < ids.length; i++) {
            bytes[i] = (byte) ids[i];
        }
        return gzip("experts.u8.gz", bytes);
    }

    TraceFolder counts(int... values) throws IOException {
        byte[] bytes = new byte[2 * values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[2 * i] = (byte) values[i];
            bytes[2 * i + 1] = (byte) (values[i] >> 8);
        }
        return gzip("counts.u16le.gz", bytes);
    }

    TraceFolder gating(String file, double... sums) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2 * sums.length).order(ByteOrder.LITTLE_ENDIAN);
        for (double sum : sums) {
            bytes.putShort(Float.floatToFloat16((float) sum));
        }
        return gzip(file, bytes.array());
    }

    TraceFolder without(String file) throws IOException {
        Files.delete(directory.resolve(file));
        return this;
    }

    /** Cuts a file's last bytes off. */
    TraceFolder cut(String file, int bytes) throws IOException {
        byte[] content = Files.readAllBytes(directory.resolve(file));
        Files.write(directory.resolve(file), Arrays.copyOf(content, content.length - bytes));
        return this;
    }

    TraceFolder overwrite(String file, String text) throws IOException {
        Files.write(directory.resolve(file), text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    TraceFolder append(String file, byte[] bytes) throws IOException {
        Files.write(directory.resolve(file), bytes, StandardOpenOption.APPEND);
        return this;
    }

    /** Flips a bit of a file's byte, counted from its end. */
    TraceFolder flip(String file, int fromEnd) throws IOException {
        byte[] content = Files.readAllBytes(directory.resolve(file));
        content[content.length - fromEnd] ^= 1;
        Files.write(directory.resolve(file), content);
        return this;
    }

    private TraceFolder gzip(String file, byte[] bytes) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve(file)))) {
            out.write(bytes);
        }
        return this;
    }
}
