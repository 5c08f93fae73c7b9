"""Runs the program as a user would, for the end-to-end tests."""
import os
import resource
import subprocess
import sys
import tempfile
import unittest

import result_schema

PROGRAM = os.environ["SASSAFRAS"]
FIXTURES = os.environ["SASSAFRAS_FIXTURES"]
HAS_RUNTIME = os.path.exists(os.path.join(os.path.dirname(PROGRAM), "..", "cudart", "libcudart.so.13"))  # else `exec` refuses
NO_RUNTIME = "libcudart.so.13 was not built: no CUDA toolkit was found"
runs_programs = unittest.skipUnless(HAS_RUNTIME, NO_RUNTIME)
SANITIZED = os.environ.get("SASSAFRAS_SANITIZED") == "1"  # a start takes half a second then: alike cases are thinned
SANITIZERS = 4 if SANITIZED else 1  # times the memory: shadows, and what was freed is kept for a while
TIMEOUT_S = 120
MEGABYTE = 1 << 20

OK, WRONG_RESULT, BAD_INPUT, NOT_MODELLED = 0, 1, 2, 3
SKIPPED_STATUS = 77  # ctest's SKIP_RETURN_CODE


def fixture(name):
    return os.path.join(FIXTURES, name)


def some_of(cases, every=3):
    """All; under sanitizers one of `every`."""
    return list(cases)[::every] if SANITIZED else list(cases)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def run_program(self, *arguments, timeout=TIMEOUT_S):
        done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, text=True, errors="replace")
        result_schema.check_written(arguments, done.returncode, done.stdout)
        return done

    def succeeds(self, *arguments):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(done.stderr, "")  # no terminal, so no progress either
        return done.stdout

    def fails(self, status, *arguments, says=()):
        """The status, exactly one line of error, and each text of `says` in it."""
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout[-500:]}\n{done.stderr}")
        self.assertEqual(done.stderr.count("sassafras: error: "), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("sassafras: error: "), done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        return done

    def measured(self, *arguments):
        """Status, standard error and the most memory it had, in MiB."""
        with open(self.path("stderr"), "w+b") as errors:
            process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=errors,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            return process.returncode, errors.read().decode(errors="replace"), usage.ru_maxrss / 1024


def run_tests(why_not):
    """Runs the tests of the program that calls it, unless why_not() has a reason."""
    if reason := why_not():
        print("skipped:", reason)
        sys.exit(SKIPPED_STATUS)
    unittest.main()
