"""Studies whose inputs change: a result is of the input that it was made of, whatever comes later."""
import os
import shutil
import subprocess
import unittest

from program import OK, PROGRAM, SANITIZERS, TIMEOUT_S, WRONG_RESULT, runs_programs
from sweep_test import SweepTest, results


class Inputs(SweepTest):
    def test_a_trace_that_is_captured_anew_is_another(self):
        trace = self.path("tr")
        self.succeeds("trace", "capture", "merge", "--n", "1024", "-o", trace)
        study = self.study("study", "--set", "gpu.sm_count=66,132", command=["--", "trace", "replay", trace])
        self.succeeds("sweep", "run", study)
        few = self.rows(study)
        shutil.rmtree(trace)
        self.succeeds("trace", "capture", "merge", "--n", "4096", "-o", trace)
        self.assertEqual(self.succeeds("sweep", "status", study), "2 runs: 0 done, 0 failed, 2 left\n")
        self.succeeds("sweep", "run", study)
        for before, after in zip(few, self.rows(study)):
            self.assertLess(float(before["smsp__inst_executed.sum"]), float(after["smsp__inst_executed.sum"]))

    def test_a_program_of_path_that_is_built_anew_is_another(self):
        environment = {**os.environ, "PATH": self.folder.name + ":" + os.environ["PATH"]}

        def status():
            done = subprocess.run([PROGRAM, "sweep", "plan", self.path("study"), "--", "exec", "--", "myprog"], env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)
            return done.stdout.splitlines()[0]

        def run():
            subprocess.run([PROGRAM, "sweep", "run", self.path("study")], env=environment, capture_output=True, timeout=TIMEOUT_S)

        for text in (b"#!/bin/sh\nexit 3\n", b"#!/bin/sh\nexit 4\n"):
            os.chmod(self.write("myprog", text), 0o755)
            self.assertEqual(status(), "1 runs: 0 done, 0 failed, 1 left")
            run()
            self.assertEqual(status(), "1 runs: 0 done, 1 failed, 0 left")

    @runs_programs
    def test_what_changes_while_it_is_read_is_not_kept(self):
        keys = self.write("keys", b"1\n")
        study = self.study("study", command=["--", "exec", "--", "sh", "-c", 'echo >> "$0"; exit 3', keys])
        done = self.fails(WRONG_RESULT, "sweep", "run", study, says=["1 runs were not kept", keys])
        self.assertEqual(done.stdout, "1 runs: 0 done, 0 failed, 1 left\n")
        self.assertEqual(results(study), {})
        self.fails(WRONG_RESULT, "sweep", "run", study, "--shard", "0/2", says=["1 runs were not kept", keys])
        self.assertEqual(os.listdir(os.path.join(study, "working")), [])

    def test_an_input_is_not_held_in_memory(self):
        big = self.path("big")
        with open(big, "wb") as file:
            file.truncate(512 << 20)
        study = self.study("study", command=["--", "exec", "--", "sh", big])
        status, errors, megabytes = self.measured("sweep", "status", study)
        self.assertEqual((status, errors), (OK, ""))
        self.assertLess(megabytes, 200 * SANITIZERS)


if __name__ == "__main__":
    unittest.main()
