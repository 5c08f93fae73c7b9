"""Files that commands write: refused before anything is computed, whole or not at all, never half."""
import fcntl
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from program import BAD_INPUT, OK, PROGRAM, ProgramTest, fixture

SAXPY = ["launch", "--device", "functional", "--cubin", fixture("faults.cubin"), "--kernel", "saxpy", "--arg", "buffer:64", "--arg", "buffer:64",
         "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:1"]
RUNAWAY = ["launch", "--device", "functional", "--cubin", fixture("faults.cubin"), "--kernel", "runaway", "--arg", "buffer:64", "--instruction-limit", "0"]
TIMES_OUT = 20  # each of the commands below computes for longer than this, or for ever


class Refused(ProgramTest):
    def refused(self, *command, says):
        done = subprocess.run([PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMES_OUT)
        self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""), done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)

    def test_before_anything_runs(self):
        os.mkdir(self.path("folder"))
        long_runs = (["run", "gemm", "--n", "4096"], RUNAWAY, ["conflicts", "gemm", "--n", "4096"], ["microbench", "--spt"], ["validate", "--claims"],
                     ["estimate", "gemm", "--n", "4096", "--counts", "measured"], ["trace", "capture", "gemm", "--n", "4096", "-o", self.path("t")],
                     ["exec", "--", "/bin/sleep", "60"])
        for command in long_runs:
            options = command[:command.index("--")] if "--" in command else command
            program = command[len(options):]
            for place, why in (("missing/a.json", "folder does not exist"), ("folder", "this is a folder"), ("folder/", "this is a folder")):
                with self.subTest(command=command, place=place):
                    self.refused(*options, "--json", self.path(place), *program, says=["cannot write the JSON file", why, "--json", self.path(place)])
        self.assertFalse(os.path.exists(self.path("t")))
        self.refused("conflicts", "gemm", "--n", "4096", "--svg", self.path("missing/a.svg"), says=["cannot write the SVG file", "--svg"])
        self.refused("microbench", "--spt", "--instance", self.path("missing/a.json"), says=["cannot write the instance", "--instance"])
        self.assertEqual(os.listdir(self.folder.name), ["folder"])

    def test_names_that_cannot_be_made(self):
        self.refused(*RUNAWAY, "--json", "/proc/none", says=["cannot write the JSON file", "/proc/none"])
        self.refused(*RUNAWAY, "--json", "/dev/fd/999", says=["cannot write the JSON file", "/dev/fd/999"])

    def test_what_a_link_leads_to_counts(self):
        os.symlink(self.path("missing/a.json"), self.path("link"))
        self.refused(*RUNAWAY, "--json", self.path("link"), says=["cannot write the JSON file", "folder does not exist"])


class WholeOrNotAtAll(ProgramTest):
    def test_a_write_that_fails_leaves_the_old_file(self):
        old = b"what was there before\n"
        file = self.write("out.json", old)

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        done = subprocess.run([PROGRAM, *SAXPY, "--json", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=small_files)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("cannot write the JSON file", done.stderr)
        with open(file, "rb") as kept:
            self.assertEqual(kept.read(), old)
        self.assertEqual(os.listdir(self.folder.name), ["out.json"])

    def test_an_interrupted_run_leaves_the_old_file(self):
        old = b"what was there before\n"
        file = self.write("out.json", old)
        for name in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=name):
                process = subprocess.Popen([PROGRAM, *RUNAWAY, "--json", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(1)
                process.send_signal(name)
                self.assertEqual(process.wait(), -name)
                with open(file, "rb") as kept:
                    self.assertEqual(kept.read(), old)
                self.assertEqual(os.listdir(self.folder.name), ["out.json"])

    def test_permissions_and_links_stay(self):
        file = self.write("out.json", b"old")
        os.chmod(file, 0o640)
        os.symlink("out.json", self.path("link"))
        self.succeeds(*SAXPY, "--json", self.path("link"))
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o640)
        with open(file, encoding="utf-8") as written:
            self.assertEqual(json.load(written)["kernels"][0]["name"], "saxpy")


class NotReplaced(ProgramTest):
    def test_devices_and_pipes(self):
        self.succeeds(*SAXPY, "--json", "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))
        done = self.run_program(*SAXPY, "--json", "/dev/stderr")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(json.loads(done.stderr)["kernels"][0]["name"], "saxpy")
        os.mkfifo(self.path("pipe"))
        process = subprocess.Popen([PROGRAM, *SAXPY, "--json", self.path("pipe")], stdout=subprocess.DEVNULL)
        with open(self.path("pipe"), encoding="utf-8") as pipe:
            self.assertEqual(json.load(pipe)["kernels"][0]["name"], "saxpy")
        self.assertEqual(process.wait(), OK)
        self.assertEqual(os.listdir(self.folder.name), ["pipe"])


class Captures(ProgramTest):
    def test_two_into_one_folder(self):
        first = subprocess.Popen([PROGRAM, "trace", "capture", "sort", "--n", "2000000", "-o", self.path("t")], stdout=subprocess.DEVNULL)
        while not os.path.exists(self.path("t")):
            time.sleep(0.01)
        time.sleep(0.05)
        self.fails(BAD_INPUT, "trace", "capture", "merge", "--n", "1000", "-o", self.path("t"))
        self.assertTrue(first.poll() is None, "the first capture was too quick for this test")
        self.assertEqual(first.wait(), OK)
        self.assertIn("sort", self.succeeds("trace", "info", self.path("t")))

    def test_the_lock_of_the_folder(self):
        os.mkdir(self.path("t"))
        held = os.open(self.path("t"), os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(held, fcntl.LOCK_EX)
        for command in (["trace", "capture", "merge", "--n", "1000"], ["trace", "import", self.write("k.g", b"kernel-1.traceg\n")]):
            self.fails(BAD_INPUT, *command, "-o", self.path("t"), says=["another capture is writing to this folder", self.path("t")])
        os.close(held)
        self.assertEqual(os.listdir(self.path("t")), [])
        self.succeeds("trace", "capture", "merge", "--n", "1000", "-o", self.path("t"))

    def test_a_capture_that_is_killed_is_named_as_one(self):
        capture = ["trace", "capture", "sort", "--n", "2000000", "-o", self.path("t")]
        process = subprocess.Popen([PROGRAM, *capture], stdout=subprocess.DEVNULL)
        while not os.path.isdir(self.path("t")) or not os.listdir(self.path("t")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), -signal.SIGINT, "the capture was too quick for this test")
        self.fails(BAD_INPUT, *capture, says=["a capture that was broken off", self.path("t")])
        self.write("t/other", b"")
        self.fails(BAD_INPUT, *capture, says=["not empty"])

    def test_a_capture_that_fails_leaves_nothing(self):
        self.fails(1, "trace", "capture", "sort", "--n", "100000", "--instruction-limit", "100", "-o", self.path("t"))
        self.assertFalse(os.path.exists(self.path("t")))


if __name__ == "__main__":
    unittest.main()
