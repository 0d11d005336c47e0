package org.junit.function;

/** Code that may throw. */
public interface ThrowingRunnable {
    void run() throws Throwable;
}
