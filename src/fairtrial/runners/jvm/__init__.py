"""What JVM runners share: one helper lists, runs and reports tests for all tools.

The helper is `injected/jvm/`: Java sources that the bench's own javac compiles against
each module's own test libraries, so that JUnit 4, the Platform 1.x and 6 are served
alike. A build tool's runner has to do three things:

1. hand `handed.sources()` to `prepare` (as `Setup.prepare_files`), and
   `handed.inputs()` to each trial (as `Command.inputs`);
2. leave a *fork* for each test task or plug-in execution: a folder with `fork.tsv`
   under `handed.home(places)`/forks, which says how the tool starts the JVM of these
   tests (the keys stand in `injected/jvm/fairtrial_forks.py`), then call
   `fairtrial_forks.py ready HOME`, which compiles the helper into `FORK/classes`;
3. put that folder on the test classpath of the suite's own run: the platform finds
   `fairtrial.PlatformListener` there as a service, and JUnit 4 has to be given the
   listener `fairtrial.Junit4Listener`. Both read the plan that FAIRTRIAL_JVM_PLAN
   names.

`handed.listed()` is the script of a trial that lists or runs exactly the named tests in
their order without the build tool; `reading.account()` reads what either kind reported.
Names of tests are `path::Class::Nested::method(types)[row]`; `names` takes them apart.
"""
