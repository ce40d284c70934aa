package io.eldr.router.gateway;

/** The two ways to ask for text. */
enum Api {
    CHAT("/v1/chat/completions", "messages"),
    COMPLETION("/v1/completions", "prompt");

    private final String path;
    private final String prompt;

    Api(String path, String prompt) {
        this.path = path;
        this.prompt = prompt;
    }

    String path() {
        return path;
    }

    /** The member that holds the prompt. */
    String prompt() {
        return prompt;
    }
}
