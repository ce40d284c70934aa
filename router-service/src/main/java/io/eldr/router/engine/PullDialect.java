package io.eldr.router.engine;

import io.eldr.core.signature.Geometry;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** vLLM with a connector whose decode workers pull (NIXL): what the prefill worker generates is thrown away. */
public final class PullDialect implements EngineDialect {
    private static final String ASK_FOR_TRANSFER =
            "{\"do_remote_decode\":true,\"do_remote_prefill\":false,\"remote_engine_id\":null,"
                    + "\"remote_block_ids\":null,\"remote_host\":null,\"remote_port\":null}";
    private static final String ONE_TOKEN_MADE = "length";

    @Override
    public boolean servesChat() {
        return true;
    }

    @Override
    public boolean givesFree() {
        return false;
    }

    @Override
    public void check(JsonMembers request) {
        // The engines check it themselves.
    }

    @Override
    public byte[] forPrefill(JsonMembers.Splice request, String requestId) {
        request.without(Set.of("stream_options", "min_tokens"))
                .with("stream", "false")
                .with("max_tokens", "1")
                .with(Transfer.FIELD, ASK_FOR_TRANSFER);
        if (request.has("max_completion_tokens")) {
            request.with("max_completion_tokens", "1");
        }
        return request.toBytes();
    }

    @Override
    public PrefillAnswer read(byte[] body, Geometry geometry) {
        JsonMembers answer = JsonMembers.of("answer", body);
        Optional<JsonMembers> choice = answer.firstOf("choices");
        Optional<JsonMembers> transfer = answer.object(Transfer.FIELD);
        boolean finished = choice.flatMap(made -> made.text("finish_reason"))
                .filter(reason -> !reason.equals(ONE_TOKEN_MADE))
                .isPresent();
        if (finished) {
            return new PrefillAnswer.Finished(Optional.empty());
        }
        if (transfer.isEmpty()) {
            return new PrefillAnswer.NothingKept();
        }
        OptionalInt promptTokens = Transfer.promptTokens(answer);
        return new PrefillAnswer.HandedOver(
                transfer.get(),
                promptTokens,
                new SignatureReader(geometry, promptTokens).read(answer, transfer, choice),
                Optional.empty());
    }

    @Override
    public byte[] forDecode(JsonMembers.Splice request, PrefillAnswer.HandedOver state) {
        return request.with(Transfer.FIELD, Transfer.forDecode(state.transfer()).toBytes())
                .toBytes();
    }
}
