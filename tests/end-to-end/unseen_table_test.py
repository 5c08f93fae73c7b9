"""`scripts/unseen-table`: how it counts metrics that are near, and what of its page it leaves alone."""
import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
READ, WRITE = "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum"


def load():
    loader = importlib.machinery.SourceFileLoader("unseen_table", os.path.join(ROOT, "scripts/unseen-table"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class UnseenTable(unittest.TestCase):
    def setUp(self):
        self.script = load()

    def test_metrics_that_are_near(self):
        recorded = [{"kernel": "k", "grid": "1x1x1", "sm__cycles_elapsed.max": "1", READ: "100", WRITE: "0"},
                    {"kernel": "k", "grid": "1x1x1", "sm__cycles_elapsed.max": "1", READ: "100", WRITE: ""}]
        simulated = [{"metrics": {"sm__cycles_elapsed.max": 1, READ: 105, WRITE: 1}}, {"metrics": {"sm__cycles_elapsed.max": 1, READ: 106, WRITE: 0}}]
        rows = [{"run": "one", "metrics": self.script.near_metrics(recorded, simulated)}, {"run": "not simulated"}]
        metrics = self.script.metric_rows(rows, "2026-01-01", "c0ffee")
        self.assertEqual([(row["metric"], row["values"], row["near"]) for row in metrics], [(READ, 2, 1), (WRITE, 1, 0)])
        self.assertEqual(rows[0], {"run": "one"})  # the rest goes into errors.csv
        table = self.script.metric_table(metrics)
        self.assertIn(f"| {READ} | 2 | 50.0 |", table)
        self.assertEqual(table[-1], "| all | 3 | 33.3 |")

    def test_what_was_written_by_hand_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            self.script.PAGE = os.path.join(folder, "unseen.md")
            with open(self.script.PAGE, "w") as file:
                file.write(f"above\n{self.script.BEGIN}\nold\n{self.script.END}\nbelow\n")
            runs = {"r": {"kind": "workload", "recorded": "yes", "used_for": "unseen", "launches": "1", "cycles": "100", "cycles_least": "90", "cycles_most": "110"}}
            row = {"date": "2026-01-01", "commit": "c0ffee", "run": "r", "simulated_cycles": "103", "error_percent": "3.00", "launches": "1", "counts_equal": "1", "note": ""}
            self.script.write_page([row], runs, [])
            with open(self.script.PAGE) as file:
                page = file.read()
        self.assertTrue(page.startswith("above\n"))
        self.assertTrue(page.endswith("below\n"))
        self.assertNotIn("old", page)
        self.assertIn("+3.0", page)

    def test_the_page_has_both_marks(self):
        with open(os.path.join(ROOT, "docs/unseen.md")) as file:
            page = file.read()
        self.assertEqual((page.count(self.script.BEGIN), page.count(self.script.END)), (1, 1))
        self.assertLess(page.index(self.script.BEGIN), page.index(self.script.END))


if __name__ == "__main__":
    unittest.main()
