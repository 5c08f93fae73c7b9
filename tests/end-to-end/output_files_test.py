"""Files that commands write: refused before anything is computed, whole or not at all, never half."""
import fcntl
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from program import BAD_INPUT, OK, PROGRAM, ProgramTest, fixture, runs_programs

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


    def test_links_that_lead_to_one_another(self):
        os.symlink("self", self.path("self"))
        os.symlink("b", self.path("a"))
        os.symlink("a", self.path("b"))
        for name in ("self", "a", "b"):
            self.refused(*RUNAWAY, "--json", self.path(name), says=["cannot write the JSON file: Too many levels of symbolic links", self.path(name)])
            self.assertTrue(os.path.islink(self.path(name)))
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["a", "b", "self"])


def small_files(size):
    """For preexec_fn. As a shell leaves the signal."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


class WholeOrNotAtAll(ProgramTest):
    def fails_with_small_files(self, size, *command, says):
        done = subprocess.run([PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=small_files(size))
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for text in (*says, f"{size >> 10:,} KiB by ulimit -f", "raise the limit"):
            self.assertIn(text, done.stderr)
        return done

    def test_a_write_that_fails_leaves_the_old_file(self):
        old = b"what was there before\n"
        file = self.write("out.json", old)
        # What was measured is printed for all that.
        done = self.fails_with_small_files(1024, *SAXPY, "--json", file, says=["cannot write the JSON file: File too large", file])
        self.assertIn("saxpy", done.stdout)
        with open(file, "rb") as kept:
            self.assertEqual(kept.read(), old)
        self.assertEqual(os.listdir(self.folder.name), ["out.json"])

    def test_small_files_of_every_kind(self):
        for command in (["worst-case", "sort", "--variant", "mgpu", "--n", "15360", "-o", self.path("keys.npy")],
                        ["conflicts", "sort", "--n", "30000", "--explain", "--svg", self.path("a.svg")],
                        ["trace", "capture", "merge", "--n", "4096", "-o", self.path("traced")]):
            with self.subTest(command=command):
                self.fails_with_small_files(1024, *command, says=["cannot write", "File too large", self.folder.name])
                self.assertEqual(os.listdir(self.folder.name), [])
        folder = self.path("kept")
        self.succeeds("trace", "capture", "merge", "--n", "4096", "-o", folder)
        self.fails_with_small_files(1024, "trace", "export", folder, "--format", "accel-sim", "-o", self.path("text"), says=["cannot write", self.path("text")])
        self.assertEqual(os.listdir(self.folder.name), ["kept"])

    @runs_programs
    def test_a_program_keeps_its_own_signal(self):
        script = self.write("program", b"#!/bin/sh\nexec dd if=/dev/zero of=$(dirname $0)/big bs=1M count=2\n")
        os.chmod(script, 0o755)
        done = subprocess.run([PROGRAM, "exec", "--", script], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=small_files(1 << 20))
        self.assertIn(f"signal {signal.SIGXFSZ.value}", done.stderr)

    def test_reasons(self):
        done = self.run_program(*SAXPY, "--json", "/dev/full")
        self.assertEqual(done.returncode, BAD_INPUT)
        for text in ("cannot write the JSON file: No space left on device [/dev/full]", "make room"):
            self.assertIn(text, done.stderr)
        self.assertIn("saxpy", done.stdout)
        done = self.run_program(*SAXPY, "--json", "/proc/self/mem")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("cannot write the JSON file: Input/output error [/proc/self/mem]", done.stderr)
        for command in (SAXPY, ["--version"], ["--help"], ["run", "--help"], ["list"], ["list", "--metrics"], ["estimate", "merge", "--n", "4096"],
                        ["disasm", fixture("faults.cubin")], ["disasm", fixture("faults.cubin"), "--kernel", "saxpy"],
                        ["worst-case", "sort", "-o", self.path("worst.npy"), "--n", "30720"]):
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
                self.assertIn("No space left on device [standard output]", done.stderr)

    def test_an_interrupted_run_leaves_the_old_file(self):
        old = b"what was there before\n"
        file = self.write("out.json", old)
        for name in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=name):
                process = subprocess.Popen([PROGRAM, *RUNAWAY, "--json", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(1)
                process.send_signal(name)
                self.assertEqual(process.wait(), 130 if name == signal.SIGINT else -name)
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


class Clashes(ProgramTest):
    def kept(self, file, *command):
        """Refused, and the file is as it was."""
        with open(file, "rb") as before:
            content = before.read()
        self.fails(BAD_INPUT, *command, says=["would write over"])
        with open(file, "rb") as after:
            self.assertEqual(after.read(), content)

    def test_what_is_read_is_not_written_over(self):
        cubin = self.write("k.cubin", open(fixture("faults.cubin"), "rb").read())
        platform = self.write("p.json", b'{"name": "mine", "base": "h200"}')
        keys = self.write("keys.bin", bytes(4 * 1024))
        os.link(keys, self.path("other-name"))
        trace = self.path("trace")
        self.succeeds("trace", "capture", "merge", "--n", "1000", "-o", trace)
        saxpy = [cubin if word == fixture("faults.cubin") else word for word in SAXPY]
        for file, command in ((cubin, [*saxpy, "--json", cubin]), (platform, ["run", "merge", "--n", "1000", "--platform", platform, "--json", platform]),
                              (keys, ["run", "sort", "--input", keys, "--json", keys]), (keys, ["run", "sort", "--input", keys, "--json", self.path("other-name")]),
                              (keys, [*saxpy, "--arg", f"file:{keys}", "--json", keys]), (keys, [*saxpy, "--arg", f"buffer:8192:file={keys}", "--json", keys]),
                              (self.path("trace/index.json"), ["trace", "replay", trace, "--json", self.path("trace/index.json")]),
                              (self.path("trace/index.json"), ["trace", "info", trace, "--json", self.path("trace/new")])):
            with self.subTest(command=command):
                self.kept(file, *command)
        self.succeeds("trace", "info", trace)

    def test_two_outputs_are_two_files(self):
        for name in ("new", "./new"):
            self.fails(BAD_INPUT, "conflicts", "sort", "--n", "5000", "--explain", "--svg", self.path("new"), "--json", self.path(name), says=["would write over"])
        self.fails(BAD_INPUT, "trace", "capture", "merge", "--n", "1000", "-o", self.path("t"), "--json", self.path("t/index.json"), says=["would write over"])
        self.assertEqual(os.listdir(self.folder.name), [])
        self.succeeds("conflicts", "sort", "--n", "5000", "--svg", "/dev/null", "--json", "/dev/null")
        self.succeeds("trace", "capture", "merge", "--n", "1000", "-o", self.path("t"), "--json", self.path("t.json"))
        for json_name in ("/dev/stdout", "-"):
            self.fails(BAD_INPUT, "run", "merge", "--n", "1000", "--csv", "--json", json_name, says=["standard output"])
        self.fails(BAD_INPUT, "trace", "export", self.path("t"), "--format", "accel-sim", "-o", self.path("t/text"), says=["would write over"])
        self.assertFalse(os.path.exists(self.path("t/text")))

    def test_standard_output_is_one_of_them(self):
        out = self.path("out")
        for name in (out, "/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"):
            with self.subTest(name=name), open(out, "wb") as standard_output:
                done = subprocess.run([PROGRAM, "run", "merge", "--n", "1000", "--json", name], stdout=standard_output, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, BAD_INPUT)
                self.assertIn("standard output", done.stderr)
                self.assertIn("--json -", done.stderr)
        self.assertEqual(os.path.getsize(out), 0)
        with open("/dev/null", "wb") as nothing:
            self.assertEqual(subprocess.run([PROGRAM, "run", "merge", "--n", "1000", "--json", "/dev/null"], stdout=nothing).returncode, OK)

    def test_a_name_as_long_as_the_system_takes(self):
        self.succeeds(*SAXPY, "--json", self.path("j" * 250))
        self.assertEqual(os.listdir(self.folder.name), ["j" * 250])


class Captures(ProgramTest):
    def test_two_into_one_folder(self):
        first = subprocess.Popen([PROGRAM, "trace", "capture", "sort", "--n", "2000000", "-o", self.path("t")], stdout=subprocess.DEVNULL)
        self.addCleanup(first.wait)
        self.addCleanup(first.kill)  # runs before it, also on a process that is stopped
        while first.poll() is None and (not os.path.isdir(self.path("t")) or not os.listdir(self.path("t"))):
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)  # so that it does not end before the others, however slow they are
        self.assertTrue(first.poll() is None, "the first capture was too quick for this test")
        self.fails(BAD_INPUT, "trace", "capture", "merge", "--n", "1000", "-o", self.path("t"))
        self.fails(BAD_INPUT, "trace", "info", self.path("t"), says=["a capture is writing to this folder", "wait until it ends"])
        first.send_signal(signal.SIGCONT)
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
        for command in (["info"], ["replay"], ["export", "--format", "accel-sim", "-o", self.path("text")]):
            self.fails(BAD_INPUT, "trace", *command, self.path("t"), says=["the capture into this folder did not end", self.path("t"), "remove the folder",
                                                                           "capture again"])
        self.write("t/other", b"")
        self.fails(BAD_INPUT, *capture, says=["not empty"])

    def test_a_capture_that_fails_leaves_nothing(self):
        self.fails(1, "trace", "capture", "sort", "--n", "100000", "--instruction-limit", "100", "-o", self.path("t"))
        self.assertFalse(os.path.exists(self.path("t")))


if __name__ == "__main__":
    unittest.main()
