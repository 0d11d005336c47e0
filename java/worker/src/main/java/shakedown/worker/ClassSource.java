package shakedown.worker;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bytes of the classes of a class path. They are read once; every loader that isolates a case defines its own
 * classes from them.
 */
final class ClassSource {
    private static final int KEPT = 8;
    private static final Map<String, ClassSource> SOURCES = new LinkedHashMap<String, ClassSource>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ClassSource> eldest) {
            return size() > KEPT;
        }
    };

    private final URLClassLoader finder;
    private final Map<String, Found> found = new HashMap<>();

    /** A class file, and where it came from. */
    static final class Found {
        final byte[] bytes;
        final ProtectionDomain domain;

        Found(byte[] bytes, ProtectionDomain domain) {
            this.bytes = bytes;
            this.domain = domain;
        }
    }

    ClassSource(String[] path) {
        URL[] urls = new URL[path.length];
        for (int i = 0; i < path.length; i++) {
            try {
                urls[i] = new File(path[i]).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }
        finder = new URLClassLoader(urls, null);
    }

    /** The source for a class path; the same one for the same path. */
    static synchronized ClassSource of(String[] path) {
        return SOURCES.computeIfAbsent(String.join(File.pathSeparator, path), key -> new ClassSource(path));
    }

    /** The class file of a class by its binary name, or null. */
    synchronized Found find(String name) {
        Found known = found.get(name);
        if (known == null && !found.containsKey(name)) {
            known = read(name);
            found.put(name, known);
        }
        return known;
    }

    URL resource(String name) {
        return finder.findResource(name);
    }

    Enumeration<URL> resources(String name) throws IOException {
        return finder.findResources(name);
    }

    private Found read(String name) {
        String file = name.replace('.', '/') + ".class";
        URL url = finder.findResource(file);
        if (url == null) {
            return null;
        }
        try {
            URLConnection connection = url.openConnection();
            connection.setUseCaches(true);
            try (InputStream in = connection.getInputStream()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                byte[] buffer = new byte[8192];
                for (int n; (n = in.read(buffer)) > 0; ) {
                    bytes.write(buffer, 0, n);
                }
                CodeSource source = new CodeSource(origin(url, file), (Certificate[]) null);
                return new Found(bytes.toByteArray(), new ProtectionDomain(source, null));
            }
        } catch (IOException e) {
            return null;
        }
    }

    /** The folder or jar that a class file lies in. */
    private static URL origin(URL url, String file) throws MalformedURLException {
        String text = url.toString();
        if (text.startsWith("jar:")) {
            return URI.create(text.substring(4, text.lastIndexOf("!/"))).toURL();
        }
        return URI.create(text.substring(0, text.length() - file.length())).toURL();
    }
}
