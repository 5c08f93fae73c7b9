"""Pipes, devices and sockets in place of files: never waited for in silence, used where somebody is at the other end."""
import json
import os
import socket
import subprocess
import threading
import unittest

from program import BAD_INPUT, OK, PROGRAM, ProgramTest, fixture

CUBIN = fixture("faults.cubin")
ARGUMENTS = ["--kernel", "saxpy", "--arg", "buffer:64", "--arg", "buffer:64", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:1"]
SAXPY = ["launch", "--device", "functional", "--cubin", CUBIN, *ARGUMENTS]
RUNAWAY = ["launch", "--device", "functional", "--cubin", CUBIN, "--kernel", "runaway", "--arg", "buffer:64", "--instruction-limit", "0"]
WAITS = 20  # seconds; what is refused is refused at once


class Pipes(ProgramTest):
    def pipe(self):
        os.mkfifo(self.path("pipe"))
        return self.path("pipe")

    def refused(self, *command, says):
        done = subprocess.run([PROGRAM, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=WAITS)
        self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)


class Read(Pipes):
    def test_pipes_that_nobody_writes_to(self):
        pipe = self.pipe()
        platform = self.write("based.json", b'{"name": "a", "base": "pipe"}')
        for command in (["disasm", pipe], ["launch", "--cubin", pipe, *ARGUMENTS], ["launch", "--conflicts", "--cubin", pipe, *ARGUMENTS],
                        ["run", "sort", "--n", "1000", "--platform", pipe], ["estimate", "sort", "--instance", pipe],
                        ["exec", "--platform", pipe, "--", "/bin/true"], ["trace", "capture", "sort", "--platform", pipe, "-o", self.path("t")],
                        ["microbench", "--spt", "--launch-cycles", pipe], ["diagnose", "--from-counters", pipe],
                        ["worst-case", "launch", "--cubin", pipe, "--kernel", "k", "--vary", "0", "--metric", "smsp__inst_executed.sum", "-o", self.path("o")]):
            with self.subTest(command=command):
                self.refused(*command, says=["pipe", "nobody writes", pipe])
        self.refused("run", "sort", "--n", "1000", "--platform", platform, says=["pipe", "nobody writes"])

    def test_a_pipe_without_a_name_that_has_ended_is_an_empty_file(self):
        empty = self.write("empty", b"")
        for command in (["disasm", "FILE"], ["run", "sort", "--n", "1000", "--platform", "FILE"], ["diagnose", "--from-counters", "FILE"]):
            with self.subTest(command=command):
                reading, writing = os.pipe()
                os.close(writing)
                piped = f"/dev/fd/{reading}"
                says = []
                for name in (empty, piped):
                    done = subprocess.run([PROGRAM, *(name if word == "FILE" else word for word in command)], stdout=subprocess.DEVNULL,
                                          stderr=subprocess.PIPE, text=True, timeout=WAITS, pass_fds=[reading])
                    self.assertEqual(done.returncode, BAD_INPUT)
                    says.append(done.stderr.replace(name, "FILE"))
                os.close(reading)
                self.assertEqual(*says)

    def test_a_pipe_that_somebody_writes_to(self):
        with open(CUBIN, "rb") as file:
            cubin = file.read()
        self.assertGreater(len(cubin), 1000)
        platform = b'{"name": "piped", "base": "h200"}' + b" " * 200_000  # more than a pipe holds
        for command, content in ((["disasm", "PIPE"], cubin), (["run", "merge", "--n", "1000", "--json", "-", "--platform", "PIPE"], platform)):
            # As a shell's <(...) does it, and by name.
            reading, writing = os.pipe()
            feeder = threading.Thread(target=self.feed, args=(os.fdopen(writing, "wb"), content))
            feeder.start()
            at = command.index("PIPE")
            done = subprocess.run([PROGRAM, *command[:at], f"/dev/fd/{reading}", *command[at + 1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  pass_fds=[reading], timeout=WAITS)
            os.close(reading)
            feeder.join()
            self.assertEqual((done.returncode, done.stderr), (OK, b""))
            named = self.from_a_named_pipe(command, content)
            self.assertEqual((named.returncode, named.stderr), (OK, b""))
            if command[0] == "disasm":
                self.assertEqual((done.stdout, named.stdout), 2 * (subprocess.run([PROGRAM, "disasm", CUBIN], stdout=subprocess.PIPE).stdout,))
            else:
                self.assertEqual({json.loads(text)["platform"]["name"] for text in (done.stdout, named.stdout)}, {"piped"})

    def from_a_named_pipe(self, command, content):
        """Run once its writer is there, which is found out by trying."""
        source = self.write("content", content)
        pipe = self.pipe()
        while True:
            with subprocess.Popen(["sh", "-c", 'cat "$0" > "$1"', source, pipe]) as feeding:
                done = subprocess.run([PROGRAM, *(pipe if word == "PIPE" else word for word in command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      timeout=WAITS)
                if b"nobody writes" not in done.stderr:
                    os.remove(pipe)
                    return done
                feeding.terminate()

    @staticmethod
    def feed(stream, content):
        with stream:
            stream.write(content)

    def test_a_socket(self):
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(self.path("socket"))
            listening.listen()
            self.refused("disasm", self.path("socket"), says=["cannot open the file", "No such device or address"])
            self.refused(*RUNAWAY, "--json", self.path("socket"), says=["cannot write the JSON file", "No such device or address"])


class Written(Pipes):
    def test_pipes_that_nobody_reads_from(self):
        pipe = self.pipe()
        for command, what in (([*RUNAWAY, "--json", pipe], "the JSON file"), (["exec", "--json", pipe, "--", "/bin/sleep", "60"], "the JSON file"),
                              (["conflicts", "gemm", "--n", "4096", "--explain", "--svg", pipe], "the SVG file"),
                              (["microbench", "--spt", "--instance", pipe], "the instance"),
                              (["worst-case", "sort", "--n", "15360", "--variant", "mgpu", "-o", pipe], "the file")):
            with self.subTest(command=command):
                self.refused(*command, says=[f"cannot write {what}: this is a pipe that nobody reads from", pipe])

    def test_a_pipe_that_somebody_reads_from(self):
        pipe = self.pipe()
        # It opens the pipe once the reader is there, and the reader hears of no end before the results are there.
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reading:
            while True:
                done = subprocess.run([PROGRAM, *SAXPY, "--json", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=WAITS, text=True)
                if "nobody reads" not in done.stderr:  # cat has come
                    break
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            self.assertEqual(json.loads(reading.communicate()[0])["kernels"][0]["name"], "saxpy")

    def test_more_than_a_pipe_holds(self):
        reading, writing = os.pipe()
        command = ["run", "sort", "--n", "20000", "--device", "functional", "--page", "source", "--json", f"/dev/fd/{writing}"]
        with subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, pass_fds=[writing]) as process:
            os.close(writing)
            with os.fdopen(reading, encoding="utf-8") as stream:
                text = stream.read()
            self.assertEqual(process.wait(), OK)
        self.assertGreater(len(text), 100_000)
        self.assertEqual(json.loads(text)["workload"]["name"], "sort")

    def test_devices(self):
        self.succeeds(*SAXPY, "--json", "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))
        done = self.run_program(*SAXPY, "--json", "/dev/stderr")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(json.loads(done.stderr)["kernels"][0]["name"], "saxpy")


if __name__ == "__main__":
    unittest.main()
