"""Runs whole CUDA programs as `sassafras exec` does, for the end-to-end tests: those of tests/programs, and such as a test has built."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from program import HAS_RUNTIME, NO_RUNTIME, ProgramTest

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")
BUILT = os.environ["SASSAFRAS_PROGRAMS"]
CHECK = ("--check", "--device", "functional")


def why_not():
    if not HAS_RUNTIME:
        return NO_RUNTIME
    if not os.path.isdir(BUILT) or not os.path.exists(os.path.join(BUILT, "launches")):
        return "the test programs were not built: there is no nvcc, or sanitizers are on"
    return None


class ExecTest(ProgramTest):
    def exec(self, name, *arguments, options=(), **other):
        path = name if os.path.isabs(name) else os.path.join(BUILT, name)
        return self.run_program("exec", *options, "--", path, *arguments, **other)

    def report_of(self, name, *arguments, options=()):
        file = self.path("report.json")
        done = self.exec(name, *arguments, options=("--json", file, *options))
        with open(file, encoding="utf-8") as text:
            return done, json.load(text)

    def build(self, name, text, *flags):
        """The program that nvcc makes of `text`."""
        source = self.write(name + ".cu", text.encode())
        subprocess.run(["nvcc", *flags, source, "-o", self.path(name)], check=True, capture_output=True)
        return self.path(name)



class BuiltTest(ExecTest):
    """Its program is built once for the class: of SOURCE, the text of a file, or of the file SOURCE_FILE."""
    NAME, SOURCE, SOURCE_FILE = None, None, None
    FLAGS = ("-lineinfo",)

    @classmethod
    def setUpClass(cls):
        if not shutil.which("nvcc"):
            raise unittest.SkipTest("there is no nvcc on the PATH")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = os.path.join(folder.name, cls.NAME)
        source = cls.SOURCE_FILE
        if not source:
            source = cls.program + ".cu"
            with open(source, "wb") as file:
                file.write(cls.SOURCE)
        subprocess.run(["nvcc", "-arch=sm_90", *cls.FLAGS, "-cudart", "shared", source, "-o", cls.program], check=True, capture_output=True)

    def built(self):
        return self.program
