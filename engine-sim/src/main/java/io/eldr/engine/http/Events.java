package io.eldr.engine.http;

import io.eldr.engine.request.FinishReason;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.Output;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/** The server-sent events of one streamed answer, one token each, as vLLM writes them. */
final class Events {
    private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.US_ASCII);

    private final GenerationRequest request;
    private final Output output;
    private final boolean chat;
    private final String head;
    private final String tail;

    Events(GenerationRequest request, Output output) {
        this.request = request;
        this.output = output;
        this.chat = request.kind() == GenerationRequest.Kind.CHAT;
        this.head = "data: {\"id\":\"" + Answers.id(request, output) + "\",\"object\":\""
                + (chat ? "chat.completion.chunk" : "text_completion") + "\",\"created\":" + Answers.CREATED
                + ",\"model\":" + JsonNodeFactory.instance.stringNode(request.model()) + ",\"choices\":[";
        // With include_usage every chunk but the last says that there is none yet.
        this.tail = request.includeUsage() ? ",\"usage\":null}\n\n" : "}\n\n";
    }

    /** What comes before the first token: a chat's role. */
    Optional<byte[]> opening() {
        return chat
                ? Optional.of(bytes(head
                        + "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,"
                        + "\"finish_reason\":null}]" + tail))
                : Optional.empty();
    }

    byte[] token(int index) {
        boolean last = index == request.length() - 1;
        FinishReason reason = request.finish();
        String finish = last ? "\"" + reason.text() + "\"" : "null";
        String text = output.text(index);
        return bytes(
                chat
                        ? head + "{\"index\":0,\"delta\":{\"content\":\"" + text
                                + "\"},\"logprobs\":null,\"finish_reason\":" + finish
                                + (last ? ",\"stop_reason\":null" : "") + ids(index) + "}]" + tail
                        : head + "{\"index\":0,\"text\":\"" + text + "\",\"logprobs\":null,\"finish_reason\":" + finish
                                + ",\"stop_reason\":null" + ids(index) + "}]" + tail);
    }

    /** The usage, if the client wants it. */
    Optional<byte[]> usage() {
        return request.includeUsage()
                ? Optional.of(bytes(
                        head + "],\"usage\":" + Answers.usage(request.prompt().tokens(), request.length()) + "}\n\n"))
                : Optional.empty();
    }

    byte[] done() {
        return DONE.clone();
    }

    private String ids(int index) {
        return request.returnTokenIds() ? ",\"token_ids\":[" + output.tokenId(index) + "]" : "";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
