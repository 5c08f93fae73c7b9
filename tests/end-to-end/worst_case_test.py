"""worst-case and best-case: what they build runs, and costs what they say; searches continue; bad usage is refused."""
import csv
import json
import os
import random
import struct
import unittest

from program import BAD_INPUT, ProgramTest

CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
WAVEFRONTS = "memory_l1_wavefronts_shared"
SHAPE = ["--variant", "mgpu", "--E", "15", "--b", "128"]


class Constructions(ProgramTest):
    def kernels(self, *command):
        return json.loads(self.succeeds("run", *command, "--device", "functional", "--json", "-"))["kernels"]

    def merge_wavefronts(self, file):
        return [k["metrics"][WAVEFRONTS] for k in self.kernels("sort", *SHAPE, "--input", file) if "merge" in k["name"]]

    def test_sort(self):
        worst, best = self.path("worst.npy"), self.path("best.raw")
        text = self.succeeds("worst-case", "sort", *SHAPE, "--n", "7680", "-o", worst)
        # 16 warps, of 15 steps 14 read, 15 accesses each
        self.assertRegex(text, r"merge of lists of 3,840: reads +224 +3,360 +15\.000 +16\.000")
        self.assertIn("a request is one read by a warp", text)
        self.assertIn(f"sassafras run sort --variant mgpu --E 15 --b 128 --input {worst}", text)
        text = self.succeeds("best-case", "sort", *SHAPE, "--n", "7680", "-o", best)
        self.assertRegex(text, r"merge of lists of 3,840: heads +32 +32 +1\.000 +1\.000")
        self.assertRegex(text, r"merge of lists of 3,840: reads +224 +224 +1\.000 +1\.000")
        with open(best, "rb") as file:
            self.assertEqual(struct.unpack("<7680I", file.read()), tuple(range(7680)))
        # 14 of 15 steps read, each 15 accesses in place of 1: 14 * 14 * 16 warps more in each of two rounds, and heads.
        for most, least in zip(self.merge_wavefronts(worst), self.merge_wavefronts(best)):
            self.assertGreater(most - least, 14 * 14 * 16)
        # What was printed is how to run it.
        words = text.splitlines()[-1].split()
        self.assertEqual(words[:2], ["sassafras", "run"])
        self.kernels(*words[2:])

    def test_the_hint_runs(self):
        for command in (["search", "--variant", "pbs", "--K", "1024", "--n", "2048", "--seed", "7"], ["merge", "--variant", "double-buffer-select", "--n", "9000"],
                        ["merge", "--variant", "double-buffer", "--b", "1024", "--n", "30000"], ["merge", "--variant", "single-buffer", "--b", "64", "--S", "1000", "--n", "9000"]):
            for goal in ("worst-case", "best-case"):
                file = self.path("numbers.npy")
                words = self.succeeds(goal, *command, "-o", file).splitlines()[-1].split()
                self.kernels(*words[2:])

    def test_shapes_that_are_not_compiled(self):
        text = self.succeeds("worst-case", "sort", "--variant", "mgpu", "--E", "7", "--b", "64", "--w", "16", "--n", "1792", "-o", self.path("out.npy"))
        self.assertRegex(text, r"merge of lists of 896: reads +96 +672 +7\.000 +8\.000")
        self.assertIn("no variant of this shape is compiled", text)

    def test_refusals(self):
        out = ["-o", self.path("out.npy")]
        self.fails(BAD_INPUT, "worst-case", "gemm", *out, says=["no construction is known", "--metric"])
        self.fails(BAD_INPUT, "worst-case", "sort", "--variant", "mms", *out, says=["no construction is known", "mms"])
        self.fails(BAD_INPUT, "worst-case", "sort", says=["--output"])
        self.fails(BAD_INPUT, "worst-case", "sort", *out, "--evaluations", "5", says=["--metric"])
        self.fails(BAD_INPUT, "worst-case", "sort", "-o", self.path("no/folder"), says=["cannot write", "no/folder"])
        for minutes in ("nan", "-nan", "inf", "0"):
            self.fails(BAD_INPUT, "worst-case", "sort", "--n", "64", *out, "--metric", CONFLICTS, "--minutes", minutes, says=["--minutes", "give a number from"])
        self.fails(BAD_INPUT, "worst-case", "micro", *out, "--metric", CONFLICTS, says=["micro takes no numbers", "sort"])
        self.fails(BAD_INPUT, "worst-case", "sort", "--n", "64", *out, "--metric", "l1tex__conflicts", says=["no metric", CONFLICTS])
        self.assertFalse(os.path.exists(self.path("out.npy")))


class Searches(ProgramTest):
    def search(self, *more):
        return self.succeeds("worst-case", "search", "--variant", "pbs", "--K", "1024", "--b", "32", "--n", "32", "--metric", CONFLICTS, *more)

    def test_found_input_costs_what_was_found(self):
        file = self.path("found.npy")
        text = self.search("--evaluations", "300", "-o", file)
        found = float(text.split("restarts: ")[1].split()[0])
        run = ["run", "search", "--variant", "pbs", "--K", "1024", "--b", "32", "--device", "functional", "--json", "-"]
        self.assertEqual(json.loads(self.succeeds(*run, "--input", file))["kernels"][0]["metrics"][CONFLICTS], found)
        self.assertGreater(found, json.loads(self.succeeds(*run, "--n", "32"))["kernels"][0]["metrics"][CONFLICTS])

    def test_json(self):
        case = ["worst-case", "sort", "--variant", "mgpu", "--n", "7680"]
        file = self.path("worst.npy")
        text = self.succeeds(*case, "-o", file)
        built = json.loads(self.succeeds(*case, "--json", "-"))
        self.assertEqual((built["goal"], built["subject"], built["input"]["numbers"], built["input"]["file"]), ("worst", "sort", 7680, None))
        total = built["construction"]["total"]
        for part in ("requests", "accesses", "bound"):
            self.assertEqual(total[part], sum(row[part] for row in built["construction"]["parts"]))
        self.assertIn(f" {total['requests']:,} ", text)
        report = self.path("report.json")
        self.assertEqual(self.succeeds(*case, "-o", file, "--json", report), text)
        with open(report) as written:
            named = json.load(written)
        self.assertEqual((named["construction"], named["input"]["file"]), (built["construction"], file))
        self.assertIn(named["input"]["run_with"], text)
        found = json.loads(self.search("--evaluations", "20", "--json", "-"))["search"]
        self.assertEqual((found["metric"], found["evaluations"]), (CONFLICTS, 20))
        self.assertGreater(found["value"], 0)
        self.fails(BAD_INPUT, *case, says=["--output or --json"])

    def test_resumed_is_as_if_never_stopped(self):
        whole, parts, state = self.path("whole.npy"), self.path("parts.npy"), self.path("state.json")
        self.search("--evaluations", "200", "-o", whole)
        self.search("--evaluations", "70", "-o", parts, "--resume", state)
        self.search("--evaluations", "200", "-o", parts, "--resume", state)
        with open(whole, "rb") as one, open(parts, "rb") as other:
            self.assertEqual(one.read(), other.read())
        self.fails(BAD_INPUT, "best-case", "search", "--variant", "pbs", "--K", "1024", "--b", "32", "--n", "32", "--metric", CONFLICTS,
                   "-o", parts, "--resume", state, says=["another search", "greatest"])

    def test_cycles_and_lists(self):
        file = self.path("found.npy")
        self.succeeds("best-case", "merge", "--n", "500", "--metric", "sm__cycles_elapsed.max", "--device", "simulated", "--evaluations", "5", "-o", file)
        self.succeeds("run", "merge", "--input", file, "--device", "functional")


class Permutations(ProgramTest):
    def test_schedule(self):
        places = list(range(1000))
        random.Random(4).shuffle(places)
        source = self.write("places", struct.pack("<1000I", *places))
        table, document = self.path("schedule.csv"), self.path("schedule.json")
        self.assertIn("1,000 words in 32 rounds", self.succeeds("best-case", "permutation", "--input", source, "-o", table))
        with open(table, newline="") as file:
            rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]
        self.assertEqual(sorted(row["from"] for row in rows), list(range(1000)))
        for row in rows:
            self.assertEqual(row["to"], places[row["from"]])
        for bank in ("from", "to"):
            self.assertEqual(len({(row["round"], row[bank] % 32) for row in rows}), 1000)
        self.succeeds("best-case", "permutation", "--input", source, "-o", document)
        with open(document) as file:
            rounds = json.load(file)["rounds"]
        self.assertEqual([{"round": r, "lane": l, "from": word, "to": places[word]} for r, lanes in enumerate(rounds) for l, word in enumerate(lanes) if word is not None], rows)

    def test_refusals(self):
        twice = self.write("twice", struct.pack("<2I", 1, 1))
        self.fails(BAD_INPUT, "best-case", "permutation", "--input", twice, "-o", self.path("x.csv"), says=["number 1", "taken"])
        self.fails(BAD_INPUT, "best-case", "permutation", "-o", self.path("x.csv"), says=["--input"])
        good = self.write("good", struct.pack("<2I", 1, 0))
        os.symlink(good, self.path("link"))
        for output in (good, self.path("./good"), self.path("link")):
            self.fails(BAD_INPUT, "best-case", "permutation", "--input", good, "-o", output, says=["--output would write over", good])
        with open(good, "rb") as file:
            self.assertEqual(file.read(), struct.pack("<2I", 1, 0))


if __name__ == "__main__":
    unittest.main()
