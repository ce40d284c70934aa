package io.eldr.engine.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.netty.Connection;

/** A worker's open connections, whichever of its listeners accepted them. */
public final class Connections {
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();

    void remember(Connection connection) {
        Channel channel = connection.channel();
        open.add(channel);
        connection.onDispose(() -> open.remove(channel));
    }

    /** Ends all of them as a process does that dies. */
    public void resetAll() {
        open.forEach(Connections::reset);
    }

    /** The peer sees a reset, not an end. */
    static void reset(Channel channel) {
        try {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException e) {
            // The peer was faster: it is closed.
        }
        // Nobody waits for it.
        ChannelFuture _ = channel.close();
    }
}
