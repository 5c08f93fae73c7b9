"""The SPT model and its rivals from the command line: terms, forms of output, instances from files, counts, faults."""
import csv
import io
import json
import math
import unittest

from program import BAD_INPUT, ProgramTest

INSTANCE = {
    "name": "toy", "provenance": "made up", "cores": 64, "warp_lanes": 32, "shared_words": 8192, "register_words": 16384,
    "threads_per_core": 16, "multiprocessors": 1, "clock_mhz": 1000, "sync_cycles": 0,
    "operations": [
        {"symbol": "g", "name": "global", "latency_cycles": 0, "bandwidth_per_core_and_cycle": 0.5, "hidden_by_ilp": True},
        {"symbol": "s", "name": "shared", "latency_cycles": 0, "bandwidth_per_core_and_cycle": 1, "hidden_by_ilp": True},
        {"symbol": "r", "name": "register", "latency_cycles": 0, "bandwidth_per_core_and_cycle": 2, "hidden_by_ilp": True},
        {"symbol": "y", "name": "barrier", "latency_cycles": 0, "bandwidth_per_core_and_cycle": 4, "hidden_by_ilp": False},
    ],
}


class Estimate(ProgramTest):
    def result(self, *arguments):
        """On the first machine of Table 4.2 unless another is given."""
        machine = () if "--instance" in arguments else ("--instance", "algoparc")
        return json.loads(self.succeeds("estimate", *arguments, *machine, "--json", "-"))

    def toy(self, **changes):
        return self.write("toy.json", json.dumps({**INSTANCE, **changes}).encode())

    def test_terms_add_up_in_every_form(self):
        arguments = ("sort", "--variant", "mgpu", "--E", "31", "--b", "128", "--n", "100000000", "--instance", "algoparc")
        result = self.result(*arguments)
        self.assertEqual(result["kernels"], 16)  # ceil(log2(1e8 / 3968)) + 1
        self.assertEqual(result["sync_cycles"], 16 * 7800)
        cycles = sum(term["cycles"] for term in result["terms"]) + result["sync_cycles"]
        self.assertAlmostEqual(result["total"]["cycles"], cycles, delta=1e-6 * cycles)
        self.assertAlmostEqual(result["total"]["time_ns"], cycles / 0.78, delta=1e-6 * cycles)
        for term in result["terms"]:
            self.assertAlmostEqual(term["t"], max(1 / term["B"], term["L"] / term["M"]), delta=1e-9 * term["t"])
            self.assertEqual(term["bound"], "latency" if term["L"] / term["M"] > 1 / term["B"] else "bandwidth")
        rows = list(csv.DictReader(io.StringIO(self.succeeds("estimate", *arguments, "--csv"))))
        self.assertEqual(len(rows), len(result["terms"]) + 2)
        self.assertAlmostEqual(float(rows[-1]["value"]), cycles, delta=1)
        table = self.succeeds("estimate", *arguments)
        self.assertIn("187,170,290 cycles", table)  # the arithmetic of tests/unit/validate, once more in Python
        for word in ("search", "L/M", "1/B", "M_o", "device synchronisation", "docs/spt.md"):
            self.assertIn(word, table)

    def test_formula_by_hand(self):
        # n = m = k = 192 on 64 cores without latency: A_g = 2 n^3 / (P N_TB) + n^2 / P, 2 cycles each, and so on
        result = self.result("gemm", "--variant", "magma", "--n", "192", "--instance", self.toy())
        products = 192 ** 3 / 64
        by_operation = {term["operation"]: term["cycles"] for term in result["terms"]}
        self.assertAlmostEqual(by_operation["g"], 2 * (2 * products / 96 + 192 ** 2 / 64))
        self.assertAlmostEqual(by_operation["s"], 4 * products / 96)
        self.assertAlmostEqual(by_operation["r"], products / 2)
        self.assertAlmostEqual(by_operation["y"], 2 * products / (96 ** 2 * 16) / 4)
        self.assertEqual(result["instance"]["name"], "toy")

    def test_readings_differ(self):
        arguments = ("sort", "--variant", "mgpu", "--E", "31", "--b", "128", "--n", "100000000")
        printed = self.result(*arguments)
        other = self.result(*arguments, "--reading", "reconstructed")
        share = lambda result: sum(term["share"] for term in result["terms"] if term["operation"] == "g")
        self.assertLess(share(printed), 0.4)
        self.assertTrue(0.65 < share(other) < 0.8)

    def test_betas(self):
        shared = lambda *more: sum(term["A"] for term in self.result(
            "search", "--variant", "pbs", "--n", "1000000", "--K", "4096", *more)["terms"] if term["operation"] == "s")
        self.assertAlmostEqual(shared("--beta1", "2.5"), 2.5 * shared())
        self.assertAlmostEqual(shared("--input", "worst"), (32 * 7 + 5) / 12 * shared())
        for beta in ("0.5", "nan", "inf"):
            self.fails(BAD_INPUT, "estimate", "sort", "--beta1", beta, says=["1024"])
        self.fails(BAD_INPUT, "estimate", "sort", "--beta2", "many", says=["1024"])

    def test_measured_counts_are_those_of_the_run(self):
        run = json.loads(self.succeeds("run", "sort", "--variant", "mgpu", "--E", "15", "--b", "128", "--n", "20000",
                                       "--device", "functional", "--page", "source", "--json", "-"))
        result = self.result("sort", "--variant", "mgpu", "--E", "15", "--b", "128", "--n", "20000", "--counts", "measured")
        self.assertIs(result["verified"], True)
        self.assertEqual(result["counts"], "measured")
        self.assertEqual(result["kernels"], len(run["kernels"]))
        rows = [row for kernel in run["kernels"] for row in kernel["source"]]
        total = lambda operation: sum(term["A"] for term in result["terms"] if term["operation"] == operation)
        self.assertAlmostEqual(total("g"), 8 * sum(row["global_sectors"] for row in rows) / 1664)
        self.assertAlmostEqual(total("s"), 32 * sum(row["shared_wavefronts"] for row in rows) / 1664)
        barriers = sum(row["inst_executed"] for row in rows if "BAR." in row["sass"])
        self.assertGreater(barriers, 0)
        self.assertAlmostEqual(total("y"), 32 * barriers / 1664)

    def test_measured_gemm_has_the_formula_s_register_operations_and_more(self):
        formula = self.result("gemm", "--variant", "magma", "--n", "192")
        measured = self.result("gemm", "--variant", "magma", "--n", "192", "--counts", "measured")
        count = lambda result, operation: sum(t["A"] for t in result["terms"] if t["operation"] == operation)
        self.assertGreater(count(measured, "r"), count(formula, "r"))  # n m k FMAs and whatever else
        self.assertLess(count(measured, "r"), 2 * count(formula, "r"))
        # the same words, whole tiles: 2 n m k / N_TB + n m
        self.assertAlmostEqual(count(measured, "g"), count(formula, "g"), delta=0.01 * count(formula, "g"))
        # printed A_s leaves out that a word is read by a whole row or column of threads (workloads/gemm/README.md)
        self.assertGreater(count(measured, "s"), 1.5 * count(formula, "s"))

    def test_every_workload_has_a_formula_or_can_be_counted(self):
        for workload, variants in {"gemm": ["naive", "tiled", "64x64x16", "regtile"], "merge": ["E8", "naive-half", "double-buffer"],
                                   "search": ["sorted", "bst", "btree", "pbs", "pbs-cf", "pbs-cl", "halving"],
                                   "sort": ["mms", "koike-sadakane", "cf-merge", "E17_b256", "shearsort", "bitonic"],
                                   "scan": ["unpadded", "padded", "three-phase", "colored"], "stencil": ["base", "tiled"],
                                   "ode": ["base", "coalesced", "shared", "registers", "float-literals"]}.items():
            for variant in variants:
                with self.subTest(workload=workload, variant=variant):
                    self.assertGreater(self.result(workload, "--variant", variant)["total"]["cycles"], 0)
        self.fails(BAD_INPUT, "estimate", "micro", says=["no formula", "--counts measured"])
        self.assertGreater(self.result("micro", "--counts", "measured")["total"]["cycles"], 0)

    def test_formulas_assume_the_workloads_own_defaults(self):
        for workload, variant, n in [("gemm", "magma", 192), ("gemm", "64x64x16", 128), ("sort", "mgpu", 5000), ("sort", "cf-merge", 5000),
                                     ("sort", "mms", 5000), ("sort", "koike-sadakane", 5000), ("sort", "E17_b256", 5000),
                                     ("search", "pbs", 2048), ("search", "bst", 2048), ("search", "sorted", 2048),
                                     ("merge", "E8", 5000), ("scan", "padded", 5000), ("stencil", "tiled", 64)]:
            with self.subTest(workload=workload, variant=variant):
                request = (workload, "--variant", variant, "--n", str(n))
                used = self.result(*request, "--counts", "measured")["workload"]["parameters"]
                given = [word for name, value in used.items() for word in (f"--{name}", str(value))]
                self.assertEqual(self.result(*request, *given)["total"], self.result(*request)["total"])

    def test_no_work_takes_a_synchronisation(self):
        for arguments in (["gemm", "--variant", "naive"], ["merge"], ["scan"], ["stencil"], ["search"], ["ode"],
                          ["scan", "--variant", "colored"], ["gemm", "--variant", "regtile"]):
            result = self.result(*arguments, "--n", "0")
            self.assertEqual(result["total"]["cycles"], result["sync_cycles"], arguments)

    def test_the_measured_instance(self):
        result = self.result("merge", "--n", "4096", "--instance", "h200")
        self.assertEqual(result["instance"]["name"], "h200")
        self.assertEqual(result["instance"]["cores"], 132 * 128)

    def test_rivals(self):
        arguments = ("merge", "--n", "4096")
        models = self.result(*arguments, "--model", "all")
        names = [model["model"] for model in models["models"]]
        published = ["pram", "pem", "bsp", "dmm", "umm", "hmm", "sitchinava-weichert", "roofline", "hong-kim", "sim", "volkov", "volkov-warps",
                     "volkov-cusp", "kothapalli-sum", "kothapalli-max", "kothapalli-spt", "agpu-time", "agpu-io", "tmm", "interval"]
        self.assertEqual([name for name in names if name in published], published)  # a further model may stand between them
        self.assertIn("terms", models)
        for model in models["models"]:
            if model["model"] not in ("dmm", "agpu-time"):  # of shared memory, which this merge does without
                self.assertGreater(model["value"], 0, model["model"])
            self.assertEqual(model["time_ns"] is None, model["unit"] != "cycles")
            if model["parts"]:
                self.assertAlmostEqual(sum(model["parts"].values()), model["value"], delta=1e-9 * model["value"])
        one = self.result(*arguments, "--model", "kothapalli")
        self.assertEqual([model["model"] for model in one["models"]], ["kothapalli-sum", "kothapalli-max", "kothapalli-spt"])
        self.assertEqual(list(one["models"][-1]["parts"]), ["global", "shared", "synchronisation"])
        self.assertNotIn("terms", one)
        self.assertEqual([model["model"] for model in self.result(*arguments, "--model", "volkov-cusp")["models"]], ["volkov-cusp"])
        self.assertIn("Hong and Kim 2009", self.succeeds("estimate", *arguments, "--model", "hong-kim"))
        self.assertIn('"roofline","total"', self.succeeds("estimate", *arguments, "--model", "all", "--csv"))

    def test_bounds_need_no_run(self):
        # PEM, P / w = 52 processors with blocks of 32 words: N / (P B) log_{M/B}(N / B) + log2 N, M / B = 319488 / 52 / 32 = 192
        bound = lambda *arguments: {model["model"]: model["value"] for model in self.result(*arguments)["models"]}
        size = 2 ** 28
        sort = bound("sort", "--n", str(size), "--model", "pem-bound")
        self.assertAlmostEqual(sort["pem-bound"], size / 1664 * math.log(size / 32, 192) + 28, delta=1)
        self.assertAlmostEqual(bound("scan", "--n", "1664", "--model", "pem-bound")["pem-bound"], 1)
        self.assertAlmostEqual(bound("search", "--variant", "sorted", "--K", str(2 ** 20), "--model", "pem-bound")["pem-bound"], 4)
        self.assertAlmostEqual(bound("sort", "--n", str(size), "--model", "agpu-io-bound")["agpu-io-bound"],
                               size / 32 * math.log(size / 32, 192), delta=1e-6 * size)
        self.assertAlmostEqual(bound("sort", "--n", str(size), "--model", "agpu-time-bound")["agpu-time-bound"], size / 1664 * 23 * 5)
        self.fails(BAD_INPUT, "estimate", "gemm", "--model", "pem-bound", says=["pem-bound", "sort"])
        self.fails(BAD_INPUT, "estimate", "sort", "--model", "pem-bound", "--threads", "2", says=["--threads"])

    def test_a_formula_is_not_limited_by_what_kernels_can_run(self):
        for arguments in (["gemm", "--N_TB", "224", "--n", "20000"], ["sort", "--variant", "mms", "--K", "64", "--n", "2^28"],
                          ["sort", "--variant", "mgpu", "--E", "63", "--n", "10^12"], ["search", "--variant", "sorted", "--K", "2^33"]):
            with self.subTest(arguments=arguments):
                self.assertGreater(self.result(*arguments)["total"]["cycles"], 0)
        self.fails(BAD_INPUT, "estimate", "gemm", "--N_TB", "400", "--instance", "algoparc", says=["M_o < 1", "gemm magma", "smaller N_TB"])
        self.fails(BAD_INPUT, "estimate", "gemm", "--N_TB", "0", says=["N_TB", "1 or more"])
        self.fails(BAD_INPUT, "estimate", "gemm", "--N_TB", "224", "--counts", "measured", says=["N_TB", "192"])

    def test_a_series_is_its_points(self):
        rows = list(csv.DictReader(io.StringIO(self.succeeds(
            "estimate", "sort", "--variant", "mgpu", "--n", "2^20..2^24:x4", "--E", "15,31", "--instance", "algoparc", "--csv"))))
        self.assertEqual([(row["n"], row["E"]) for row in rows], [(str(2 ** n), str(each)) for n in (20, 22, 24) for each in (15, 31)])
        for row in rows:
            one = self.result("sort", "--variant", "mgpu", "--n", row["n"], "--E", row["E"])
            self.assertAlmostEqual(float(row["cycles"]), one["total"]["cycles"], delta=1e-6 * one["total"]["cycles"])
            for symbol in "gsry":
                part = sum(term["cycles"] for term in one["terms"] if term["operation"] == symbol)
                self.assertAlmostEqual(float(row[symbol]), part, delta=1e-6 * part)
            self.assertAlmostEqual(float(row["sync"]), one["sync_cycles"])
            self.assertAlmostEqual(float(row["n_per_second"]), int(row["n"]) / one["total"]["time_ns"] * 1e9, delta=1e6)

    def test_a_series_goes_on_past_what_has_no_meaning(self):
        points = self.result("sort", "--variant", "mms", "--K=16..128", "--n", "2^28")["points"]
        self.assertEqual([point["K"] for point in points], [16, 32, 64, 128])
        self.assertEqual([point["refused"] is None for point in points], [True, True, True, False])
        self.assertIn("M_o < 1", points[-1]["refused"])
        self.assertNotIn("cycles", points[-1])
        self.assertIn("2^10..2^13", " ".join(self.result("sort", "--n", "2^10..2^13")["command"]))
        self.fails(BAD_INPUT, "estimate", "sort", "--variant", "mms", "--K", "128,256", "--n", "2^28", "--instance", "algoparc", says=["M_o < 1"])
        for series in ("2^13..2^10", "1..10^6:+1", "a,b", "2^70"):
            self.fails(BAD_INPUT, "estimate", "sort", "--n", series, says=["--n", "doubles"])
        self.fails(BAD_INPUT, "estimate", "sort", "--n", "1..9000:+1", "--E", "1..63:+1", says=["points"])

    def test_rivals_in_a_series(self):
        rows = list(csv.DictReader(io.StringIO(self.succeeds("estimate", "merge", "--n", "1024,2048", "--model", "hmm", "--csv"))))
        for row in rows:
            self.assertAlmostEqual(float(row["hmm"]), self.result("merge", "--n", row["n"], "--model", "hmm", "--instance", "h200")["models"][0]["value"], delta=1e-6 * float(row["hmm"]))

    def test_the_machine_is_that_of_run(self):
        run = json.loads(self.succeeds("run", "merge", "--n", "256", "--json", "-"))
        self.assertEqual(json.loads(self.succeeds("estimate", "merge", "--json", "-"))["instance"]["name"], run["platform"]["name"])

    def test_same_question_same_bytes(self):
        arguments = ("estimate", "merge", "--n", "4096", "--model", "all", "--json", "-")
        self.assertEqual(self.succeeds(*arguments), self.succeeds(*arguments, "--threads", "2"))

    def test_refused(self):
        self.fails(BAD_INPUT, "estimate", "sort", "--instance", "algopark", says=["algoparc"])
        self.fails(BAD_INPUT, "estimate", "sort", "--instance", self.path("none.json"), says=["none.json"])
        self.fails(BAD_INPUT, "estimate", "sort", "--instance", self.toy(cores=0), says=["/cores"])
        without = [operation for operation in INSTANCE["operations"] if operation["symbol"] != "s"]
        self.fails(BAD_INPUT, "estimate", "sort", "--instance", self.toy(operations=without), says=['"s"', "toy"])
        self.fails(BAD_INPUT, "estimate", "sort", "--n", "0", says=["--n"])
        self.fails(BAD_INPUT, "estimate", "search", "--K", "0", says=["--K"])
        self.fails(BAD_INPUT, "estimate", "sort", "--reading", "guessed", says=["printed"])
        self.fails(BAD_INPUT, "estimate", "sort", "--model", "astrology", says=["astrology"])
        self.fails(BAD_INPUT, "estimate", "sort", "--modle", "all", says=["--model"])
        for arguments, option in ((["gemm", "--beta1", "2"], "--beta1"), (["search", "--variant", "pbs", "--beta2", "2"], "--beta2"),
                                  (["search", "--variant", "pbs-cf", "--beta1", "2"], "--beta1"),
                                  (["search", "--variant", "bst", "--beta1", "2"], "--beta1"),
                                  (["merge", "--variant", "naive", "--beta2", "5"], "--beta2"), (["merge", "--beta1", "5"], "--beta1"),
                                  (["sort", "--variant", "mms", "--beta2", "9"], "--beta2"), (["scan", "--beta2", "2"], "--beta2"),
                                  (["sort", "--variant", "koike-sadakane", "--beta1", "9"], "--beta1"),
                                  (["sort", "--counts", "measured", "--beta1", "9"], "--beta1")):
            with self.subTest(arguments=arguments):
                self.fails(BAD_INPUT, "estimate", *arguments, says=[option + " would have no effect"])
        for arguments in (["search", "--variant", "bisection", "--beta1", "2"], ["search", "--variant", "pbs-cl", "--beta1", "2"],
                          ["sort", "--variant", "cf-merge", "--beta1", "2", "--beta2", "2"], ["sort", "--beta1", "3.1"],
                          ["sort", "--variant", "bitonic", "--beta2", "2"], ["merge", "--variant", "single-buffer", "--beta2", "2"]):
            with self.subTest(arguments=arguments):
                self.result(*arguments)
        self.fails(BAD_INPUT, "estimate", "sort", "--instance", self.toy(cores=64.5), says=["/cores", "whole"])
        self.fails(BAD_INPUT, "estimate", "sort", "--instance", self.toy(name="a\nb"), says=["/name", "line break"])
        self.fails(BAD_INPUT, "estimate", "sort", "--csv", "--json", "-", says=["--csv"])


if __name__ == "__main__":
    unittest.main()
