package shakedown.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.UnsupportedEncodingException;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** What code under test can change for the whole JVM or its thread, and what is put back before each request. */
final class Surroundings {
    private static volatile Printed printed = new Printed();
    /** What this request was given. It may have replaced it, by none or by one that does harm. */
    private static volatile PrintStream given = System.out;

    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final ProxySelector proxies = ProxySelector.getDefault();

    void restore() {
        Thread.interrupted();
        Thread.currentThread().setName("main");
        Thread.currentThread().setPriority(Thread.NORM_PRIORITY);
        System.setProperties((Properties) properties.clone());
        Thread.setDefaultUncaughtExceptionHandler(null);
        CookieHandler.setDefault(null);
        ResponseCache.setDefault(null);
        ProxySelector.setDefault(proxies);
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        printed = new Printed();
        try {
            PrintStream out = new PrintStream(printed, false, "UTF-8");
            given = out;
            System.setOut(out);
            System.setErr(out);
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e);
        }
        System.setIn(new ByteArrayInputStream(new byte[0]));
    }

    /** Moves the JVM somewhere else until the next request. Nothing is said by empty texts. */
    static void move(String zone, String locale) {
        if (!zone.isEmpty()) {
            TimeZone.setDefault(TimeZone.getTimeZone(zone));
        }
        if (!locale.isEmpty()) {
            Locale.setDefault(Locale.forLanguageTag(locale));
        }
    }

    /** What this request printed. */
    static String printed() {
        given.flush();
        return printed.text();
    }

    /** Keeps the beginning of what is printed. */
    private static final class Printed extends ByteArrayOutputStream {
        private static final int LIMIT = 1 << 16;

        @Override
        public synchronized void write(int b) {
            if (count < LIMIT) {
                super.write(b);
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, Math.min(length, LIMIT - count));
        }

        synchronized String text() {
            return new String(buf, 0, count, java.nio.charset.StandardCharsets.UTF_8);
        }
    }
}
