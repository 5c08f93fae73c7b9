"""Rules under the sections of the details page: what bounds a kernel, and what each remedy would bring, timed again."""
import csv
import io
import json
import unittest

from program import BAD_INPUT, ProgramTest

SMALL = ("--set", "gpu.sm_count=2")
SEARCH = ("run", "search", "--variant", "pbs", "--K", "1024", "--n", "4096", *SMALL)


class Rules(ProgramTest):
    def rules(self, *arguments):
        return json.loads(self.succeeds(*arguments, "--json", "-"))["kernels"][0]

    def test_the_page(self):
        page = self.succeeds(*SEARCH, "--page", "details")
        lines = page.splitlines()
        self.assertIn("Bound by", lines[1])
        self.assertLess(page.index("Bound by"), page.index("Section: GPU Speed Of Light"))
        self.assertRegex(page, r"\n    OPT   Est\. Speedup: \d+\.\d\d%\. An access to shared memory takes")
        self.assertLessEqual(max(map(len, lines)), 100)
        # Whoever asks for no page gets the numbers alone, as quickly as ever.
        self.assertNotIn("OPT", self.succeeds(*SEARCH))
        self.assertNotIn("OPT", self.succeeds(*SEARCH, "--page", "details", "--apply-rules", "no"))

    def test_json_says_what_the_launch_takes_without_the_cost(self):
        ruled = self.rules(*SEARCH, "--apply-rules", "yes")
        conflicts, = [rule for rule in ruled["rules"] if rule["what_if"] == "no-bank-conflicts"]
        without = self.rules(*SEARCH, "--what-if", "no-bank-conflicts")["metrics"]["gpu__time_duration.sum"]
        self.assertAlmostEqual(conflicts["estimated_speedup_percent"], 100 * (1 - without / ruled["metrics"]["gpu__time_duration.sum"]), places=6)
        saved = [rule["estimated_speedup_percent"] or rule["at_most_percent"] or 0 for rule in ruled["rules"]]
        self.assertEqual(saved, sorted(saved, reverse=True))
        self.assertIn(ruled["rules"][0]["cause"], ruled["verdict"])
        self.assertNotIn("rules", self.rules(*SEARCH))

    def test_without_timing_again(self):
        ruled = self.rules(*SEARCH, "--apply-rules", "yes", "--no-what-if")
        self.assertTrue(ruled["rules"])
        self.assertEqual({rule["estimated_speedup_percent"] for rule in ruled["rules"]}, {None})

    def test_threads_change_nothing(self):
        one, three = (self.rules(*SEARCH, "--apply-rules", "yes", "--threads", threads) for threads in ("1", "3"))
        self.assertEqual(one, three)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.succeeds(*SEARCH, "--page", "details", "--csv"))))
        rules = [row for row in rows if row["Rule Name"]]
        self.assertIn("SharedMemoryConflicts", [row["Rule Name"] for row in rules])
        self.assertTrue(all(not row["Metric Name"] for row in rules))
        self.assertIn("SpeedOfLight", {row["Section Name"] for row in rules})  # as there, where metrics have the section's title
        self.assertIn("GPU Speed Of Light Throughput", {row["Section Name"] for row in rows})
        self.assertTrue(any(row["Metric Name"] for row in rows))

    def test_a_trace_has_them_too(self):
        traced = self.path("traced")
        self.succeeds("trace", "capture", *SEARCH[1:], "-o", traced)
        self.assertEqual(self.rules("trace", "replay", traced, *SMALL, "--apply-rules", "yes")["rules"], self.rules(*SEARCH, "--apply-rules", "yes")["rules"])

    def test_of_selected_launches(self):
        run = ("run", "sort", "--n", "20000", *SMALL, "--apply-rules", "yes", "--json", "-")
        for control in "all", "none":
            every = json.loads(self.succeeds(*run, "--cache-control", control))["kernels"]
            some = json.loads(self.succeeds(*run, "--cache-control", control, "-s", "1", "-c", "2"))
            self.assertEqual(some["launches"]["numbers"], [1, 2])
            self.assertEqual([kernel["rules"] for kernel in some["kernels"]], [kernel["rules"] for kernel in every[1:3]])

    def test_refusals(self):
        self.fails(BAD_INPUT, *SEARCH, "--device", "functional", "--apply-rules", "yes", says=["time that is simulated"])
        self.fails(BAD_INPUT, *SEARCH, "--no-what-if", says=["no rules", "--page details"])


if __name__ == "__main__":
    unittest.main()
