<?php
/*
 * Put before each script of a trial (auto_prepend_file). Where the script is PHPUnit it
 * gets one option more, which loads our extension; nothing else is touched.
 */
(static function (): void {
    $plan = getenv('FAIRTRIAL_PHPUNIT_PLAN');
    $argv = $_SERVER['argv'] ?? [];
    if ($plan === false || PHP_SAPI !== 'cli' && PHP_SAPI !== 'phpdbg' || $argv === []) {
        return;
    }
    $script = realpath($argv[0]) ?: $argv[0];
    if (!preg_match('/^phpunit(-?[0-9.]+)?(\.phar|\.bat)?$/', basename($argv[0]))
        && !preg_match('/^phpunit(-?[0-9.]+)?(\.phar)?$/', basename($script))) {
        return;
    }
    require_once __DIR__ . '/fairtrial_report.php';
    $major = fairtrial_phpunit_major($script);
    $plan = json_decode(file_get_contents($plan), true);
    $report = FairtrialReport::open($plan);
    if ($major === 10 || $major !== 0 && $major < 9) {
        $report->write('fault', ['text' => "PHPUnit $major can't be told by an option which tests to run"]);
        return;
    }
    $option = $major === 9 ? '--extensions' : '--extension';
    array_splice($_SERVER['argv'], 1, 0, [$option, 'FairtrialExtension']);
    $GLOBALS['argv'] = $_SERVER['argv'];
    $_SERVER['argc'] = $GLOBALS['argc'] = count($_SERVER['argv']);
    $file = __DIR__ . ($major === 9 ? '/fairtrial_phpunit9.php' : '/fairtrial_phpunit11.php');
    spl_autoload_register(static function (string $name) use ($file): void {
        if ($name === 'FairtrialExtension') {
            require_once $file;
        }
    });
    register_shutdown_function(static function () use ($report): void {
        $report->ended(error_get_last());
    });
})();

/** Which PHPUnit a script starts, by the file that tells its version; 9 where none does. */
function fairtrial_phpunit_major(string $script): int
{
    $folder = dirname($script);
    $tried = [
        "$folder/src/Runner/Version.php",
        "$folder/../phpunit/phpunit/src/Runner/Version.php",
        "phar://$script/phpunit/Runner/Version.php",
        '/usr/share/php/PHPUnit/Runner/Version.php',
    ];
    foreach ($tried as $file) {
        $text = @file_get_contents($file);
        if ($text !== false && preg_match("/new Version(?:Id)?\\('(\\d+)\\./", $text, $found)) {
            return (int) $found[1];
        }
    }
    return 0;
}
