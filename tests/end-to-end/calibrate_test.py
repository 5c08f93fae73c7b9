"""`calibrate` on modelled GPUs: what it finds, writes and says, and what it refuses. That numbers come back is tests/property/validate."""
import csv
import io
import json
import os
import unittest

from program import BAD_INPUT, ProgramTest

RECORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "validate", "records")


class Calibrate(ProgramTest):
    def numbers(self, *arguments):
        text = self.succeeds("calibrate", "--csv", *arguments)
        return {row["pointer"]: row for row in csv.DictReader(io.StringIO(text))}

    def test_a_modelled_gpu_gives_its_number_back(self):
        slower = self.write("slower.json", b'{"base": "h200", "name": "slower", "lsu": {"shuffle_latency_cycles": 41}}')
        found = self.numbers("--device", "simulated", "--platform", slower, "--base", "h200", "--only", "/lsu/shuffle")["/lsu/shuffle_latency_cycles"]
        self.assertEqual([found[column] for column in ("how", "base", "value", "row")], ["measured", "24", "41", "latency shfl warps=1"])

    def test_measured_here_solved_there(self):
        kept, direct, later = (self.path(name) for name in ("kept.json", "direct.json", "later.json"))
        common = ["--base", "h200", "--only", "/pipes/fp16", "--name", "found"]
        self.succeeds("calibrate", "--device", "simulated", "--platform", "a100", "--repeat", "1", *common, "--output", direct, "--save-measurements", kept)
        self.succeeds("calibrate", "--measurements", kept, *common, "--output", later)
        with open(direct) as one, open(later) as other:
            text = one.read()
            self.assertEqual(text, other.read())
        platform = json.loads(text)
        self.assertEqual([platform["name"], platform["base"], platform["gpu"]["sm_count"]["value"]], ["found", "h200", 108])
        self.assertEqual(platform["pipes"]["fp16"]["issue_interval_cycles"]["provenance"], "measured")
        self.succeeds("run", "merge", "--n", "3000", "--platform", later)

    def test_check_says_what_moved(self):
        same = ("calibrate", "--device", "simulated", "--platform", "t4", "--repeat", "1", "--only", "/pipes/fp64")
        self.assertIn("0 are not as on t4", self.succeeds(*same, "--check", "t4"))
        moved = self.run_program(*same, "--check", "h200")
        self.assertEqual([moved.returncode, moved.stderr], [1, ""])
        self.assertRegex(moved.stdout, r"/pipes/fp64/issue_interval_cycles +measured +2 +64 ")

    def test_only_measuring_prints_nothing(self):
        kept = self.path("kept.json")
        self.assertEqual(self.succeeds("calibrate", "--device", "simulated", "--only", "/lsu/shuffle", "--only-measure", "--save-measurements", kept), "")
        with open(kept) as file:
            self.assertEqual(json.load(file)["rows"], {"latency shfl warps=1": [24] * 5})

    def test_what_no_value_gives_is_another_gpu(self):
        far = b'{"gpu": {"name": "G", "driver": "", "major": 9, "minor": 0}, "attributes": {}, "rows": {"latency shfl warps=1": [5000]}}'
        moved = self.run_program("calibrate", "--measurements", self.write("far.json", far), "--check", "h200", "--only", "/lsu/shuffle")
        self.assertEqual([moved.returncode, moved.stderr], [1, ""])
        self.assertIn("1 are not as on h200", moved.stdout)

    def test_a_base_in_another_folder(self):
        base = self.write("base.json", b'{"base": "h200", "name": "base"}')
        os.mkdir(self.path("inner"))
        made = self.path("inner/made.json")
        self.succeeds("calibrate", "--device", "simulated", "--platform", "a100", "--base", base, "--only", "/lsu/shuffle", "--output", made)
        self.succeeds("run", "merge", "--n", "3000", "--platform", made)

    def test_what_is_refused(self):
        simulated = ("calibrate", "--device", "simulated")
        self.fails(BAD_INPUT, *simulated, "--only", "/nothing", says=["--only /nothing", "/l2/"])
        self.fails(BAD_INPUT, *simulated, "--base", "nosuch", "--only", "/lsu/shuffle", says=["nosuch"])
        self.fails(BAD_INPUT, *simulated, "--base", "h200", "--check", "h200", says=["excludes"])
        self.fails(BAD_INPUT, *simulated, "--only-measure", says=["--save-measurements"])
        self.fails(BAD_INPUT, *simulated, "--only-measure", "--save-measurements", self.path("x.json"), "--check", "h200", says=["--check", "no effect"])
        self.fails(BAD_INPUT, *simulated, "--name", "x", says=["--output"])
        self.fails(BAD_INPUT, "calibrate", "--measurements", self.write("none.json", b"{}"), says=["none.json#/gpu", "none.json#/rows"])
        huge = b'{"gpu": {"name": "G", "driver": "", "major": 9, "minor": 0}, "attributes": {}, "rows": {"latency shfl warps=1": [1.7e308, 1.7e308]}}'
        self.fails(BAD_INPUT, "calibrate", "--measurements", self.write("huge.json", huge), says=["huge.json#/rows/latency shfl warps=1/0"])
        self.fails(BAD_INPUT, "calibrate", "--measurements", self.write("huge.json", huge), "--repeat", "3", says=["--repeat", "no effect"])
        lacking = b'{"gpu": {"name": "G", "driver": "", "major": 9, "minor": 0}, "attributes": {}, "rows": {}}'
        self.fails(BAD_INPUT, "calibrate", "--measurements", self.write("lacking.json", lacking), "--only", "/lsu/shuffle", says=["latency shfl warps=1"])
        wrong = b'{"gpu": {"name": "G", "driver": "", "major": 9, "minor": 0}, "attributes": {"/no/such": {"value": 1, "said_by": "x"}}, "rows": {}}'
        self.fails(BAD_INPUT, "calibrate", "--measurements", self.write("wrong.json", wrong), "--only", "/lsu/shuffle", says=["/no/such"])

    def test_the_h100_is_what_its_measurements_say(self):
        # From the H200, as the file was made: what probes say beside was entered afterwards.
        measurements = os.path.join(RECORDS, "h100", "calibration.json")
        with open(os.path.join(RECORDS, "..", "..", "configs", "platforms", "h100.json")) as file:
            shipped = json.load(file)
        for pointer in ("/gpu/launch_overhead_cycles", "/fetch/l1_lines", "/pipes/xu/latency_cycles", "/lsu/shared_load_latency_cycles"):
            found = self.numbers("--measurements", measurements, "--base", "h200", "--only", pointer)[pointer]
            entry = shipped
            for key in pointer.split("/")[1:]:
                entry = entry[key]
            self.assertEqual([found["how"], float(found["value"])], ["measured", entry["value"]])


if __name__ == "__main__":
    unittest.main()
