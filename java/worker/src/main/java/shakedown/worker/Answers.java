package shakedown.worker;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Frames in both directions. An answer begins with a mark that was agreed on at the start: should code under test write
 * to the descriptor itself, the reader finds the next answer nevertheless.
 */
final class Answers {
    /** The first byte of an answer: what was asked for, */
    static final int DONE = 0;
    /** the request does not fit the program, */
    static final int UNFIT = 1;
    /** the worker itself failed, */
    static final int BROKEN = 2;
    /** or more answers to the same request follow. */
    static final int MORE = 3;

    private final OutputStream out;
    private final long mark;

    Answers(OutputStream out, long mark) {
        this.out = out;
        this.mark = mark;
    }

    synchronized void send(Out payload) {
        try {
            // One write: nothing that another thread prints comes between.
            Out frame = new Out();
            frame.eight(mark);
            frame.four(payload.size());
            frame.append(payload);
            frame.writeTo(out);
            out.flush();
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    void unfit(String message) {
        Out out = new Out();
        out.octet(UNFIT);
        out.text(message);
        send(out);
    }

    /** The next request, or null at the end of the input. */
    static byte[] receive(DataInputStream in) throws IOException {
        try {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return bytes;
        } catch (EOFException e) {
            return null;
        }
    }
}
