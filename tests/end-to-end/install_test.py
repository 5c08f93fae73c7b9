"""What cmake --install puts where, and other projects that link the library: installed, and as a folder of theirs."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from program import FIXTURES, ProgramTest

SOURCE = os.environ["SASSAFRAS_SOURCE"]
BUILD = os.environ["SASSAFRAS_BUILD"]
COMPILER = os.environ["SASSAFRAS_CXX"]
EXAMPLE = os.path.join(SOURCE, "examples", "library")


def done(*command, **options):
    """What it printed; fails with all of it."""
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ran.returncode:
        raise AssertionError(f"{command} ended with {ran.returncode}\n{ran.stdout}")
    return ran.stdout


class InstallTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.prefix = tempfile.mkdtemp(prefix="sassafras-install-")
        cls.addClassCleanup(shutil.rmtree, cls.prefix)
        done("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def installed(self, name):
        """The one file of this name."""
        found = [os.path.join(folder, name) for folder, _, files in os.walk(self.prefix) if name in files]
        self.assertEqual(len(found), 1, name)
        return found[0]

    def test_the_program_runs_from_its_prefix(self):
        program = os.path.join(self.prefix, "bin", "sassafras")
        self.assertIn("verified", done(program, "run", "sort", "--n", "4096", "--device", "functional"))
        for name in ("sassafras.1", "sassafras-trace-capture.1", "sassafras", "_sassafras", "sassafras.fish", "h200.json", "install.md", "CHANGELOG.md"):
            if name != "sassafras":  # of which there are two: the program and bash's completion
                self.assertGreater(os.path.getsize(self.installed(name)), 0)
        self.assertEqual(done("bash", "-c", 'source "$1"; complete -p sassafras', "bash", os.path.join(self.prefix, "share/bash-completion/completions/sassafras")),
                         "complete -o default -F _sassafras sassafras\n")
        # What `exec` loads is found there: it gets as far as running the program.
        if os.path.exists(os.path.join(BUILD, "cudart", "libcudart.so.13")):
            ran = subprocess.run([program, "exec", "--", "true"], stderr=subprocess.PIPE, text=True)
            self.assertIn("the program does not use libcudart.so.13", ran.stderr)

    def test_another_project_finds_the_library(self):
        done("cmake", "-S", EXAMPLE, "-B", self.path("build"), "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        done("cmake", "--build", self.path("build"))
        printed = done(os.path.join(self.path("build"), "bank_conflicts"), os.path.join(FIXTURES, "conflicts.cubin"))
        self.assertIn("platform small: 88 SMs at 1500 MHz", printed)
        # Each of two reads takes as many passes as lanes share a bank: 1, 2 and 32.
        self.assertEqual(re.findall(r"stride +(\d+): +[1-9]\d* cycles, +(\d+) bank conflicts", printed), [("1", "0"), ("2", "2"), ("32", "62")])

    def test_the_library_shows_what_its_headers_declare(self):
        library = os.path.realpath(self.installed("libsassafras.so"))
        names = re.findall(r"^\S+ \w (\S+)@@SASSAFRAS_0$", done("nm", "--dynamic", "--defined-only", library), re.M)
        self.assertGreater(len(names), 20)
        self.assertEqual([name for name in names if not re.match(r"_ZNK?9sassafras2v0", name)], [])

    def test_each_header_stands_alone(self):
        folder = os.path.join(self.prefix, "include", "sassafras")
        source = "".join(f"#include <sassafras/{name}>\n" for name in sorted(os.listdir(folder)))
        strict = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-I", os.path.dirname(folder), "-x", "c++", "-"]
        for text in source.splitlines() + [source]:
            done(COMPILER, *strict, input=text + "\n")
        for name in os.listdir(folder):
            with open(os.path.join(folder, name)) as header:
                self.assertEqual(re.findall(r'#include (?:"|<(?!sassafras/|[a-z_]+>)).*', header.read()), [], name)

    def test_as_a_folder_of_another_project_it_keeps_its_flags(self):
        done("cmake", "-S", EXAMPLE, "-B", self.path("build"), "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DSASSAFRAS_FOLDER={SOURCE}",
             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_BUILD_TYPE=Release")
        with open(os.path.join(self.path("build"), "compile_commands.json")) as file:
            commands = {row["file"]: row["command"] for row in json.load(file)}
        theirs = commands[os.path.join(EXAMPLE, "bank_conflicts.cpp")]
        flags = theirs.split()
        self.assertEqual([flag for flag in flags if re.match(r"-[WmfD]|-include|-isystem", flag) and flag != "-DNDEBUG"], [], theirs)
        self.assertEqual([flag for flag in flags if flag.startswith("-I")], [f"-I{SOURCE}/library/include"])
        ours = [command for file, command in commands.items() if "/sim/" in file or "unity" in file]
        self.assertTrue(ours and all("-march=x86-64-v3" in command and "-ffp-contract=off" in command for command in ours))
        # No tests of ours; and their source compiles.
        self.assertFalse([file for file in commands if file.startswith(os.path.join(SOURCE, "tests"))])
        done("cmake", "--build", self.path("build"), "--target", "CMakeFiles/bank_conflicts.dir/bank_conflicts.cpp.o")


if __name__ == "__main__":
    unittest.main()
