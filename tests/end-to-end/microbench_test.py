"""Microbenchmarks on the modelled GPU: which rows are printed, in which form, and that they answer to the platform."""
import csv
import io
import json
import os
import subprocess
import sys
import unittest

from program import BAD_INPUT, ProgramTest

COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "compare-microbench")


class Microbench(ProgramTest):
    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.succeeds("microbench", "--csv", *arguments))))

    def test_filter_selects_by_name_and_parameter(self):
        rows = self.rows("--filter", "latency lds")
        self.assertEqual([row["parameter"] for row in rows], [f"stride_words={n}" for n in (1, 2, 4, 8, 16, 32)])
        self.assertEqual({row["unit"] for row in rows}, {"cycles"})
        self.assertEqual(len(self.rows("--filter", "latency lds stride_words=8")), 1)

    def test_bank_conflicts_cost_as_much_as_the_platform_says(self):
        # 2 cycles for each further wavefront of one warp: 32 words apart, 32 lanes in one bank
        by_stride = {row["parameter"]: float(row["value"]) for row in self.rows("--filter", "latency lds")}
        resolved = json.loads(self.succeeds("microbench", "--json", "-", "--filter", "latency lds stride_words=1"))["platform"]["resolved"]
        interval = resolved["lsu"]["warp_wavefront_interval_cycles"]
        interval = interval["value"] if isinstance(interval, dict) else interval
        self.assertAlmostEqual(by_stride["stride_words=32"] - by_stride["stride_words=1"], 31 * interval, delta=0.5)

    def test_another_platform_gives_another_latency(self):
        slower = self.write("slower.json", b'{"base": "h200", "name": "slower", "lsu": {"shuffle_latency_cycles": 40}}')
        normal = float(self.rows("--filter", "latency shfl")[0]["value"])
        slow = float(self.rows("--filter", "latency shfl", "--platform", slower)[0]["value"])
        normal_cycles = json.loads(self.succeeds("microbench", "--json", "-", "--filter", "latency shfl"))
        cycles = normal_cycles["platform"]["resolved"]["lsu"]["shuffle_latency_cycles"]
        cycles = cycles["value"] if isinstance(cycles, dict) else cycles
        self.assertAlmostEqual(slow - normal, 40 - cycles, delta=0.1)

    def test_json_file_beside_the_table(self):
        path = self.path("rows.json")
        table = self.succeeds("microbench", "--filter", "latency fadd", "--json", path)
        self.assertRegex(table, r"latency fadd +warps=1 +\d+\.\d{3} cycles\n")
        with open(path) as file:
            report = json.load(file)
        self.assertEqual(list(report), ["sassafras", "schema_version", "kind", "command", "device", "platform", "rows"])
        self.assertEqual(report["command"], ["sassafras", "microbench", "--filter", "latency fadd"])
        self.assertEqual([(row["name"], row["parameter"], row["unit"]) for row in report["rows"]], [("latency fadd", "warps=1", "cycles")])

    def test_threads_do_not_change_it(self):
        once = self.succeeds("microbench", "--json", "-", "--filter", "loop ffma", "--threads", "1")
        self.assertEqual(once, self.succeeds("microbench", "--json", "-", "--filter", "loop ffma", "--threads", "4"))

    def test_spt_constants_of_a_small_gpu(self):
        # Two SMs of an older GPU, with a latency of shared memory that the constants must show.
        platform = self.write("two.json", b'{"base": "algoparc", "name": "two", "gpu": {"sm_count": 2}, "lsu": {"shared_load_latency_cycles": 150},'
                                          b' "l2": {"bytes": 262144}, "dram": {"bandwidth_gb_per_s": 30}}')
        instance = self.path("instance.json")
        report = json.loads(self.succeeds("microbench", "--spt", "--quick", "--platform", platform, "--json", "-", "--instance", instance))
        self.assertAlmostEqual(report["fit"]["s"]["latency_cycles"]["value"], 150, delta=2)
        # 30 GB/s at 780 MHz are 38.5 bytes a cycle: 9.6 words for 256 cores, of which memory reaches some 0.785 and L2 keeps a little.
        self.assertAlmostEqual(report["fit"]["g"]["bandwidth_per_core_and_cycle"]["value"], 9.6 / 256 * 0.785, delta=0.1 * 9.6 / 256)
        with open(instance) as file:
            written = json.load(file)
        self.assertEqual(written, report["instance"])
        self.assertEqual((written["name"], written["cores"], written["clock_mhz"]), ("two", 256, 780))
        self.assertEqual([operation["symbol"] for operation in written["operations"]], ["g", "s", "r", "y"])
        rows = self.rows("--spt", "--quick", "--platform", platform)
        self.assertEqual(len(rows), len(report["curves"]) + len(report["kernel_boundaries"]))
        shared = [float(row["value"]) for row in rows if row["operation"] == "s"]
        self.assertEqual(shared, [cell["cycles"] for cell in report["curves"] if cell["operation"] == "s"])
        table = self.succeeds("microbench", "--spt", "--quick", "--platform", platform)
        self.assertRegex(table, r"L_s +1(49|5[01])[.0-9]* ")

    def test_spt_refused(self):
        self.fails(BAD_INPUT, "microbench", "--spt", "--device", "functional", says=["no time"])
        self.fails(BAD_INPUT, "microbench", "--spt", "--filter", "latency fadd", says=["--filter"])
        self.fails(BAD_INPUT, "microbench", "--quick", says=["--spt"])
        self.fails(BAD_INPUT, "microbench", "--spt", "--quick", "--platform", "algoparc", "--instance", self.path("no/such/place.json"), says=["place.json"])

    def test_refused(self):
        self.fails(BAD_INPUT, "microbench", "--device", "functional", says=["no time", "simulated"])
        self.fails(BAD_INPUT, "microbench", "--filter", "no such row", says=["no such row"])
        self.fails(BAD_INPUT, "microbench", "--device", "abacus", says=["abacus"])
        self.fails(BAD_INPUT, "microbench", "--filter", "latency fadd", "--json", self.path("no/such/folder.json"), says=["folder.json"])


class Compare(ProgramTest):
    HEAD = b'"name","parameter","value","unit"\n'

    def compare(self, *arguments):
        return subprocess.run([sys.executable, COMPARE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_table(self):
        measured = self.write("m.csv", self.HEAD + b'"a","p","200","cycles"\n"b","p","1","ns"\n"only here","q","1","ns"\n')
        simulated = self.write("s.csv", self.HEAD + b'"b","p","1","ns"\n"a","p","150","cycles"\n')
        done = self.compare(measured, simulated)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| a | p | 200.00 | 150.00 | -25.0 % | cycles |\n| b | p | 1.00 | 1.00 | +0.0 % | ns |\n", done.stdout)
        self.assertIn("Only measured: only here (1).", done.stdout)
        self.assertNotIn("| b |", self.compare(measured, simulated, "--leave-out", "b").stdout)

    def test_into_a_document(self):
        rows = self.write("m.csv", self.HEAD + b'"a","p","2","cycles"\n')
        document = self.write("d.md", b"before\n<!-- microbench -->\nold\n<!-- /microbench -->\nafter\n")
        self.assertEqual(self.compare(rows, rows, "--into", document).returncode, 0)
        with open(document) as file:
            text = file.read()
        self.assertTrue(text.startswith("before\n<!-- microbench -->\n| what |") and text.endswith("<!-- /microbench -->\nafter\n"), text)
        self.assertNotIn("old", text)

    def test_units_that_differ(self):
        measured = self.write("m.csv", self.HEAD + b'"a","p","2","cycles"\n')
        simulated = self.write("s.csv", self.HEAD + b'"a","p","2","ns"\n')
        done = self.compare(measured, simulated)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a p", done.stderr)


if __name__ == "__main__":
    unittest.main()
