"""diff and import: what a recording of Nsight Compute says, units and all, and what differs between two reports, in the order in which a reader looks for it."""
import csv
import io
import json
import os

from program import BAD_INPUT, OK, WRONG_RESULT, ProgramTest, run_tests

RECORDING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "ncu")
RAW, RAW_BASE, DETAILS, SOURCE = (os.path.join(RECORDING, name) for name in ("raw.csv", "raw_base.csv", "details.csv", "source.csv"))
TRANSPOSE = "void transpose<0>(const float *, float *)"
FIRST_METRIC = 11  # columns before it are of the launch


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def number(text):
    try:
        return float(text.replace(",", "").split(" (")[0])
    except ValueError:
        return None


class Import(ProgramTest):
    def imported(self, *files):
        self.succeeds("import", *files, "-o", self.path("imported.json"))
        with open(self.path("imported.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_units_are_those_that_nsight_compute_calls_base(self):
        header, units, *launches = rows_of(RAW_BASE)
        report = self.imported(RAW)
        self.assertEqual([kernel["name"] for kernel in report["kernels"]], [row[4] for row in launches])
        scaled_units = dict(zip(*rows_of(RAW)[:2]))
        compared = scaled = 0
        for kernel, row in zip(report["kernels"], launches):
            expected = {name: number(value) for name, value in list(zip(header, row))[FIRST_METRIC:]}
            expected = {name: value for name, value in expected.items() if value is not None and value == value}
            self.assertEqual(set(kernel["metrics"]), set(expected))
            for name, value in expected.items():
                unit = dict(zip(header, units))[name]
                self.assertEqual(report["units"][name], unit, name)
                if unit == "%/byte":  # Nsight Compute makes 1000 % a byte of 1 % a Kbyte
                    value /= 1e6
                # Two decimals, of base units, or three digits of scaled ones.
                self.assertAlmostEqual(kernel["metrics"][name], value, delta=1e-3 * abs(value) + 0.006, msg=name)
                compared += 1
                scaled += abs(value) > 1 and unit != scaled_units[name]
        self.assertGreater(compared, 400)
        self.assertGreater(scaled, 40)

    def test_a_launch_is_told_as_in_our_reports(self):
        kernel = self.imported(RAW)["kernels"][0]
        self.assertEqual((kernel["name"], kernel["grid"], kernel["block"], kernel["stream"]), (TRANSPOSE, [8, 8, 1], [32, 32, 1], "7"))
        self.assertEqual((kernel["registers_per_thread"], kernel["static_shared_bytes"], kernel["dynamic_shared_bytes"]), (16, 4096, 0))

    def test_base_units_and_own_csv_are_read_alike(self):
        self.assertEqual(self.imported(RAW)["units"], self.imported(RAW_BASE)["units"])
        page = self.write("page.csv", self.succeeds("run", "merge", "--n", "2000", "--csv").encode())
        metrics = self.imported(page)["kernels"][0]["metrics"]
        exact = json.loads(self.succeeds("run", "merge", "--n", "2000", "--set", "full", "--json", "-"))["kernels"][0]["metrics"]
        for name in ("sm__cycles_elapsed.max", "gpu__time_duration.sum", "model__l2_slices.avg.pct_of_peak_sustained_elapsed", "launch__registers_per_thread",
                     "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "smsp__inst_executed.sum", "dram__bytes_read.sum"):
            self.assertAlmostEqual(metrics[name], exact[name], delta=max(0.005, 0.005 * exact[name]), msg=name)  # two decimals of a scaled unit
        own = self.write("own.csv", self.succeeds("run", "merge", "--n", "2000", "--csv", "--page", "raw").encode())
        report = json.loads(self.succeeds("run", "merge", "--n", "2000", "--json", "-"))
        imported = self.imported(own)
        for kernel, ours in zip(imported["kernels"], report["kernels"]):
            for name, value in ours["metrics"].items():
                self.assertAlmostEqual(kernel["metrics"][name], value, delta=1e-9 * abs(value), msg=name)

    def test_labels_of_the_details_page_are_metrics(self):
        raw, details = self.imported(RAW), self.imported(DETAILS)
        self.assertEqual([kernel["name"] for kernel in details["kernels"]], [TRANSPOSE, "scale"])
        compared = 0
        for kernel, whole in zip(details["kernels"], (raw["kernels"][0], raw["kernels"][2])):
            for name in set(kernel["metrics"]) & set(whole["metrics"]):
                value = whole["metrics"][name]
                # Two decimals of the scaled unit: 1 % of what it is at least, or 0.005 of a plain number.
                self.assertAlmostEqual(kernel["metrics"][name], value, delta=max(0.01 * abs(value), 0.006), msg=name)
                self.assertEqual(details["units"][name], raw["units"][name], name)
                compared += 1
            self.assertIn("gpc__cycles_elapsed.max", kernel["metrics"])  # Elapsed Cycles, which ours shows of SMs
            self.assertIn("DRAM Frequency", kernel["metrics"])  # no metric of ours
        self.assertGreater(compared, 70)

    def test_a_source_page(self):
        report = self.imported(RAW, SOURCE)
        transposed, without, scaled = report["kernels"]
        self.assertNotIn("source", without)
        tables, name = {}, None
        for row in rows_of(SOURCE):  # the second of two equal tables takes the place of the first
            if row[0] == "Kernel Name":
                name = row[1]
                tables[name] = []
            else:
                tables[name].append(row)
        header, *instructions = tables["void transpose<(int)0>(const float *, float *)"]
        self.assertEqual(len(transposed["source"]), len(instructions))
        self.assertEqual(len(scaled["source"]), len(tables["scale"]) - 1)
        executed, wavefronts = header.index("Instructions Executed"), header.index("L1 Wavefronts Shared")
        for i, (row, ours) in enumerate(zip(instructions, transposed["source"])):
            self.assertEqual((ours["pc"], ours["sass"]), (16 * i, row[1].strip()))
            self.assertEqual((ours["inst_executed"], ours["shared_wavefronts"]), (int(row[executed]), int(row[wavefronts])))
        self.assertEqual(max(row["shared_wavefronts"] / max(row["shared_wavefronts_ideal"], 1) for row in transposed["source"]), 32)  # the column that it reads
        samples = sum(sum(row["stalls"].values()) for row in transposed["source"])
        self.assertEqual(samples, sum(int(row[header.index("# Samples")]) for row in instructions))
        self.assertTrue(all(not reason.endswith("_sb") for row in transposed["source"] for reason in row["stalls"]))

    def test_what_the_program_printed_before_and_a_mark_of_utf_8_are_skipped(self):
        expected = {page: self.imported(page)["kernels"] for page in (RAW, DETAILS, SOURCE)}
        for before in (b"\xef\xbb\xbf", b"hello from program\n", b"a \"quote\" of it, and\n\"fields\",1\n", b"==PROF== Connected\nresult: 7\r\n\n"):
            for page, kernels in expected.items():
                with self.subTest(before=before, page=page), open(page, "rb") as file:
                    self.assertEqual(self.imported(self.write("page.csv", before + file.read()))["kernels"], kernels)

    def test_where_a_report_goes(self):
        done = self.run_program("import", RAW)
        self.assertEqual(done.returncode, OK)
        self.assertIn("nothing is written; -o FILE", done.stderr)
        self.succeeds("import", RAW, "-o", "-")
        done = self.fails(BAD_INPUT, "import", RAW, "-o", "/nosuch/folder/x", says=["give -o a path"])
        self.assertNotIn("--json", done.stderr)

    def test_refused(self):
        own = self.path("own.json")
        self.succeeds("run", "merge", "--n", "2000", "--device", "functional", "--json", own)
        self.fails(BAD_INPUT, "import", own, says=["a report already"])
        self.fails(BAD_INPUT, "import", RAW, DETAILS, says=["two files have metrics"])
        self.fails(BAD_INPUT, "import", SOURCE, SOURCE, says=["all of these files are source pages"])
        other = self.write("other.csv", self.succeeds("run", "merge", "--n", "2000", "--csv", "--page", "raw").encode())
        self.fails(BAD_INPUT, "import", other, SOURCE, says=["transpose", "one recording"])
        self.fails(BAD_INPUT, "import", self.write("t.csv", b"a,b\n1,2\n"), says=["no page of Nsight Compute", "ncu --csv"])
        self.fails(BAD_INPUT, "import", self.write("empty.csv", b""), says=["nothing in this file"])


class Diff(ProgramTest):
    def report(self, name, *launches, units=None):
        """A report of (kernel, {metric: value}), with a grid if there is a third."""
        kernels = [{"name": launch[0], "grid": launch[2] if len(launch) > 2 else [1, 1, 1], "block": [32, 1, 1], "metrics": launch[1]} for launch in launches]
        return self.write(name, json.dumps({"kind": "launches", "units": units or {}, "kernels": kernels}).encode())

    def difference(self, *arguments):
        return json.loads(self.succeeds("diff", *arguments, "--json", "-"))

    def test_the_largest_relative_change_comes_first(self):
        a = self.report("a", ("k", {"x.sum": 100, "y.sum": 10, "z.sum": 0, "same": 4, "near": 1000, "gone": 1}))
        b = self.report("b", ("k", {"x.sum": 150, "y.sum": 1, "z.sum": 3, "same": 4, "near": 1001, "new": 1}))
        result = self.difference(a, b)
        launch, = result["launches"]
        changes = [(change["name"], change["a"], change["b"], change["change_percent"]) for change in launch["changes"]]
        self.assertEqual(changes, [("z.sum", 0, 3, None), ("y.sum", 10, 1, -90), ("x.sum", 100, 150, 50), ("near", 1000, 1001, 0.1)])
        self.assertEqual((launch["equal"], launch["only_in_a"], launch["only_in_b"], result["metrics_compared"]), (1, ["gone"], ["new"], 5))
        self.assertIsNone(result["largest_change_percent"])
        few = self.difference(a, b, "--threshold", "50")["launches"][0]
        self.assertEqual(([change["name"] for change in few["changes"]], few["below_threshold"]), (["z.sum", "y.sum"], 2))
        chosen = self.difference(a, b, "--metrics", "regex:^[xy],near")["launches"][0]
        self.assertEqual([change["name"] for change in chosen["changes"]], ["y.sum", "x.sum", "near"])
        table = self.succeeds("diff", a, b, "--top", "1")
        self.assertRegex(table, r"z\.sum +0 +3 +from 0\n")
        self.assertIn("and 3 smaller changes: --top 0 shows all", table)
        self.assertRegex(self.succeeds("diff", a, b), r"y\.sum +10 +1 +-90\.00 %\n +x\.sum +100 +150 +\+50\.00 %")
        rows = list(csv.DictReader(io.StringIO(self.succeeds("diff", a, b, "--csv"))))
        self.assertEqual([(row["Metric Name"], row["A"], row["B"], row["Change %"]) for row in rows],
                         [("z.sum", "0", "3", "inf"), ("y.sum", "10", "1", "-90"), ("x.sum", "100", "150", "50"), ("near", "1000", "1001", "0.1"), ("gone", "1", "", ""), ("new", "", "1", "")])

    def test_fail_above(self):
        a, b = self.report("a", ("k", {"x": 100, "y": 7})), self.report("b", ("k", {"x": 95, "y": 7}))
        self.assertEqual(self.run_program("diff", a, b).returncode, OK)
        self.assertEqual(self.run_program("diff", a, b, "--fail-above", "5").returncode, OK)
        failed = self.run_program("diff", a, b, "--fail-above", "4.9", "--threshold", "20")
        self.assertEqual((failed.returncode, failed.stderr), (WRONG_RESULT, ""))
        self.assertIn("a change is above 4.9 %", failed.stdout)
        self.assertEqual(self.run_program("diff", a, b, "--fail-above", "1", "--metrics", "y").returncode, OK)
        more = self.report("more", ("k", {"x": 100, "y": 7}), ("k", {"x": 100, "y": 7}))
        lone = self.run_program("diff", a, more, "--fail-above", "1")
        self.assertEqual(lone.returncode, WRONG_RESULT)
        self.assertIn("only in B: launch 1, k", lone.stdout)
        self.assertIn("a launch is in one report only", lone.stdout)

    def test_launches_are_matched_by_kernel_and_order(self):
        a = self.report("a", ("p", {"x": 1}), ("q", {"x": 2}), ("p", {"x": 3}), ("r", {"x": 4}))
        b = self.report("b", ("q", {"x": 2}), ("p", {"x": 1}), ("p", {"x": 3}), ("p", {"x": 5}))
        result = self.difference(a, b)
        self.assertEqual([(launch["a"]["launch"], launch["b"]["launch"]) for launch in result["launches"]], [(0, 1), (1, 0), (2, 2)])
        self.assertEqual([launch["equal"] for launch in result["launches"]], [1, 1, 1])
        self.assertEqual(([one["name"] for one in result["only_in_a"]], [one["launch"] for one in result["only_in_b"]]), (["r"], [3]))

    def test_another_kernel_or_shape_is_said(self):
        a, b = self.report("a", ("old_kernel", {"x": 1})), self.report("b", ("new_kernel", {"x": 2}, [4, 1, 1]))
        launch, = self.difference(a, b)["launches"]
        self.assertEqual((launch["same_kernel"], launch["same_shape"], launch["changes"][0]["change_percent"]), (False, False, 100))
        table = self.succeeds("diff", a, b)
        self.assertIn("another kernel in B: new_kernel", table)
        self.assertIn("grid (1, 1, 1) and block (32, 1, 1) in A, (4, 1, 1) and (32, 1, 1) in B", table)
        instances = self.difference(self.report("f", ("void t<float>(float*)", {"x": 1})), self.report("d", ("void t<double>(double*)", {"x": 1})))
        self.assertFalse(instances["launches"][0]["same_kernel"])

    def test_units_that_differ(self):
        a = self.report("a", ("k", {"t": 2, "u": 1, "v": 5}), units={"t": "us", "u": "byte", "v": "Gbyte/s"})
        b = self.report("b", ("k", {"t": 2000, "u": 1, "v": 5e9}), units={"t": "nsecond", "u": "inst", "v": "byte/s"})
        launch, = self.difference(a, b)["launches"]
        self.assertEqual((launch["equal"], launch["changes"], launch["other_unit"]), (2, [], ["u"]))
        self.assertIn("other units in u", self.succeeds("diff", a, b))

    def test_simulated_beside_what_ncu_printed(self):
        mangled = {"name": "_Z9transposeILi0EEvPKfPf", "demangled": "void transpose<0>(float const*, float*)", "grid": [8, 8, 1], "block": [32, 32, 1],
                   "metrics": {"gpu__time_duration.sum": 4896, "sm__cycles_elapsed.max": 1}}
        ours = self.write("ours.json", json.dumps({"kind": "launches", "platform": {"name": "h200"}, "kernels": [mangled]}).encode())
        self.succeeds("import", RAW, "-o", self.path("theirs.json"))
        for theirs in (RAW, self.path("theirs.json")):
            result = self.difference(ours, theirs)
            launch, = result["launches"]
            self.assertEqual((launch["a"]["launch"], launch["b"]["launch"], launch["same_kernel"], launch["same_shape"]), (0, 0, True, True))
            self.assertEqual(len(result["only_in_b"]), 2)
            self.assertEqual(result["b"]["profiler"], "Nsight Compute")
            time = {change["name"]: change for change in launch["changes"]}["gpu__time_duration.sum"]
            self.assertEqual(time["unit"], "ns")
            expected = number(dict(zip(rows_of(RAW_BASE)[0], rows_of(RAW_BASE)[2]))["gpu__time_duration.sum"])
            self.assertAlmostEqual(time["change_percent"], 100 * (expected - 4896) / 4896, places=3)

    def test_two_platforms(self):
        for platform in ("h200", "h200-half"):
            self.succeeds("run", "merge", "--n", "20000", "--platform", platform, "--json", self.path(platform))
        result = self.difference(self.path("h200"), self.path("h200-half"))
        with open(self.path("h200"), encoding="utf-8") as file:
            kernels = json.load(file)["kernels"]
        self.assertEqual(len(result["launches"]), len(kernels))
        self.assertTrue(all(launch["same_kernel"] and launch["same_shape"] for launch in result["launches"]))
        self.assertEqual((result["a"]["device"], result["b"]["device"]), ("h200", "h200-half"))
        itself = self.difference(self.path("h200"), self.path("h200"))
        self.assertEqual((itself["largest_change_percent"], [launch["changes"] for launch in itself["launches"]]), (0, len(kernels) * [[]]))

    def test_refused(self):
        a = self.report("a", ("k", {"x": 1}))
        self.fails(BAD_INPUT, "diff", a, self.path("nowhere.json"), says=["nowhere.json"])
        self.fails(BAD_INPUT, "diff", a, self.write("b", b'{"kind": "conflicts", "kernels": []}'), says=["of the kind conflicts"])
        self.fails(BAD_INPUT, "diff", a, self.write("c", b'{"x": 1}'), says=["no report of launches"])
        self.fails(BAD_INPUT, "diff", a, self.write("d", b'{"kernels": ['), says=["d"])
        self.fails(BAD_INPUT, "diff", a, self.report("e", ("k", {"y": 1})), says=["no metric is in both"])
        self.fails(BAD_INPUT, "diff", a, a, "--metrics", "nothing", says=["--metrics"])
        self.fails(BAD_INPUT, "diff", a, a, "--metrics", "regex:(", says=["--metrics"])
        self.fails(BAD_INPUT, "diff", a, a, "--threshold", "-1", says=["--threshold"])
        self.fails(BAD_INPUT, "diff", a, a, "--csv", "--json", "-", says=["standard output"])


run_tests(lambda: None)
