"""Estimates, simulation and hardware side by side from the command line: what is compared, figures recomputed here from
the recorded cycles and from the program's own lines, forms of output, faults."""
import csv
import io
import json
import math
import os
import resource
import unittest

from program import BAD_INPUT, SANITIZED, ProgramTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORD = os.path.join(ROOT, "validate", "records", "h200", "measured", "cycles.csv")


def recorded():
    """Cycles of each recorded run: the sum of its launches' medians."""
    sums = {}
    with open(RECORD, newline="") as file:
        for row in csv.DictReader(file):
            key = row["workload"], row["variant"], int(row["n"])
            sums[key] = sums.get(key, 0) + float(row["cycles_median"])
    return sums


def ranks(values):
    return [sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values]


def spearman(one, other):
    a, b = ranks(one), ranks(other)
    mean = (len(a) + 1) / 2
    product = lambda x, y: sum((i - mean) * (j - mean) for i, j in zip(x, y))
    return product(a, b) / math.sqrt(product(a, a) * product(b, b))


class Validate(ProgramTest):
    def models(self):
        """SPT in three ways, and the models that `estimate` has."""
        estimate = json.loads(self.succeeds("estimate", "merge", "--n", "1024", "--model", "all", "--json", "-"))
        return ["spt-printed", "spt-reconstructed", "spt-counted", *(model["model"] for model in estimate["models"])]

    def result(self, *arguments):
        return json.loads(self.succeeds("validate", *arguments, "--json", "-"))

    @unittest.skipIf(SANITIZED, "a minute of two cores; the others here do the same with few variants")
    def test_quick_compares_every_variant_of_three_workloads_in_a_minute_on_two_cores(self):
        """All workloads' recordings of the smallest sizes, these too, golden_validate_cycles simulates and holds to its figures."""
        names = ("search", "merge", "scan")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.run_program("validate", *names, "--quick", "--threads", "2", "--json", "-", timeout=1800)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        result = json.loads(done.stdout)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # The program's own time: how busy the machine is beside it is not what is tested.
        self.assertLess(after.ru_utime - before.ru_utime, 2 * 60)
        platform, = result["platforms"]
        hardware = recorded()
        smallest = {}
        for workload, variant, n in hardware:
            if "+" not in variant and workload in names:
                smallest[workload, variant] = min(n, smallest.get((workload, variant), n))
        runs = {(run["workload"], run["variant"]): run for run in platform["runs"]}
        self.assertLessEqual(set(smallest), set(runs))  # and variants of which there is no record, if there are any
        for key, n in smallest.items():
            with self.subTest(run=key):
                run = runs[key]
                self.assertEqual(run["n"], n)
                self.assertAlmostEqual(run["measured"]["cycles"], hardware[(*key, n)])
                self.assertEqual([model["model"] for model in run["models"]], self.models())
                parts = run["simulated"]["parts"]
                self.assertAlmostEqual(sum(parts.values()), run["simulated"]["cycles"], delta=1e-6 * run["simulated"]["cycles"])
                self.assertAlmostEqual(run["simulated"]["error_percent"],
                                       100 * (run["simulated"]["cycles"] / run["measured"]["cycles"] - 1), delta=1e-6)
                for model in run["models"]:
                    self.assertEqual(model["cycles"] is None, "reason" in model)
                    if model["cycles"] is None:
                        continue
                    self.assertAlmostEqual(model["error_percent"], 100 * (model["cycles"] / run["measured"]["cycles"] - 1), delta=1e-6)
                    if model["model"].startswith("spt-"):
                        differences = {part: model["parts"][part] - parts[part] for part in "gsry"}
                        most = model["misjudged"]["part"]
                        self.assertAlmostEqual(abs(differences[most]), max(map(abs, differences.values())))
                        self.assertAlmostEqual(model["cycles_without_sync"], sum(model["parts"].values()), delta=1e-6 * model["cycles"])
        self.check_summary(platform["runs"], platform["summary"]["all"])
        theses = [run for run in platform["runs"] if (run["workload"], run["variant"]) in {
            ("merge", "naive"), ("merge", "double-buffer"), ("merge", "single-buffer"),
            *(("search", variant) for variant in ("sorted", "bst", "btree", "pbs", "pbs-cf", "pbs-cl"))}]
        self.assertEqual(len(theses), 9)
        self.check_summary(theses, platform["summary"]["theses"])
        self.check_contest(platform)

    def check_summary(self, runs, summary):
        runs = [run for run in runs if run["measured"]]
        self.assertEqual([row["model"] for row in summary], [*self.models(), "simulated"])
        for row in summary:
            with self.subTest(model=row["model"]):
                pairs = []
                for run in runs:
                    if row["model"] == "simulated":
                        cycles = run["simulated"]["cycles"]
                    else:
                        cycles = next(model["cycles"] for model in run["models"] if model["model"] == row["model"])
                    if cycles is not None:
                        pairs.append((run, cycles, run["measured"]["cycles"]))
                self.assertEqual(row["compared"], len(pairs))
                if not pairs:
                    self.assertIsNone(row["mean_absolute_error_percent"])
                    continue
                mean = sum(abs(cycles / truth - 1) for _, cycles, truth in pairs) / len(pairs) * 100
                self.assertAlmostEqual(row["mean_absolute_error_percent"], mean, delta=1e-6 * mean)
                factor = math.exp(sum(abs(math.log(cycles / truth)) for _, cycles, truth in pairs) / len(pairs))
                self.assertAlmostEqual(row["typical_factor"], factor, delta=1e-6 * factor)
                groups = {}
                for run, cycles, truth in pairs:
                    groups.setdefault((run["workload"], run["n"]), []).append((cycles, truth))
                rho = [spearman(*zip(*group)) for group in groups.values() if len(group) > 2]
                self.assertEqual(row["rank_over_variants"]["groups"], len(rho))
                if rho:
                    self.assertAlmostEqual(row["rank_over_variants"]["spearman"], sum(rho) / len(rho), delta=1e-9)
                self.assertEqual(row["rank_over_sizes"], {"spearman": None, "groups": 0})  # one size of each

    def check_contest(self, platform):
        summary = {row["model"]: row["mean_absolute_error_percent"] for row in platform["summary"]["all"]}
        contest = platform["simulator_beside_spt"][0]
        self.assertEqual(contest["scope"], "all")
        self.assertAlmostEqual(contest["simulator_percent"], summary["simulated"], delta=1e-9)
        self.assertAlmostEqual(contest["spt_counted_percent"], summary["spt-counted"], delta=1e-9)
        holds = 2 * summary["simulated"] <= summary["spt-counted"]
        self.assertEqual("NOT" in platform["findings"][0], not holds)
        # each run on which the simulator's error is not half of SPT's has a sentence
        for run in platform["runs"]:
            if not run["measured"]:
                continue
            spt = next(model["error_percent"] for model in run["models"] if model["model"] == "spt-counted")
            name = f"{run['workload']} {run['variant']}, n {run['n']}: "
            told = any(sentence.startswith(name) for sentence in platform["findings"])
            self.assertEqual(told, 2 * abs(run["simulated"]["error_percent"]) > abs(spt), name)

    def test_ranks_over_sizes(self):
        platform, = self.result("merge", "--variant", "E8", "--sizes", "all")["platforms"]
        self.assertEqual([run["n"] for run in platform["runs"]], [65536, 262144, 1048576])
        row = platform["summary"]["all"][-1]
        self.assertEqual(row["model"], "simulated")
        truth = [run["measured"]["cycles"] for run in platform["runs"]]
        self.assertAlmostEqual(row["rank_over_sizes"]["spearman"], spearman([run["simulated"]["cycles"] for run in platform["runs"]], truth))

    def test_a_platform_without_measurements(self):
        arguments = ("search", "merge", "--variant", "pbs", "E8", "bst", "--n", "2000", "--platform", "algoparc")
        platform, = self.result(*arguments)["platforms"]
        self.assertIsNone(platform["measured"])
        self.assertEqual(platform["reference"], "simulated")
        self.assertEqual(platform["instance"]["name"], "algoparc")
        self.assertEqual(platform["findings"], [])
        self.assertNotIn("simulated", [row["model"] for row in platform["summary"]["all"]])
        pbs, bst, e8 = platform["runs"]
        for run in pbs, bst, e8:  # bst with half of the thesis' top: 64 KiB of shared memory a block are more than Maxwell has
            self.assertIsNone(run["measured"])
            self.assertIsNone(run["simulated"]["error_percent"])
            roofline = next(model for model in run["models"] if model["model"] == "roofline")
            self.assertAlmostEqual(roofline["error_percent"], 100 * (roofline["cycles"] / run["simulated"]["cycles"] - 1), delta=1e-6)
        table = self.succeeds("validate", *arguments)
        self.assertIn("not measured", table)
        rows = list(csv.DictReader(io.StringIO(self.succeeds("validate", *arguments, "--csv"))))
        self.assertEqual({row["reason"] for row in rows if row["model"] == "measured"}, {"not measured"})

    def test_a_run_that_the_gpu_does_not_hold_is_said_and_the_others_go_on(self):
        small = self.write("small.json", b'{"name": "small", "base": "algoparc", "sm": {"max_shared_per_block_bytes": 12288}}')
        arguments = ("search", "--variant", "pbs", "bst", "--n", "2000", "--platform", small, "--instance", "algoparc")
        platform, = self.result(*arguments)["platforms"]
        pbs, bst = platform["runs"]
        self.assertIsNone(pbs["simulated"])  # 4,096 keys are 16 KiB
        self.assertIn("shared memory", pbs["failure"])
        self.assertIsNotNone(bst["simulated"])
        self.assertIn("not simulated: too much shared memory", self.succeeds("validate", *arguments))

    def test_a_run_without_a_measurement_among_measured_ones_is_told_apart(self):
        arguments = ("merge", "--variant", "E8", "--n", "5000", "65536")
        platform, = self.result(*arguments)["platforms"]
        other, recorded = platform["runs"]
        self.assertEqual((other["n"], other["measured"], other["reference"]), (5000, None, "simulated"))
        self.assertEqual((recorded["n"], recorded["reference"]), (65536, "measured"))
        self.assertEqual({row["compared"] for row in platform["summary"]["all"] if row["model"] == "spt-counted"}, {1})
        rows = list(csv.DictReader(io.StringIO(self.succeeds("validate", *arguments, "--csv"))))
        self.assertEqual({(row["n"], row["reference"]) for row in rows}, {("5000", "simulated"), ("65536", "measured")})
        table = self.succeeds("validate", *arguments)
        self.assertEqual(table.count("5,000 *"), 2)  # of SPT's table and of the rivals'
        self.assertNotIn("65,536 *", table)
        self.assertIn("* not measured: errors are in % of what is simulated", table)
        table = self.succeeds("validate", *arguments[:-1])  # nothing measured: nothing to tell apart
        self.assertNotIn("*", table)
        self.assertIn("errors in % of what is simulated", table)

    def test_forms_agree(self):
        arguments = ("merge", "--variant", "E8", "double-buffer", "--sizes", "smallest", "--platform", "h200", "algoparc")
        result = self.result(*arguments)
        rows = list(csv.DictReader(io.StringIO(self.succeeds("validate", *arguments, "--csv"))))
        self.assertEqual(len(rows), 2 * 2 * (len(self.models()) + 2))
        for platform in result["platforms"]:
            for run in platform["runs"]:
                for model in run["models"]:
                    row, = (row for row in rows if (row["platform"], row["variant"], row["model"]) == (
                        platform["platform"]["name"], run["variant"], model["model"]))
                    self.assertEqual(row["cycles"], "" if model["cycles"] is None else row["cycles"])
                    if model["cycles"] is not None:
                        self.assertAlmostEqual(float(row["cycles"]), model["cycles"], delta=1e-6 * model["cycles"])
                        self.assertAlmostEqual(float(row["error_percent"]), model["error_percent"], delta=1e-6)
        path = self.path("out.json")
        table = self.succeeds("validate", *arguments, "--json", path)
        with open(path) as file:
            self.assertEqual(json.load(file)["platforms"], result["platforms"])
        for text in ("spt-counted", "hong-kim", "recorded", "not measured", "half of it or less"):
            self.assertIn(text, table)
        self.assertEqual(self.succeeds("validate", *arguments, "--threads", "2"), table)

    def test_an_instance_of_ones_own(self):
        listed = self.succeeds("list")
        for name in ("algoparc", "gibson", "uhhpc", "h200"):
            self.assertIn(name, listed[listed.index("SPT instances"):])
        arguments = ("merge", "--variant", "E8", "--n", "5000", "--platform", "titan-z")
        self.fails(BAD_INPUT, "validate", *arguments, says=["titan-z", "microbench --spt"])
        platform, = self.result(*arguments, "--instance", "uhhpc")["platforms"]
        self.assertEqual(platform["instance"]["name"], "uhhpc")

    def test_instances_of_several_platforms_are_told_by_their_names(self):
        paths = {}
        for name, cores in (("titan-z", 2880), ("c2050", 448)):
            instance = self.result("merge", "--variant", "E8", "--n", "5000", "--platform", "uhhpc")["platforms"][0]["instance"]
            paths[name] = self.write(name + ".json", json.dumps({**instance, "name": name, "cores": cores}).encode())
        arguments = ("merge", "--variant", "E8", "--n", "5000", "--platform", "titan-z", "gibson", "c2050")
        result = self.result(*arguments, "--instance", paths["c2050"], "--instance", paths["titan-z"])
        self.assertEqual([(one["platform"]["name"], one["instance"]["name"], one["instance"]["cores"]) for one in result["platforms"]],
                         [("titan-z", "titan-z", 2880), ("gibson", "gibson", 1536), ("c2050", "c2050", 448)])
        self.fails(BAD_INPUT, "validate", *arguments, "--instance", paths["c2050"], says=["no SPT instance of the platform titan-z"])
        self.fails(BAD_INPUT, "validate", *arguments, "--instance", "h200", says=["none of the platforms", "h200"])
        self.fails(BAD_INPUT, "validate", *arguments, "--instance", paths["c2050"], "--instance", paths["c2050"], says=["second instance"])

    def test_a_platform_named_twice_is_compared_once(self):
        result = self.result("merge", "--variant", "E8", "--n", "5000", "--platform", "h200", "h200")
        self.assertEqual([one["platform"]["name"] for one in result["platforms"]], ["h200"])

    def test_refused(self):
        for arguments, says in (
                (["marge"], 'did you mean "merge"'), (["merge", "--variant", "E9"], "E9"), (["merge", "--n", "0"], "--n"),
                (["merge", "--n", "99999999999"], "merge"), (["--sizes", "large"], "smallest"), (["--quick", "--n", "5"], "--quick"),
                (["--quick", "--sizes", "all"], "--quick"), (["--repeat", "3"], "--device cuda"), (["--platform", "h20"], "h200"),
                (["--platform", "h200", "gibson", "--instance", "uhhpc"], "--instance"),
                (["--platform", "h200", "gibson", "--device", "cuda"], "--device cuda"), (["--claims", "--theses"], "--claims"),
                (["--claims", "merge"], "--claims"), (["--csv", "--json", "-"], "--csv"), (["--device", "functional"], "simulated"),
                (["merge", "--variant", "E8+q=1"], "q"), (["merge", "--theses", "--variant", "E8"], "nothing"), (["--json", ""], "--json")):
            with self.subTest(arguments=arguments):
                self.fails(BAD_INPUT, "validate", *arguments, says=[says])


if __name__ == "__main__":
    unittest.main()
