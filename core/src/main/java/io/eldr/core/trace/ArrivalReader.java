package io.eldr.core.trace;

import io.eldr.core.signature.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads the published arrival traces. */
final class ArrivalReader {
    private static final String AZURE_HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";
    private static final int MAX_TOKENS = 10_000_000;
    private static final int MAX_LINE = 1_000_000;
    private static final double MILLIS = 1e-3;
    private static final double NANOS = 1e-9;
    private static final int GZIP_MAGIC = 0x1f8b;

    /** Such as 2023-11-16 18:17:03.9799600. */
    private static final DateTimeFormatter AZURE_TIME = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter();

    private final String file;
    private final List<Arrival> arrivals = new ArrayList<>();
    private Optional<LocalDateTime> first = Optional.empty();

    private ArrivalReader(String file) {
        this.file = file;
    }

    /** One line; the blocks are empty in a trace without them. */
    private record Arrival(double seconds, int promptTokens, int outputTokens, List<Integer> blocks) {}

    static ArrivalTrace read(Path file) throws IOException {
        ArrivalReader reader = new ArrivalReader(String.valueOf(file.getFileName()));
        if (!Files.isRegularFile(file)) {
            throw new InvalidInputException(reader.file, "there is no file " + file);
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
            return reader.read(lines);
        } catch (EOFException | ZipException e) {
            throw new InvalidInputException(reader.file, "is not intact gzip: " + e.getMessage());
        }
    }

    private static InputStream open(Path file) throws IOException {
        BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file));
        in.mark(2);
        int magic = in.read() << 8 | in.read();
        in.reset();
        return magic == GZIP_MAGIC ? new GZIPInputStream(in, 1 << 16) : in;
    }

    private ArrivalTrace read(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        boolean csv = AZURE_HEADER.equals(line);
        boolean blocks = false;
        if (line == null || (!csv && !line.startsWith("{"))) {
            throw new InvalidInputException(
                    file, "is no arrival trace: line 1 must be '" + AZURE_HEADER + "' or a JSON object");
        }
        int number = 1;
        if (csv) {
            number++;
            line = lines.readLine();
        }
        for (; line != null; line = lines.readLine(), number++) {
            if (line.length() > MAX_LINE) {
                throw refusal(number, "is longer than " + MAX_LINE + " characters");
            }
            Arrival arrival = csv ? azure(number, line) : mooncake(number, line);
            blocks |= !arrival.blocks().isEmpty();
            arrivals.add(arrival);
        }
        return trace(blocks);
    }

    private ArrivalTrace trace(boolean withBlocks) {
        if (arrivals.size() < 2) {
            throw new InvalidInputException(file, "must have at least 2 requests but has " + arrivals.size());
        }
        arrivals.sort(Comparator.comparingDouble(Arrival::seconds));
        int size = arrivals.size();
        double start = arrivals.getFirst().seconds();
        if (arrivals.getLast().seconds() <= start) {
            throw new InvalidInputException(file, "all requests come at the same moment");
        }
        double[] seconds = new double[size];
        int[] prompts = new int[size];
        int[] outputs = new int[size];
        int[][] blocks = new int[withBlocks ? size : 0][];
        for (int i = 0; i < size; i++) {
            Arrival arrival = arrivals.get(i);
            seconds[i] = arrival.seconds() - start;
            prompts[i] = arrival.promptTokens();
            outputs[i] = arrival.outputTokens();
            if (withBlocks) {
                blocks[i] =
                        arrival.blocks().stream().mapToInt(Integer::intValue).toArray();
            }
        }
        return new ArrivalTrace(seconds, prompts, outputs, blocks);
    }

    private Arrival azure(int number, String line) {
        String[] columns = line.split(",", -1);
        if (columns.length != 3) {
            throw refusal(number, "must have 3 columns but has " + columns.length);
        }
        LocalDateTime time;
        try {
            time = LocalDateTime.parse(columns[0], AZURE_TIME);
        } catch (DateTimeParseException e) {
            throw refusal(number, "TIMESTAMP '" + columns[0] + "' is no time like 2023-11-16 18:17:03.9799600");
        }
        LocalDateTime from = first.orElse(time);
        first = Optional.of(from);
        return new Arrival(
                Duration.between(from, time).toNanos() * NANOS,
                tokens(number, "ContextTokens", columns[1]),
                tokens(number, "GeneratedTokens", columns[2]),
                List.of());
    }

    private int tokens(int number, String column, String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw refusal(number, column + " must be a whole number but is '" + text + "'");
        }
        return positive(number, column, Integer.parseInt(text));
    }

    private Arrival mooncake(int number, String line) {
        JsonFields fields = JsonFields.parse(file, "line " + number + ": ", line);
        return new Arrival(
                fields.integer("timestamp", Long.MAX_VALUE) * MILLIS,
                positive(number, "input_length", fields.integer("input_length", MAX_TOKENS)),
                positive(number, "output_length", fields.integer("output_length", MAX_TOKENS)),
                fields.optionalIntegers("hash_ids").orElse(List.of()));
    }

    private int positive(int number, String name, long tokens) {
        if (tokens < 1 || tokens > MAX_TOKENS) {
            throw refusal(number, name + " must be between 1 and " + MAX_TOKENS + " but is " + tokens);
        }
        return (int) tokens;
    }

    private InvalidInputException refusal(int number, String reason) {
        return new InvalidInputException(file, "line " + number + ": " + reason);
    }
}
