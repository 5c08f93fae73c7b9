"""Every option that a command accepts has an effect or is refused with a message: pairs that exclude each other, and empty values."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import unittest
from unittest import mock

from program import BAD_INPUT, PROGRAM, SANITIZED, ProgramTest, fixture, some_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CUBIN = os.path.join(ROOT, "tests/fixtures/conflicts.cubin")
SAXPY = ["--cubin", fixture("faults.cubin"), "--kernel", "saxpy", "--block", "32", "--arg", "buffer:128", "--arg", "buffer:128", "--arg", "f32:2", "--arg", "f32:1",
         "--arg", "i32:32"]
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
KERNEL = ["launch", "--cubin", CUBIN, "--kernel", "gather", "--block", "32", "--arg", "buffer:128", "--arg", "buffer:128:random", "--vary", "1", "--metric", CONFLICTS]

# A command that works, what is added to it, what the message says.
PAIRS = [
    (["conflicts", "sort", "--n", "64"], ["--kernel", "x"], ["--kernel", "no effect", "--explain"]),
    (["conflicts", "sort", "--n", "64"], ["--pc", "0x10"], ["--pc", "no effect", "--explain"]),
    (["conflicts", "sort", "--n", "64"], ["--request", "0"], ["--request", "no effect", "--explain"]),
    (["conflicts", "sort", "--n", "64", "--explain"], ["--csv"], ["--csv", "--explain draws"]),
    (["conflicts", "sort", "--n", "64", "--explain"], ["--by", "bank"], ["--by", "--explain draws"]),
    (["conflicts", "sort", "--n", "64", "--json", "-"], ["--by", "bank"], ["--by", "JSON"]),
    (["conflicts", "sort", "--n", "64"], ["--svg", "-"], ["--svg", "give a file"]),
    (["launch", *SAXPY], ["--by", "bank"], ["--by", "--conflicts"]),
    (["launch", *SAXPY, "--conflicts"], ["--device", "cuda"], ["--device", "functional"]),
    (["launch", *SAXPY, "--conflicts"], ["--device", "simulated"], ["--device", "functional"]),
    (["launch", *SAXPY, "--conflicts"], ["--page", "source"], ["--page", "--by"]),
    (["launch", *SAXPY, "--conflicts"], ["--cache-control", "none"], ["--cache-control"]),
    (["launch", *SAXPY, "--conflicts"], ["--check"], ["--check", "--conflicts has a report of its own"]),
    (["launch", *SAXPY, "--conflicts"], ["--pc", "0x10"], ["--pc", "--explain"]),
    (["launch", *SAXPY, "--device", "functional"], ["--cache-control", "none"], ["--cache-control", "no caches"]),
    (["launch", *SAXPY, "--device", "functional", "--json", "-"], ["--page", "raw"], ["--page", "JSON"]),
    (["run", "merge", "--n", "64", "--device", "functional"], ["--cache-control", "none"], ["--cache-control", "no caches"]),
    (["run", "merge", "--n", "64", "--device", "functional", "--json", "-"], ["--page", "raw"], ["--page", "JSON"]),
    (["run", "merge", "--n", "64", "--device", "functional"], ["--input-type", "u4"], ["--input-type", "no file"]),
    (["estimate", "sort"], ["--platform", "h200"], ["--platform", "--counts measured"]),
    (["estimate", "sort"], ["--set", "gpu.sm_count=66"], ["--set", "--counts measured"]),
    (["estimate", "sort"], ["--threads", "2"], ["--threads", "--counts measured"]),
    (["estimate", "sort"], ["--instruction-limit", "5"], ["--instruction-limit", "--counts measured"]),
    (["estimate", "sort", "--n", "4096", "--model", "bsp"], ["--beta1", "2"], ["--beta1", "--model"]),
    (["estimate", "sort", "--n", "4096", "--model", "bsp"], ["--reading", "printed"], ["--reading", "--model"]),
    (["estimate", "sort", "--n", "4096", "--model", "bsp"], ["--counts", "measured"], ["--counts", "--model"]),
    (["microbench", "--filter", "latency fadd"], ["--spt"], ["--spt", "--filter"]),
    (["microbench", "--filter", "latency fadd"], ["--quick"], ["--quick", "--spt"]),
    (["microbench", "--filter", "latency fadd"], ["--repeat", "2"], ["--repeat", "--spt"]),
    *(([goal, "sort", "--n", "7680", "--variant", "mgpu", "-o", "{out}"], added, [added[0], "--metric"])
      for goal in ("worst-case", "best-case")
      for added in (["--device", "simulated"], ["--platform", "h200"], ["--threads", "2"], ["--patience", "5"], ["--evaluations", "5"], ["--minutes", "1"],
                    ["--resume", "{state}"], ["--values", "0..5"], ["--input", "sorted"], ["--instruction-limit", "7"])),
    (["worst-case", "sort", "--n", "7680", "--variant", "mgpu", "-o", "{out}"], ["--seed", "2"], ["--seed", "nothing at random"]),
    (["worst-case", "search", "--variant", "pbs", "--n", "64", "-o", "{out}"], ["--w", "16"], ["w = 32"]),
    (["worst-case", "sort", "--n", "64", "--metric", CONFLICTS, "--evaluations", "2", "-o", "{out}"], ["--w", "16"], ["--w", "construction"]),
    (["worst-case", "sort", "--n", "64", "--metric", CONFLICTS, "--evaluations", "2", "-o", "{out}"], ["--resume", "{out}"], ["one file"]),
    (["worst-case", *KERNEL, "--evaluations", "2", "-o", "{out}"], ["--w", "16"], ["unexpected argument --w"]),
    (["worst-case", *KERNEL, "--evaluations", "2", "-o", "{out}"], ["--input", "sorted"], ["unexpected argument --input"]),
    (["worst-case", *KERNEL, "--evaluations", "2", "-o", "{out}"], ["--E", "15"], ["unexpected argument --E"]),
    *((["best-case", "permutation", "--input", "{places}", "-o", "{out}"], added, ["unexpected argument " + added[0]])
      for added in (["--w", "16"], ["--metric", CONFLICTS], ["--seed", "2"], ["--device", "functional"], ["--variant", "mgpu"], ["--n", "5"], ["--E", "15"],
                    ["--resume", "{state}"])),
]

# What needs a GPU to work, so that only the refusal is tried.
REFUSED = [
    (["run", "merge", "--n", "64", "--device", "cuda", "--platform", "h200"], ["--platform", "not modelled"]),
    (["run", "merge", "--n", "64", "--device", "cuda", "--instruction-limit", "5"], ["--instruction-limit", "not modelled"]),
    (["run", "merge", "--n", "64", "--device", "cuda", "--page", "source"], ["--page", "real GPU"]),
    (["run", "merge", "--n", "64", "--device", "cuda", "--check"], ["--check", "compute-sanitizer"]),
    (["launch", *SAXPY, "--device", "cuda", "--platform", "h200"], ["--platform", "not modelled"]),
    (["microbench", "--device", "cuda", "--platform", "h200"], ["--platform", "not modelled"]),
    (["best-case", "--n", "5", "permutation", "--input", "{places}", "-o", "{out}"], ["behind that word"]),
    (["worst-case", "--E", "5", *KERNEL, "-o", "{out}"], ["unexpected argument --E"]),
    (["worst-case", "-o", "{out}"], ["workload is required"]),
]

COMMANDS = [["list"], ["run"], ["launch"], ["conflicts"], ["microbench"], ["trace", "capture"], ["trace", "info"], ["trace", "replay"], ["worst-case"], ["best-case"],
            ["worst-case", "launch"], ["best-case", "launch"], ["best-case", "permutation"], ["disasm"], ["estimate"]]


class Options(ProgramTest):
    def setUp(self):
        super().setUp()
        places = self.write("places", struct.pack("<64I", *reversed(range(64))))
        self.names = {"out": self.path("out.npy"), "state": self.path("state.json"), "places": places}

    def filled(self, words):
        return [word.format(**self.names) if word.startswith("{") else word for word in words]

    def test_pairs(self):
        works = set()  # so that it is what was added that is refused
        for command, added, says in some_of(PAIRS, 2):
            with self.subTest(command=command, added=added):
                if tuple(command) not in works:
                    self.succeeds(*self.filled(command))
                    works.add(tuple(command))
                self.fails(BAD_INPUT, *self.filled(command), *self.filled(added), says=says)

    def test_names_of_files_and_of_what_is_built_in(self):
        """--platform and --instance alike: what is built in goes before a file of its name; any other name may be a file's."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)
        platform = {"name": "mine", "base": "h200", "gpu": {"sm_count": 7}}
        instance = json.loads(self.succeeds("estimate", "merge", "--n", "4096", "--instance", "algoparc", "--json", "-"))["instance"]
        for option, text, command in (("--platform", platform, ["conflicts", "merge", "--n", "64"]),
                                      ("--instance", {**instance, "name": "mine"}, ["estimate", "merge", "--n", "4096"])):
            def name_of(given):
                return json.loads(self.succeeds(*command, option, given, "--json", "-"))[option.strip("-")]["name"]
            for name in ("mine", "mine.json", "h200"):
                self.write(name, json.dumps(text).encode())
            with self.subTest(option=option):
                self.assertEqual([name_of(given) for given in ("mine", "mine.json", "./mine", "h200", "./h200")], ["mine", "mine", "mine", "h200", "mine"])
                os.makedirs("folder", exist_ok=True)
                for nothing in ("folder", "hers"):
                    self.fails(BAD_INPUT, *command, option, nothing, says=[f'there is no {option.strip("-")}', nothing, "h200"])
                self.fails(BAD_INPUT, *command, option, "hers.json", says=["cannot open", "hers.json"])

    def test_refusals(self):
        for command, says in REFUSED:
            with self.subTest(command=command):
                self.fails(BAD_INPUT, *self.filled(command), says=says)

    def test_an_empty_value_is_never_taken_for_none(self):
        tried = 0
        for command in COMMANDS:
            text = self.succeeds(*command, "--help")
            for names in some_of(re.findall(r"^  (-\S+) [A-Z]+", text, re.MULTILINE), 8):  # options with a value
                option = names.split(",")[-1]
                with self.subTest(command=command, option=option):
                    # What else is wrong (a missing workload) would be said instead of what the value is.
                    needed = {"run": ["merge"], "conflicts": ["merge"], "estimate": ["merge"], "worst-case": ["merge"], "best-case": ["merge"], "capture": ["merge"],
                              "info": ["x"], "replay": ["x"], "disasm": [CUBIN]}.get(command[-1], [])
                    required = self.filled({"launch": KERNEL[1:] if len(command) > 1 else SAXPY, "permutation": ["--input", "{places}"]}.get(command[-1], []))
                    if option in required:
                        place = required.index(option)
                        del required[place:place + 2]
                    output = ["-o", self.names["out"]] if option != "--output" and command[0] in ("worst-case", "best-case") else []
                    self.fails(BAD_INPUT, *command, *needed, *required, *output, option, "")
                    tried += 1
        self.assertGreater(tried, 20 if SANITIZED else 100)


class Help(ProgramTest):
    def setUp(self):
        super().setUp()
        self.enterContext(mock.patch.dict(os.environ))
        os.environ.pop("COLUMNS", None)

    def helps(self, *command):
        """Every command that the help names and those below it, with the help of each."""
        text = self.succeeds(*command, "--help")
        yield [*command], text
        _, _, below = text.partition("Subcommands:")
        for name in re.findall(r"^  ([a-z-]+) ", below.split("\n\n")[0], re.MULTILINE):
            yield from self.helps(*command, name)

    def test_helps(self):
        found = []
        for command, text in self.helps():
            with self.subTest(command=command):
                found.append(command)
                lines = text.splitlines()
                self.assertLessEqual(max(map(len, lines)), 100, max(lines, key=len))
                self.assertEqual(lines, [line.rstrip() for line in lines])
        for command in (*COMMANDS, ["exec"], ["trace"], ["trace", "import"], ["trace", "export"], ["validate"]):
            self.assertIn(command, found)

    def test_help_is_as_wide_as_columns_says(self):
        for columns, wide in (("60", 60), ("40", 40), ("10", 40), ("72", 72), ("110", 110), ("1000", 120), ("many", 100)):
            os.environ["COLUMNS"] = columns
            for command, text in some_of(self.helps()):
                with self.subTest(columns=columns, command=command):
                    longest = max(text.splitlines(), key=len)
                    self.assertLessEqual(len(longest), wide, longest)
                    if command in (["run"], ["exec"], ["validate"], ["trace", "replay"]):
                        self.assertGreater(len(longest), wide - 20, longest)  # the room is used

    def test_help_is_as_wide_as_the_terminal(self):
        for columns, wide in ((72, 72), (300, 120), (0, 100)):
            with self.subTest(columns=columns):
                ours, its = pty.openpty()
                fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
                running = subprocess.Popen([PROGRAM, "run", "--help"], stdout=its, stdin=subprocess.DEVNULL)
                os.close(its)
                text = b""
                try:
                    while part := os.read(ours, 4096):
                        text += part
                except OSError:  # the other side is closed
                    pass
                os.close(ours)
                self.assertEqual(running.wait(), 0)
                longest = max(map(len, text.decode().splitlines()))
                self.assertLessEqual(longest, wide)
                self.assertGreater(longest, wide - 20)

    def test_help_as_a_command(self):
        for command, text in some_of(self.helps(), 5):
            with self.subTest(command=command):
                self.assertEqual(self.succeeds("help", *command), text)
        self.assertEqual(self.succeeds("help", "exec", "--", "help"), self.succeeds("exec", "--help"))
        self.fails(BAD_INPUT, "help", "frobnicate", says=['there is no command "frobnicate"', "list"])


if __name__ == "__main__":
    unittest.main()
