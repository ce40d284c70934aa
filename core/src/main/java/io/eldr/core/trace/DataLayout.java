package io.eldr.core.trace;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Where each request lies in an unzipped data file. The requests fill the file: no gap, no overlap, no rest.
 *
 * @param file the data file's name
 * @param spans by rising offset
 * @param bytes the length of the unzipped file
 */
record DataLayout(String file, List<Span> spans, int bytes) {
    /** No byte of deflate makes more than 1,032 bytes. */
    private static final long MAX_INFLATION = 1_032;
    /** The longest array a JVM surely allocates. */
    private static final long MAX_BYTES = Integer.MAX_VALUE - 8;

    /** A request's bytes, from {@code from} to before {@code to}. */
    record Span(String id, long from, long to) {}

    /** @throws InvalidInputException naming a request whose offset does not follow on another request's end */
    static DataLayout of(TraceFormat format, Geometry geometry, List<IndexEntry> index) {
        List<IndexEntry> byOffset = new ArrayList<>(index);
        byOffset.sort(Comparator.comparingLong(IndexEntry::offset).thenComparingLong(IndexEntry::tokens));
        List<Span> spans = new ArrayList<>(index.size());
        long end = 0;
        for (IndexEntry entry : byOffset) {
            if (entry.offset() != end) {
                throw new InvalidInputException(TraceReader.INDEX, misplaced(entry, end, spans));
            }
            end += format.bytes(geometry, entry.tokens());
            if (end > MAX_BYTES) {
                throw new InvalidInputException(
                        TraceReader.INDEX,
                        "request " + entry.id() + " would end at byte " + end + " of " + format.dataFile()
                                + "; the largest file read here has " + MAX_BYTES);
            }
            spans.add(new Span(entry.id(), entry.offset(), end));
        }
        return new DataLayout(format.dataFile(), spans, (int) end);
    }

    /**
     * A file in which every request takes as much, in the trace's order.
     *
     * @throws InvalidInputException if no array holds so much
     */
    static DataLayout even(String file, List<TraceRequest> requests, int bytesEach) {
        if ((long) requests.size() * bytesEach > MAX_BYTES) {
            throw new InvalidInputException(
                    file,
                    requests.size() + " requests of " + bytesEach + " bytes are more than the " + MAX_BYTES
                            + " that are read here");
        }
        List<Span> spans = new ArrayList<>(requests.size());
        for (TraceRequest request : requests) {
            long from = (long) spans.size() * bytesEach;
            spans.add(new Span(request.id(), from, from + bytesEach));
        }
        return new DataLayout(file, spans, requests.size() * bytesEach);
    }

    private static String misplaced(IndexEntry entry, long end, List<Span> before) {
        String where = "request " + entry.id() + ": offset " + entry.offset();
        if (before.isEmpty()) {
            return where + " leaves the bytes before it to no request";
        }
        Span last = before.getLast();
        return entry.offset() < end
                ? where + " lies inside request " + last.id() + ", which ends at " + end
                : where + " leaves a gap behind request " + last.id() + ", which ends at " + end;
    }

    /**
     * The unzipped data.
     *
     * @throws InvalidInputException if the file is not intact gzip, or longer or shorter than the index says
     */
    byte[] read(Path gzip) throws IOException {
        if (bytes > MAX_INFLATION * Files.size(gzip)) {
            throw new InvalidInputException(
                    file,
                    "cannot hold the " + bytes + " bytes that " + TraceReader.INDEX + " describes: it has only "
                            + Files.size(gzip) + " bytes of gzip");
        }
        byte[] data = new byte[bytes];
        int length = 0;
        try (Gunzip in = new Gunzip(Files.newInputStream(gzip))) {
            while (length < bytes) {
                int read = in.read(data, length, bytes - length);
                if (read < 0) {
                    throw new InvalidInputException(file, "holds only " + length + " bytes, " + cut(length));
                }
                length += read;
            }
            // Reading to the end also compares the checksum.
            if (in.read() >= 0) {
                throw new InvalidInputException(
                        file, "goes on behind the " + bytes + " bytes that " + TraceReader.INDEX + " describes");
            }
            if (in.hasRest()) {
                throw new InvalidInputException(file, "has bytes behind the end of its gzip data");
            }
            return data;
        } catch (EOFException e) {
            throw new InvalidInputException(file, "is truncated gzip: " + cut(length));
        } catch (ZipException e) {
            throw new InvalidInputException(file, "is not intact gzip: " + e.getMessage());
        }
    }

    private String cut(int length) {
        return spans.stream()
                .filter(span -> span.to() > length)
                .findFirst()
                .map(span -> "but request " + span.id() + " ends at byte " + span.to())
                .orElse("all " + length + " bytes are there but not the checksum");
    }

    /** Tells also whether bytes follow that are no gzip, over which its parent passes in silence. */
    private static final class Gunzip extends GZIPInputStream {
        private static final int TRAILER_BYTES = 8;

        Gunzip(InputStream in) throws IOException {
            super(in, 1 << 16);
        }

        /** To be asked at the end of the stream. */
        boolean hasRest() throws IOException {
            return inf.getRemaining() > TRAILER_BYTES || in.available() > 0;
        }
    }
}
