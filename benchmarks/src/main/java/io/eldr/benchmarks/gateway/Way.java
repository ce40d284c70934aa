package io.eldr.benchmarks.gateway;

import java.io.IOException;

/**
 * How a client gets its answer. A way has steps: each is one request on a connection of its own, and may need the answer to
 * the one before.
 */
sealed interface Way {

    /** How many requests the client sends for one answer. */
    int steps();

    /** Where the connection of a step leads. */
    int port(int step);

    /** The message of a step. */
    byte[] message(Messages messages, int request, int step, Exchange before);

    /** To one server that does the rest. */
    record Through(int serverPort) implements Way {
        @Override
        public int steps() {
            return 1;
        }

        @Override
        public int port(int step) {
            return serverPort;
        }

        @Override
        public byte[] message(Messages messages, int request, int step, Exchange before) {
            return messages.whole(request);
        }
    }

    /** To a prefill and then to a decode worker: the client does a gateway's work itself. */
    record Both(int prefillPort, int decodePort) implements Way {
        @Override
        public int steps() {
            return 2;
        }

        @Override
        public int port(int step) {
            return step == 0 ? prefillPort : decodePort;
        }

        @Override
        public byte[] message(Messages messages, int request, int step, Exchange before) {
            return step == 0 ? messages.prefill(request) : messages.decode(request, before);
        }
    }

    /** A client on its way: its connections, and which step it is at. */
    final class Client implements AutoCloseable {
        private final Way way;
        private final Messages messages;
        private final Exchange[] connections;
        private int request;
        private int step;

        Client(Way way, Messages messages) throws IOException {
            this.way = way;
            this.messages = messages;
            this.connections = new Exchange[way.steps()];
            for (int i = 0; i < connections.length; i++) {
                connections[i] = Exchange.to(way.port(i));
            }
        }

        Exchange[] connections() {
            return connections;
        }

        Exchange current() {
            return connections[step];
        }

        /** Begins the next request. */
        void begin() throws IOException {
            request = messages.next();
            step = 0;
            send();
        }

        private void send() throws IOException {
            connections[step].send(way.message(messages, request, step, connections[Math.max(0, step - 1)]));
        }

        /**
         * Goes on after a step's answer is whole; says whether it was the last.
         *
         * @throws IllegalStateException if the answer is not what it should be
         */
        boolean proceed() throws IOException {
            Exchange answered = connections[step];
            boolean last = step == connections.length - 1;
            if (last ? !answered.isWholeStream() : answered.status() != 200) {
                throw new IllegalStateException("an answer is wrong: " + answered.text());
            }
            if (last) {
                return true;
            }
            step++;
            send();
            return false;
        }

        /** One whole answer, on connections that block. */
        void once() throws IOException {
            begin();
            do {
                while (!current().flush()) {
                    Thread.onSpinWait();
                }
                while (!current().receive()) {
                    Thread.onSpinWait();
                }
            } while (!proceed());
        }

        @Override
        public void close() throws IOException {
            for (Exchange connection : connections) {
                connection.close();
            }
        }
    }
}
