"""Searches over inputs, of workloads and of a user's kernel; numbers of one's own for every workload and buffer."""
import json
import os
import random
import struct
import unittest

from program import BAD_INPUT, SANITIZED, ProgramTest, fixture, some_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CUBIN = os.path.join(ROOT, "tests/fixtures/conflicts.cubin")
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
CYCLES = "sm__cycles_elapsed.max"


def npy(descr, data, count):
    """As numpy.lib.format describes version 1.0."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin-1") + data


def gather(index):
    """Kernel `gather`: thread t reads word index[t] of shared memory."""
    return ["--cubin", CUBIN, "--kernel", "gather", "--block", "64", "--arg", "buffer:256", "--arg", index]


class Kernels(ProgramTest):
    def search(self, *more, goal="worst-case", index="buffer:256:random"):
        return self.succeeds(goal, "launch", *gather(index), "--vary", "1", "--metric", CONFLICTS, *more)

    def conflicts(self, index):
        run = json.loads(self.succeeds("launch", *gather(index), "--device", "functional", "--json", "-"))
        return run["kernels"][0]["metrics"][CONFLICTS]

    def test_buffers_from_files(self):
        """32 lanes that read words 0, 32, 64 ... need 32 wavefronts of bank 0, those that read 0, 1, 2 ... one: 31 conflicts each of two warps, and none."""
        column = [32 * (thread % 32) for thread in range(64)]
        raw = self.write("column", struct.pack("<64I", *column))
        self.assertEqual(self.conflicts("file:" + raw), 62)
        self.assertEqual(self.conflicts("buffer:256:file=" + self.write("column.npy", npy("<u4", struct.pack("<64I", *column), 64))), 62)
        self.assertEqual(self.conflicts("file:" + self.write("row", struct.pack("<64I", *range(64)))), 0)
        # Half the file: the other warp reads word 0 with all its lanes.
        self.assertEqual(self.conflicts("buffer:256:file=" + self.write("half", struct.pack("<32I", *column[:32]))), 31)
        text = self.succeeds("launch", *gather("file:" + raw), "--conflicts", "--by", "instruction")
        self.assertRegex(text, r"2 +64 +32\.000 .* loads +LDS")

    def test_what_is_found_costs_what_is_said(self):
        for file in ("found.npy", "found.raw"):
            text = self.search("--values", "0..8191", "--evaluations", "400", "-o", self.path(file))
            found = float(text.split("restarts: ")[1].split()[0])
            self.assertEqual(self.conflicts("file:" + self.path(file)), found)
            self.assertGreater(found, self.conflicts("buffer:256:random"))
            # What was printed is how to run it.
            words = text.splitlines()[-1].split()
            self.assertEqual(words[:2], ["sassafras", "launch"])
            self.succeeds(*words[1:], "--device", "functional")

    def test_numbers_stay_in_the_range(self):
        self.search("--values", "7..9", "--evaluations", "100", "-o", self.path("found"))
        with open(self.path("found"), "rb") as file:
            self.assertLessEqual(set(struct.unpack("<64I", file.read())), {7, 8, 9})
        start = self.write("start", struct.pack("<64I", *range(64)))
        self.fails(BAD_INPUT, "worst-case", "launch", *gather("file:" + start), "--vary", "1", "--metric", CONFLICTS, "--values", "0..62", "-o", self.path("x"),
                   says=["number 63", "out of the range"])

    def test_without_a_range_numbers_are_permuted(self):
        # 8 numbers in bank 0 and 56 in banks of their own: a warp with all 8 has 7 conflicts, the other none.
        numbers = [32 * i for i in range(8)] + [1 + i % 28 for i in range(56)]
        start = self.write("start", struct.pack("<64I", *numbers))
        text = self.search("--evaluations", "300", "-o", self.path("found"), index="file:" + start)
        with open(self.path("found"), "rb") as file:
            self.assertEqual(sorted(struct.unpack("<64I", file.read())), sorted(numbers))
        self.assertGreaterEqual(float(text.split("restarts: ")[1].split()[0]), 7)
        best = self.search("--evaluations", "300", "-o", self.path("best"), index="file:" + start, goal="best-case")
        self.assertLess(float(best.split("restarts: ")[1].split()[0]), 7)

    def test_every_type(self):
        for kind, range_text in (("u4", "0..9"), ("i4", "-3..3"), ("f4", "-1.5..2e3"), ("u8", "0..18446744073709551615"), ("i8", "-9..9"), ("f8", "1e-300..1e300")):
            with self.subTest(kind=kind):
                self.succeeds("worst-case", "launch", *gather("buffer:256"), "--vary", "0:" + kind, "--metric", CONFLICTS, "--values", range_text, "--evaluations", "30",
                              "-o", self.path("found"))
                code = {"u4": "64I", "i4": "64i", "f4": "64f", "u8": "32Q", "i8": "32q", "f8": "32d"}[kind]
                with open(self.path("found"), "rb") as file:
                    numbers = struct.unpack("<" + code, file.read())
                least, greatest = (float(end) for end in range_text.split(".."))
                self.assertTrue(all(least <= number <= greatest for number in numbers), numbers)

    def test_refusals(self):
        out = ["--metric", CONFLICTS, "-o", self.path("x")]
        for more, says in ((["--vary", "0"], ["all numbers are equal", "--values"]), (["--vary", "2"], ["no buffer", "0, 1"]), (["--vary", "x"], ["number of an argument"]),
                           (["--vary", "1:u3"], ["u3", "u4"]), (["--vary", "1", "--values", "5"], ["two dots"]), (["--vary", "1", "--values", "9..5"], ["greater"]),
                           (["--vary", "1", "--values", "0..1.5"], ["no number of type u4"]), (["--vary", "1:f4", "--values", "0..inf"], ["no number of type f4"]),
                           ([], ["--vary is required"])):
            with self.subTest(more=more):
                self.fails(BAD_INPUT, "worst-case", "launch", *gather("buffer:256:random"), *out, *more, says=says)
        self.fails(BAD_INPUT, "worst-case", "launch", *gather("buffer:255:random"), *out, "--vary", "1", says=["255 bytes"])
        self.fails(BAD_INPUT, "worst-case", "launch", *gather("file:" + self.path("none")), *out, "--vary", "1", says=["no such file"])
        self.assertFalse(os.path.exists(self.path("x")))


class Resumed(ProgramTest):
    """A search that is cut anywhere, several times, ends as one that is not."""

    def cut(self, command, total, cuts):
        whole, parts = (self.path("whole"), self.path("whole.json")), (self.path("parts"), self.path("parts.json"))
        for path in (*whole, *parts):
            if os.path.exists(path):
                os.remove(path)
        self.succeeds(*command, "--evaluations", str(total), "-o", whole[0], "--resume", whole[1])
        for end in (*cuts, total):
            self.succeeds(*command, "--evaluations", str(end), "-o", parts[0], "--resume", parts[1])
        for one, other in zip(whole, parts):
            with open(one, "rb") as a, open(other, "rb") as b:
                self.assertEqual(a.read(), b.read(), (command, cuts))

    def test_cuts_anywhere(self):
        draw = random.Random(11)
        commands = [
            ["worst-case", "launch", *gather("buffer:256:random"), "--vary", "1", "--values", "0..100", "--metric", CONFLICTS, "--patience", "9"],
            ["best-case", "launch", *gather("buffer:256:random"), "--vary", "1:f4", "--values", "0..1e-40", "--metric", CYCLES, "--device", "simulated"],
            ["worst-case", "sort", "--variant", "mms", "--n", "300", "--metric", CYCLES, "--device", "simulated", "--patience", "5"],
            ["best-case", "merge", "--n", "500", "--metric", CYCLES, "--device", "simulated"],
            ["worst-case", "scan", "--variant", "colored", "--n", "1500", "--metric", CONFLICTS, "--colors", "32"],
        ]
        for command in commands:
            for _ in range(1 if SANITIZED else 2):
                total = draw.randint(12, 14 if SANITIZED else 40)
                self.cut([*command, "--seed", str(draw.randint(0, 9))], total, sorted(draw.randint(1, total) for _ in range(2)))

    def test_a_state_is_not_trusted(self):
        state = self.path("state.json")
        command = ["worst-case", "launch", *gather("buffer:256:random"), "--vary", "1", "--metric", CONFLICTS, "-o", self.path("found"), "--resume", state]
        text = self.succeeds(*command, "--evaluations", "50")
        with open(state, encoding="utf-8") as file:
            good = json.load(file)

        def with_changes(**changes):
            with open(state, "w", encoding="utf-8") as file:
                json.dump({**good, **changes}, file)
            return self.run_program(*command, "--evaluations", "50")

        done = with_changes(best_value=1e6)
        self.assertEqual(done.stdout, text)  # measured again
        self.assertIn("says 1000000", done.stderr)
        self.assertEqual(with_changes().stderr, "")
        for name in ("best", "current"):
            done = with_changes(**{name: [good[name][0] ^ 1, *good[name][1:]]})
            self.assertEqual(done.returncode, BAD_INPUT)
            self.assertIn("could not have come to", done.stderr)
        done = with_changes(question="an\u001b[31mother" + "x" * 2000)
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("an\\x1b[31motherxxx", done.stderr)
        self.assertLess(len(done.stderr), 2000)

    def test_another_question_is_refused(self):
        state = self.path("state.json")
        base = {"--patience": "50", "--seed": "1", "--metric": CONFLICTS, "--platform": "h200", "--device": "functional", "--values": "0..9", "--vary": "1"}

        def run(changes=None, index="buffer:256:random", more=()):
            options = [word for pair in {**base, **(changes or {})}.items() for word in pair]
            return self.run_program("worst-case", "launch", *gather(index), *more, *options, "-o", self.path("found"), "--resume", state, "--evaluations", "5")

        self.assertEqual(run().returncode, 0)
        self.assertEqual(run().returncode, 0)
        for changes in ({"--patience": "51"}, {"--seed": "2"}, {"--platform": "h200-half"}, {"--device": "simulated"}, {"--values": "0..8"}, {"--vary": "1:i4"},
                        {"--metric": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}):
            with self.subTest(changes=changes):
                done = run(changes)
                self.assertEqual(done.returncode, BAD_INPUT, done.stdout)
                self.assertIn("another search", done.stderr)
        self.assertIn("another search", run(index="buffer:256:iota").stderr)
        self.assertIn("another search", run(more=["--grid", "2", "--shared", "4"]).stderr)

    def test_lists_that_are_not_ascending(self):
        state = self.path("state.json")
        command = ["best-case", "merge", "--n", "500", "--metric", "smsp__inst_executed.sum", "-o", self.path("found"), "--resume", state, "--evaluations", "5"]
        self.succeeds(*command)
        with open(state, encoding="utf-8") as file:
            good = json.load(file)
        for name in ("best", "current"):
            numbers = list(good[name])
            numbers[0], numbers[249] = numbers[249], numbers[0]
            self.assertNotEqual(numbers, good[name])
            with open(state, "w", encoding="utf-8") as file:
                json.dump({**good, name: numbers}, file)
            self.fails(BAD_INPUT, *command, says=["could not have come to", state])

    def test_fewer_evaluations_than_there_are(self):
        state = self.path("state.json")
        command = ["worst-case", "sort", "--n", "64", "--metric", CONFLICTS, "-o", self.path("found"), "--resume", state, "--evaluations"]
        text = self.succeeds(*command, "60")
        done = self.run_program(*command, "10")
        self.assertEqual((done.returncode, done.stdout), (0, text))
        self.assertIn(f"note: {state} has 60 evaluations, more than the 10 that are asked for", done.stderr)

    def test_a_search_that_fails_is_saved(self):
        """Kernel `runaway` does not end once its first word is 0."""
        state, words = self.path("state.json"), self.write("words", struct.pack("<16I", *range(1, 17)))
        command = ["worst-case", "launch", "--cubin", fixture("faults.cubin"), "--kernel", "runaway", "--arg", "file:" + words, "--vary", "0", "--values", "0..16",
                   "--metric", "smsp__inst_executed.sum", "--instruction-limit", "10000", "-o", self.path("found"), "--resume", state]
        first = self.run_program(*command)
        self.assertNotEqual(first.returncode, 0)
        with open(state, encoding="utf-8") as file:
            self.assertGreater(json.load(file)["evaluations"], 0)
        self.assertEqual(self.run_program(*command).stderr, first.stderr)  # the same candidate again
        self.assertFalse(os.path.exists(self.path("found")))

    def test_places(self):
        command = ["worst-case", "sort", "--n", "64", "--metric", CONFLICTS, "--evaluations", "3"]
        keys, link, hard = self.write("keys", struct.pack("<64I", *range(64))), self.path("link"), self.path("hard")
        os.symlink("keys", link)
        os.link(keys, hard)
        for output in (keys, link, hard, self.path("../" + os.path.basename(self.folder.name) + "/keys")):
            self.fails(BAD_INPUT, *command[:2], *command[4:], "--input", keys, "-o", output, says=["--output would write over", keys])
            self.fails(BAD_INPUT, *command, "-o", keys, "--resume", output, says=["--output and --resume name one file"])
        self.fails(BAD_INPUT, *command[:2], *command[4:], "--input", keys, "-o", self.path("x"), "--resume", link, says=["--resume would write over", keys])
        os.symlink("later", self.path("early"))  # to what does not exist yet
        self.fails(BAD_INPUT, *command, "-o", self.path("later"), "--resume", self.path("early"), says=["--output and --resume name one file"])
        kernel = ["worst-case", "launch", *gather("file:" + keys), "--vary", "1", "--metric", CONFLICTS]
        self.fails(BAD_INPUT, *kernel, "-o", link, says=["--output would write over", keys])
        self.fails(BAD_INPUT, *kernel, "-o", CUBIN, says=["--output would write over", CUBIN])
        with open(keys, "rb") as file:
            self.assertEqual(file.read(), struct.pack("<64I", *range(64)))
        self.fails(BAD_INPUT, *command, "-o", self.path("x"), "--resume", self.folder.name, says=["this is a folder", "--resume"])
        self.fails(BAD_INPUT, *command, "-o", self.path("x"), "--resume", self.path("no/state"), says=["folder does not exist", "--resume"])
        self.fails(BAD_INPUT, *command, "-o", self.folder.name, says=["this is a folder", "--output"])
        self.fails(BAD_INPUT, *command, "-o", self.path("x"), "--resume", "/dev/null", says=["a pipe or a device", "--resume"])
        os.mkfifo(self.path("pipe"))
        self.fails(BAD_INPUT, *command, "-o", self.path("x"), "--resume", self.path("pipe"), says=["a pipe or a device", "--resume"])


class OwnNumbers(ProgramTest):
    def verified(self, *command):
        return json.loads(self.succeeds("run", *command, "--device", "functional", "--json", "-"))

    def test_floats(self):
        matrices = self.write("m", struct.pack("<32f", *range(32)))
        self.assertEqual(self.verified("gemm", "--input", matrices)["workload"]["n"], 4)
        oblong = self.verified("gemm", "--input", matrices, "--M", "2", "--K", "4", "--n", "6")["workload"]
        self.assertEqual((oblong["n"], oblong["input"]), (6, "given"))
        cube = self.write("cube", struct.pack("<64f", *range(64)))
        self.assertEqual(self.verified("stencil", "--input", cube)["workload"]["n"], 4)
        self.verified("stencil", "--input", cube, "--n", "4", "--ny", "2", "--nz", "8")
        self.assertEqual(self.verified("ode", "--input", self.write("r", struct.pack("<18f", *([1] * 18))))["workload"]["n"], 2)
        # Infinities meet: what is no number equals what is no number.
        self.verified("gemm", "--input", self.write("inf", struct.pack("<8f", *([float("inf"), float("-inf")] * 4))))
        exact = self.write("d.npy", npy("<f8", struct.pack("<8d", *([0.5] * 8)), 8))
        self.assertEqual(self.verified("gemm", "--input", exact)["workload"]["n"], 2)

    def test_floats_refused(self):
        run = ["--device", "functional", "--input"]
        some = self.write("some", struct.pack("<10f", *range(10)))
        self.fails(BAD_INPUT, "run", "gemm", *run, some, says=["10 numbers", "no two square matrices"])
        self.fails(BAD_INPUT, "run", "gemm", *run, some, "--n", "2", says=["10 numbers are given, 8 are needed"])
        self.fails(BAD_INPUT, "run", "gemm", *run, some, "--K", "2", says=["give --n"])
        self.fails(BAD_INPUT, "run", "stencil", *run, some, says=["no cube"])
        self.fails(BAD_INPUT, "run", "ode", *run, some, says=["10 numbers are given, 9 are needed"])
        self.fails(BAD_INPUT, "run", "gemm", *run, some, "--input-type", "i4", says=["holds i4", "floats", "astype('<f4')"])
        self.fails(BAD_INPUT, "run", "gemm", *run, self.write("nan", struct.pack("<2f", 1, float("nan"))), says=["number 1", "NaN"])
        self.fails(BAD_INPUT, "run", "gemm", *run, self.write("d.npy", npy("<f8", struct.pack("<2d", 0.5, 0.1), 2)), says=["number 1", "does not fit in 32 bits"])
        self.fails(BAD_INPUT, "run", "micro", *run, some, says=["micro takes no numbers", "sort", "gemm"])

    def test_words(self):
        words = self.write("w", struct.pack("<100I", *range(100)))
        self.verified("scan", "--input", words)
        self.verified("scan", "--variant", "colored", "--colors", "100", "--input", words)
        self.fails(BAD_INPUT, "run", "scan", "--device", "functional", "--variant", "colored", "--input", words, says=["number 8", "is 8, no colour", "--colors"])
        self.fails(BAD_INPUT, "run", "scan", "--device", "functional", "--input", words, "--input-type", "f4", says=["holds f4", "words of 32 bits"])
        # Of lanes with colours 0, 1, ... 31 none waits for another; of the colour of its neighbours each does.
        spread = self.write("spread", struct.pack("<1024I", *(i // 32 for i in range(1024))))
        base = ["conflicts", "scan", "--variant", "colored", "--colors", "32", "--blocks", "1", "--json", "-", "--input"]
        self.assertIs(json.loads(self.succeeds(*base, spread))["verified"], True)

    def test_wide_integers(self):
        """numpy.arange makes <i8."""
        def of(numbers, descr="<i8"):
            return self.write("wide.npy", npy(descr, struct.pack(f"<{len(numbers)}{'q' if descr == '<i8' else 'Q'}", *numbers), len(numbers)))

        def key_bits(*command):
            return self.verified("sort", *command)["workload"]["parameters"].get("key_bits", 32)

        shape = ["--E", "15", "--b", "128"]
        fits, large = of([5, -7, 6]), self.write("large.npy", npy("<i8", struct.pack("<3q", 5, -7, 1 << 40), 3))
        for variant in some_of(([], shape, ["--variant", "bitonic"], ["--variant", "koike-sadakane"], ["--variant", "mgpu", *shape], ["--variant", "cf-merge", *shape],
                        ["--variant", "mms"], ["--variant", "shearsort"], ["--variant", "mgpu", "--values", "1"])):
            with self.subTest(variant=variant):
                self.assertEqual(key_bits(*variant, "--input", fits), 32)
        for variant in some_of(("mgpu", "cf-merge", "mms", "shearsort")):
            with self.subTest(variant=variant):
                self.assertEqual(key_bits("--variant", variant, "--key_bits", "32", "--input", fits), 32)
                self.assertEqual(key_bits("--variant", variant, "--key_bits", "64", "--input", fits), 64)
                self.assertEqual(key_bits("--variant", variant, "--input", large), 64)
                self.fails(BAD_INPUT, "run", "sort", "--variant", variant, "--key_bits", "32", "--input", large, says=["number 2", "does not fit in 32 bits"])
        for variant in ("E15_b128", "bitonic", "koike-sadakane"):
            self.fails(BAD_INPUT, "run", "sort", "--variant", variant, "--input", large, says=["the keys given have 64 bits", "variant " + variant, "--variant mgpu or"])
        self.fails(BAD_INPUT, "run", "sort", "--variant", "mgpu", *shape, "--input", large, says=["E = 15 with b = 128 is not compiled for elements of 64 bits"])
        self.fails(BAD_INPUT, "run", "sort", "--variant", "mgpu", "--values", "1", "--input", large, says=["64 bits", "leave values out"])
        # Signed order, whichever width: as many accesses as the same keys of 32 bits.
        keys = [(i * 7919) % 3840 - 1920 for i in range(3840)]
        wide, narrow = of(keys), self.write("narrow.npy", npy("<i4", struct.pack("<3840i", *keys), 3840))
        one, other = (json.loads(self.succeeds("conflicts", "sort", "--variant", "mgpu", *shape, "--json", "-", "--input", file))["run"] for file in (wide, narrow))
        self.assertEqual(one, other)
        self.verified("merge", "--input", of([1, 4, 2, 3]))
        self.verified("merge", "--input", of([-5, 4, -9, 3]))
        self.verified("search", "--variant", "pbs", "--input", of([1 << 31, 0], "<u8"))
        self.verified("scan", "--input", of([-1, 3]))
        self.fails(BAD_INPUT, "run", "merge", "--device", "functional", "--input", of([1, 1 << 32]), says=["number 1", "does not fit in 32 bits"])
        self.fails(BAD_INPUT, "run", "merge", "--device", "functional", "--input", of([-1, 1 << 31]), says=["number 1", "-2^31 to 2^31 - 1"])
        places = of(list(reversed(range(64))))
        self.assertIn("64 words in 2 rounds", self.succeeds("best-case", "permutation", "--input", places, "-o", self.path("s.csv")))
        self.fails(BAD_INPUT, "best-case", "permutation", "--input", self.write("f.npy", npy("<f4", struct.pack("<f", 0), 1)), "-o", self.path("s.csv"),
                   says=["holds f4", "astype('<u4')"])
        self.fails(BAD_INPUT, "best-case", "permutation", "--input", self.write("big", b"\0" * 4 * ((1 << 24) + 1)), "-o", self.path("s.csv"),
                   says=["16777217 numbers", "at most 16777216"])

    def test_a_file_does_not_write_to_the_terminal(self):
        evil = self.write("evil.npy", npy("\x1b[2J" + "u" * 300, b"", 0))
        done = self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", evil, says=["\\x1b[2Juu"])
        self.assertNotIn("\x1b", done.stderr)
        self.assertLess(len(done.stderr), 600)

    def test_searches_of_every_workload(self):
        shapes = {"gemm": ["--n", "16"], "stencil": ["--n", "5"], "ode": ["--n", "3"], "scan": ["--n", "300"], "sort": ["--n", "100"], "merge": ["--n", "100"],
                  "search": ["--n", "100", "--K", "64"]}
        for workload, shape in some_of(shapes.items(), 2):
            for values in ([], ["--values", "1..2"]):
                with self.subTest(workload=workload, values=values):
                    for file in ("found.npy", "found"):
                        text = self.succeeds("worst-case", workload, *shape, *values, "--metric", CYCLES, "--device", "simulated", "--evaluations", "3", "-o", self.path(file))
                        found = float(text.split("restarts: ")[1].split()[0])
                        run = json.loads(self.succeeds(*text.splitlines()[-1].split()[1:], "--json", "-"))
                        self.assertEqual(sum(kernel["metrics"][CYCLES] for kernel in run["kernels"]), found)
                    if values and workload in ("gemm", "stencil", "ode"):
                        with open(self.path("found"), "rb") as numbers:
                            data = numbers.read()
                        self.assertTrue(all(1 <= number <= 2 for number in struct.unpack(f"<{len(data) // 4}f", data)))
        self.fails(BAD_INPUT, "worst-case", "micro", "--metric", CYCLES, "-o", self.path("x"), says=["micro takes no numbers", "gemm"])
        self.fails(BAD_INPUT, "worst-case", "scan", "--variant", "colored", "--n", "64", "--values", "0..8", "--metric", CYCLES, "-o", self.path("x"), says=["greatest colour is 7"])


if __name__ == "__main__":
    unittest.main()
