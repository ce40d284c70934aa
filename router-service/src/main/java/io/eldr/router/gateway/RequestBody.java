package io.eldr.router.gateway;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Optional;

/** A client's body as far as it has come, up to a limit. */
final class RequestBody {
    private static final int BEGIN = 4 << 10;
    /** A client that announces much and sends nothing costs no more than that. */
    private static final int MOST_BEFORE_IT_COMES = 64 << 10;

    private final long limit;
    private byte[] bytes;
    private int length;
    private boolean tooLong;
    private Optional<GatewayException> refusal = Optional.empty();

    /** @param told its length; negative: not told */
    RequestBody(long told, int limit) {
        this.limit = limit;
        this.tooLong = told > limit;
        this.bytes = new byte[tooLong ? 0 : (int) Math.min(told >= 0 ? told : BEGIN, MOST_BEFORE_IT_COMES)];
    }

    /** It is not to be served, which is said once it has come. */
    void refuse(GatewayException why) {
        refusal = Optional.of(why);
    }

    Optional<GatewayException> refusal() {
        return refusal;
    }

    boolean isTooLong() {
        return tooLong;
    }

    void add(ByteBuf piece) {
        int more = piece.readableBytes();
        if (tooLong || more > limit - length) {
            tooLong = true;
            return;
        }
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(limit, Math.max(2L * bytes.length, length + more)));
        }
        piece.readBytes(bytes, length, more);
        length += more;
    }

    byte[] toBytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
