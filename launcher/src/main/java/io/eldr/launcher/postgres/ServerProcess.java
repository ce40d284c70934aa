package io.eldr.launcher.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks at a process that is no child of ours. In a container whose first process does not collect the dead, an ended
 * process stays in the table as a zombie; it counts as ended here.
 *
 * @param pid the process id
 */
record ServerProcess(long pid) {

    boolean isRunning() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false) && !isZombie();
    }

    /** Linux: the state follows the name, which stands in parentheses and may hold any character. */
    private boolean isZombie() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith(") Z ", stat.lastIndexOf(')'));
        } catch (IOException e) {
            return false;
        }
    }
}
