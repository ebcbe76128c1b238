"""Which source file holds a Rust test, told by its crate's root and its own path."""

import os
import re

_PATH = re.compile(
    r"#\[\s*path\s*=\s*\"([^\"]+)\"\s*\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)"
)
_LIMIT = 4 * 1024 * 1024


class Sources:
    """The files that a crate was compiled from, by their paths below the workspace."""

    def __init__(self, workspace, root, files):
        self.workspace = workspace
        self.root = root
        self.files = set(files) | {root}
        self.texts = {}

    def text(self, path):
        """What a file holds; empty where it can't be read."""
        if path not in self.texts:
            try:
                with open(
                    os.path.join(self.workspace, path),
                    encoding="utf-8",
                    errors="replace",
                ) as file:
                    self.texts[path] = file.read(_LIMIT)
            except OSError:
                self.texts[path] = ""
        return self.texts[path]

    def file_of(self, test):
        """The file of a test that is called `module::module::function`."""
        *modules, last = test.split("::")
        found = self._module(modules)
        wanted = [last, *modules[-1:]]
        if any(self._declares(found, name) for name in wanted):
            return found
        others = sorted(each for each in self.files if self._declares(each, last))
        return others[0] if len(others) == 1 else found

    def _module(self, modules):
        current, folder = self.root, os.path.dirname(self.root)
        for name in modules:
            name = name[2:] if name.startswith("r#") else name
            own = dict((each[1], each[0]) for each in _PATH.findall(self.text(current)))
            tried = [
                os.path.join(folder, name + ".rs"),
                os.path.join(folder, name, "mod.rs"),
            ]
            if name in own:
                beside = os.path.join(os.path.dirname(current), own[name])
                tried.insert(0, os.path.normpath(beside))
            hit = [each for each in tried if each in self.files]
            folder = os.path.join(folder, name)
            if hit:
                current = hit[0]
                if name in own or os.path.basename(current) == "mod.rs":
                    folder = os.path.dirname(current)
        return current

    def _declares(self, path, name):
        name = name[2:] if name.startswith("r#") else name
        return (
            re.search(r"\bfn\s+(?:r#)?%s\s*[(<]" % re.escape(name), self.text(path))
            is not None
        )


def below(path, workspace):
    """A path relative to the workspace with `/`; None where it lies elsewhere."""
    real = os.path.realpath(path)
    top = os.path.realpath(workspace)
    if not real.startswith(top + os.sep):
        return None
    return os.path.relpath(real, top).replace(os.sep, "/")


def prerequisites(binary, folder):
    """The crate root and all files that a binary was compiled from, absolute.

    Read from the dep-info that rustc leaves beside each binary: `target: root more…`,
    blanks in names escaped by a backslash.
    """
    try:
        with open(binary + ".d", encoding="utf-8", errors="replace") as file:
            lines = file.read(64 * 1024 * 1024).splitlines()
    except OSError:
        return None, []
    for line in lines:
        _, colon, rest = line.partition(": ")
        if colon and rest.strip():
            names = re.split(r"(?<!\\) +", rest.strip())
            paths = [os.path.join(folder, each.replace("\\ ", " ")) for each in names]
            return paths[0], paths
    return None, []
