package fairtrial;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Writes this process's report, one JSON object a line, each at once and whole. */
final class Report {
    private final FileOutputStream file;
    private final Set<String> begun = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Long> since = new LinkedHashMap<>();
    private boolean done;

    Report(Plan plan, String name) throws IOException {
        File folder = new File(plan.one("outputs"));
        file = new FileOutputStream(new File(folder, "report-" + name + ".jsonl"), true);
        write(new Line("start").text("token", plan.one("token")).number("epoch", now()));
    }

    synchronized void listed(Collection<String> tests) {
        StringBuilder ids = new StringBuilder("[");
        for (String test : tests) {
            Line.quote(ids.length() > 1 ? ids.append(',') : ids, test);
        }
        write(new Line("listed").raw("ids", ids.append(']').toString()));
    }

    synchronized void begin(String test) {
        if (begun.add(test)) {
            done = false;
            since.put(test, System.nanoTime());
            write(new Line("begin").text("id", test).number("at", now()));
        }
    }

    /** Whether a test's end was told; it is told once. */
    synchronized boolean hasEnded(String test) {
        return ended.contains(test);
    }

    synchronized boolean isRunning(String test) {
        return since.containsKey(test);
    }

    synchronized void end(
            String test, String outcome, String phase, String reason, Throwable thrown, Sources sources) {
        ended.add(test);
        Long started = since.remove(test);
        double seconds = started == null ? 0 : (System.nanoTime() - started) / 1e9;
        Line line = new Line("end").text("id", test).text("outcome", outcome).text("phase", phase)
                .number("seconds", Math.max(0, seconds));
        if (reason != null) {
            line.text("reason", reason);
        }
        if (thrown != null) {
            Thrown.tell(thrown, sources, line);
        }
        write(line);
    }

    synchronized void uncollectable(String file, Throwable thrown, Sources sources) {
        Line line = new Line("uncollectable").text("name", file);
        Thrown.tell(thrown, sources, line);
        write(line);
    }

    synchronized void notice(String text) {
        write(new Line("notice").text("text", text));
    }

    synchronized void done() {
        if (!done) {
            done = true;
            write(new Line("done"));
        }
    }

    private static double now() {
        return System.currentTimeMillis() / 1e3;
    }

    private void write(Line line) {
        try {
            file.write(line.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException lost) {
            // A report that can't be written is a report that is missing: no result.
            lost.printStackTrace();
        }
    }
}
