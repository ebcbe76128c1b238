package fairtrial;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** In which file of the repository a class is written, and which classes a file holds. */
final class Sources {
    private static final Pattern PACKAGE =
            Pattern.compile("^\\s*package\\s+([\\w.`]+)", Pattern.MULTILINE);
    private final String workspace;
    private final String module;
    private final List<File> outputs = new ArrayList<>();
    private final List<File> resources = new ArrayList<>();
    /** Sources by their file's own name. */
    private final Map<String, List<File>> files = new HashMap<>();
    private final Map<File, String> packages = new HashMap<>();
    private final Map<String, String> known = new HashMap<>();

    Sources(Plan plan, Plan fork) {
        workspace = plan.one("workspace") + "/";
        module = fork.one("module");
        fork.all("output").forEach(each -> outputs.add(new File(each)));
        fork.all("resource").forEach(each -> resources.add(new File(each)));
        fork.all("root").forEach(each -> index(new File(each), 0));
    }

    private void index(File folder, int depth) {
        File[] found = folder.listFiles();
        if (found == null || depth > 60) {
            return;
        }
        for (File each : found) {
            if (each.isDirectory()) {
                index(each, depth + 1);
            } else {
                files.computeIfAbsent(each.getName(), key -> new ArrayList<>()).add(each);
            }
        }
    }

    /** The repository's path of a frame's file; null: it is none of the project's. */
    String file(String owner, String name) {
        if (name == null || !files.containsKey(name)) {
            return null;
        }
        return known.computeIfAbsent(packageOf(owner) + '/' + name, key -> {
            String wanted = packageOf(owner);
            for (File each : files.get(name)) {
                if (declared(each).equals(wanted)) {
                    return relative(each);
                }
            }
            return "";
        }).isEmpty() ? null : known.get(packageOf(owner) + '/' + name);
    }

    /** The file of a class; the module's own description where it was generated. */
    String fileOf(String owner) {
        String top = owner.contains("$") ? owner.substring(0, owner.indexOf('$')) : owner;
        String found = null;
        for (String each : new String[] {owner, top}) {
            found = found != null ? found : file(each, sourceOf(each));
        }
        return found != null ? found : module;
    }

    /** The repository's path of a resource, such as a feature file; null: none. */
    String resource(String name) {
        for (File each : resources) {
            File file = new File(each, name);
            if (file.isFile()) {
                return relative(file);
            }
        }
        return null;
    }

    String relative(File file) {
        String path = file.getAbsolutePath();
        return path.startsWith(workspace) ? path.substring(workspace.length()) : path;
    }

    /** The outermost classes that were compiled from a file, by name. */
    TreeSet<String> classesOf(String path) {
        TreeSet<String> found = new TreeSet<>();
        File source = new File(workspace + path);
        String in = source.isFile() ? declared(source) : null;
        for (File output : outputs) {
            File folder = in == null ? null : new File(output, in.replace('.', '/'));
            File[] compiled = folder == null ? null : folder.listFiles();
            for (File each : compiled == null ? new File[0] : compiled) {
                String name = each.getName();
                if (!name.endsWith(".class") || isInner(folder, name)) {
                    continue;
                }
                if (source.getName().equals(sourceIn(each))) {
                    name = name.substring(0, name.length() - ".class".length());
                    found.add(in.isEmpty() ? name : in + '.' + name);
                }
            }
        }
        return found;
    }

    /** Whether a class lies in another one: a name may have the sign by itself. */
    private static boolean isInner(File folder, String name) {
        for (int at = name.indexOf('$'); at > 0; at = name.indexOf('$', at + 1)) {
            if (new File(folder, name.substring(0, at) + ".class").isFile()) {
                return true;
            }
        }
        return false;
    }

    private static String packageOf(String owner) {
        return owner.contains(".") ? owner.substring(0, owner.lastIndexOf('.')) : "";
    }

    private String declared(File source) {
        return packages.computeIfAbsent(source, key -> {
            StringBuilder head = new StringBuilder();
            try (BufferedReader reader =
                    Files.newBufferedReader(key.toPath(), StandardCharsets.ISO_8859_1)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    Matcher found = PACKAGE.matcher(line);
                    if (found.find()) {
                        return found.group(1).replace("`", "");
                    }
                }
            } catch (IOException unreadable) {
                return head.toString();
            }
            return "";
        });
    }

    private static String sourceOf(String owner) {
        String name = owner.replace('.', '/') + ".class";
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try (InputStream stream = loader.getResourceAsStream(name)) {
            return stream == null ? null : sourceIn(stream);
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static String sourceIn(File compiled) {
        try (InputStream stream = new ByteArrayInputStream(Files.readAllBytes(compiled.toPath()))) {
            return sourceIn(stream);
        } catch (IOException unreadable) {
            return null;
        }
    }

    /** The SourceFile attribute of a class file (JVMS 4.7.10); null: it has none. */
    private static String sourceIn(InputStream stream) throws IOException {
        DataInputStream data = new DataInputStream(stream);
        data.readInt();
        data.readInt();
        int count = data.readUnsignedShort();
        String[] texts = new String[count];
        for (int at = 1; at < count; at++) {
            int tag = data.readUnsignedByte();
            switch (tag) {
                case 1: texts[at] = data.readUTF(); break;
                case 5: case 6: data.readLong(); at++; break;
                case 7: case 8: case 16: case 19: case 20: data.readUnsignedShort(); break;
                case 15: data.readUnsignedByte(); data.readUnsignedShort(); break;
                default: data.readInt();
            }
        }
        data.readUnsignedShort();
        data.readInt();
        skip(data, 2L * data.readUnsignedShort());
        for (int kind = 0; kind < 2; kind++) {
            for (int members = data.readUnsignedShort(); members > 0; members--) {
                skip(data, 6);
                attributes(data, texts);
            }
        }
        return attributes(data, texts);
    }

    private static String attributes(DataInputStream data, String[] texts) throws IOException {
        String source = null;
        for (int left = data.readUnsignedShort(); left > 0; left--) {
            String name = texts[data.readUnsignedShort()];
            long length = data.readInt() & 0xffffffffL;
            if ("SourceFile".equals(name)) {
                source = texts[data.readUnsignedShort()];
            } else {
                skip(data, length);
            }
        }
        return source;
    }

    private static void skip(DataInputStream data, long count) throws IOException {
        for (long left = count; left > 0; ) {
            long skipped = data.skip(left);
            if (skipped <= 0) {
                data.readByte();
                skipped = 1;
            }
            left -= skipped;
        }
    }
}
