"""Which class a path has where the configuration says nothing.

Patterns are read as `paths_globs` says. The order within a class has no meaning: of
all classes that claim a path, the strictest wins, and a path that none claims is
production.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fairtrial.domain.paths import PathClass

#: What decides what a result means: pipelines, the gate, runner settings, start-up
#: injectors and the agents' own instructions.
_CONTROL = (
    ".github/**",
    ".gitlab-ci.yml",
    ".gitlab/ci/**",
    ".circleci/**",
    ".travis.yml",
    ".buildkite/**",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    ".fairtrial.yml",
    ".fairtrial.yaml",
    "CODEOWNERS",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "**/.claude/**",
    "**/.cursor/**",
    "**/.codex/**",
    ".cursorrules",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "tox.toml",
    ".coveragerc",
    ".coveragerc.toml",
    "codecov.yml",
    ".codecov.yml",
    "noxfile.py",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    # Metadata beside the sources is read like an installed package's: its entry
    # points are plugins. Modules of these names stand in for what runs the tests.
    "**/*.egg-info/**",
    "**/*.dist-info/**",
    "/pytest.py",
    "/pytest/**",
    "/_pytest/**",
    "/pluggy.py",
    "/pluggy/**",
    "/fairtrial_*.py",
    "jest.config.*",
    "vitest.config.*",
    "vitest.workspace.*",
    "playwright.config.*",
    "cypress.config.*",
    "karma.conf.*",
    "karma.config.*",
    ".mocharc*",
    ".nycrc*",
    ".npmrc",
    # They name programs that package tools run.
    ".pnpmfile.cjs",
    ".yarnrc",
    ".yarnrc.yml",
    "**/.mvn/jvm.config",
    "**/.mvn/extensions.xml",
    "**/.mvn/maven.config",
    "junit-platform.properties",
    "testng.xml",
    "*.runsettings",
    "phpunit.xml*",
    ".rspec",
    "CTestConfig.cmake",
    "CTestCustom.cmake",
)

_MIGRATION = (
    "**/migrations/**",
    "**/db/migration/**",
    "**/db/migrate/**",
    "**/alembic/versions/**",
    "**/alembic/env.py",
    "alembic.ini",
    "V*__*.sql",
    "**/db/changelog/**",
    "changelog*.xml",
    "**/db/schema.rb",
    "**/db/structure.sql",
    "**/db/schema.sql",
)

#: `setup.py` runs at build time and may do anything.
_PRODUCTION = ("setup.py",)

_DEPENDENCIES = (
    "requirements*.txt",
    "requirements*.in",
    "*-requirements.txt",
    "**/requirements/*.txt",
    "**/requirements/*.in",
    "constraints*.txt",
    "uv.lock",
    "uv.toml",
    "poetry.lock",
    "pdm.lock",
    "pylock.toml",
    "pylock.*.toml",
    "Pipfile",
    "Pipfile.lock",
    "environment.yml",
    "environment.yaml",
    ".python-version",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "yarn.lock",
    "go.mod",
    "go.sum",
    "Cargo.toml",
    "Cargo.lock",
    "libs.versions.toml",
    "Gemfile",
    "Gemfile.lock",
    "composer.json",
    "composer.lock",
    ".gitmodules",
)

#: `test/` counts at the root only: a package may well have a production module
#: called `test`.
_TEST = (
    "test_*.py",
    "*_test.py",
    "conftest.py",
    "tests/**",
    "**/tests/**",
    "test/**",
    "**/__snapshots__/**",
    "*.ambr",
    "**/src/test/**",
    "**/src/integrationTest/**",
    "**/src/testFixtures/**",
    # Names of JavaScript's test runners; an `openapi.spec.yaml` is nobody's test.
    "*.test.js",
    "*.test.jsx",
    "*.test.ts",
    "*.test.tsx",
    "*.test.mjs",
    "*.test.cjs",
    "*.test.mts",
    "*.test.cts",
    "*.spec.js",
    "*.spec.jsx",
    "*.spec.ts",
    "*.spec.tsx",
    "*.spec.mjs",
    "*.spec.cjs",
    "*.spec.mts",
    "*.spec.cts",
    "**/__tests__/**",
    "**/__mocks__/**",
    "**/__fixtures__/**",
    "*.test-d.ts",
    "jest.setup.*",
    "vitest.setup.*",
    "setupTests.*",
    "*_test.go",
    "**/testdata/**",
    "spec/**",
    "*.snap",
    "*.approved.*",
    "*.golden",
    "e2e/**",
    "cypress/**",
    "*.feature",
)

_NEUTRAL = (
    "*.md",
    "*.rst",
    "docs/**",
    "*.png",
    "*.jpg",
    "*.jpeg",
    "*.gif",
    "*.svg",
    "*.ico",
    "*.webp",
    "LICENSE*",
    "LICENCE*",
    "COPYING*",
    "NOTICE*",
    "AUTHORS*",
    "CHANGELOG*",
    "CHANGES*",
    "CITATION.cff",
    ".gitignore",
    ".editorconfig",
)

DEFAULTS: Final[Mapping[PathClass, tuple[str, ...]]] = MappingProxyType(
    {
        PathClass.CONTROL: _CONTROL,
        PathClass.MIGRATION: _MIGRATION,
        PathClass.PRODUCTION: _PRODUCTION,
        PathClass.DEPENDENCIES: _DEPENDENCIES,
        PathClass.TEST: _TEST,
        PathClass.NEUTRAL: _NEUTRAL,
    }
)
