package fairtrial;

import java.io.File;

/**
 * Runs or lists exactly what a plan names, in its order: Main PLAN, with the fork's own
 * options, classpath, variables and folder around it.
 */
public final class Main {
    private Main() {}

    /** Exits with 0 where all that was asked for held, 1 where something failed. */
    public static void main(String[] arguments) throws Exception {
        Own.isMain(true);
        Plan plan = Plan.read(new File(arguments[0]));
        Plan fork = Own.fork();
        for (String each : fork.all("property")) {
            int at = each.indexOf('=');
            System.setProperty(each.substring(0, at), each.substring(at + 1));
        }
        Report report = Own.report(plan, fork);
        Sources sources = new Sources(plan, fork);
        // Only one of the two was compiled where the project has no more.
        String run = fork.one("engine").equals("junit4") ? "Junit4Run" : "PlatformRun";
        boolean held = ((Run) Class.forName("fairtrial." + run)
                .getDeclaredConstructor(Plan.class, Plan.class, Report.class, Sources.class)
                .newInstance(plan, fork, report, sources)).go();
        report.done();
        System.out.flush();
        System.exit(held ? 0 : 1);
    }
}
