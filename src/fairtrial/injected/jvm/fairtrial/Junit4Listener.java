package fairtrial;

import java.io.File;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Reports what happens in a run of JUnit 4, whoever started it. */
public class Junit4Listener extends RunListener {
    private final Report report;
    private final Sources sources;
    private final Junit4Names names;
    /** How a test that has not ended yet went. */
    private final Map<String, Object[]> bad = new HashMap<>();
    private final boolean whole;

    /** For a build tool's own run; without a plan it says nothing. */
    public Junit4Listener() throws IOException {
        String place = System.getenv("FAIRTRIAL_JVM_PLAN");
        Plan plan = place == null || Own.isMain() ? null : Plan.read(new File(place));
        whole = plan != null && "whole".equals(plan.one("mode"));
        Plan fork = whole ? Own.fork() : null;
        report = whole ? Own.report(plan, fork) : null;
        sources = whole ? new Sources(plan, fork) : null;
        names = whole ? new Junit4Names(sources) : null;
    }

    Junit4Listener(Report report, Sources sources, Junit4Names names) {
        this.report = report;
        this.sources = sources;
        this.names = names;
        whole = false;
    }

    @Override
    public void testRunStarted(Description all) {
        if (whole) {
            list(all);
        }
    }

    /** A tool may tell of classes alone: then their tests are asked for. */
    private void list(Description one) {
        if (!one.getChildren().isEmpty()) {
            one.getChildren().forEach(this::list);
            return;
        }
        if (one.isTest() && one.getMethodName() != null) {
            report.listed(Collections.singletonList(names.of(one)));
            return;
        }
        Class<?> owner = one.getTestClass();
        if (owner != null) {
            report.listed(names.below(Request.aClass(owner).getRunner().getDescription()));
        }
    }

    @Override
    public void testStarted(Description test) {
        if (report != null) {
            report.begin(names.of(test));
        }
    }

    @Override
    public void testFailure(Failure failure) {
        tell(failure, "failed");
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        tell(failure, "skipped");
    }

    private void tell(Failure failure, String outcome) {
        Description test = failure.getDescription();
        if (report == null) {
            return;
        }
        if (test.isTest() && test.getMethodName() != null) {
            // A test that did not start ends here: nothing else is told of it.
            String name = names.of(test);
            if (report.isRunning(name)) {
                bad.putIfAbsent(name, new Object[] {outcome, failure.getException()});
            } else {
                report.begin(name);
                end(name, new Object[] {outcome, failure.getException()}, "setup");
            }
            return;
        }
        boolean any = false;
        for (String each : names.below(test)) {
            if (!report.hasEnded(each)) {
                any = true;
                report.begin(each);
                end(each, new Object[] {outcome, failure.getException()}, "setup");
            }
        }
        if (!any && outcome.equals("failed")) {
            if (whole) {
                String name = names.of(test);
                report.listed(Collections.singletonList(name));
                report.begin(name);
                end(name, new Object[] {outcome, failure.getException()}, "teardown");
            } else {
                report.notice("after the tests of " + test + ": " + failure.getException());
            }
        }
    }

    private void end(String name, Object[] how, String phase) {
        Throwable thrown = (Throwable) how[1];
        boolean failed = how[0].equals("failed");
        report.end(name, (String) how[0], phase, failed ? null : String.valueOf(thrown.getMessage()),
                failed ? thrown : null, sources);
    }

    @Override
    public void testIgnored(Description test) {
        if (report == null) {
            return;
        }
        List<String> below = names.below(test);
        if (!test.isTest() || test.getMethodName() == null) {
            Class<?> owner = test.getTestClass();
            if (owner != null && test.getChildren().isEmpty()) {
                // An ignored class is told without its tests.
                below = Junit4Run.methods(owner, names);
            }
        }
        for (String each : below) {
            report.begin(each);
            report.end(each, "skipped", "setup", "ignored", null, sources);
        }
    }

    @Override
    public void testFinished(Description test) {
        if (report == null) {
            return;
        }
        String name = names.of(test);
        Object[] how = bad.remove(name);
        if (how != null) {
            end(name, how, "call");
        } else {
            report.end(name, "passed", "call", null, null, sources);
        }
    }

    @Override
    public void testRunFinished(Result result) {
        if (whole) {
            report.done();
        }
    }
}
