package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTraceTest {
    private static final String INDEX = "index.jsonl";

    @TempDir
    Path directory;

    @Nested
    class OfTokenExperts {
        private TraceFolder folder;

        @BeforeEach
        void writeAGoodTrace() throws IOException {
            folder = TraceFolder.tokenExperts(directory);
        }

        @Test
        void listsItsRequestsInFileOrder() throws IOException {
            RoutingTrace trace = RoutingTrace.read(directory);

            assertThat(trace.model()).isEqualTo("tiny");
            assertThat(trace.geometry()).isEqualTo(new Geometry(2, 4, 2));
            assertThat(trace.requests()).extracting(TraceRequest::id).containsExactly("a", "b");
            assertThat(trace.requests()).extracting(TraceRequest::domain).containsExactly("law", "");
            assertThat(trace.requests()).extracting(TraceRequest::prefillTokens).containsExactly(2, 1);
            assertThat(trace.requests()).extracting(TraceRequest::decodeTokens).containsExactly(1, 0);
        }

        @Test
        void countsPromptAndDecodedTokensApart() throws IOException {
            TraceRequest a = RoutingTrace.read(directory).requests().getFirst();

            assertThat(a.prefillCounts()).isEqualTo(counts(2, 2, 0, 0, 0, 1, 1, 2));
            assertThat(a.decodeCounts()).contains(counts(1, 0, 1, 0, 1, 1, 0, 0));
            assertThat(a.tokenExperts().orElseThrow().counts(1, 3)).isEqualTo(counts(2, 1, 1, 0, 1, 2, 0, 1));
            assertThat(a.tokenExperts().orElseThrow().counts(2, 2).isZero()).isTrue();
        }

        @Test
        void hasNoDecodeCountsWhereNothingWasDecoded() throws IOException {
            TraceRequest b = RoutingTrace.read(directory).requests().getLast();

            assertThat(b.prefillCounts()).isEqualTo(counts(0, 0, 1, 1, 0, 1, 1, 0));
            assertThat(b.decodeCounts()).isEmpty();
        }

        @Test
        void tellsEachTokensExperts() throws IOException {
            TokenExperts experts = RoutingTrace.read(directory)
                    .requests()
                    .getFirst()
                    .tokenExperts()
                    .orElseThrow();

            assertThat(experts.tokens()).isEqualTo(3);
            assertThat(experts.expertAt(0, 0, 0)).isZero();
            assertThat(experts.expertAt(1, 1, 0)).isEqualTo(3);
            assertThat(experts.expertAt(2, 0, 1)).isZero();
            long[] bits = new long[2];
            experts.addTo(0, 1, bits, 1);
            experts.addTo(1, 1, bits, 1);
            assertThat(bits).containsExactly(0, 0b1110);
        }

        @Test
        void refusesTokensThatAreNotRecorded() throws IOException {
            TokenExperts experts = RoutingTrace.read(directory)
                    .requests()
                    .getFirst()
                    .tokenExperts()
                    .orElseThrow();

            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> experts.expertAt(3, 0, 0));
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> experts.expertAt(0, 2, 0));
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> experts.expertAt(0, 0, 2));
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> experts.counts(0, 4));
        }

        @Test
        void readsIdsAbove127AsUnsigned() throws IOException {
            folder.meta("{'format':'moe-routing-u8-v1','model':'m','layers':1,'experts':256,'topK':2}")
                    .index("{'id':'a','prefillTokens':1,'decodeTokens':0,'offset':0}")
                    .experts(255, 128);
            TraceRequest request = RoutingTrace.read(directory).requests().getFirst();
            TokenExperts experts = request.tokenExperts().orElseThrow();

            assertThat(experts.expertAt(0, 0, 0)).isEqualTo(255);
            assertThat(request.prefillCounts().count(0, 128)).isEqualTo(1);
            long[] bits = new long[4];
            experts.addTo(0, 0, bits, 0);
            assertThat(bits).containsExactly(0, 0, 1, Long.MIN_VALUE);
        }

        @Test
        void mayListItsRequestsInAnotherOrderThanTheirBytes() throws IOException {
            folder.index(
                    "{'id':'b','prefillTokens':1,'decodeTokens':0,'offset':12}",
                    "{'id':'a','prefillTokens':2,'decodeTokens':1,'offset':0}");

            assertThat(RoutingTrace.read(directory).requests().getFirst().prefillCounts())
                    .isEqualTo(counts(0, 0, 1, 1, 0, 1, 1, 0));
        }

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void anyRangeSumsToItsTokensTimesK(long seed) throws IOException {
            RandomGenerator random = new SplittableRandom(seed);
            int experts = random.nextInt(1, 257);
            Geometry geometry =
                    new Geometry(random.nextInt(1, 9), experts, random.nextInt(1, Math.min(experts, 8) + 1));
            int tokens = random.nextInt(1, 60);
            int[] ids = new int[tokens * geometry.layers() * geometry.topK()];
            for (int row = 0; row < tokens * geometry.layers(); row++) {
                int first = random.nextInt(experts);
                for (int rank = 0; rank < geometry.topK(); rank++) {
                    ids[row * geometry.topK() + rank] = (first + rank) % experts;
                }
            }
            int prefill = random.nextInt(tokens + 1);
            folder.meta("{'format':'moe-routing-u8-v1','model':'m','layers':" + geometry.layers() + ",'experts':"
                            + experts + ",'topK':" + geometry.topK() + "}")
                    .index("{'id':'a','prefillTokens':" + prefill + ",'decodeTokens':" + (tokens - prefill)
                            + ",'offset':0}")
                    .experts(ids);
            TraceRequest request = RoutingTrace.read(directory).requests().getFirst();
            TokenExperts read = request.tokenExperts().orElseThrow();

            request.prefillCounts().requireRowSums("prefill", prefill, geometry.topK());
            int from = random.nextInt(tokens + 1);
            int to = random.nextInt(from, tokens + 1);
            read.counts(from, to).requireRowSums("range", to - from, geometry.topK());
            int[] readIds = new int[ids.length];
            for (int i = 0; i < ids.length; i++) {
                int row = i / geometry.topK();
                readIds[i] = read.expertAt(row / geometry.layers(), row % geometry.layers(), i % geometry.topK());
            }
            assertThat(readIds).isEqualTo(ids);
        }

        @Test
        void refusesAnExpertThatTheModelDoesNotHave() throws IOException {
            folder.experts(0, 1, 2, 3, 1, 0, 3, 4, 2, 0, 0, 1, 3, 2, 1, 2);

            assertRefused("experts.u8.gz", "request a, layer 1, token 1 (prefill): expert id 4 is not below 4");
        }

        @Test
        void refusesARowThatNamesAnExpertTwice() throws IOException {
            folder.experts(0, 1, 2, 3, 1, 0, 3, 1, 2, 2, 0, 1, 3, 2, 1, 2);

            assertRefused("experts.u8.gz", "request a, layer 0, token 2 (decode): expert 2 is named twice");
        }

        @Test
        void refusesDataThatEndsBeforeItsRequests() throws IOException {
            folder.experts(0, 1, 2, 3, 1, 0, 3, 1, 2, 0, 0, 1, 3, 2, 1);

            assertRefused("experts.u8.gz", "holds only 15 bytes, but request b ends at byte 16");
        }

        @Test
        void refusesDataThatGoesOnBehindItsRequests() throws IOException {
            folder.experts(0, 1, 2, 3, 1, 0, 3, 1, 2, 0, 0, 1, 3, 2, 1, 2, 0);

            assertRefused("experts.u8.gz", "goes on behind the 16 bytes");
        }

        @ParameterizedTest(name = "{0} bytes short")
        @ValueSource(ints = {1, 4, 8, 12, 20})
        void refusesTruncatedGzip(int bytes) throws IOException {
            folder.cut("experts.u8.gz", bytes);

            assertRefused("experts.u8.gz", "is truncated gzip");
        }

        @Test
        void refusesGzipWhoseChecksumIsWrong() throws IOException {
            folder.flip("experts.u8.gz", 7);

            assertRefused("experts.u8.gz", "is not intact gzip");
        }

        @ParameterizedTest(name = "{0} bytes")
        @ValueSource(ints = {1, 18, 19, 40, 100_000})
        void refusesBytesBehindTheGzipData(int bytes) throws IOException {
            folder.append("experts.u8.gz", new byte[bytes]);

            assertRefused("experts.u8.gz", "has bytes behind the end of its gzip data");
        }

        @Test
        void readsGzipOfSeveralMembers() throws IOException {
            folder.experts(1, 2);
            byte[] last = Files.readAllBytes(directory.resolve("experts.u8.gz"));
            folder.experts(0, 1, 2, 3, 1, 0, 3, 1, 2, 0, 0, 1, 3, 2).append("experts.u8.gz", last);

            assertThat(RoutingTrace.read(directory).requests().getLast().prefillCounts())
                    .isEqualTo(counts(0, 0, 1, 1, 0, 1, 1, 0));
        }

        @Test
        void refusesDataThatIsNotGzip() throws IOException {
            folder.overwrite("experts.u8.gz", "0123456789012345");

            assertRefused("experts.u8.gz", "is not intact gzip");
        }

        @Test
        void refusesAnIndexThatDescribesFarMoreThanTheFileCanHold() throws IOException {
            folder.index(
                    "{'id':'a','prefillTokens':400000000,'decodeTokens':1,'offset':0}",
                    "{'id':'b','prefillTokens':0,'decodeTokens':0,'offset':1600000004}");
            assertRefused("experts.u8.gz", "cannot hold the 1600000004 bytes");

            folder.index(
                    "{'id':'a','prefillTokens':2147483647,'decodeTokens':2147483647,'offset':0}",
                    "{'id':'b','prefillTokens':0,'decodeTokens':0,'offset':0}");
            assertRefused(INDEX, "request a would end at byte 17179869176");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"meta.json", "index.jsonl", "experts.u8.gz"})
        void refusesAMissingFile(String file) throws IOException {
            folder.without(file);

            assertRefused(file, "is missing in " + directory);
        }

        @Test
        void refusesADirectoryThatIsNotThere() {
            assertThatExceptionOfType(InvalidInputException.class)
                    .isThrownBy(() -> RoutingTrace.read(directory.resolve("nothing")))
                    .withMessageContaining("nothing is not a directory");
        }

        @ParameterizedTest(name = "second line {0}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '~',
                value = {
                    "{'id':'b','prefillTokens':1 | is not intact JSON",
                    "nonsense | is not intact JSON",
                    "~~ | is not a JSON object",
                    "[1] | is not a JSON object",
                    "{} {} | has more behind its JSON object",
                    "{'id':'b','id':'c'} | Duplicate",
                    "{'id':'a','prefillTokens':1,'decodeTokens':0,'offset':12} | id 'a' is on line 1 already",
                    "{'prefillTokens':1,'decodeTokens':0,'offset':12} | id is missing",
                    "{'id':' ','prefillTokens':1,'decodeTokens':0,'offset':12} | id must not be blank",
                    "{'id':7,'prefillTokens':1,'decodeTokens':0,'offset':12} | id must be text",
                    "{'id':'b','domain':1,'prefillTokens':1,'decodeTokens':0,'offset':12} | domain must be text",
                    "{'id':'b','decodeTokens':0,'offset':12} | prefillTokens is missing",
                    "{'id':'b','prefillTokens':1,'offset':12} | decodeTokens is missing",
                    "{'id':'b','prefillTokens':1,'decodeTokens':0} | offset is missing",
                    "{'id':'b','prefillTokens':-1,'decodeTokens':2,'offset':12} | prefillTokens is negative (-1)",
                    "{'id':'b','prefillTokens':2,'decodeTokens':-1,'offset':12} | decodeTokens is negative (-1)",
                    "{'id':'b','prefillTokens':1,'decodeTokens':0,'offset':-12} | offset is negative (-12)",
                    "{'id':'b','prefillTokens':1.0,'decodeTokens':0,'offset':12} | prefillTokens must be an integer",
                    "{'id':'b','prefillTokens':'1','decodeTokens':0,'offset':12} | prefillTokens must be an integer",
                    "{'id':'b','prefillTokens':NaN,'decodeTokens':0,'offset':12} | is not intact JSON",
                    "{'id':'b','prefillTokens':3000000000,'decodeTokens':0,'offset':12} | more than 2147483647",
                    "{'id':'b','prefillTokens':1,'decodeTokens':0,'offset':99999999999999999999} | is not intact JSON"
                })
        void refusesAMalformedLineByItsNumber(String line, String reason) throws IOException {
            folder.index("{'id':'a','prefillTokens':2,'decodeTokens':1,'offset':0}", line);

            assertRefused(INDEX, "line 2: ");
            assertRefused(INDEX, reason);
        }

        @Test
        void refusesAnIndexThatIsNotUtf8() throws IOException {
            folder.overwrite(INDEX, "{\"id\":\"\u00e9\"}\n");

            assertRefused(INDEX, "is not UTF-8");
        }

        @ParameterizedTest(name = "offset {0}")
        @CsvSource(
                delimiter = '|',
                value = {
                    "11 | request b: offset 11 lies inside request a, which ends at 12",
                    "0 | lies inside request",
                    "13 | request b: offset 13 leaves a gap behind request a, which ends at 12",
                    "9223372036854775807 | leaves a gap"
                })
        void refusesAnOffsetThatDoesNotFollowOnTheRequestBefore(long offset, String reason) throws IOException {
            folder.index(
                    "{'id':'a','prefillTokens':2,'decodeTokens':1,'offset':0}",
                    "{'id':'b','prefillTokens':1,'decodeTokens':0,'offset':" + offset + "}");

            assertRefused(INDEX, reason);
        }

        @Test
        void refusesAnIndexWhoseFirstRequestDoesNotBeginTheFile() throws IOException {
            folder.index(
                    "{'id':'a','prefillTokens':2,'decodeTokens':1,'offset':4}",
                    "{'id':'b','prefillTokens':1,'decodeTokens':0,'offset':16}");

            assertRefused(INDEX, "request a: offset 4 leaves the bytes before it to no request");
        }

        @Test
        void refusesAnIndexWithOtherThanTheAnnouncedRequests() throws IOException {
            folder.index("{'id':'a','prefillTokens':2,'decodeTokens':1,'offset':0}");

            assertRefused(INDEX, "has 1 requests but meta.json announces 2");
        }

        @Test
        void refusesAnEmptyIndex() throws IOException {
            folder.overwrite(INDEX, "");

            assertRefused(INDEX, "has no requests");
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '~',
                value = {
                    "{'format':'moe-routing-u8-v2','model':'m','layers':2,'experts':4,'topK':2} | format 'moe-routing-u8-v2' is unknown",
                    "{'model':'m','layers':2,'experts':4,'topK':2} | format is missing",
                    "{'format':'moe-routing-u8-v1','layers':2,'experts':4,'topK':2} | model is missing",
                    "{'format':'moe-routing-u8-v1','model':'','layers':2,'experts':4,'topK':2} | model must not be blank",
                    "{'format':'moe-routing-u8-v1','model':'m','layers':0,'experts':4,'topK':2} | layers must be between 1 and 1024",
                    "{'format':'moe-routing-u8-v1','model':'m','layers':1025,'experts':4,'topK':2} | layers must be between",
                    "{'format':'moe-routing-u8-v1','model':'m','layers':2,'experts':257,'topK':2} | can name 256 at most",
                    "{'format':'moe-routing-u8-v1','model':'m','layers':2,'experts':4,'topK':5} | topK must be between 1 and 4",
                    "{'format':'moe-routing-u8-v1','model':'m','layers':2,'experts':-4,'topK':2} | experts is negative (-4)",
                    "{'format':'moe-routing-u8-v1','model':'m','layers':2,'experts':'4','topK':2} | experts must be an integer",
                    "{'format':'moe-routing-u8-v1', | is not intact JSON",
                    "'text' | is not a JSON object"
                })
        void refusesAnUnfitMeta(String json, String reason) throws IOException {
            folder.meta(json);

            assertRefused("meta.json", reason);
        }

        private ExpertCounts counts(int... cells) {
            return ExpertCounts.of(2, 4, cells);
        }
    }

    @Nested
    class OfPromptCounts {
        private TraceFolder folder;

        @BeforeEach
        void writeAGoodTrace() throws IOException {
            folder = TraceFolder.promptCounts(directory);
        }

        @Test
        void hasCountsOfPromptsAndNothingElse() throws IOException {
            RoutingTrace trace = RoutingTrace.read(directory);

            assertThat(trace.geometry()).isEqualTo(new Geometry(2, 3, 2));
            assertThat(trace.requests())
                    .extracting(TraceRequest::prefillCounts)
                    .containsExactly(
                            ExpertCounts.of(2, 3, new int[] {3, 2, 1, 0, 3, 3}),
                            ExpertCounts.of(2, 3, new int[] {1, 1, 0, 0, 1, 1}));
            assertThat(trace.requests()).allSatisfy(request -> {
                assertThat(request.decodeTokens()).isZero();
                assertThat(request.decodeCounts()).isEmpty();
                assertThat(request.tokenExperts()).isEmpty();
            });
        }

        @Test
        void readsCountsAbove32767AsUnsigned() throws IOException {
            folder.index("{'id':'a','prefillTokens':65535,'offset':0}", "{'id':'b','prefillTokens':0,'offset':12}")
                    .counts(65_535, 65_535, 0, 65_535, 0, 65_535, 0, 0, 0, 0, 0, 0);

            assertThat(RoutingTrace.read(directory)
                            .requests()
                            .getFirst()
                            .prefillCounts()
                            .count(1, 2))
                    .isEqualTo(65_535);
        }

        @Test
        void refusesALayerThatDoesNotSumToTokensTimesK() throws IOException {
            folder.counts(3, 2, 1, 0, 3, 3, 1, 1, 0, 0, 1, 2);

            assertRefused("counts.u16le.gz", "request b, layer 1 sums to 3 instead of 1 tokens x 2 = 2");
        }

        @Test
        void refusesAnExpertThatCountsMoreTokensThanThereAre() throws IOException {
            folder.counts(3, 2, 1, 0, 3, 3, 1, 1, 0, 0, 2, 0);

            assertRefused("counts.u16le.gz", "request b, layer 1: expert 1 counts 2 of 1 tokens");
        }

        @Test
        void refusesDecodeTokens() throws IOException {
            folder.index("{'id':'a','prefillTokens':3,'decodeTokens':4,'offset':0}");

            assertRefused(INDEX, "line 1: decodeTokens must be absent or 0");
        }

        @Test
        void refusesAMissingDataFile() throws IOException {
            folder.without("counts.u16le.gz");

            assertRefused("counts.u16le.gz", "is missing");
        }

        @Test
        void refusesDataOfAnotherLength() throws IOException {
            folder.counts(3, 2, 1, 0, 3, 3, 1, 1, 0, 0, 1);
            assertRefused("counts.u16le.gz", "holds only 22 bytes, but request b ends at byte 24");

            folder.counts(3, 2, 1, 0, 3, 3, 1, 1, 0, 0, 1, 1, 0);
            assertRefused("counts.u16le.gz", "goes on behind");
        }
    }

    private void assertRefused(String file, String reason) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> RoutingTrace.read(directory))
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(file))
                .satisfies(refusal -> assertThat(refusal.reason()).contains(reason));
    }
}
