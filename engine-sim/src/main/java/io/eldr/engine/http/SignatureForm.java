package io.eldr.engine.http;

import io.eldr.core.signature.EldrForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.engine.request.GenerationRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** In which form a prefill worker's answer tells the experts of the prompt. */
public enum SignatureForm {
    /** Not at all, as stock vLLM. */
    NONE {
        @Override
        void write(ObjectNode answer, ExpertCounts counts, GenerationRequest request) {}
    },
    /** The ELDR authors' fork: int16 counts, which wrap above 32,767. */
    ELDR_SIG {
        @Override
        void write(ObjectNode answer, ExpertCounts counts, GenerationRequest request) {
            ByteBuffer values = ByteBuffer.allocate(2 * counts.size()).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < counts.size(); i++) {
                values.putShort((short) counts.cell(i));
            }
            params(answer).put("eldr_sig", base64(values.array()));
        }
    },
    /** This project's own form. */
    ELDR {
        @Override
        void write(ObjectNode answer, ExpertCounts counts, GenerationRequest request) {
            EldrForm form = EldrForm.write(counts, request.prompt().tokens());
            ObjectNode json = params(answer).putObject("eldr");
            form.v().ifPresent(value -> json.put("v", value));
            form.layers().ifPresent(value -> json.put("layers", value));
            form.experts().ifPresent(value -> json.put("experts", value));
            form.tokens().ifPresent(value -> json.put("tokens", value));
            form.dtype().ifPresent(value -> json.put("dtype", value));
            form.counts().ifPresent(value -> json.put("counts", value));
        }
    },
    /** vLLM from 0.22 on: base64 of a {@code .npy} file (tokens, layers, k) in the choice. */
    ROUTED_EXPERTS {
        @Override
        void write(ObjectNode answer, ExpertCounts counts, GenerationRequest request) {
            choice(answer).put("routed_experts", base64(npy(request)));
        }
    },
    /** vLLM 0.21: nested lists at the top. */
    PROMPT_ROUTED_EXPERTS {
        @Override
        void write(ObjectNode answer, ExpertCounts counts, GenerationRequest request) {
            Geometry geometry = request.recorded().geometry();
            ArrayNode tokens = answer.putArray("prompt_routed_experts");
            for (int token = 0; token < request.prompt().tokens(); token++) {
                ArrayNode layers = tokens.addArray();
                for (int layer = 0; layer < geometry.layers(); layer++) {
                    ArrayNode row = layers.addArray();
                    for (int rank = 0; rank < geometry.topK(); rank++) {
                        row.add(request.recorded().promptExpert(token, layer, rank));
                    }
                }
            }
        }
    },
    /** SGLang's OpenAI interface: base64 of little-endian int32 without a header. */
    SGLEXT {
        @Override
        void write(ObjectNode answer, ExpertCounts counts, GenerationRequest request) {
            Geometry geometry = request.recorded().geometry();
            ByteBuffer ids = ByteBuffer.allocate(4 * request.prompt().tokens() * geometry.layers() * geometry.topK())
                    .order(ByteOrder.LITTLE_ENDIAN);
            for (int token = 0; token < request.prompt().tokens(); token++) {
                for (int layer = 0; layer < geometry.layers(); layer++) {
                    for (int rank = 0; rank < geometry.topK(); rank++) {
                        ids.putInt(request.recorded().promptExpert(token, layer, rank));
                    }
                }
            }
            answer.withObject("/sglext").put("routed_experts", base64(ids.array()));
        }
    };

    private static final int NPY_ALIGNMENT = 64;

    /**
     * Adds the signature to an answer.
     *
     * @param answer has one choice and {@code kv_transfer_params}
     */
    abstract void write(ObjectNode answer, ExpertCounts counts, GenerationRequest request);

    private static ObjectNode params(ObjectNode answer) {
        return answer.withObject("/kv_transfer_params");
    }

    private static ObjectNode choice(ObjectNode answer) {
        return answer.withObject("/choices/0");
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] npy(GenerationRequest request) {
        Geometry geometry = request.recorded().geometry();
        int tokens = request.prompt().tokens();
        boolean wide = geometry.experts() > 256;
        String header = "{'descr': '" + (wide ? "<u2" : "|u1") + "', 'fortran_order': False, 'shape': (" + tokens + ", "
                + geometry.layers() + ", " + geometry.topK() + "), }";
        int prefix = 10;
        int padded = Math.ceilDiv(prefix + header.length() + 1, NPY_ALIGNMENT) * NPY_ALIGNMENT;
        int values = tokens * geometry.layers() * geometry.topK();
        ByteBuffer file = ByteBuffer.allocate(padded + values * (wide ? 2 : 1)).order(ByteOrder.LITTLE_ENDIAN);
        file.put((byte) 0x93)
                .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 0);
        file.putShort((short) (padded - prefix));
        file.put(header.getBytes(StandardCharsets.US_ASCII));
        while (file.position() < padded - 1) {
            file.put((byte) ' ');
        }
        file.put((byte) '\n');
        for (int token = 0; token < tokens; token++) {
            for (int layer = 0; layer < geometry.layers(); layer++) {
                for (int rank = 0; rank < geometry.topK(); rank++) {
                    int expert = request.recorded().promptExpert(token, layer, rank);
                    if (wide) {
                        file.putShort((short) expert);
                    } else {
                        file.put((byte) expert);
                    }
                }
            }
        }
        return file.array();
    }
}
