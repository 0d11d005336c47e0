package shakedown.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;

/**
 * The worker: reads requests from standard input and answers each on standard output. Every request has a thread of its
 * own, which writes the answer, so that this thread notices the end of the input even while code under test runs.
 */
public final class Main {
    /** Several requests, one after the other in one thread: to start another takes longer than a small case. */
    private static final int BATCH = 5;

    /** The thread that reads requests. */
    private static Thread worker;

    private Main() {}

    /** Whether code under test has left a thread running. */
    static void checkStrays() {
        Stray.check(worker);
    }

    /**
     * The argument is the folder of the classes that replay choices. The mark that every answer begins with comes first in
     * the input: code under test can read the arguments.
     */
    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
        Answers answers = new Answers(new FileOutputStream(FileDescriptor.out), in.readLong());
        // Code under test must not read requests, nor write where the answers go.
        System.setIn(new ByteArrayInputStream(new byte[0]));
        worker = Thread.currentThread();
        Surroundings surroundings = new Surroundings();
        Running running = new Running(new ClassSource(new String[] {args[0]}));
        Out hello = new Out();
        hello.text(System.getProperty("java.version"));
        answers.send(hello);
        while (true) {
            byte[] bytes = Answers.receive(in);
            if (bytes == null) {
                Runtime.getRuntime().halt(0);
            }
            try {
                Runnable handling = () -> handle(bytes, surroundings, running, answers);
                new Thread(null, handling, "main").start();
            } catch (Throwable t) {
                // Not an end of the program under test: this is not to look like one.
                broken(answers, t);
            }
        }
    }

    private static void handle(byte[] bytes, Surroundings surroundings, Running running, Answers answers) {
        surroundings.restore();
        try {
            In in = new In(bytes);
            int request = in.octet();
            if (request == BATCH) {
                for (int count = in.four(); count > 0; count--) {
                    handle(in.octets(), surroundings, running, answers);
                }
            } else {
                handle(request, in, running, answers);
            }
        } catch (Throwable t) {
            broken(answers, t);
        }
    }

    private static void broken(Answers answers, Throwable thrown) {
        Out out = new Out();
        out.octet(Answers.BROKEN);
        out.text("the worker failed: " + thrown);
        answers.send(out);
    }

    private static void handle(int request, In in, Running running, Answers answers) throws Exception {
        switch (request) {
            case 1:
                running.run(in, answers);
                break;
            case 2:
                Compiling.compile(in, answers);
                break;
            case 3:
                Testing.list(in, answers);
                break;
            case 4:
                Testing.run(in, answers);
                break;
            default:
                throw new IllegalStateException("request " + request);
        }
    }
}
