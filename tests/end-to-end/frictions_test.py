"""What a user of Nsight Compute stumbles over in the first hour: each says what to do, or just works."""
import collections
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

from program import BAD_INPUT, OK, PROGRAM, TIMEOUT_S, ProgramTest, fixture

INTERRUPTED = 130


def npy(descr, shape, data, fortran=False):
    """As numpy.lib.format documents it."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def numbers_of(path):
    """The descr of a .npy file, and what is behind its header."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    size = struct.unpack_from("<H", data, 8)[0]
    header = eval(data[10:10 + size])  # a dictionary, as NumPy reads it
    return header, data[10 + size:]


class Dashes(ProgramTest):
    def test_a_program_without_dashes_is_told_the_whole_line(self):
        for line, right in ((["exec", "./prog", "a", "b"], "exec -- ./prog a b"),
                            (["exec", "-k", "prog", "--csv", "prog", "-x", "a b"], "exec -k prog --csv -- prog -x 'a b'"),
                            (["diagnose", "exec", "./prog", "a"], "diagnose exec -- ./prog a"),
                            (["diagnose", "./prog", "a"], "diagnose -- ./prog a"),
                            (["trace", "capture", "-o", "folder", "./prog", "1"], "trace capture -o folder -- ./prog 1")):
            with self.subTest(line=line):
                done = self.fails(BAD_INPUT, *line)
                self.assertTrue(done.stderr.endswith(f"; write sassafras {right}\n"), done.stderr)
        # An option misspelt is still an option.
        self.fails(BAD_INPUT, "exec", "--chekc", "./prog", says=["did you mean --check?"])

class Buffers(ProgramTest):
    """What launch reads from and writes to files of NumPy."""
    def saxpy(self, *buffers):
        # saxpy(float* y, const float* x, float a, float b, int n): y = a * x + b for what n says
        return self.run_program("launch", "--cubin", fixture("faults.cubin"), "--kernel", "saxpy", "--grid", "1", "--block", "64",
                                "--device", "functional", *[word for buffer in buffers for word in ("--arg", buffer)],
                                "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:12")

    def test_a_buffer_is_written_after_the_launch(self):
        x = struct.pack("<12f", *range(12))
        expected = [2.0 * i + 1 for i in range(12)]
        for shape in ((12,), (3, 4), (2, 3, 2)):
            given = self.write("x.npy", npy("<f4", shape, x))
            out, raw = self.path("y.npy"), self.path("x.raw")
            done = self.saxpy(f"buffer:64:out={out}:f4", f"file:{given}:out={raw}")
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            header, data = numbers_of(out)
            self.assertEqual(header, {"descr": "<f4", "fortran_order": False, "shape": (16,)})
            self.assertEqual(list(struct.unpack("<16f", data)), expected + [0.0] * 4)
            with open(raw, "rb") as file:
                self.assertEqual(file.read(), x)
        again = self.path("again.npy")
        self.assertEqual(self.saxpy("buffer:64", f"file:{given}:out={again}").returncode, 0)
        self.assertEqual(numbers_of(again)[0], {"descr": "<f4", "fortran_order": False, "shape": (12,)})  # as its input

    def test_what_cannot_be_written_is_said_before_the_launch(self):
        for buffer, says in ((f"buffer:66:out={self.path('y.npy')}", "no numbers of 4"), ("buffer:64:out=/nowhere/y.npy", "/nowhere/y.npy"),
                             (f"buffer:64:out={self.folder.name}", self.folder.name)):
            done = self.saxpy(buffer, "buffer:64")
            self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""), done.stderr)
            self.assertIn(says, done.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_arrays_of_more_dimensions(self):
        keys = struct.pack("<6I", 5, 3, 1, 6, 2, 4)
        for shape in ((6,), (2, 3), (3, 1, 2)):
            self.succeeds("run", "sort", "--variant", "mgpu", "--device", "functional", "--input", self.write("k.npy", npy("<u4", shape, keys)))
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", self.write("k.npy", npy("<u4", (2, 3), keys, True)),
                   says=["Fortran order", "ascontiguousarray"])

def on_terminal(arguments, columns=100, **environment):
    """Status and what a terminal of so many columns shows, standard error with it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 50, columns, 0, 0))
    variables = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    process = subprocess.Popen([PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env={**variables, "TERM": "xterm", **environment})
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # as Linux says that nobody has the other end
            break
        if not part:
            break
        shown += part
    os.close(ours)
    text = re.sub(r"\r\x1b\[K[^\r\n]*(?=\r)", "", shown.decode())  # progress, written over
    return process.wait(TIMEOUT_S), text.replace("\r\x1b[K", "").replace("\r", "")


def numbers_in(text):
    return re.findall(r"(?<![\w.])[\d,]*\d(?:\.\d+)?(?![\w.])", text)


class Terminal(ProgramTest):
    def test_colours_on_a_terminal_alone(self):
        command = ["run", "scan", "--n", "2048", "--page", "details", "--no-what-if"]
        status, shown = on_terminal(command)
        self.assertEqual(status, OK, shown)
        for coloured in ("\x1b[32mverified: yes\x1b[0m", "\x1b[1;33mOPT \x1b[0m", "\x1b[1mBound by "):
            self.assertIn(coloured, shown)
        plain = self.succeeds(*command)
        self.assertNotIn("\x1b", plain)
        self.assertEqual(re.sub(r"wall time: .*", "", re.sub(r"\x1b\[[\d;]*m", "", shown)), re.sub(r"wall time: .*", "", plain))
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", on_terminal(command, **variables)[1])
        log = self.path("log")
        on_terminal([*command, "--log-file", log])
        with open(log, encoding="utf-8") as file:
            self.assertNotIn("\x1b", file.read())

    def test_errors_on_a_terminal(self):
        status, shown = on_terminal(["run", "nothing"])
        self.assertEqual(status, BAD_INPUT)
        self.assertTrue(shown.startswith("\x1b[1;31msassafras: error:\x1b[0m there is no workload"), shown)
        self.assertNotIn("\x1b", on_terminal(["run", "nothing"], NO_COLOR="1")[1])
        self.assertNotIn("\x1b", self.fails(BAD_INPUT, "run", "nothing").stderr)

    def test_a_terminal_of_100_columns(self):
        for command in (["run", "sort", "--n", "2000"], ["run", "scan", "--n", "2048", "--page", "details", "--no-what-if"], ["conflicts", "sort", "--n", "4096"],
                        ["estimate", "sort", "--n", "4096"], ["validate", "merge", "--variant", "E15", "--quick"], ["list"]):
            with self.subTest(command=command):
                status, shown = on_terminal(command, NO_COLOR="1")
                self.assertEqual(status, OK, shown)
                for line in shown.splitlines():
                    self.assertLessEqual(len(line), 100, line)
                # With COLUMNS a pipe gets the same; without, all there is, of which no number is missing here.
                whole = self.run_program(*command).stdout
                of_time = r"(wall time|seconds).*"
                missing = collections.Counter(numbers_in(re.sub(of_time, "", whole))) - collections.Counter(numbers_in(re.sub(of_time, "", shown)))
                self.assertEqual(missing, collections.Counter())
        said = subprocess.run([PROGRAM, "estimate", "sort", "--n", "4096"], env={**os.environ, "COLUMNS": "100"}, capture_output=True, text=True, check=True).stdout
        self.assertLessEqual(max(map(len, said.splitlines())), 100)
        self.assertGreater(max(map(len, self.succeeds("estimate", "sort", "--n", "4096").splitlines())), 100)
        for form in (["--csv"], ["--json", "-"]):  # which are for programs
            command = ["estimate", "sort", "--n", "4096", *form]
            self.assertEqual(subprocess.run([PROGRAM, *command], env={**os.environ, "COLUMNS": "40"}, capture_output=True, text=True, check=True).stdout,
                             self.succeeds(*command))


class Interrupted(ProgramTest):
    """Ctrl-C: what there is is written, and the status says that it is not all."""
    def interrupted(self, *arguments, after=1.5):
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, INTERRUPTED, error)
        self.assertIn("sassafras: error: interrupted", error)
        return out, error

    def test_the_best_of_a_search_is_written(self):
        best, state = self.path("best.npy"), self.path("state")
        out, error = self.interrupted("worst-case", "merge", "--n", "1536", "--metric", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
                                      "--evaluations", "10000000", "-o", best, "--resume", state)
        self.assertRegex(error, r"the best of \d+ evaluations")
        self.assertIn("best.npy", out)
        header, _ = numbers_of(best)
        self.assertEqual(header["shape"], (1536,))
        self.assertIn("verified: yes", self.succeeds("run", "merge", "--n", "1536", "--device", "functional", "--input", best))
        self.assertTrue(os.path.exists(state))

    def test_launches_that_had_ended_are_reported(self):
        for device in ("functional", "simulated"):
            report = self.path("report.json")
            out, _ = self.interrupted("run", "merge", "--n", "1000", "--repeat", "1000000", "--device", device, "--json", report, "--print-summary", "per-kernel")
            with open(report, encoding="utf-8") as file:
                made = json.load(file)
            self.assertGreater(len(made["kernels"]), 0)
            self.assertEqual(made["workload"], {"name": "merge", "interrupted": True})
            self.assertIn(f"kernels: {len(made['kernels']):,}", out)

    def test_nothing_had_ended(self):
        out, _ = self.interrupted("launch", "--cubin", fixture("faults.cubin"), "--kernel", "runaway", "--arg", "buffer:64", "--instruction-limit", "0")
        self.assertEqual(out, "")


class Platforms(ProgramTest):
    def test_all_faults_at_once_also_between_fields(self):
        platform = self.write("p.json", b'''{"name": "p", "base": "h200", "gpu": {"sm_count": "many"}, "lsu": {"queue_entries": 0}, "dram": {"bogus": 1},
            "sm": {"subcores": 16, "max_warps": 8, "max_threads_per_block": 256}}''')
        done = self.fails(BAD_INPUT, "run", "sort", "--platform", platform, says=["4 faults"])
        for place in ("/gpu/sm_count: expected", "/lsu/queue_entries: 0 is out of range", "/dram/bogus: unknown key", "/sm/subcores: 16 is more than /sm/max_warps (8)"):
            self.assertIn(place, done.stderr)
        done = self.fails(BAD_INPUT, "run", "sort", "--set", "bytes=3", "--set", "l2.ways", "--set", "l2.bytes=25M")
        for setting in ("--set bytes=3", "--set l2.ways"):
            self.assertIn(setting, done.stderr)


if __name__ == "__main__":
    unittest.main()
