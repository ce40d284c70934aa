package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the samples of a batch in {@link SampleBatchForm} one after the other, for a model whose geometry is known.
 * Whatever the batch claims of itself, no more memory is taken than a sample of this model needs.
 */
public final class SampleBatchReader {
    private static final String HEAD = "head";
    private static final long MAX_TOKENS = Integer.MAX_VALUE;

    private final InputStream in;
    private final Geometry geometry;
    private String place = HEAD;
    private long announced;
    private long given;

    public SampleBatchReader(InputStream in, Geometry geometry) {
        this.in = in;
        this.geometry = geometry;
    }

    /** Where the batch was read last: {@code head}, {@code sample 1} and so on, or {@code end}. */
    public String place() {
        return place;
    }

    /**
     * The next sample, every layer of which sums to tokens x k; empty at the end of the batch.
     *
     * @throws InvalidInputException naming the field at {@link #place} that is refused; its field is empty where the
     *     batch ends too early or goes on too long
     */
    public Optional<RequestSample> next() throws IOException {
        if (place.equals(HEAD)) {
            readHead();
        }
        if (given == announced) {
            place = "end";
            if (in.read() >= 0) {
                throw new InvalidInputException("", "there are bytes behind the " + announced + " samples");
            }
            return Optional.empty();
        }
        given++;
        place = "sample " + given;
        return Optional.of(readSample());
    }

    private void readHead() throws IOException {
        ByteBuffer head = read(SampleBatchForm.HEAD_BYTES);
        if (head.getInt() != SampleBatchForm.MAGIC) {
            throw new InvalidInputException("magic", "must be ELDS");
        }
        requireEqual("version", SampleBatchForm.VERSION, u16(head));
        requireEqual("layers", geometry.layers(), u16(head));
        requireEqual("experts", geometry.experts(), u16(head));
        requireEqual("reserved", 0, u16(head));
        announced = u32(head);
    }

    private RequestSample readSample() throws IOException {
        ByteBuffer head = read(SampleBatchForm.SAMPLE_HEAD_BYTES);
        long bytes = u32(head);
        int prefillWidth = head.get();
        int decodeWidth = head.get();
        int idBytes = u16(head);
        int labelBytes = u16(head);
        requireWidth("prefill", prefillWidth, prefillWidth == 0);
        requireWidth("decode", decodeWidth, false);
        requireEqual("reserved", 0, u16(head));
        long expected = SampleBatchForm.SAMPLE_HEAD_BYTES - Integer.BYTES;
        expected += idBytes + labelBytes + (long) (prefillWidth + decodeWidth) * geometry.cells();
        if (bytes != expected) {
            throw new InvalidInputException("bytes", "are " + bytes + " but the texts and counts take " + expected);
        }
        int promptTokens = tokens("promptTokens", u32(head), 1);
        int decodeTokens = tokens("decodeTokens", u32(head), decodeWidth == 0 ? 0 : 1);
        if (decodeWidth == 0 && decodeTokens > 0) {
            throw new InvalidInputException("decode", "is missing although decodeTokens is given");
        }
        return new RequestSample(
                text("requestId", idBytes),
                text("label", labelBytes),
                promptTokens,
                counts("prefill", prefillWidth, promptTokens),
                decodeWidth == 0 ? Optional.empty() : Optional.of(counts("decode", decodeWidth, decodeTokens)),
                decodeTokens);
    }

    private ExpertCounts counts(String field, int width, int tokens) throws IOException {
        ByteBuffer bytes = read(width * geometry.cells());
        int[] cells = new int[geometry.cells()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = width == Short.BYTES ? u16(bytes) : cell(field, i, u32(bytes));
        }
        ExpertCounts counts = ExpertCounts.of(geometry.layers(), geometry.experts(), cells);
        try {
            return counts.requireRowSums(field, tokens, geometry.topK());
        } catch (InvalidInputException wrongSum) {
            if (width == Short.BYTES && tokens > SampleBatchForm.MAX_U16) {
                throw new InvalidInputException(
                        field, wrongSum.reason() + "; counts above 65,535 take cells of 4 bytes");
            }
            throw wrongSum;
        }
    }

    private int cell(String field, int index, long value) {
        if (value > Integer.MAX_VALUE) {
            throw new InvalidInputException(
                    field,
                    "is " + value + " at layer " + index / geometry.experts() + ", expert " + index % geometry.experts()
                            + ", more than " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    private String text(String field, int length) throws IOException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(read(length)).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidInputException(field, "is not UTF-8");
        }
    }

    private ByteBuffer read(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new InvalidInputException("", "the batch ends in the middle");
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int u16(ByteBuffer in) {
        return Short.toUnsignedInt(in.getShort());
    }

    private static long u32(ByteBuffer in) {
        return Integer.toUnsignedLong(in.getInt());
    }

    private static int tokens(String field, long value, int least) {
        if (value < least || value > MAX_TOKENS) {
            throw new InvalidInputException(
                    field, "must be between " + least + " and " + MAX_TOKENS + " but is " + value);
        }
        return (int) value;
    }

    private static void requireWidth(String field, int width, boolean missing) {
        if (missing) {
            throw new InvalidInputException(field, "is missing: its cells have 0 bytes");
        }
        if (width != 0 && width != Short.BYTES && width != Integer.BYTES) {
            throw new InvalidInputException(
                    field, "must have cells of 2 or 4 bytes, not of " + Integer.toUnsignedString(width & 0xFF));
        }
    }

    private static void requireEqual(String field, int expected, int value) {
        if (value != expected) {
            throw new InvalidInputException(field, "must be " + expected + " but is " + value);
        }
    }
}
