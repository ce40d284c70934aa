package io.eldr.engine.http;

import io.eldr.engine.prefill.Prefilled;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.KvTransfer;
import io.eldr.engine.request.Output;
import io.eldr.engine.request.Prompt;
import io.eldr.engine.request.RequestRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Bodies as vLLM writes them. Id and time of an answer follow from the request, so that equal requests have equal answers
 * wherever they run.
 */
final class Answers {
    /** The time that every answer carries, in seconds of the epoch. */
    static final long CREATED = 1_764_460_800L;

    private Answers() {}

    /** How the id of a request begins on its path. */
    static String id(GenerationRequest request, Output output) {
        return (request.kind() == GenerationRequest.Kind.CHAT ? "chatcmpl-" : "cmpl-") + output.name();
    }

    /** The answer of a worker that generated the request to its end; with what another one generated before it. */
    static ObjectNode whole(GenerationRequest request, Output output) {
        return envelope(request, output, request.length(), request.finish());
    }

    /**
     * The answer of a prefill worker that keeps the KV for a decoder.
     *
     * @param engineId the worker
     * @param fault what goes wrong on purpose
     */
    static ObjectNode prefilled(
            GenerationRequest request,
            Output output,
            Prefilled prefilled,
            String engineId,
            SignatureForm form,
            Optional<PrefillFlaw> fault) {
        boolean continues = continues(request);
        ObjectNode answer = envelope(request, output, 1, continues ? FinishReason.LENGTH : request.finish());
        if (!request.keepsKv() || fault.equals(Optional.of(PrefillFlaw.NO_PARAMS))) {
            answer.putNull("kv_transfer_params");
            return answer;
        }
        answer.set("kv_transfer_params", params(request, output, engineId));
        if (fault.equals(Optional.of(PrefillFlaw.BROKEN_SIGNATURE))) {
            answer.withObject("/kv_transfer_params").put("eldr_sig", "no base64 at all!");
        } else if (fault.isEmpty()) {
            form.write(answer, prefilled.counts(), request);
        }
        return answer;
    }

    /** Whether a decoder is to go on after the first token, in the authors' dialect. */
    private static boolean continues(GenerationRequest request) {
        return request.kv() instanceof KvTransfer.Produce(boolean prefillFirst) && prefillFirst && request.length() > 1;
    }

    /** What is wrong with a prefill worker's answer. */
    enum PrefillFlaw {
        NO_PARAMS,
        NO_SIGNATURE,
        BROKEN_SIGNATURE
    }

    private static ObjectNode params(GenerationRequest request, Output output, String engineId) {
        Prompt prompt = request.prompt();
        ObjectNode params = JsonNodeFactory.instance
                .objectNode()
                .put("do_remote_prefill", true)
                .put("do_remote_decode", false);
        ArrayNode blocks = params.putArray("remote_block_ids").addArray();
        int first = (int) Long.remainderUnsigned(prompt.hash(), 60_000);
        for (int block = 0; block < Math.ceilDiv(prompt.tokens(), Prompt.BLOCK_TOKENS); block++) {
            blocks.add(first + block);
        }
        params.put("remote_engine_id", engineId)
                .put("remote_request_id", request.requestId())
                .put("remote_host", "127.0.0.1")
                .put("remote_port", 5_600)
                .put("tp_size", 1)
                .put("remote_num_tokens", prompt.tokens());
        if (request.kv() instanceof KvTransfer.Produce(boolean prefillFirst) && prefillFirst) {
            params.put("prefill_first_token_id", output.tokenId(0))
                    .put("prefill_prompt_tokens", prompt.tokens())
                    .put("prefill_continues", continues(request));
        }
        return params;
    }

    private static ObjectNode envelope(GenerationRequest request, Output output, int length, FinishReason finish) {
        boolean chat = request.kind() == GenerationRequest.Kind.CHAT;
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("id", id(request, output))
                .put("object", chat ? "chat.completion" : "text_completion")
                .put("created", CREATED)
                .put("model", request.model());
        ObjectNode choice = answer.putArray("choices").addObject().put("index", 0);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(output.text(i));
        }
        if (chat) {
            choice.putObject("message").put("role", "assistant").put("content", text.toString());
        } else {
            choice.put("text", text.toString());
        }
        choice.putNull("logprobs").put("finish_reason", finish.text()).putNull("stop_reason");
        if (request.returnTokenIds()) {
            ArrayNode ids = choice.putArray("token_ids");
            for (int i = 0; i < length; i++) {
                ids.add(output.tokenId(i));
            }
            ArrayNode prompt = choice.putArray("prompt_token_ids");
            for (int i = 0; i < request.prompt().tokens(); i++) {
                prompt.add(request.prompt().id(i));
            }
        }
        answer.set("usage", usage(request.prompt().tokens(), length));
        return answer;
    }

    static ObjectNode usage(int prompt, int completion) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("prompt_tokens", prompt)
                .put("total_tokens", prompt + completion)
                .put("completion_tokens", completion);
    }

    static ObjectNode models(List<String> names, int maxModelLength) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("object", "list");
        ArrayNode data = answer.putArray("data");
        for (String name : names) {
            data.addObject()
                    .put("id", name)
                    .put("object", "model")
                    .put("created", CREATED)
                    .put("owned_by", "vllm")
                    .put("root", names.getFirst())
                    .put("max_model_len", maxModelLength);
        }
        return answer;
    }

    static ObjectNode error(RequestRefusedException refusal) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ObjectNode error =
                answer.putObject("error").put("message", refusal.text()).put("type", refusal.type());
        refusal.param().ifPresentOrElse(param -> error.put("param", param), () -> error.putNull("param"));
        error.put("code", refusal.status());
        return answer;
    }

    static byte[] bytes(ObjectNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
