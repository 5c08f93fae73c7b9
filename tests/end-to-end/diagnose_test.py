"""`diagnose` from the command line: a workload and a file of its counters agree, roofs decide, faults are named."""
import json
import unittest

from program import BAD_INPUT, ProgramTest


class Diagnose(ProgramTest):
    def result(self, *arguments):
        return json.loads(self.succeeds("diagnose", *arguments, "--json", "-"))

    def test_a_run_and_its_counters_in_a_file_agree(self):
        arguments = ("sort", "--n", "30000", "--platform", "gtx960")
        live = self.result(*arguments)
        counters = self.path("counters.json")
        self.succeeds("run", *arguments, "--json", counters)
        read = self.result("--from-counters", counters, "--platform", "gtx960")
        self.assertGreater(len(live["kernels"]), 1)
        for a, b in zip(live["kernels"], read["kernels"], strict=True):
            for remedy in a["remedies"]:
                self.assertEqual("speed_up" in remedy, "what_if" in remedy)  # a file cannot be timed again
                remedy.pop("speed_up", None)
            for key in ("name", "launches", "verdict", "literal_verdict", "remedies"):
                self.assertEqual(a[key], b[key])
            shared = set(a["metrics"]) & set(b["metrics"])
            self.assertGreater(len(shared), 15)
            for name in shared:
                # A file has rates of launches, not their parts: those of several launches are weighted by time.
                rounding = 1e-9 if a["launches"] == 1 or "rate" not in name and "occupancy" not in name \
                    and "flight" not in name else 0.02
                self.assertAlmostEqual(a["metrics"][name], b["metrics"][name], delta=rounding * abs(a["metrics"][name]))

    def test_the_peaks_are_the_platforms(self):
        machine = self.result("gemm", "--n", "64", "--platform", "c2050")["machine"]
        self.assertAlmostEqual(machine["warp_instructions_per_second"], 14 * 1.15e9)  # 515 G instructions of threads
        self.assertAlmostEqual(machine["dram_bytes_per_second"], 115.2e9)             # 144 GB/s, less ECC
        self.assertAlmostEqual(machine["ideal_ratio"], 4.47, places=2)

    def test_streams_are_bound_by_dram(self):
        kernel, = self.result("stencil", "--n", "512", "--ny", "256", "--nz", "32", "--platform", "gtx960",
                              "--no-what-if")["kernels"]
        self.assertEqual(kernel["verdict"]["bound"], "memory")
        self.assertGreater(kernel["metrics"]["requested of moved bytes, loads"], 90)

    def test_names_and_values(self):
        file = self.write("c.csv", b"gputime,3106\ninst_issued,31531936\nfb_subp0_read_sectors,8502675\n"
                                   b"fb_subp1_read_sectors,0\nfb_subp0_write_sectors,0\nfb_subp1_write_sectors,0\n")
        table = self.succeeds("diagnose", "--from-counters", file, "--platform", "c2050")
        self.assertIn("3.71 instructions a byte of DRAM below the machine's 4.47, and 76 % of the peak of DRAM", table)
        self.assertIn("Bound by memory: DRAM at 76 % of its peak", table)

    def test_xeon_phi(self):
        file = self.write("phi.csv", b"CPU_CLK_UNHALTED,100\nINSTRUCTIONS_EXECUTED,10\nVPU_ELEMENTS_ACTIVE,30\n"
                                     b"VPU_INSTRUCTIONS_EXECUTED,10\n")
        figures = {row["name"]: row for row in self.result("--from-counters", file)["xeon_phi"]}
        self.assertEqual(figures["CPI of a thread"]["value"], 10)
        self.assertTrue(figures["CPI of a thread"]["flagged"])
        self.assertTrue(figures["vectorisation intensity"]["flagged"])
        self.assertIsNone(figures["L1 hit rate"]["value"])

    def test_what_ifs_are_those_of_the_remedies_or_all_or_none(self):
        arguments = ("sort", "--n", "20000", "--variant", "mgpu")
        asked = self.result(*arguments)["kernels"]
        every = self.result(*arguments, "--all-what-ifs")["kernels"]
        none = self.result(*arguments, "--no-what-if")["kernels"]
        for some, all_of, plain in zip(asked, every, none, strict=True):
            of_remedies = {remedy["what_if"] for remedy in some["remedies"] if "what_if" in remedy}
            self.assertEqual({row["what_if"] for row in some["what_ifs"]}, of_remedies)
            self.assertEqual(len({row["what_if"] for row in all_of["what_ifs"]}), 8)
            self.assertEqual(plain.get("what_ifs", []), [])
            self.assertFalse(any("speed_up" in remedy for remedy in plain["remedies"]))
            known = {row["what_if"]: row for row in all_of["what_ifs"]}
            for row in some["what_ifs"]:
                self.assertEqual(row, known[row["what_if"]])
                # Without a cost: not slower, but for the order of a few accesses.
                self.assertGreater(row["speed_up"], 0.97)
            self.assertEqual(some["counters"], plain["counters"])  # recording changes nothing
        table = self.succeeds("diagnose", *arguments)
        self.assertRegex(table, r"what if: \d+\.\d\d times as fast")

    def test_faults(self):
        self.fails(BAD_INPUT, "diagnose", "exec", says="no program is given")
        self.fails(BAD_INPUT, "diagnose", "gemm", "--", "./program", says="both a workload and a program")
        self.fails(BAD_INPUT, "diagnose", "exec", "--n", "5", "--", "./program", says="a program is run")
        self.fails(BAD_INPUT, "run", "gemm", "--n", "64", "--what-if", "no-spills", "--device", "functional",
                   says="would have no effect")
        self.fails(BAD_INPUT, "diagnose", says="there is nothing to diagnose")
        self.fails(BAD_INPUT, "diagnose", "--from-counters", self.path("none.csv"), says="none.csv")
        self.fails(BAD_INPUT, "diagnose", "--from-counters", self.write("x.csv", b"a,1\n"),
                   says="no name of a counter is known")
        self.fails(BAD_INPUT, "diagnose", "--from-counters", "/dev/zero", says="longer than")
        self.fails(BAD_INPUT, "diagnose", "gemm", "--from-counters", self.write("y.csv", b"inst_issued,1\n"),
                   says="exclude each other")
        self.fails(BAD_INPUT, "diagnose", "--from-counters", self.path("y.csv"), "--seed", "2",
                   says="would have no effect")


if __name__ == "__main__":
    unittest.main()
