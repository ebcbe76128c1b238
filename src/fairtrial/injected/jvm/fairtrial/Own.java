package fairtrial;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;

/** What this process is: which fork of which module, and whether the gate started it. */
final class Own {
    private static Report report;
    private static boolean main;

    private Own() {}

    static void isMain(boolean is) {
        main = is;
    }

    static boolean isMain() {
        return main;
    }

    /** The fork's description lies beside the folder that these classes were loaded from. */
    static Plan fork() throws IOException {
        try {
            File classes = new File(
                    Own.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return Plan.read(new File(classes.getParentFile(), "fork.tsv"));
        } catch (URISyntaxException odd) {
            throw new IOException(odd);
        }
    }

    /** One report a process, however often its tool runs the platform in it. */
    static synchronized Report report(Plan plan, Plan fork) throws IOException {
        if (report == null) {
            String pid = ManagementFactory.getRuntimeMXBean().getName().split("@")[0];
            report = new Report(plan, fork.one("name") + "." + pid + "." + (System.nanoTime() & 0xffff));
        }
        return report;
    }
}
