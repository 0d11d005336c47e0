package shakedown.worker;

import java.io.FileDescriptor;

/**
 * Code under test has left a thread running, and what that does from now on belongs to nobody; or it has closed the streams by
 * which the worker is asked. Either way the process must go.
 */
final class Stray extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** How long a thread may take to end after the call that started it. */
    private static final long GRACE_MS = 100;

    private Stray(String message) {
        super(message, null, false, false);
    }

    /** Looks for threads besides that of the worker and the one that calls. */
    static void check(Thread worker) {
        if (!FileDescriptor.in.valid() || !FileDescriptor.out.valid()) {
            throw new Stray("a standard stream of the JVM was closed");
        }
        ThreadGroup group = worker.getThreadGroup();
        Thread[] threads = new Thread[group.activeCount() + 8];
        int count = group.enumerate(threads, true);
        for (int i = 0; i < count; i++) {
            if (threads[i] != worker && threads[i] != Thread.currentThread()) {
                waitFor(threads[i]);
            }
        }
    }

    private static void waitFor(Thread thread) {
        try {
            thread.join(GRACE_MS);
        } catch (InterruptedException e) {
            // Then it is not waited for.
        }
        if (thread.isAlive()) {
            throw new Stray("a thread was left running: " + thread.getName());
        }
    }
}
