package io.eldr.engine.http;

import io.eldr.engine.fault.Faults;
import io.eldr.engine.fault.RequestFault;
import io.eldr.engine.prefill.Prefilled;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.KvTransfer;
import io.eldr.engine.request.Output;
import io.eldr.engine.request.RequestReader;
import io.eldr.engine.request.RequestRefusedException;
import io.eldr.engine.worker.Engine;
import io.eldr.engine.worker.Generation;
import io.eldr.engine.worker.GenerationListener;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Answers the requests that generate. A client that leaves cancels its generation, whether anything has been written or not.
 */
final class GenerateHandler {
    private final Engine engine;
    private final RequestReader reader;
    private final SignatureForm signature;
    private final Faults faults;

    GenerateHandler(Engine engine, RequestReader reader, SignatureForm signature, Faults faults) {
        this.engine = engine;
        this.reader = reader;
        this.signature = signature;
        this.faults = faults;
    }

    Publisher<Void> answer(
            GenerationRequest.Kind kind, byte[] body, RequestReader.Headers headers, HttpServerResponse response) {
        if (!faults.isReady()) {
            throw RequestRefusedException.of(503, "the model is not loaded yet");
        }
        RequestFault fault = faults.next();
        if (fault instanceof RequestFault.Status(int status)) {
            throw RequestRefusedException.of(status, "simulated failure");
        }
        if (fault instanceof RequestFault.Hang) {
            return Mono.never();
        }
        GenerationRequest request = reader.read(kind, body, headers);
        return request.stream() ? stream(request, fault, response) : whole(request, fault, response);
    }

    private Publisher<Void> stream(GenerationRequest request, RequestFault fault, HttpServerResponse response) {
        int resetAfter = fault instanceof RequestFault.Reset(int tokens) ? tokens : Integer.MAX_VALUE;
        AtomicReference<StreamListener> listener = new AtomicReference<>();
        Runnable reset = () -> reset(response);
        Generation generation = engine.start(
                request,
                output -> remembered(new StreamListener(new Events(request, output), resetAfter, reset), listener));
        response.status(200).header("content-type", "text/event-stream; charset=utf-8");
        return Mono.from(response.sendHeaders()
                        .send(listener.get().bytes(threadOf(response)).map(Unpooled::wrappedBuffer), _ -> true)
                        .then())
                .doFinally(_ -> generation.cancel());
    }

    private Publisher<Void> whole(GenerationRequest request, RequestFault fault, HttpServerResponse response) {
        AtomicReference<WholeListener> listener = new AtomicReference<>();
        Generation generation = engine.start(
                request,
                output ->
                        remembered(new WholeListener(prefilled -> body(request, output, prefilled, fault)), listener));
        return listener.get()
                .bytes()
                .flatMap(bytes -> {
                    if (fault instanceof RequestFault.Reset) {
                        reset(response);
                        return Mono.<Void>never();
                    }
                    return JsonReplies.send(response, 200, bytes);
                })
                .doFinally(_ -> generation.cancel());
    }

    private byte[] body(GenerationRequest request, Output output, Optional<Prefilled> prefilled, RequestFault fault) {
        if (prefilled.isPresent() && request.kv() instanceof KvTransfer.Produce) {
            return Answers.bytes(
                    Answers.prefilled(request, output, prefilled.get(), engine.id(), signature, flaw(fault)));
        }
        return Answers.bytes(Answers.whole(request, output));
    }

    private static Optional<Answers.PrefillFlaw> flaw(RequestFault fault) {
        return switch (fault) {
            case RequestFault.NoParams _ -> Optional.of(Answers.PrefillFlaw.NO_PARAMS);
            case RequestFault.NoSignature _ -> Optional.of(Answers.PrefillFlaw.NO_SIGNATURE);
            case RequestFault.BrokenSignature _ -> Optional.of(Answers.PrefillFlaw.BROKEN_SIGNATURE);
            case RequestFault.None _, RequestFault.Status _, RequestFault.Hang _, RequestFault.Reset _ ->
                Optional.empty();
        };
    }

    private static Executor threadOf(HttpServerResponse response) {
        AtomicReference<Executor> thread = new AtomicReference<>();
        response.withConnection(connection -> thread.set(connection.channel().eventLoop()));
        return thread.get();
    }

    private static void reset(HttpServerResponse response) {
        response.withConnection(connection -> Connections.reset(connection.channel()));
    }

    private static <T extends GenerationListener> T remembered(T listener, AtomicReference<T> where) {
        where.set(listener);
        return listener;
    }
}
