package io.eldr.launcher.up;

/** A service that does not start. */
final class BrokenService {

    private BrokenService() {}

    public static void main(String[] arguments) {
        System.out.println("the property eldr.router.tau is not known");
        System.exit(1);
    }
}
