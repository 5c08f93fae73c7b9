"""--check from the command line: reports, JSON, exit status."""
import json
import os
import unittest

from program import BAD_INPUT, OK, WRONG_RESULT, ProgramTest, fixture


def checked(name):
    return os.path.join(os.path.dirname(fixture("")), "..", "check", name)


class Check(ProgramTest):
    def launch(self, cubin, kernel, *more, n=0, device="functional"):
        return self.run_program("launch", "--check", "--device", device, "--cubin", checked(cubin), "--kernel", kernel, "--block", "64",
                                "--arg", "buffer:4096", "--arg", "buffer:4096", "--arg", f"i32:{n}", *more)

    def test_race(self):
        for device in ("functional", "simulated"):
            done = self.launch("races.cubin", "write_after_write", device=device)
            self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
            for text in ("Error: Potential WAW hazard detected at __shared__ 0x400 in block (0,0,0) :",
                         "Write Thread (0,0,0) at write_after_write+0xc0 in races.cu:28", "STS", "[32 hazards]", "ERROR SUMMARY: 1 error, 0 warnings"):
                self.assertIn(text, done.stdout)

    def test_clean(self):
        done = self.launch("races.cubin", "clean_barrier")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("ERROR SUMMARY: 0 errors, 0 warnings", done.stdout)

    def test_fault_still_reports(self):
        done = self.launch("memory.cubin", "global_write_past_end", "--json", self.path("r.json"), n=1024)
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertIn("sassafras: error: Invalid __global__ write of size 4 bytes", done.stderr)
        self.assertIn("at global_write_past_end+0x80 in memory.cu:5", done.stdout)
        self.assertIn("and is 1 bytes after the nearest allocation at 0x7f0000000000 of size 4,096 bytes", done.stdout)
        with open(self.path("r.json")) as file:
            found = json.load(file)["checks"]
        self.assertEqual(len(found), 1)
        self.assertNotIn("the run stopped", done.stdout)  # a kernel ends at its fault on a GPU, too
        place = found[0].pop("places")[0]
        self.assertEqual(found[0], {"tool": "memcheck", "severity": "error", "kernel": "global_write_past_end",
                                    "what": "Invalid __global__ write of size 4 bytes",
                                    "details": ["Access to 0x7f0000001000 is out of bounds",
                                                "and is 1 bytes after the nearest allocation at 0x7f0000000000 of size 4,096 bytes"],
                                    "count": 32})
        self.assertEqual((place["pc"], place["file"], place["line"], place["thread"], place["block"]), (0x80, "memory.cu", 5, [0, 0, 0], [0, 0, 0]))
        self.assertIn("STG", place["sass"])

    def test_a_fault_of_constant_memory_is_reported_as_others_are(self):
        done = self.launch("constants.cubin", "constant_past_end", n=40)
        self.assertEqual(done.returncode, WRONG_RESULT)
        for text in ("Invalid __constant__ read of size 4 bytes", "at constant_past_end+0x80 in constants.cu:9", "LDC",
                     "by thread (24,0,0) in block (0,0,0)", "Access to 0x100 is out of bounds", "[8 threads]", "ERROR SUMMARY: 1 error, 0 warnings"):
            self.assertIn(text, done.stdout)

    def test_uninitialised_and_barrier(self):
        done = self.launch("initialised.cubin", "never_written", n=64)
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertIn("Uninitialized __shared__ memory read of size 4 bytes", done.stdout)
        done = self.launch("barriers.cubin", "odd_lanes_only")
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertIn("Barrier error detected. Divergent thread(s) in warp.", done.stdout)
        self.assertIn("at odd_lanes_only+0xd0 in barriers.cu:8", done.stdout)

    def test_what_was_found_before_a_run_was_stopped_is_not_all(self):
        done = self.launch("races.cubin", "lanes_write_one_word", "--instruction-limit", "12", "--json", self.path("r.json"))
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertIn("Runaway kernel", done.stderr)
        self.assertIn("ERROR SUMMARY: 1 error, 0 warnings; the run stopped before its end, what would have followed was not checked\n", done.stdout)
        with open(self.path("r.json")) as file:
            self.assertFalse(json.load(file)["checks_complete"])

    def test_csv_keeps_standard_output_for_rows(self):
        done = self.launch("races.cubin", "write_after_write", "--csv")
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertNotIn("hazard", done.stdout)
        self.assertIn("hazard", done.stderr)

    def test_workload(self):
        for workload, n in (("gemm", "128"), ("search", "5000"), ("merge", "9000"), ("sort", "20000")):
            result = json.loads(self.succeeds("run", workload, "--n", n, "--check", "--device", "functional", "--json", "-"))
            self.assertEqual(result["checks"], [])
            self.assertTrue(result["verified"])

    def test_off_by_default(self):
        result = json.loads(self.succeeds("run", "gemm", "--n", "64", "--device", "functional", "--json", "-"))
        self.assertNotIn("checks", result)

    def test_refused_where_it_would_do_nothing(self):
        self.fails(BAD_INPUT, "run", "gemm", "--n", "64", "--check", "--device", "cuda", says=["--check"])
        self.fails(BAD_INPUT, "launch", "--check", "--conflicts", "--cubin", checked("races.cubin"), "--kernel", "clean_barrier", says=["--check"])


if __name__ == "__main__":
    unittest.main()
