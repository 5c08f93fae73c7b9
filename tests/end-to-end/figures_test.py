"""`scripts/figures`: the data behind the theses' figures. The models' curves in full, simulated points at small sizes."""
import csv
import os
import subprocess
import sys

import unittest

from program import PROGRAM, ProgramTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FIGURES = {"5.2": "k", "5.3": "N_TB", "5.4": "N_TB", "6.1": "queries", "6.2": "queries", "6.3": "queries", "7.1": "E", "7.2": "N",
           "7.3": "N", "7.5": "K", "7.7": "K", "7.8": "N"}
SIMULATED = ["5.2", "5.3", "6.3", "7.1", "7.3", "7.7"]


class Figures(ProgramTest):
    def written(self, *arguments):
        """Rows of each figure, by name."""
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts/figures"), self.folder.name, PROGRAM, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        figures = {}
        for name in sorted(os.listdir(self.folder.name)):
            with open(self.path(name)) as file:
                figures[name.removesuffix(".csv")] = list(csv.DictReader(file))
        return figures

    def test_every_figure_has_the_models_curves(self):
        figures = self.written("--model-only")
        self.assertEqual(set(figures), set(FIGURES))
        for name, rows in figures.items():
            self.assertEqual(list(rows[0]), ["series", "from", FIGURES[name], "value", "unit", "note"], name)
            self.assertGreaterEqual(len(rows), 10, name)
            for row in rows:
                self.assertIn(row["from"], ("model", "measured"), name)
                self.assertGreaterEqual(float(row["value"]), 0, name)
        # Shares of a sort's time are all of it.
        for name in ("7.2", "7.5", "7.8"):
            sums = {}
            for row in figures[name]:
                key = row["series"].rsplit(",", 1)[0], row[FIGURES[name]]
                sums[key] = sums.get(key, 0) + float(row["value"])
            for key, total in sums.items():
                self.assertAlmostEqual(total, 100, delta=0.01, msg=key)
        # Figure 7.1: best E by the printed formula (docs/claims.md, mergesort-best-E), and what an H200 took.
        printed = [row for row in figures["7.1"] if row["series"] == "MGPU, printed"]
        self.assertEqual(max(printed, key=lambda row: float(row["value"]))["E"], "12")
        measured = {row["E"] for row in figures["7.1"] if row["from"] == "measured"}
        self.assertEqual(measured, {"11", "15", "17", "31"})

    def test_simulated_points_stand_beside_the_models(self):
        for name, rows in self.written("--small", "--only", *SIMULATED).items():
            simulated = [row for row in rows if row["from"] == "simulated"]
            self.assertTrue(simulated, name)
            axis = FIGURES[name]
            for row in simulated:
                self.assertGreater(float(row["value"]), 0, name)
                if name == "5.3":  # the steady state, continued to the model's size
                    continue
                beside = [other for other in rows if other["from"] == "model" and other[axis] == row[axis]
                          and other["series"].startswith(row["series"]) and other["note"] == row["note"].split(", b = ")[0]]
                if name == "7.3":
                    beside = [other for other in rows if other["from"] == "model" and other[axis] == row[axis] and other["note"] == row["note"]]
                self.assertTrue(beside, (name, row))

    def test_what_is_refused(self):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts/figures"), self.folder.name, PROGRAM, "--only", "7.4"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("7.4", done.stderr)


if __name__ == "__main__":
    unittest.main()
