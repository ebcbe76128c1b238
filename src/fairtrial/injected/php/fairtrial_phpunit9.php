<?php
/* What PHPUnit 9 is told: which tests, in which order; and what it tells of them. */

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\DataProviderTestSuite;
use PHPUnit\Framework\Test;
use PHPUnit\Framework\TestCase;
use PHPUnit\Framework\TestListener;
use PHPUnit\Framework\TestResult;
use PHPUnit\Framework\TestSuite;
use PHPUnit\Framework\Warning;
use PHPUnit\Runner\AfterLastTestHook;
use PHPUnit\Runner\BeforeFirstTestHook;

final class FairtrialExtension implements BeforeFirstTestHook, AfterLastTestHook
{
    public function executeBeforeFirstTest(): void
    {
        // The suite is at hand nowhere but among the arguments of who called.
        foreach (debug_backtrace() as $frame) {
            $first = $frame['args'][0] ?? null;
            if (($frame['function'] ?? '') === 'run' && $first instanceof TestSuite) {
                FairtrialListener9::$strict = $frame['args'][1] ?? [];
                (new FairtrialSuite9($first))->arrange();
                return;
            }
        }
        FairtrialReport::get()->write('fault', ['text' => 'the suite was not found']);
    }

    public function executeAfterLastTest(): void
    {
        FairtrialReport::get()->finished = true;
    }
}

/** The tests of a run, flat, each with the classes around it. */
final class FairtrialSuite9
{
    /** @var TestSuite */
    private $root;
    /** @var array<string, array{Test, ?TestSuite}> */
    private $tests = [];
    /** @var list<string> */
    private $twice = [];

    public function __construct(TestSuite $root)
    {
        $this->root = $root;
    }

    public function arrange(): void
    {
        $report = FairtrialReport::get();
        $this->walk($this->root, null);
        foreach ($this->twice as $id) {
            $report->write('fault', ['text' => "there are two tests $id"]);
        }
        $report->listed(array_keys($this->tests));
        $mode = $report->plan['mode'];
        $tests = $this->root->tests();
        if ($mode === 'list') {
            $tests = [];
        } elseif ($mode === 'listed' || $report->plan['order'] !== []) {
            $tests = $this->chosen($report->plan);
        }
        $this->root->setTests([new FairtrialRoot9($tests)]);
        if ($mode === 'list') {
            $report->finished = true;
        }
    }

    /** @param iterable<Test> $suite as its filters leave it */
    private function walk(iterable $suite, ?TestSuite $around): void
    {
        foreach ($suite as $test) {
            if ($test instanceof TestSuite) {
                $this->walk($test, $test instanceof DataProviderTestSuite ? $around : $test);
                continue;
            }
            $id = self::id($test, $around);
            if (isset($this->tests[$id])) {
                $this->twice[] = $id;
            }
            $this->tests[$id] = [$test, $around];
        }
    }

    public static function id(Test $test, ?TestSuite $around): string
    {
        $report = FairtrialReport::get();
        if (!$test instanceof TestCase) {
            return $report->path($test->getName()) . '::phpt';
        }
        $class = get_class($test);
        if (strncmp($class, 'PHPUnit\\Framework\\', 18) === 0 && $around !== null) {
            $class = $around->getName();
        }
        return $report->id($class, $test->getName(true));
    }

    /** @return list<Test> suites of one class each, so that its hooks run around them */
    private function chosen(array $plan): array
    {
        $ids = $plan['tests'];
        if ($plan['mode'] !== 'listed') {
            $ids = array_values(array_filter($plan['order'], function ($id) { return isset($this->tests[$id]); }));
            if (!$plan['only']) {
                $ids = array_merge($ids, array_values(array_diff(array_keys($this->tests), $ids)));
            }
        }
        $made = [];
        $last = null;
        foreach ($ids as $id) {
            if (!isset($this->tests[$id])) {
                continue;
            }
            [$test, $around] = $this->tests[$id];
            if ($around === null || $around !== $last) {
                $made[] = [$around, []];
            }
            $made[count($made) - 1][1][] = $test;
            $last = $around;
        }
        $suites = [];
        foreach ($made as [$around, $tests]) {
            if ($around === null) {
                $suites = array_merge($suites, $tests);
                continue;
            }
            $suite = clone $around;
            $suite->setTests($tests);
            $suites[] = $suite;
        }
        return $suites;
    }
}

/** Stands in for all tests, and listens to the result that they are run with. */
final class FairtrialRoot9 extends TestSuite
{
    /** @param list<Test> $tests */
    public function __construct(array $tests)
    {
        parent::__construct('', '');
        $this->setTests($tests);
    }

    public function run(TestResult $result = null): TestResult
    {
        $result->addListener(new FairtrialListener9());
        // Suites stop at nothing: the first failure does not end a trial.
        $result->stopOnError(false);
        $result->stopOnFailure(false);
        $result->stopOnWarning(false);
        $result->stopOnRisky(false);
        $result->stopOnIncomplete(false);
        $result->stopOnSkipped(false);
        $result->stopOnDefect(false);
        return parent::run($result);
    }
}

final class FairtrialListener9 implements TestListener
{
    /** @var array<string, mixed> what the run was asked for, such as failOnRisky */
    public static $strict = [];
    /** @var array{string, array} */
    private $worst = ['passed', []];
    /** @var list<TestSuite> */
    private $around = [];
    private function report(): FairtrialReport
    {
        return FairtrialReport::get();
    }

    private function id(Test $test): string
    {
        return FairtrialSuite9::id($test, end($this->around) ?: null);
    }

    public function startTestSuite(TestSuite $suite): void
    {
        $this->around[] = $suite instanceof DataProviderTestSuite ? end($this->around) : $suite;
    }

    public function endTestSuite(TestSuite $suite): void
    {
        array_pop($this->around);
    }

    public function startTest(Test $test): void
    {
        $this->worst = ['passed', []];
        $this->report()->write('begin', ['id' => $this->id($test), 'at' => microtime(true)]);
    }

    public function endTest(Test $test, float $time): void
    {
        [$outcome, $fields] = $this->worst;
        $this->report()->end($this->id($test), $outcome, $time, $fields);
    }

    private function bad(Test $test, Throwable $error, string $phase = ''): void
    {
        $fields = $this->report()->detail($error);
        if ($this->worst[0] !== 'failed') {
            $this->worst = ['failed', $fields + ($phase === '' ? [] : ['phase' => $phase])];
        }
    }

    private function left(Test $test, Throwable $error, string $why): void
    {
        if (!empty(self::$strict['failOn' . ucfirst($why)])) {
            $this->bad($test, $error);
            return;
        }
        if ($this->worst[0] === 'passed') {
            $said = $error->getMessage();
            $this->worst = ['skipped', ['reason' => substr($said === '' ? $why : "$why: $said", 0, 1900)]];
        }
    }

    public function addError(Test $test, Throwable $t, float $time): void
    {
        $this->bad($test, $t);
    }

    public function addWarning(Test $test, Warning $e, float $time): void
    {
        $broken = strncmp(get_class($test), 'PHPUnit\\Framework\\', 18) === 0;
        if ($broken || !empty(self::$strict['failOnWarning'])) {
            $this->bad($test, $e);
            return;
        }
        $this->report()->write('notice', ['text' => 'warning: ' . substr($e->getMessage(), 0, 900)]);
    }

    public function addFailure(Test $test, AssertionFailedError $e, float $time): void
    {
        if ($e instanceof PHPUnit\Framework\SkippedTest) {
            $this->left($test, $e, 'skipped');
            return;
        }
        $this->bad($test, $e);
    }

    public function addIncompleteTest(Test $test, Throwable $t, float $time): void
    {
        $this->left($test, $t, 'incomplete');
    }

    public function addRiskyTest(Test $test, Throwable $t, float $time): void
    {
        if (!empty(self::$strict['failOnRisky'])) {
            $this->bad($test, $t);
            return;
        }
        $said = $this->id($test) . ': ' . $t->getMessage();
        $this->report()->write('notice', ['text' => 'risky: ' . substr($said, 0, 900)]);
    }

    public function addSkippedTest(Test $test, Throwable $t, float $time): void
    {
        $this->left($test, $t, 'skipped');
    }
}
