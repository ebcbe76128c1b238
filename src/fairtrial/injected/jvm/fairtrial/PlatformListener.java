package fairtrial;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Reports what happens in a run of the JUnit Platform, whoever started it.
 *
 * Found as a service by the Launcher in the build tool's own run, where the variable
 * FAIRTRIAL_JVM_PLAN names the plan; without one it says nothing.
 */
public final class PlatformListener implements TestExecutionListener {
    private final Report report;
    private final Sources sources;
    private final PlatformNames names;
    /** Tests that were asked for; empty: all of the plan. */
    private final Set<String> wanted;
    private final boolean listens;
    private TestPlan plan;

    /** For the service loader. */
    public PlatformListener() throws IOException {
        String place = System.getenv("FAIRTRIAL_JVM_PLAN");
        Plan plan = place == null || Own.isMain() ? null : Plan.read(new File(place));
        if (plan == null || !"whole".equals(plan.one("mode"))) {
            listens = false;
            report = null;
            sources = null;
            names = null;
            wanted = null;
            return;
        }
        Plan fork = Own.fork();
        listens = true;
        report = Own.report(plan, fork);
        sources = new Sources(plan, fork);
        names = new PlatformNames(sources);
        wanted = new HashSet<>();
    }

    PlatformListener(Report report, Sources sources, PlatformNames names, Set<String> wanted) {
        this.report = report;
        this.sources = sources;
        this.names = names;
        this.wanted = wanted;
        listens = true;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        if (!listens) {
            return;
        }
        this.plan = plan;
        if (wanted.isEmpty()) {
            List<String> tests = new ArrayList<>();
            for (TestIdentifier root : plan.getRoots()) {
                for (TestIdentifier each : plan.getDescendants(root)) {
                    if (each.isTest()) {
                        tests.add(names.of(each, plan));
                    }
                }
            }
            report.listed(tests);
        }
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
        if (listens && test.isTest()) {
            report.listed(Collections.singletonList(names.of(test, plan)));
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (listens && counts(test)) {
            report.begin(names.of(test, plan));
        }
    }

    /** Whether it is a test, or was asked for; tests of a class that was asked for are not. */
    private boolean counts(TestIdentifier test) {
        if (wanted.isEmpty() || wanted.contains(names.of(test, plan))) {
            return test.isTest() || !wanted.isEmpty();
        }
        for (TestIdentifier one = test; one != null; one = plan.getParent(one).orElse(null)) {
            if (wanted.contains(names.of(one, plan))) {
                return false;
            }
        }
        return test.isTest();
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (!listens) {
            return;
        }
        for (String each : below(test)) {
            report.begin(each);
            report.end(each, "skipped", "setup", reason, null, sources);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!listens) {
            return;
        }
        Throwable thrown = result.getThrowable().orElse(null);
        TestExecutionResult.Status status = result.getStatus();
        if (counts(test)) {
            String name = names.of(test, plan);
            if (status == TestExecutionResult.Status.ABORTED) {
                report.end(name, "skipped", "call", reason(thrown), null, sources);
            } else if (status == TestExecutionResult.Status.FAILED) {
                report.end(name, "failed", "call", null, thrown, sources);
            } else {
                report.end(name, "passed", "call", null, null, sources);
            }
        } else if (test.isContainer() && status != TestExecutionResult.Status.SUCCESSFUL) {
            around(test, status == TestExecutionResult.Status.FAILED, thrown);
        }
    }

    /** What a container's failure means for the tests in it that did not run. */
    private void around(TestIdentifier container, boolean failed, Throwable thrown) {
        boolean any = false;
        for (String each : below(container)) {
            if (report.hasEnded(each)) {
                continue;
            }
            any = true;
            report.begin(each);
            if (failed) {
                report.end(each, "failed", "setup", null, thrown, sources);
            } else {
                report.end(each, "skipped", "setup", reason(thrown), null, sources);
            }
        }
        if (any || !failed) {
            return;
        }
        // Its tests ran, or it has none: it counts under its own name.
        String name = names.of(container, plan);
        if (wanted.isEmpty()) {
            report.listed(Collections.singletonList(name));
            report.begin(name);
            report.end(name, "failed", "teardown", null, thrown, sources);
        } else {
            report.notice("after the tests of " + name + ": " + thrown);
        }
    }

    private Collection<String> below(TestIdentifier test) {
        Set<String> found = new LinkedHashSet<>();
        if (test.isTest()) {
            found.add(names.of(test, plan));
        }
        for (TestIdentifier each : plan.getDescendants(test)) {
            if (each.isTest()) {
                found.add(names.of(each, plan));
            }
        }
        String own = names.of(test, plan);
        for (String each : wanted) {
            // Rows that were asked for and that a template never came to make.
            if (each.startsWith(own + "[")) {
                found.add(each);
            }
        }
        return found;
    }

    private static String reason(Throwable thrown) {
        return thrown == null ? "it gave up" : String.valueOf(thrown.getMessage());
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (listens && wanted.isEmpty() && !Own.isMain()) {
            report.done();
        }
    }
}
