"""Studies from other folders than the one that they were made in, and what is said before and after their runs."""
import json
import os
import shutil
import subprocess
import time
import unittest

from program import BAD_INPUT, OK, PROGRAM, TIMEOUT_S, WRONG_RESULT, runs_programs
from sweep_test import MERGE, SweepTest, results


class FoldersTest(SweepTest):
    def within(self, folder, *arguments, status=OK):
        """As in a shell of this folder."""
        os.makedirs(self.path(folder), exist_ok=True)
        done = subprocess.run([PROGRAM, *arguments], cwd=self.path(folder), capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == OK else done.stderr


class Folders(FoldersTest):
    def setUp(self):
        super().setUp()
        self.within("here", "worst-case", "sort", "--variant", "mgpu", "--n", "1920", "-o", "keys.npy")
        self.within("here", "sweep", "plan", "study", "--vary", "input=keys.npy,random", "--", "run", "sort", "--variant", "mgpu", "--n", "1920", "--device", "functional")

    def test_names_begin_where_the_study_was_made(self):
        self.assertEqual(self.within("there", "sweep", "run", "../here/study"), "2 runs: 2 done, 0 failed, 0 left\n")
        self.assertEqual(self.within("here", "sweep", "status", "study"), "2 runs: 2 done, 0 failed, 0 left\n")
        first = results(self.path("here/study"))
        shutil.rmtree(self.path("here/study"))
        self.within("here", "sweep", "run", "study", "--vary", "input=keys.npy,random", "--", "run", "sort", "--variant", "mgpu", "--n", "1920", "--device", "functional")
        self.assertEqual(results(self.path("here/study")), first)

    def test_both_can_be_moved(self):
        self.within("here", "sweep", "run", "study")
        os.rename(self.path("here"), self.path("moved"))
        self.assertEqual(self.within("there", "sweep", "status", "../moved/study"), "2 runs: 2 done, 0 failed, 0 left\n")

    def test_a_folder_that_is_gone_is_said(self):
        study = self.path("elsewhere")
        self.within("gone", "sweep", "plan", study, "--vary", "n=1000", *MERGE)
        os.rename(self.path("gone"), self.path("renamed"))
        self.assertIn("the folder that this study was made in is not there [", self.within("here", "sweep", "run", study, status=BAD_INPUT))
        self.assertEqual(self.within("here", "sweep", "status", study), "1 runs: 0 done, 0 failed, 1 left\n")

    def test_a_file_says_where_names_begin(self):
        described = {"command": "run sort --variant mgpu --n 1920 --device functional", "vary": {"input": ["keys.npy"]}, "directory": "here"}
        self.write("filed.json", json.dumps(described).encode())
        self.assertEqual(self.within("there", "sweep", "run", "../filed.json"), "1 runs: 1 done, 0 failed, 0 left\n")

    def test_a_platform_is_found_too(self):
        self.write("here/small.json", b'{"name": "small", "base": "h200", "l2": {"bytes": {"value": 26214400, "provenance": "assumed", "source": "a test"}}}')
        self.within("here", "sweep", "plan", "sizes", "--vary", "n=1000", "--set", "gpu.sm_count=66", *MERGE, "--platform", "small.json")
        self.assertEqual(self.within("there", "sweep", "run", "../here/sizes"), "1 runs: 1 done, 0 failed, 0 left\n")


class Before(FoldersTest):
    def test_run_asks_what_plan_asks(self):
        self.fails(BAD_INPUT, "sweep", "run", self.path("ex"), "--vary", "size=1,2,3", "--", "exec", "./prog.sh", "{size}", says=["./prog.sh"])
        self.assertFalse(os.path.exists(self.path("ex")))

    def test_numbers_of_the_gpu_are_looked_at(self):
        for setting, says in (("gpu.nonsense=1", "nonsense"), ("gpu.sm_count=66,0", "sm_count"), ("l2.bytes=25M,25MB", "25MB"), ("gpu.sm_count=66..10000:x10", "6600")):
            self.fails(BAD_INPUT, "sweep", "plan", self.path("wrong"), "--vary", "n=1000,2000", "--set", setting, *MERGE, says=[says])
            self.assertFalse(os.path.exists(self.path("wrong")))
        self.succeeds("sweep", "plan", self.path("right"), "--vary", "n=1000,2000", "--set", "gpu.sm_count=66,132", "--set", "l2.bytes=25M,50M", *MERGE)

    def test_values_that_do_with_some_others_only(self):
        """A combination that cannot be is a row that failed, and no reason to refuse the others."""
        study = self.study("some", "--vary", "n=1000", "--set", "l2.slices=46,92", "--set", "dram.channels=46,92")
        done = self.run_program("sweep", "run", study)
        self.assertRegex(done.stdout, r"^4 runs: 3 done, 1 failed, 0 left\nthe first that failed, run 1 ")

    def test_whole_numbers_are_written_as_such(self):
        study = self.write("whole.json", b'{"command": "run merge --device functional", "vary": {"n": [1024, 2e3]}, "set": {"l2.bytes": ["26e6"]}}')
        self.assertEqual(self.succeeds("sweep", "run", study), "2 runs: 2 done, 0 failed, 0 left\n")
        self.assertEqual([(row["n"], row["l2.bytes"]) for row in self.rows(study)], [("1024", "26000000"), ("2000", "26000000")])
        self.fails(BAD_INPUT, "sweep", "plan", self.path("halves"), "--set", "gpu.clock_mhz=1.5..2:+0.1", *MERGE, says=["a range is of whole numbers"])

    def test_many_numbers_are_looked_at_quickly(self):
        begin = time.monotonic()
        self.succeeds("sweep", "plan", self.path("many"), "--vary", "n=1..100:+1", "--set", "gpu.sm_count=101..200:+1", *MERGE)
        self.assertLess(time.monotonic() - begin, 10)


class After(FoldersTest):
    def test_the_first_failure_is_said(self):
        study = self.study("study", "--vary", "n=1000,none,never", "--vary", "seed=1")
        said = "3 runs: 1 done, 2 failed, 0 left\nthe first that failed, run 1 (n none, seed 1): --n: \"none\" is no whole number"
        done = self.run_program("sweep", "run", study)
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertTrue(done.stdout.startswith(said), done.stdout)
        self.assertEqual(self.succeeds("sweep", "status", study), done.stdout)
        self.assertEqual(done.stdout.count("\n"), 2)


    @runs_programs
    def test_what_a_program_leaves_ends_with_its_run(self):
        script = self.write("leaves.sh", b"#!/bin/sh\nsleep 100 &\necho $! > \"$1\"\nexit 3\n")
        os.chmod(script, 0o755)
        study = self.study("study", "--vary", "a=1", command=["--", "exec", "--", script, self.path("pid{a}")])
        begin = time.monotonic()
        self.run_program("sweep", "run", study)
        self.assertLess(time.monotonic() - begin, 50)
        with open(self.path("pid1")) as file:
            pid = int(file.read())

        def state():
            try:
                with open(f"/proc/{pid}/stat") as stat:
                    return stat.read().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return "Z"

        # Killed: it ends when the machine comes to it, and whoever has it now may not have waited for it yet.
        while state() != "Z" and time.monotonic() - begin < 50:
            time.sleep(0.01)
        self.assertEqual(state(), "Z")

    def test_a_run_may_take_so_long(self):
        study = self.study("study", "--vary", "n=1000,100000000", command=["--", "run", "sort", "--device", "functional"])
        done = self.run_program("sweep", "run", study, "--timeout", "3")
        self.assertEqual(done.stdout, "2 runs: 1 done, 1 failed, 0 left\nthe first that failed, run 1 (n 100000000): took longer than 3 s, the limit of --timeout\n")


class Shared(FoldersTest):
    def test_results_of_another_study_are_taken(self):
        first = self.study("first", "--vary", "n=1000,2000,none")
        self.run_program("sweep", "run", first)
        again = self.path("again")
        done = self.run_program("sweep", "run", again, "--share", first, "--vary", "n=2000,3000,1000", *MERGE)
        self.assertEqual((done.stdout, done.stderr), ("3 runs: 3 done, 0 failed, 0 left\n", f"note: 2 results are those of {first}\n"))
        alone = self.path("alone")
        self.succeeds("sweep", "run", alone, "--vary", "n=2000,3000,1000", *MERGE)
        self.assertEqual(results(again), results(alone))
        self.assertEqual(len([line for line in self.times(again)]), 1)  # the others were not made here

    def times(self, study):
        folder, = [name for name in os.listdir(study) if name.startswith("times")]
        lines = []
        for inner, _, files in os.walk(os.path.join(study, folder)):
            for name in files:
                with open(os.path.join(inner, name)) as file:
                    lines += file.readlines()
        return lines

    def test_damage_and_failures_are_not_taken(self):
        first = self.study("first", "--vary", "n=1000,none")
        self.run_program("sweep", "run", first)
        for name in results(first):
            path = os.path.join(first, name[:2], name)
            if ".failed." not in name:
                with open(path, "r+b") as file:
                    file.seek(200)
                    file.write(b"#")
        done = self.run_program("sweep", "run", self.study("other", "--vary", "n=1000,none"), "--share", first)
        self.assertEqual((done.stdout.partition("\n")[0], done.stderr), ("2 runs: 1 done, 1 failed, 0 left", ""))
        self.fails(BAD_INPUT, "sweep", "run", self.path("other"), "--share", self.path("nowhere"), says=["nowhere", "no study"])


if __name__ == "__main__":
    unittest.main()
