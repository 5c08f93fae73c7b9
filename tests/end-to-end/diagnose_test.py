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
        kernel, = self.result("stencil", "--n", "512", "--ny", "256", "--nz", "32", "--platform", "gtx960")["kernels"]
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

    def test_faults(self):
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
