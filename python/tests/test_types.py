"""The package says its types."""

import ast
import importlib.util
import subprocess
import sys

import pytest

import sassafras


def package(source):
    return source / "python" / "sassafras"


def test_stubs_are_python_and_say_what_is_there(source):
    from sassafras import _core

    tree = ast.parse((package(source) / "_core.pyi").read_text())
    said = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    said |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert said == {name for name in dir(_core) if not name.startswith("_")}
    assert (package(source) / "py.typed").exists()


def test_every_public_function_has_types(source):
    for path in package(source).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                assert node.returns is not None, f"{path.name}: {node.name}"
                for argument in node.args.args[1 if node.args.args[:1] and node.args.args[0].arg in ("self", "cls") else 0 :]:
                    assert argument.annotation is not None, f"{path.name}: {node.name}({argument.arg})"


def test_all_names_are_there():
    assert all(hasattr(sassafras, name) for name in sassafras.__all__)


def test_mypy_agrees(source):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir=/dev/null", str(package(source))], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stdout
