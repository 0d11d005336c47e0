// Makes the seeds of the fuzz targets: class files of JDKs and jars, small jars of many kinds, module images, and the
// answers that a worker wrote.
//
// Usage: java Seeds.java CORPUS JDK[:JDK...] JARS RECORDINGS

import java.io.*;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.*;
import java.util.stream.Stream;
import java.util.zip.*;

public class Seeds {
    /** What is larger is mutated too slowly. */
    static final int LARGEST_CLASS = 12_000, LARGEST_JAR = 24_000, LARGEST_ANSWER = 8_000;

    /** The mark that the target of the protocol expects: see `fuzzing.rs` of the crate `hotspot`. */
    static final byte[] MARK = "SHAKDOWN".getBytes(StandardCharsets.US_ASCII);

    static Path corpus;
    static final Map<String, Integer> written = new TreeMap<>();

    public static void main(String[] args) throws Exception {
        corpus = Path.of(args[0]);
        for (String home : args[1].split(":")) {
            libraryClasses(home);
        }
        for (Path jar : listed(Path.of(args[2]), ".jar")) {
            jarClasses(jar);
            realJars(jar);
        }
        madeJars();
        images();
        for (Path recording : listed(Path.of(args[3]), ".bin")) {
            answers(recording);
        }
        System.out.println("seeds: " + written);
    }

    static void seed(String target, byte[] bytes) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(bytes);
        Path folder = Files.createDirectories(corpus.resolve(target));
        Path file = folder.resolve(HexFormat.of().formatHex(digest));
        if (!Files.exists(file)) {
            Files.write(file, bytes);
            written.merge(target, 1, Integer::sum);
        }
    }

    static List<Path> listed(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    // ---- classes

    /** Some of every module, so that all that its compiler writes occurs. */
    static void libraryClasses(String home) throws Exception {
        try (FileSystem image = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home))) {
            List<Path> modules;
            try (Stream<Path> folders = Files.list(image.getPath("/modules"))) {
                modules = folders.sorted().toList();
            }
            for (Path module : modules) {
                try (Stream<Path> files = Files.walk(module)) {
                    List<Path> classes = files.filter(file -> file.toString().endsWith(".class")).toList();
                    some(classes, module.endsWith("java.base") ? 400 : 20, Files::readAllBytes);
                }
            }
        }
    }

    static void jarClasses(Path jar) throws Exception {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<ZipEntry> classes = new ArrayList<>();
            zip.stream().filter(entry -> entry.getName().endsWith(".class")).forEach(classes::add);
            some(classes, 150, entry -> zip.getInputStream(entry).readAllBytes());
        }
    }

    interface Reading<T> {
        byte[] of(T place) throws IOException;
    }

    /** Spread over all names, and the same in each run. */
    static <T> void some(List<T> places, int count, Reading<T> reading) throws Exception {
        List<T> mixed = new ArrayList<>(places);
        mixed.sort(Comparator.comparing(place -> new Random(place.toString().hashCode()).nextInt()));
        for (T place : mixed) {
            byte[] bytes = reading.of(place);
            if (bytes.length <= LARGEST_CLASS) {
                seed("class_bytes", bytes);
                if (--count == 0) {
                    return;
                }
            }
        }
    }

    // ---- jars

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The jar itself, if it is small; else its manifest and its smallest files, packed in both ways. */
    static void realJars(Path jar) throws Exception {
        if (Files.size(jar) <= LARGEST_JAR) {
            seed("class_path", Files.readAllBytes(jar));
            return;
        }
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<ZipEntry> entries = new ArrayList<>(Collections.list(zip.entries()));
            entries.sort(Comparator.comparing((ZipEntry entry) -> !entry.getName().startsWith("META-INF/"))
                    .thenComparing(ZipEntry::getSize));
            for (ZipEntry entry : entries.subList(0, Math.min(entries.size(), 24))) {
                if (entry.getSize() < 4_000) {
                    files.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
                }
            }
        }
        seed("class_path", packed(files, ZipOutputStream.DEFLATED, ""));
        seed("class_path", packed(files, ZipOutputStream.STORED, "a comment"));
    }

    static byte[] packed(Map<String, byte[]> files, int method, String comment) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setMethod(method);
            zip.setComment(comment);
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                // Else it is that of now, and every run makes other jars.
                entry.setTimeLocal(LocalDateTime.of(2020, 1, 1, 0, 0));
                CRC32 crc = new CRC32();
                crc.update(file.getValue());
                entry.setCrc(crc.getValue());
                entry.setSize(file.getValue().length);
                if (file.getKey().length() % 3 == 0) {
                    entry.setComment("of an entry");
                    entry.setExtra(new byte[] {0x34, 0x12, 2, 0, 7, 7});
                }
                zip.putNextEntry(entry);
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    static void madeJars() throws Exception {
        String[] manifests = {
            "Manifest-Version: 1.0\r\nMain-Class: a.B\r\nMulti-Release: true\r\n\r\n",
            "Manifest-Version: 1.0\nMain-Class: a.\n B\nClass-Path: x.jar lib/ ../y%20z.jar file:w.jar http://h/f.jar\n",
            "Main-Class: a.B\rMulti-Release: TRUE\r\rName: a/\rSealed: true\r",
            "Class-Path:\n  \n  x\n Multi-Release: true\n: \n:\nMain-Class:\n",
            "\ufeffManifest-Version: 1.0\nMain-Class: \u00e4.\ud83d\ude00\nClass-Path: %ff%00%zz%2e%2e/\n",
            "Launcher-Agent-Class: a.B\nAdd-Opens: java.base/java.lang\nEnable-Native-Access: ALL-UNNAMED\n",
        };
        byte[] big = new byte[1 << 20];
        for (String manifest : manifests) {
            Map<String, byte[]> files = new LinkedHashMap<>();
            files.put("META-INF/MANIFEST.MF", text(manifest));
            files.put("META-INF/SIGNER.SF", text("Signature-Version: 1.0\nSHA-256-Digest-Manifest: AAAA\n"));
            files.put("a/", new byte[0]);
            files.put("a/B.class", new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE});
            files.put("r.txt", text("a resource"));
            for (String version : new String[] {"8", "9", "09", "17", "25", "4294967296", "x", ""}) {
                files.put("META-INF/versions/" + version + "/a/B.class", text(version));
            }
            files.put("META-INF/versions/11/META-INF/r.txt", text("not versioned"));
            byte[] jar = packed(files, ZipOutputStream.DEFLATED, "");
            seed("class_path", jar);
            seed("class_path", packed(files, ZipOutputStream.STORED, ""));
            seed("class_path", joined(text("#!/bin/sh\nexec java -jar \"$0\"\n"), jar));
            files.put("a/B.txt", big);
            files.put("nested.jar", jar);
            seed("class_path", packed(files, ZipOutputStream.DEFLATED, "a jar in a jar"));
        }
        seed("class_path", packed(Map.of(), ZipOutputStream.DEFLATED, ""));
        // A manifest that is small in the jar only.
        seed("class_path", packed(Map.of("META-INF/MANIFEST.MF", big), ZipOutputStream.DEFLATED, ""));
        for (boolean twice : new boolean[] {false, true}) {
            seed("class_path", zip64("a/B.class", text("zip64"), twice));
        }
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    /** The large form of everything, which the library writes only for large archives. */
    static byte[] zip64(String name, byte[] contents, boolean twice) {
        CRC32 crc = new CRC32();
        crc.update(contents);
        byte[] local = little(64 + name.length()).putInt(0x04034b50).putShort((short) 45).putShort((short) 0x800)
                .putShort((short) 0).putInt(0).putInt((int) crc.getValue()).putInt(-1).putInt(-1)
                .putShort((short) name.length()).putShort((short) 20).put(text(name))
                .putShort((short) 1).putShort((short) 16).putLong(contents.length).putLong(contents.length).array();
        local = Arrays.copyOf(local, 50 + name.length());
        byte[] central = little(128).putInt(0x02014b50).putShort((short) 45).putShort((short) 45)
                .putShort((short) 0x800).putShort((short) 0).putInt(0).putInt((int) crc.getValue()).putInt(-1)
                .putInt(-1).putShort((short) name.length()).putShort((short) 28).putShort((short) 0)
                .putShort((short) 0).putShort((short) 0).putInt(0).putInt(-1).put(text(name)).putShort((short) 1)
                .putShort((short) 24).putLong(contents.length).putLong(contents.length).putLong(0).array();
        central = Arrays.copyOf(central, 74 + name.length());
        int count = twice ? 2 : 1;
        long start = local.length + contents.length;
        long end = start + (long) count * central.length;
        byte[] tail = little(98).putInt(0x06064b50).putLong(44).putShort((short) 45).putShort((short) 45).putInt(0)
                .putInt(0).putLong(count).putLong(count).putLong(end - start).putLong(start)
                .putInt(0x07064b50).putInt(0).putLong(end).putInt(1)
                .putInt(0x06054b50).putShort((short) -1).putShort((short) -1).putShort((short) -1)
                .putShort((short) -1).putInt(-1).putInt(-1).putShort((short) 0).array();
        return twice ? joined(local, contents, central, central, tail) : joined(local, contents, central, tail);
    }

    static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    // ---- module images

    static void images() throws Exception {
        seed("class_path", image(List.<String[]>of(new String[] {"m", "a", "B", "class", "hi"})));
        seed("class_path", image(List.of(
                new String[] {"java.base", "java/lang", "Object", "class", "object"},
                new String[] {"java.base", "java/util", "Map$Entry", "class", "entry"},
                new String[] {"java.base", "", "module-info", "class", "module"},
                new String[] {"java.sql", "java/sql", "r", "txt", ""},
                new String[] {"packages", "", "java.lang", "", null},
                new String[] {"packages", "", "java.util", "", null},
                new String[] {"packages", "", "java", "", null},
                new String[] {"packages", "", "a", "", null},
                new String[] {"m", "a", "B", "class", "hi"},
                new String[] {"m", "", "r", "txt", "r"},
                new String[] {"m", "b", "", "txt", "r"})));
    }

    /**
     * Module, parent, base, extension and contents of each resource; without contents, that of a package. There must be
     * a prime number of them: the hash does not mix its low bits.
     */
    static byte[] image(List<String[]> resources) {
        int count = resources.size();
        ByteArrayOutputStream strings = new ByteArrayOutputStream();
        strings.write(0);
        ByteArrayOutputStream locations = new ByteArrayOutputStream();
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        int[] places = new int[count];
        int module = strings.size();
        strings.writeBytes(text("java.base\0"));
        for (int i = 0; i < count; i++) {
            String[] resource = resources.get(i);
            byte[] bytes = resource[4] == null ? little(8).putInt(0).putInt(module).array() : text(resource[4]);
            places[i] = locations.size();
            for (int part = 0; part < 4; part++) {
                if (!resource[part].isEmpty()) {
                    number(locations, part + 1, strings.size());
                    strings.writeBytes(text(resource[part] + "\0"));
                }
            }
            number(locations, 5, contents.size());
            number(locations, 7, bytes.length);
            locations.write(0);
            contents.writeBytes(bytes);
        }
        int[] redirect = new int[count];
        int[] offsets = new int[count];
        boolean[] taken = new boolean[count];
        // The fullest buckets choose first.
        Map<Integer, List<Integer>> buckets = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            buckets.computeIfAbsent(hash(resources.get(i), 0x01000193) % count, key -> new ArrayList<>()).add(i);
        }
        List<Map.Entry<Integer, List<Integer>>> order = new ArrayList<>(buckets.entrySet());
        order.sort(Comparator.comparing(bucket -> -bucket.getValue().size()));
        for (Map.Entry<Integer, List<Integer>> bucket : order) {
            List<Integer> items = bucket.getValue();
            List<Integer> slots = new ArrayList<>();
            if (items.size() == 1) {
                int free = 0;
                while (taken[free]) {
                    free++;
                }
                slots.add(free);
                redirect[bucket.getKey()] = -1 - free;
            }
            for (int seed = 1; slots.size() < items.size(); seed++) {
                slots.clear();
                for (int item : items) {
                    int slot = hash(resources.get(item), seed) % count;
                    if (!taken[slot] && !slots.contains(slot)) {
                        slots.add(slot);
                    }
                }
                redirect[bucket.getKey()] = seed;
            }
            for (int i = 0; i < items.size(); i++) {
                taken[slots.get(i)] = true;
                offsets[slots.get(i)] = places[items.get(i)];
            }
        }
        ByteBuffer head = little(28 + 8 * count).putInt(0xCAFEDADA).putInt(1 << 16).putInt(0).putInt(count)
                .putInt(count).putInt(locations.size()).putInt(strings.size());
        Arrays.stream(redirect).forEach(head::putInt);
        Arrays.stream(offsets).forEach(head::putInt);
        return joined(head.array(), locations.toByteArray(), strings.toByteArray(), contents.toByteArray());
    }

    static void number(ByteArrayOutputStream out, int tag, int value) {
        int length = value < 256 ? 1 : 2;
        out.write(tag << 3 | length - 1);
        if (length == 2) {
            out.write(value >> 8);
        }
        out.write(value);
    }

    static int hash(String[] r, int seed) {
        String full = (r[0].isEmpty() ? "" : "/" + r[0] + "/") + (r[1].isEmpty() ? "" : r[1] + "/") + r[2]
                + (r[3].isEmpty() ? "" : "." + r[3]);
        int hash = seed;
        for (byte unit : text(full)) {
            hash = hash * 0x01000193 ^ unit & 0xFF;
        }
        return hash & 0x7FFFFFFF;
    }

    // ---- answers of the worker

    /** A recording is the mark and what a process wrote. Each answer is a seed, and pairs of them. */
    static void answers(Path recording) throws Exception {
        byte[] bytes = Files.readAllBytes(recording);
        if (bytes.length < 8) {
            return;
        }
        byte[] mark = Arrays.copyOf(bytes, 8);
        byte[] before = {};
        for (int at = 8; at + 12 <= bytes.length; at++) {
            if (!Arrays.equals(mark, Arrays.copyOfRange(bytes, at, at + 8))) {
                continue;
            }
            int length = ByteBuffer.wrap(bytes, at + 8, 4).getInt();
            if (length < 0 || length > bytes.length - at - 12) {
                return;
            }
            if (length <= LARGEST_ANSWER) {
                byte[] answer = joined(MARK, Arrays.copyOfRange(bytes, at + 8, at + 12 + length));
                seed("worker_protocol", answer);
                seed("worker_protocol", joined(before, text("noise"), answer));
                before = answer;
            }
            at += 11 + length;
        }
    }
}
