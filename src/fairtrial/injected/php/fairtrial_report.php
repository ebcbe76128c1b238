<?php
/*
 * Writes a run of PHPUnit as lines of the one report format, and knows its tests by id:
 * FILE::CLASS::METHOD with data set "…".
 */
final class FairtrialReport
{
    private const TEXT = 20000;

    /** @var resource */
    private $file;
    /** @var array<string, mixed> */
    public $plan;
    /** @var bool */
    public $loaded = false;
    /** @var bool */
    public $finished = false;
    /** @var int */
    private $process;

    private function __construct(array $plan)
    {
        $this->plan = $plan;
        $this->process = getmypid();
        $this->file = fopen($plan['outputs'] . '/report-' . getmypid() . '.jsonl', 'x');
        $this->write('start', ['token' => $plan['token'], 'epoch' => microtime(true)]);
    }

    public static function open(array $plan): self
    {
        return $GLOBALS['__fairtrial_report'] = new self($plan);
    }

    public static function get(): self
    {
        return $GLOBALS['__fairtrial_report'];
    }

    public function write(string $event, array $fields = []): void
    {
        if (getmypid() !== $this->process) {
            return; // a copy that a test made of its process
        }
        $flags = JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR;
        fwrite($this->file, json_encode(['event' => $event] + $fields, $flags) . "\n");
        fflush($this->file);
    }

    /** A path below the workspace, or as it is. */
    public function path(string $file): string
    {
        $top = rtrim($this->plan['workspace'], '/') . '/';
        $real = realpath($file) ?: $file;
        foreach ([$file, $real] as $each) {
            if (strncmp($each, $top, strlen($top)) === 0) {
                return substr($each, strlen($top));
            }
        }
        return $real;
    }

    /** The id of a test; a class that PHPUnit put in its place stands for `$class`. */
    public function id(string $class, string $name): string
    {
        if (!class_exists($class, false)) {
            return $this->path($class) . '::' . $name;
        }
        $file = (new ReflectionClass($class))->getFileName();
        return $this->path((string) $file) . '::' . $class . '::' . $this->readable($name);
    }

    /** Names of data sets may hold any bytes. */
    private function readable(string $name): string
    {
        $name = preg_match('//u', $name) ? $name : mb_convert_encoding($name, 'UTF-8', 'ISO-8859-1');
        return str_replace(["\r", "\n", "\0"], ['\r', '\n', '\0'], $name);
    }

    /** @param list<string> $ids */
    public function listed(array $ids): void
    {
        $this->loaded = true;
        $this->write('listed', ['ids' => array_values($ids)]);
    }

    /** The fields that tell an exception. */
    public function detail(Throwable $error): array
    {
        $frames = [];
        // What a test threw, PHPUnit keeps without the objects in it.
        $wrapped = method_exists($error, 'getSerializableTrace') && method_exists($error, 'getClassName');
        $trace = $wrapped ? $error->getSerializableTrace() : $error->getTrace();
        $type = $wrapped ? $error->getClassName() : get_class($error);
        $line = $error->getLine();
        $file = $error->getFile();
        foreach ($trace as $each) {
            $frames[] = [$file, ($each['function'] ?? ''), $line];
            $file = $each['file'] ?? '';
            $line = $each['line'] ?? 0;
        }
        $fields = $this->told($type, $error->getMessage(), (string) $error, $frames);
        if (method_exists($error, 'getComparisonFailure') && ($failure = $error->getComparisonFailure())) {
            $fields['expected'] = $this->shown($failure->getExpectedAsString(), $failure->getExpected());
            $fields['actual'] = $this->shown($failure->getActualAsString(), $failure->getActual());
        }
        return $fields;
    }

    /** @param mixed $value */
    private function shown(string $text, $value): string
    {
        return substr($text === '' && is_scalar($value) ? var_export($value, true) : $text, 0, self::TEXT);
    }

    /** @param list<array{string, string, int}> $frames innermost first */
    public function told(string $type, string $message, string $text, array $frames): array
    {
        $shown = [];
        foreach (array_reverse($frames) as [$file, $name, $line]) {
            $path = $this->path($file);
            if ($file !== '' && $path[0] !== '/' && strncmp($path, 'vendor/', 7) !== 0) {
                $shown[] = [$path, $name, $line];
            }
        }
        return [
            'type' => $type,
            'message' => substr($message, 0, self::TEXT),
            'text' => substr($text, 0, self::TEXT),
            'frames' => array_slice($shown, -100),
        ];
    }

    public function end(string $id, string $outcome, float $seconds, array $fields = []): void
    {
        $this->write('end', ['id' => $id, 'outcome' => $outcome, 'seconds' => $seconds] + $fields);
    }

    /** The files of the workspace that the process loaded. */
    private function files(): void
    {
        foreach (get_included_files() as $file) {
            $path = $this->path($file);
            if ($path[0] !== '/' && strncmp($path, 'vendor/', 7) !== 0 && is_file($file)) {
                $this->write('loaded', ['path' => $path, 'sha256' => hash_file('sha256', $file)]);
            }
        }
    }

    /** At the end of the process, whatever ended it. */
    public function ended(?array $last): void
    {
        if (!$this->loaded) {
            $said = '';
            if ($last !== null) {
                $first = strtok($last['message'], "\n");
                $where = strpos($first, ' in /') ? '' : ' in ' . $last['file'] . ':' . $last['line'];
                $said = str_replace(rtrim($this->plan['workspace'], '/') . '/', '', $first . $where);
            }
            $this->write('uncollectable', ['name' => '', 'type' => 'Error', 'message' => substr($said, 0, self::TEXT)]);
        }
        if ($this->finished || !$this->loaded) {
            $this->files();
            $this->write('done');
        }
    }
}
