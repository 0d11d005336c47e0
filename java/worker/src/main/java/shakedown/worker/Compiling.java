package shakedown.worker;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles Java sources with the compiler of this JDK. */
final class Compiling {
    private Compiling() {}

    static void compile(In in, Answers answers) throws IOException {
        String[] path = in.texts();
        String folder = in.text();
        String[] options = in.texts();
        List<Source> sources = new ArrayList<>();
        for (int count = in.four(); count > 0; count--) {
            sources.add(new Source(in.text(), in.text()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            answers.unfit("this Java has no compiler: use a JDK, not a JRE");
            return;
        }
        DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
        boolean isDone;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(collector, Locale.ROOT, null)) {
            List<File> entries = new ArrayList<>();
            for (String entry : path) {
                entries.add(new File(entry));
            }
            files.setLocation(StandardLocation.CLASS_PATH, entries);
            files.setLocation(StandardLocation.CLASS_OUTPUT, Collections.singleton(new File(folder)));
            isDone = compiler.getTask(null, files, collector, Arrays.asList(options), null, sources).call();
        } catch (IllegalArgumentException e) {
            answers.unfit("javac does not take these options: " + e.getMessage());
            return;
        }
        Out out = new Out();
        out.octet(Answers.DONE);
        out.flag(isDone);
        List<Diagnostic<? extends JavaFileObject>> diagnostics = collector.getDiagnostics();
        out.four(diagnostics.size());
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics) {
            write(out, diagnostic);
        }
        answers.send(out);
    }

    private static void write(Out out, Diagnostic<? extends JavaFileObject> diagnostic) {
        switch (diagnostic.getKind()) {
            case ERROR:
                out.octet(0);
                break;
            case WARNING:
            case MANDATORY_WARNING:
                out.octet(1);
                break;
            default:
                out.octet(2);
        }
        JavaFileObject source = diagnostic.getSource();
        out.textOrNone(source instanceof Source ? ((Source) source).path : source == null ? null : source.getName());
        out.four((int) diagnostic.getLineNumber());
        out.four((int) diagnostic.getColumnNumber());
        out.textOrNone(diagnostic.getCode());
        out.text(diagnostic.getMessage(Locale.ROOT));
    }

    /** A source that is not on disk. */
    private static final class Source extends SimpleJavaFileObject {
        final String path;
        private final String text;

        Source(String path, String text) {
            super(uri(path), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        private static URI uri(String path) {
            return URI.create("source:///").resolve(new File("/" + path).toURI().getRawPath());
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
