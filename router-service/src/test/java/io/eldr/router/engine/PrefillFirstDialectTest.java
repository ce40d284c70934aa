package io.eldr.router.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.testing.Fixtures;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PrefillFirstDialectTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String SIGNATURE = EldrSigForm.write(Fixtures.counts(3, 3));
    private static final String ANSWER = """
            {"id":"cmpl-1","object":"text_completion","created":1764460800,"model":"m",
             "choices":[{"index":0,"text":" a","token_ids":[7],"prompt_token_ids":[3,4,15],"finish_reason":"length"}],
             "usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4},
             "kv_transfer_params":{"do_remote_prefill":true,"remote_engine_id":"p","prefill_first_token_id":7,
              "prefill_prompt_tokens":3,"prefill_continues":true,"eldr_sig":"%s"}}""".formatted(SIGNATURE);

    private final PrefillFirstDialect dialect = new PrefillFirstDialect();

    @Test
    void prefillKeepsTheClientsOwnLengthAndAsksForTheIdsOfTheTokens() {
        JsonNode asked = JSON.readTree(dialect.forPrefill(
                request("{\"prompt\":\"x\",\"max_tokens\":5,\"stream\":true,\"stream_options\":{}}")
                        .splice(),
                "a\"1"));

        assertThat(asked.path("max_tokens").asInt()).isEqualTo(5);
        assertThat(asked.path("stream").asBoolean(true)).isFalse();
        assertThat(asked.path("return_token_ids").asBoolean()).isTrue();
        assertThat(asked.has("stream_options")).isFalse();
        assertThat(asked.path("kv_transfer_params").toString())
                .isEqualTo("{\"do_remote_decode\":true,\"do_remote_prefill\":false,\"transfer_id\":\"xfer-a\\\"1\","
                        + "\"prefill_first\":true}");
    }

    @Test
    void decodeGoesOnAfterTheFirstTokenOnThePromptsIds() {
        PrefillAnswer.HandedOver state = handedOver(ANSWER);
        JsonNode body = JSON.readTree(dialect.forDecode(
                request("{\"prompt\":\"x\",\"max_tokens\":5,\"stream\":true,\"truncate_prompt_tokens\":9,\"seed\":1}")
                        .splice(),
                state));

        assertThat(state.promptTokens()).isEqualTo(OptionalInt.of(3));
        assertThat(state.signature()).isInstanceOf(PromptSignature.Read.class);
        assertThat(body.toString())
                .isEqualTo(
                        "{\"max_tokens\":5,\"stream\":true,\"seed\":1,\"prompt\":[3,4,15],\"add_special_tokens\":false,"
                                + "\"kv_transfer_params\":{\"do_remote_prefill\":true,\"remote_engine_id\":\"p\","
                                + "\"prefill_first_token_id\":7,\"prefill_prompt_tokens\":3,\"prefill_continues\":true,"
                                + "\"prefill_created\":1764460800}}");
    }

    @Test
    void whatPrefillEndedKeepsAStateThatSomebodyMustGiveFree() {
        assertThat(dialect.read(
                        ANSWER.replace("\"prefill_continues\":true", "\"prefill_continues\":false")
                                .getBytes(UTF_8),
                        Fixtures.GEOMETRY))
                .isInstanceOfSatisfying(
                        PrefillAnswer.Finished.class,
                        finished -> assertThat(finished.transfer()).isPresent());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "token_ids":[7]            | "token_ids":[8]             | token_ids
            "token_ids":[7]            | "token_ids":[7,8]           | token_ids
            "token_ids":[7],           |                             | token_ids
            "prefill_first_token_id":7 | "prefill_first_token_id":"7"| token_ids
            [3,4,15]                   | [3,4]                       | prompt_token_ids
            [3,4,15]                   | []                          | prompt_token_ids
            "prompt_token_ids"         | "other_ids"                 | prompt_token_ids
            "prefill_continues":true   | "prefill_continues":1       | prefill_continues
            "prefill_continues":true,  |                             | prefill_continues
            """)
    void anAnswerWhoseHistoryDoesNotFitIsRefusedByName(String there, String instead, String field) {
        String spoiled = ANSWER.replace(there, instead == null ? "" : instead);

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> dialect.read(spoiled.getBytes(UTF_8), Fixtures.GEOMETRY))
                .satisfies(refused -> assertThat(refused.field()).isEqualTo(field));
    }

    @Test
    void anAnswerWithoutParametersKeptNothing() {
        assertThat(dialect.read("{\"choices\":[{}],\"kv_transfer_params\":null}".getBytes(UTF_8), Fixtures.GEOMETRY))
                .isInstanceOf(PrefillAnswer.NothingKept.class);
    }

    private PrefillAnswer.HandedOver handedOver(String answer) {
        return (PrefillAnswer.HandedOver) dialect.read(answer.getBytes(UTF_8), Fixtures.GEOMETRY);
    }

    private static JsonMembers request(String body) {
        return JsonMembers.of("body", body.getBytes(UTF_8));
    }
}
