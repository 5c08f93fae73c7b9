"""The table of a study: files of it, what counts for fronts and sensitivities, and results that are damaged."""
import collections
import csv
import io
import json
import os
import re
import sqlite3
import struct
import unittest
import xml.etree.ElementTree
import zipfile

from program import BAD_INPUT
from stored_record import write_record
from sweep_test import MERGE, SweepTest


class Tables(SweepTest):
    def setUp(self):
        super().setUp()
        self.made = self.study("study", "--vary", "n=1000,2000", "--set", "gpu.sm_count=66,132", command=["--", "run", "merge"])
        self.succeeds("sweep", "run", self.made)

    def test_sqlite(self):
        self.succeeds("sweep", "collect", self.made, "--output", self.path("runs.sqlite"))
        connection = sqlite3.connect(self.path("runs.sqlite"))
        self.addCleanup(connection.close)
        rows = connection.execute('select n, "gpu.sm_count", "total.cycles", status from runs order by n, "gpu.sm_count"').fetchall()
        expected = [(int(row["n"]), int(row["gpu.sm_count"]), int(row["total.cycles"]), row["status"]) for row in self.rows(self.made)]
        self.assertEqual(rows, expected)

    def test_worst_cases(self):
        made = self.study("cases", "--vary", "E=15,17", command=["--", "worst-case", "sort", "--variant", "mgpu", "--b", "128", "--n", "1920"])
        self.succeeds("sweep", "run", made)
        worst = [json.loads(self.succeeds("worst-case", "sort", "--variant", "mgpu", "--b", "128", "--n", "1920", "--E", n, "--json", "-")) for n in ("15", "17")]
        self.assertEqual([int(row["construction.total.accesses"]) for row in self.rows(made)], [one["construction"]["total"]["accesses"] for one in worst])

    def test_npz(self):
        self.succeeds("sweep", "collect", self.made, "--output", self.path("runs.npz"))
        rows = self.rows(self.made)
        with zipfile.ZipFile(self.path("runs.npz")) as file:
            self.assertIsNone(file.testzip())
            self.assertEqual(file.namelist(), [f"{name}.npy" for name in rows[0]])
            cycles = file.read("total.cycles.npy")
            self.assertEqual(list(struct.unpack("<4d", cycles[-32:])), [float(row["total.cycles"]) for row in rows])
            self.assertIn(b"'descr': '<U4'", file.read("status.npy")[:64])

    def test_fronts_and_sensitivities(self):
        text = self.succeeds("sweep", "collect", self.made, "--best", "cycles", "--cost", "gpu.sm_count", "--sensitivity", "cycles")
        self.assertRegex(text, r"of 4 runs that no other with the same work beats in cycles, gpu.sm_count\n")
        self.assertRegex(text, r"\n +n +\+\d\.\d{3} ")

    def test_of_equal_runs_the_first_is_in_the_front(self):
        text = self.succeeds("sweep", "collect", self.made, "--best", "n", "--by", "status")
        self.assertTrue(text.startswith("1 of 4 runs that no other"), text)
        self.assertIn("left out: 1 runs that are equal to one of these in that; the first is there\n", text)
        rows = self.rows(self.made)
        self.assertEqual(text.splitlines()[2].split()[0], min(rows, key=lambda row: (int(row["n"]), int(row["run"])))["run"])

    def test_json_has_the_front_and_the_exponents(self):
        asked = ["sweep", "collect", self.made, "--best", "cycles", "--cost", "gpu.sm_count", "--sensitivity", "cycles"]
        text = self.succeeds(*asked)
        made = json.loads(self.succeeds(*asked, "--json", "-"))
        self.assertEqual(made["rows"], 4)
        front = made["front"]
        self.assertEqual((front["goals"], front["columns"][:2]), (["cycles", "gpu.sm_count"], ["total.cycles", "gpu.sm_count"]))
        shown = [run for group in front["groups"] for run in group["front"]]
        self.assertEqual([int(line.split()[0]) for line in text.splitlines()[2:2 + len(shown)]], shown)
        self.assertEqual(sorted(run for group in front["groups"] for run in group["runs"]), [0, 1, 2, 3])
        said = {words[0]: words[1] for words in map(str.split, text.splitlines()) if words and words[0] in ("n", "gpu.sm_count")}
        self.assertEqual({one["name"]: f"{one['value']:+.3f}" for one in made["sensitivity"]["elasticities"]}, said)
        self.assertEqual(made["sensitivity"]["samples"], 4)

    def record(self, run):
        key = self.rows(self.made)[run]["key"]
        return os.path.join(self.made, key[:2], key + ".json")

    def test_runs_that_failed_are_left_out(self):
        place = self.record(3)
        with open(place) as file:
            record = json.load(file)
        record.update(status="failed", error="wrong")
        record["report"]["total"]["cycles"] = 1
        record["report"]["kernels"][0]["metrics"]["sm__cycles_elapsed.max"] = 1
        write_record(place.replace(".json", ".failed.json"), record)
        os.remove(place)
        self.assertEqual(self.rows(self.made)[3]["total.cycles"], "1")
        text, texts, marks, _ = self.drawn("--best", "cycles", "--cost", "gpu.sm_count", "--sensitivity", "cycles")
        self.assertIn("of 3 runs that no other", text)
        self.assertIn("cycles by 3 runs", text)
        self.assertEqual(text.count("left out: 1 runs that are not done\n"), 2)
        self.assertEqual(texts.count("left out: 1 runs that are not done"), 2)
        self.assertEqual(marks["run"] + marks["front"], 3)

    def test_json_has_types(self):
        text = self.succeeds("sweep", "collect", self.made, "--json", "-")
        self.assertEqual(self.succeeds("sweep", "collect", self.made, "--json", self.path("table.json")), "")
        with open(self.path("table.json")) as file:
            self.assertEqual(file.read(), text)
        table = json.loads(text)
        rows = self.rows(self.made)
        self.assertEqual((table["rows"], [column["name"] for column in table["columns"]]), (len(rows), list(rows[0])))
        for column in table["columns"]:
            for row, value in zip(rows, column["values"]):
                written = row[column["name"]]
                is_one = {"integer": int, "real": (int, float), "text": str}[column["type"]]
                self.assertTrue(written == "" if value is None else isinstance(value, is_one) and (value == written if is_one is str else float(written) == value), column["name"])
        types = {column["name"]: column["type"] for column in table["columns"]}
        self.assertEqual((types["run"], types["status"], types["error"], types["gpu.sm_count"], types["total.cycles"]), ("integer", "text", "text", "integer", "integer"))

    def test_a_damaged_record_is_a_row(self):
        whole = self.record(1)
        with open(whole) as file:
            record = json.load(file)
        record["report"]["kernels"][0]["metrics"]["sm__cycles_elapsed.max"] = None
        for damage in ("{}", "", "[1]", json.dumps(record), '{"report": null}', '{"report": {"kernels": [3]}}'):
            with open(whole, "w") as file:
                file.write(damage)
            rows = self.rows(self.made)
            self.assertEqual([row["status"] for row in rows], ["done", "failed", "done", "done"], damage)
            self.assertIn("the stored result is damaged", rows[1]["error"])
            self.assertIn(f"[{whole}]; run the study again", rows[1]["error"])
        os.remove(whole)
        self.succeeds("sweep", "run", self.made)
        self.assertEqual({row["status"] for row in self.rows(self.made)}, {"done"})

    def test_a_list_is_in_all_rows_or_in_none(self):
        for run, length in ((0, 16), (1, 17)):
            place = self.record(run)
            with open(place) as file:
                record = json.load(file)
            record["report"]["rounds"] = list(range(length))
            record["report"]["status"] = "other"
            write_record(place, record)
        done = self.run_program("sweep", "collect", self.made)
        self.assertEqual(done.stderr, "note: lists of more than 16 values are in no column: rounds\n")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertFalse([name for name in rows[0] if name.startswith("rounds")])
        self.assertEqual([row["status"] for row in rows], ["done"] * 4)
        self.assertEqual([row["report.status"] for row in rows], ["other", "other", "", ""])

    def test_digits_and_names(self):
        study = self.study("digits", "--vary", "seed=9007199254740993,5", "--vary", "n=1000,2000")
        self.succeeds("sweep", "run", study)
        self.assertEqual([row["seed"] for row in self.rows(study)], ["9007199254740993"] * 2 + ["5"] * 2)
        self.succeeds("sweep", "collect", study, "--output", self.path("digits.sqlite"))
        connection = sqlite3.connect(self.path("digits.sqlite"))
        self.addCleanup(connection.close)
        self.assertEqual(connection.execute("select seed from runs").fetchall(), [(9007199254740993,)] * 2 + [(5,)] * 2)
        self.succeeds("sweep", "collect", study, "--output", self.path("digits.npz"))
        with zipfile.ZipFile(self.path("digits.npz")) as file:
            self.assertEqual(struct.unpack("<4q", file.read("seed.npy")[-32:]), (9007199254740993, 9007199254740993, 5, 5))
            self.assertIn(b"'descr': '<U1'", file.read("error.npy")[:64])
        text = self.succeeds("sweep", "collect", study, "--sensitivity", "smsp__inst_executed.sum")
        self.assertIn("left out: seed: a seed is no amount", text)
        self.assertIn("by 4 runs", text)
        for name in ("launches", "Status"):
            self.fails(BAD_INPUT, "sweep", "plan", self.path("new"), "--vary", f"{name}=1", *MERGE, says=["column", name])

    def test_what_has_no_logarithm_is_named(self):
        zeros = self.study("zeros", "--vary", "n=1000,2000,4000", "--vary", "start=0,1", command=[*MERGE, "--seed", "{start}"])
        self.succeeds("sweep", "run", zeros)
        text = self.succeeds("sweep", "collect", zeros, "--sensitivity", "smsp__inst_executed.sum")
        self.assertIn("\nleft out: start: a value that is not above 0 has no logarithm; runs that differ in it are compared apart\n", text)

    def drawn(self, *options):
        """The text that is printed, and of the drawing how many marks have each class."""
        text = self.succeeds("sweep", "collect", self.made, *options, "--svg", self.path("chart.svg"))
        root = xml.etree.ElementTree.parse(self.path("chart.svg")).getroot()
        width, height = float(root.get("width")), float(root.get("height"))
        for mark in root.iter():
            for name, most in (("x", width), ("cx", width), ("x1", width), ("x2", width), ("y", height), ("cy", height), ("y1", height)):
                self.assertTrue(0 <= float(mark.get(name, 0)) <= most, xml.etree.ElementTree.tostring(mark))
        texts = [mark.text for mark in root.iter("{http://www.w3.org/2000/svg}text")]
        return text, texts, collections.Counter(mark.get("class") for mark in root.iter() if mark.get("class")), root

    def test_a_drawing_of_sensitivities(self):
        text, texts, marks, root = self.drawn("--sensitivity", "cycles")
        printed = re.findall(r"^ +(\S+) +([+-][\d.]+) +([\d.]+)", text, re.MULTILINE)
        self.assertEqual(len(printed), 2)
        self.assertEqual(marks, {"bar": 2, "interval": 2})
        places = [texts.index(name) for name, _, _ in printed]
        self.assertEqual(places, sorted(places))
        for _, value, margin in printed:
            self.assertIn(f"{value} \u00b1 {margin}", texts)
        widths = [float(mark.get("width")) for mark in root.iter() if mark.get("class") == "bar"]
        effects = [abs(float(value)) for _, value, _ in printed]
        self.assertAlmostEqual(widths[1] / widths[0], effects[1] / effects[0], delta=0.02)

    def test_a_drawing_of_a_front(self):
        text, texts, marks, root = self.drawn("--best", "cycles", "--cost", "gpu.sm_count")
        front = int(text.split()[0])
        self.assertEqual(marks, {"run": 4 - front, "front": front} if front != 4 else {"front": 4})
        self.assertIn("gpu.sm_count", texts)
        self.assertEqual({text.split(",")[0] for text in (mark.find("{http://www.w3.org/2000/svg}title").text for mark in root.iter("{http://www.w3.org/2000/svg}circle"))},
                         {f"run {i}" for i in range(4)})
        self.assertEqual(self.drawn("--best", "cycles", "--cost", "gpu.sm_count", "--sensitivity", "cycles")[2], marks + collections.Counter(bar=2, interval=2))

    def test_what_is_no_study(self):
        self.fails(BAD_INPUT, "sweep", "run", self.path("nothing"), says=["nothing", "sweep plan"])
        self.fails(BAD_INPUT, "sweep", "plan", self.path("new"), "--vary", "n", *MERGE, says=["--vary n", "NAME=VALUES"])
        self.fails(BAD_INPUT, "sweep", "plan", self.path("new"), "--vary", "n=1", says=["no command"])
        self.fails(BAD_INPUT, "sweep", "collect", self.made, "--best", "cycle", says=['"cycles"'])
        self.fails(BAD_INPUT, "sweep", "collect", self.made, "--output", self.path("x.txt"), says=[".npz"])
        self.fails(BAD_INPUT, "sweep", "collect", self.made, "--svg", self.path("x.svg"), says=["nothing to draw"])
        self.fails(BAD_INPUT, "sweep", "collect", self.made, "--best", "cycles", "--svg", self.path("x.svg"), says=["--cost"])
        self.fails(BAD_INPUT, "sweep", "run", self.made, "--shard", "3/3", says=["3/3"])
        self.fails(BAD_INPUT, "sweep", "status", self.made, *MERGE, says=["runs no program"])


if __name__ == "__main__":
    unittest.main()
