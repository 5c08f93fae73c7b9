"""A study's folder: a disk that is full, processes that share it, records that are damaged."""
import csv
import fcntl
import glob
import io
import json
import os
import resource
import shutil
import socket
import subprocess
import time
import unittest

from program import BAD_INPUT, OK, PROGRAM, TIMEOUT_S, WRONG_RESULT, ProgramTest, runs_programs

MERGE = ["--", "run", "merge", "--device", "functional"]


def computed(study):
    """Of each run that was made its key, as often as it was made."""
    keys = []
    for name in glob.glob(os.path.join(study, "times", "*")):
        with open(name) as file:
            keys += [line.split()[0] for line in file]
    return keys


def records(study):
    return sorted(glob.glob(os.path.join(study, "??", "*")))


class StoreTest(ProgramTest):
    def study(self, *options, command=MERGE):
        study = self.path("study")
        self.succeeds("sweep", "plan", study, *options, *command)
        return study

    def script(self, text):
        path = self.write("script.sh", b"#!/bin/sh\n" + text.encode())
        os.chmod(path, 0o755)
        return path

    def stops(self, done, *says):
        self.assertEqual(done.returncode, BAD_INPUT, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("sassafras: error: "), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)


class Full(StoreTest):
    """What cannot be written is no failure of a run."""

    def test_a_limit_of_files(self):
        study = self.study("--vary", "n=1024,2048,4096", command=["--", "run", "merge"])
        limit = 2048  # a record of a failure is smaller, a report larger
        done = subprocess.run([PROGRAM, "sweep", "run", study, "--jobs", "1"], capture_output=True, text=True, timeout=TIMEOUT_S,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)))
        self.stops(done, "cannot write a result: File too large", study, "raise the limit, and run the study again")
        self.assertEqual(self.succeeds("sweep", "status", study).splitlines()[0], "3 runs: 0 done, 0 failed, 3 left")
        self.assertEqual(self.succeeds("sweep", "run", study), "3 runs: 3 done, 0 failed, 0 left\n")

    def test_a_full_disk(self):
        mounted = self.path("mounted")
        os.mkdir(mounted)
        script = f"mount -t tmpfs -o size=64k none {mounted} || exit 9; cd {mounted}; {PROGRAM} sweep run study --jobs 2 {' '.join(['--vary', 'n=1000..1063:+1'] + MERGE)}; echo $? > {self.path('status')}; {PROGRAM} sweep status study"
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, timeout=TIMEOUT_S)
        if not os.path.exists(self.path("status")):
            self.skipTest("nothing can be mounted here: " + done.stderr)
        with open(self.path("status")) as file:
            self.assertEqual(file.read(), f"{BAD_INPUT}\n", done.stderr)
        self.assertIn("No space left on device", done.stderr)
        self.assertIn("make room there", done.stderr)
        self.assertEqual(done.stderr.count("sassafras: error: "), 1, done.stderr)
        self.assertRegex(done.stdout, r"64 runs: \d+ done, 0 failed, \d+ left")

    def test_a_folder_that_cannot_be_written(self):
        study = self.study("--vary", "n=1024,2048")
        self.succeeds("sweep", "run", study)
        inner = os.path.dirname(records(study)[0])
        shutil.rmtree(inner)
        with open(inner, "w"):  # no folder: root may write into any
            pass
        self.stops(self.run_program("sweep", "run", study), "cannot write a result: Not a directory", inner, "run the study again")
        os.remove(inner)
        self.assertEqual(self.succeeds("sweep", "run", study), "2 runs: 2 done, 0 failed, 0 left\n")
        shutil.rmtree(os.path.join(study, "working"))
        with open(os.path.join(study, "working"), "w"):
            pass
        self.succeeds("sweep", "run", study)  # nothing to be made
        os.remove(records(study)[0])
        self.stops(self.run_program("sweep", "run", study), "Not a directory", os.path.join(study, "working"))


class Shared(StoreTest):
    """`exec` of a shell's script takes as long as that says, and is then a failure: no program of CUDA."""

    def test_what_a_living_process_holds_stays(self):
        study = self.study("--vary", "n=1024")
        working = os.path.join(study, "working")
        # As of a process in another container: the host's name is the same, and the number is nobody's here.
        name = f"{socket.gethostname()}-{2 ** 22 - 1}"
        os.makedirs(os.path.join(working, name))
        with open(os.path.join(working, name + ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.succeeds("sweep", "run", study)
            self.assertEqual(sorted(os.listdir(working)), [name, name + ".lock"])
        self.succeeds("sweep", "run", study)
        self.assertEqual(os.listdir(working), [])

    @runs_programs
    def test_processes_of_two_containers(self):
        if subprocess.run(["unshare", "-rpf", "--mount-proc", "true"], capture_output=True).returncode != 0:
            self.skipTest("there are no namespaces of processes here")
        study = self.study("--vary", "a=1..4:+1", command=["--", "exec", "--", self.script("sleep 0.7\n"), "{a}"])
        processes = [subprocess.Popen([*within, PROGRAM, "sweep", "run", study, "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                     for within in ([], ["unshare", "-rpf", "--mount-proc"])]
        for process in processes:
            out, errors = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual((process.returncode, out.partition("\n")[0]), (WRONG_RESULT, "4 runs: 0 done, 4 failed, 0 left"), errors)
        self.assertEqual(len(computed(study)), 4)

    def test_processes_at_the_same_time_make_every_run_once(self):
        study = self.study("--vary", "n=1000..1039:+1")
        processes = [subprocess.Popen([PROGRAM, "sweep", "run", study, "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        for process in processes:
            out, errors = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual((process.returncode, out), (OK, "40 runs: 40 done, 0 failed, 0 left\n"), errors)
        self.assertEqual(len(set(computed(study))), 40)
        self.assertEqual(len(computed(study)), 40)
        self.assertEqual(os.listdir(os.path.join(study, "working")), [])

    @runs_programs
    def test_failures_are_made_again_once(self):
        script = self.script("sleep 0.2\nexit 1\n")
        study = self.study("--vary", "a=1..6:+1", command=["--", "exec", "--", script, "{a}"])
        self.assertEqual(self.run_program("sweep", "run", study).returncode, WRONG_RESULT)
        processes = [subprocess.Popen([PROGRAM, "sweep", "run", study, "--jobs", "1", "--retry-failed"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
        for process in processes:
            process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(process.returncode, WRONG_RESULT)
        self.assertEqual(len(computed(study)), 12)

    @runs_programs
    def test_the_run_of_a_process_that_dies_is_made_by_another(self):
        study = self.study("--vary", "a=1", command=["--", "exec", "--", self.script("sleep 1\n"), "{a}"])
        first = subprocess.Popen([PROGRAM, "sweep", "run", study])
        deadline = time.monotonic() + 20
        while not glob.glob(os.path.join(study, "working", "*.claim")) and time.monotonic() < deadline:
            time.sleep(0.01)
        second = subprocess.Popen([PROGRAM, "sweep", "run", study], stdout=subprocess.PIPE, text=True)
        time.sleep(0.3)
        self.assertIsNone(second.poll())
        first.kill()
        first.wait()
        self.assertEqual(second.communicate(timeout=TIMEOUT_S)[0].partition("\n")[0], "1 runs: 0 done, 1 failed, 0 left")
        self.assertEqual(len(computed(study)), 1)
        self.assertEqual(os.listdir(os.path.join(study, "working")), [])


class Damaged(StoreTest):
    def test_damaged_records_are_counted_apart_and_made_anew(self):
        study = self.study("--vary", "n=1024,2048,4096,8192")
        self.succeeds("sweep", "run", study)
        whole = {}
        for name, text in zip(records(study)[:3], (b"", b"\0" * 500, None)):
            with open(name, "rb") as file:
                whole[name] = file.read()
            with open(name, "wb") as file:
                file.write(whole[name][:-100] if text is None else text)
        said = "4 runs: 1 done, 0 failed, 3 damaged (sweep run makes them anew), 0 left\n"
        self.assertEqual(self.succeeds("sweep", "status", study), said)
        status = json.loads(self.succeeds("sweep", "status", study, "--json", "-"))
        self.assertEqual((status["done"], status["failed"], status["damaged"], status["left"]), (1, 0, 3, 0))
        self.assertGreater(status["processor_seconds_left"], 0)
        self.assertTrue(self.succeeds("sweep", "plan", study).startswith(said))
        rows = list(csv.DictReader(io.StringIO(self.succeeds("sweep", "collect", study))))
        self.assertEqual(sorted(row["status"] for row in rows), ["done", "failed", "failed", "failed"])
        self.assertEqual(self.succeeds("sweep", "run", study), "4 runs: 4 done, 0 failed, 0 left\n")
        for name, text in whole.items():
            with open(name, "rb") as file:
                self.assertEqual(file.read(), text)


if __name__ == "__main__":
    unittest.main()
