package io.eldr.launcher.up;

import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.postgres.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder in which {@code up} keeps its state. It carries a mark, so that {@code --fresh} never wipes a folder that
 * somebody else made, and a lock, so that two {@code up} never share one. Only its owner can read it.
 */
final class DataFolder implements AutoCloseable {

    /** The file that says that {@code up} made the folder. */
    static final String MARK = ".made-by-eldr-up";

    private static final String LOCK = "lock";
    private static final int SECRET_BYTES = 32;
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path root;
    private final FileChannel channel;
    private final FileLock lock;
    private final boolean lastRunEnded;

    private DataFolder(Path root, FileChannel channel, FileLock lock, boolean lastRunEnded) {
        this.root = root;
        this.channel = channel;
        this.lock = lock;
        this.lastRunEnded = lastRunEnded;
    }

    /**
     * Opens the folder and locks it; makes it if there is none.
     *
     * @throws CommandFailedException if {@code up} did not make what is there, or if another {@code up} uses it
     */
    static DataFolder open(Path root) throws IOException {
        Path path = root.toAbsolutePath().normalize();
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(path)) {
            throw new CommandFailedException(path + " is no folder; choose another one with --data");
        }
        try {
            claim(path);
            return locked(path);
        } catch (AccessDeniedException e) {
            throw new CommandFailedException("No permission to use " + e.getFile() + "; choose another --data", e);
        }
    }

    private static void claim(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path.resolveSibling(""));
            Files.createDirectory(path, OWNER_ONLY_FOLDER);
        }
        if (Files.exists(path.resolve(MARK))) {
            return;
        }
        if (!isEmpty(path)) {
            throw new CommandFailedException(
                    path + " has files in it and was not made by ./eldr up; it stays untouched, choose another --data");
        }
        Files.writeString(path.resolve(MARK), "./eldr up keeps its state here; ./eldr up --fresh deletes it\n");
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static DataFolder locked(Path path) throws IOException {
        FileChannel channel = FileChannel.open(
                path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        @Nullable FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by this very process; refused below, like one held by another.
        }
        if (lock == null) {
            String owner = Files.readString(path.resolve(LOCK)).strip();
            channel.close();
            throw new CommandFailedException("Another ./eldr up (process " + owner + ") uses " + path
                    + "; stop it, or choose another folder with --data");
        }
        boolean lastRunEnded = channel.size() == 0;
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        return new DataFolder(path, channel, lock, lastRunEnded);
    }

    /** Deletes everything in the folder but the mark and the lock. */
    void wipe() throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(root)) {
            files = list.toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (!name.equals(MARK) && !name.equals(LOCK)) {
                FileTrees.delete(file);
            }
        }
    }

    /** Whether the run before this one stopped in order; a killed one leaves its process id in the lock. */
    boolean lastRunEnded() {
        return lastRunEnded;
    }

    /** Says to the next run that this one stopped in order. */
    void markEnded() {
        try {
            channel.truncate(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path root() {
        return root;
    }

    Path postgres() {
        return root.resolve("postgres");
    }

    Path routerData() {
        return root.resolve("router");
    }

    /** Who may log in to the dashboard, with hashes of their passwords. */
    Path dashboardUsers() {
        return root.resolve("dashboard-users");
    }

    /** A signature to try the router with. */
    Path sampleSignature() {
        return root.resolve("sample-signature.bin");
    }

    Path log(String name) throws IOException {
        return folder("logs").resolve(name + ".log");
    }

    /** A folder below this one, made if it is not there. */
    Path folder(String name) throws IOException {
        return Files.createDirectories(root.resolve(name));
    }

    /**
     * A secret that is made once and kept in a file which only the owner can read.
     *
     * @param random where the secret comes from; must be fit for secrets
     */
    String secret(String name, RandomGenerator random) throws IOException {
        Path file = root.resolve(name);
        if (Files.exists(file)) {
            String secret = Files.readString(file).strip();
            if (!secret.isEmpty()) {
                return secret;
            }
            Files.delete(file);
        }
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        // First the permissions, then the secret.
        Files.createFile(file, OWNER_ONLY_FILE);
        Files.writeString(file, secret + "\n");
        return secret;
    }

    @Override
    public void close() {
        markEnded();
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
