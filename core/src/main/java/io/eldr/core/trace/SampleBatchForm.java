package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The wire form {@code application/vnd.eldr.samples}: a batch of calibration requests of one model in bytes. All numbers
 * are unsigned and little-endian.
 *
 * <table>
 * <caption>The head, 16 bytes</caption>
 * <tr><td>0</td><td>4 bytes</td><td>{@code ELDS}</td></tr>
 * <tr><td>4</td><td>u16</td><td>version, 1</td></tr>
 * <tr><td>6</td><td>u16</td><td>L</td></tr>
 * <tr><td>8</td><td>u16</td><td>E</td></tr>
 * <tr><td>10</td><td>u16</td><td>0</td></tr>
 * <tr><td>12</td><td>u32</td><td>how many samples follow</td></tr>
 * </table>
 *
 * <table>
 * <caption>Each sample</caption>
 * <tr><td>0</td><td>u32</td><td>how many bytes of the sample follow this number</td></tr>
 * <tr><td>4</td><td>u8</td><td>bytes of a prefill cell: 2 or 4</td></tr>
 * <tr><td>5</td><td>u8</td><td>bytes of a decode cell: 2 or 4; 0 where decoding is not known</td></tr>
 * <tr><td>6</td><td>u16</td><td>bytes of the request id</td></tr>
 * <tr><td>8</td><td>u16</td><td>bytes of the label; 0 where there is none</td></tr>
 * <tr><td>10</td><td>u16</td><td>0</td></tr>
 * <tr><td>12</td><td>u32</td><td>prompt tokens</td></tr>
 * <tr><td>16</td><td>u32</td><td>decoded tokens; 0 where decoding is not known</td></tr>
 * <tr><td>20</td><td></td><td>request id, label (both UTF-8), prefill cells [L,E], decode cells [L,E], layer-major</td></tr>
 * </table>
 *
 * <p>Cells are exact: 65,535 means 65,535, and counts above it take cells of 4 bytes.
 */
public final class SampleBatchForm {
    public static final String MEDIA_TYPE = "application/vnd.eldr.samples";

    static final int MAGIC = 'E' | 'L' << 8 | 'D' << 16 | 'S' << 24;
    static final int VERSION = 1;
    static final int HEAD_BYTES = 16;
    /** The fixed part of a sample. */
    static final int SAMPLE_HEAD_BYTES = 20;

    static final int MAX_U16 = 0xFFFF;

    private SampleBatchForm() {}

    /**
     * The bytes of a batch.
     *
     * @param samples at least one
     * @throws InvalidInputException if two samples differ in shape, or a text is longer than 65,535 bytes
     */
    public static byte[] write(List<RequestSample> samples) {
        ExpertCounts first = samples.getFirst().prefill();
        int size = HEAD_BYTES;
        for (RequestSample sample : samples) {
            size = Math.addExact(size, bytes(sample));
        }
        ByteBuffer out = ByteBuffer.allocate(size)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) VERSION)
                .putShort((short) first.layers())
                .putShort((short) first.experts())
                .putShort((short) 0)
                .putInt(samples.size());
        for (RequestSample sample : samples) {
            write(sample, first, out);
        }
        return out.array();
    }

    /** How many bytes a sample takes. */
    public static int bytes(RequestSample sample) {
        return SAMPLE_HEAD_BYTES
                + utf8(sample.id()).length
                + utf8(sample.label()).length
                + width(sample.prefill()) * sample.prefill().size()
                + sample.decode().map(counts -> width(counts) * counts.size()).orElse(0);
    }

    private static void write(RequestSample sample, ExpertCounts shape, ByteBuffer out) {
        byte[] id = text("requestId", sample.id());
        byte[] label = text("label", sample.label());
        requireShape("prefill", sample.prefill(), shape);
        sample.decode().ifPresent(counts -> requireShape("decode", counts, shape));
        out.putInt(bytes(sample) - Integer.BYTES)
                .put((byte) width(sample.prefill()))
                .put(sample.decode().map(counts -> (byte) width(counts)).orElse((byte) 0))
                .putShort((short) id.length)
                .putShort((short) label.length)
                .putShort((short) 0)
                .putInt(sample.signatureTokens())
                .putInt(sample.decodeTokens())
                .put(id)
                .put(label);
        write(sample.prefill(), out);
        sample.decode().ifPresent(counts -> write(counts, out));
    }

    private static void write(ExpertCounts counts, ByteBuffer out) {
        boolean narrow = width(counts) == Short.BYTES;
        for (int i = 0; i < counts.size(); i++) {
            if (narrow) {
                out.putShort((short) counts.cell(i));
            } else {
                out.putInt(counts.cell(i));
            }
        }
    }

    private static int width(ExpertCounts counts) {
        for (int i = 0; i < counts.size(); i++) {
            if (counts.cell(i) > MAX_U16) {
                return Integer.BYTES;
            }
        }
        return Short.BYTES;
    }

    private static void requireShape(String field, ExpertCounts counts, ExpertCounts shape) {
        if (counts.layers() != shape.layers() || counts.experts() != shape.experts()) {
            throw new InvalidInputException(
                    field,
                    "has shape [" + counts.layers() + ", " + counts.experts() + "] in a batch of [" + shape.layers()
                            + ", " + shape.experts() + "]");
        }
    }

    private static byte[] text(String field, String text) {
        byte[] bytes = utf8(text);
        if (bytes.length > MAX_U16) {
            throw new InvalidInputException(field, "has " + bytes.length + " bytes, more than " + MAX_U16);
        }
        return bytes;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
