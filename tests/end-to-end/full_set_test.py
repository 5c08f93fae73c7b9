"""--set full: all of Nsight Compute's other metrics and sections where time is modelled, what execution says where it is not, and nothing of it unless it is asked for.
How near its values are to an H200's is scripts/compare-full's to say."""
import csv
import io
import json
import re
import unittest

from program import BAD_INPUT, ProgramTest

GEMM = ["run", "gemm", "--n", "128"]


class FullSet(ProgramTest):
    def metrics(self, *options):
        return json.loads(self.succeeds(*GEMM, "--json", "-", *options))["kernels"][0]["metrics"]

    def test_adds_metrics_and_changes_none(self):
        basic, full = self.metrics(), self.metrics("--set", "full")
        self.assertEqual(basic, self.metrics("--set", "full", "--set", "basic"))
        self.assertEqual(basic, {name: value for name, value in full.items() if name in basic})
        self.assertEqual(len(full) - len(basic), 173)

    def test_values_agree_with_each_other(self):
        metrics = self.metrics("--set", "full")
        self.assertEqual(metrics["launch__thread_count"], metrics["launch__grid_size"] * metrics["launch__block_size"])
        self.assertEqual(metrics["inst_executed"], metrics["smsp__inst_executed.sum"])
        self.assertAlmostEqual(100, metrics["smsp__issue_active.avg.pct_of_peak_sustained_active"] + metrics["smsp__issue_inst0.avg.pct_of_peak_sustained_active"])
        self.assertEqual(metrics["sass__inst_executed_shared_loads"], metrics["smsp__inst_executed_op_shared_ld.sum"])
        for name, value in metrics.items():
            if "pct" in name:
                self.assertTrue(0 <= value <= 100, name)
        busiest = max(value for name, value in metrics.items() if name.startswith("sm__inst_executed_pipe_") and name.endswith("elapsed"))
        self.assertGreaterEqual(metrics["sm__throughput.avg.pct_of_peak_sustained_elapsed"] + 1e-9, min(busiest, metrics["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed"]))

    def test_what_comes_to_l2_is_told_by_kind(self):
        metrics = self.metrics("--set", "full")
        of_kinds = [metrics[f"lts__t_sectors_srcunit_tex_op_{kind}.sum"] for kind in ("read", "write", "red", "atom")]
        self.assertEqual(metrics["lts__t_sectors_srcunit_tex.sum"], sum(of_kinds))
        self.assertLessEqual(of_kinds[0], metrics["lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"] + metrics["lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum"])
        self.assertLessEqual(of_kinds[1], metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"])  # stores of one sector leave an SM together
        self.assertGreaterEqual(of_kinds[1], 128 * 128 * 4 / 32)
        self.assertEqual(32 * of_kinds[1], metrics["l1tex__m_l1tex2xbar_write_bytes.sum"])

    def test_throughput_of_memory_is_the_greatest_of_its_shares(self):
        of_peak = ".avg.pct_of_peak_sustained_elapsed"
        metrics = self.metrics("--set", "full")
        parts = [metrics["l1tex__data_pipe_lsu_wavefronts" + of_peak], metrics["l1tex__lsuin_requests" + of_peak]]
        self.assertGreaterEqual(metrics["l1tex__throughput" + of_peak], max(parts))
        self.assertGreaterEqual(metrics["l1tex__throughput.avg.pct_of_peak_sustained_active"], metrics["l1tex__throughput" + of_peak])
        parts = [metrics["l1tex__throughput" + of_peak], metrics["gpu__dram_throughput" + of_peak]]
        self.assertGreaterEqual(metrics["gpu__compute_memory_throughput" + of_peak], max(parts))

    def test_passes_through_l1_are_lines_where_lanes_lie_side_by_side(self):
        copy = json.loads(self.succeeds("run", "micro", "--variant", "global-copy", "--n", "64", "--set", "full", "--json", "-"))["kernels"][0]["metrics"]
        passes = copy["l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"] / 100 * copy["l1tex__cycles_elapsed.sum"]
        shared = copy["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"]
        self.assertAlmostEqual(passes, shared + copy["memory_l1_tag_requests_global"], delta=1)

    def test_half_precision_multiply_adds_are_counted_with_matrix_instructions(self):
        metrics = self.metrics("--variant", "tiled", "--set", "full")  # has HFMA2.MMA for its zeros and nothing else of either
        self.assertGreater(metrics["sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"], 0)
        self.assertEqual(metrics["sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"], 0)

    def test_a_thread_has_sixteen_registers_at_least(self):
        barriers = json.loads(self.succeeds("run", "micro", "--variant", "barriers", "--n", "4", "--set", "full", "--json", "-"))["kernels"][0]
        self.assertLess(barriers["registers_per_thread"], 16)
        self.assertEqual(barriers["metrics"]["launch__registers_per_thread"], 16)

    def test_a_subcore_is_active_while_it_has_a_warp(self):
        chase = json.loads(self.succeeds("run", "micro", "--variant", "chase", "--n", "64", "--set", "full", "--json", "-"))["kernels"][0]["metrics"]
        self.assertEqual(chase["launch__thread_count"], 32)
        self.assertEqual(chase["smsp__cycles_active.sum"], chase["l1tex__cycles_active.sum"])  # one warp: one sub-core of one SM
        gemm = self.metrics("--set", "full")
        self.assertLess(3.9 * gemm["l1tex__cycles_active.sum"], gemm["smsp__cycles_active.sum"])
        self.assertLessEqual(gemm["smsp__cycles_active.sum"], 4 * gemm["l1tex__cycles_active.sum"])

    def test_without_time_it_has_what_execution_says(self):
        metrics = self.metrics("--set", "full", "--device", "functional")
        self.assertEqual(metrics["launch__occupancy_limit_registers"], self.metrics("--set", "full")["launch__occupancy_limit_registers"])
        self.assertIn("sass__inst_executed_global_loads", metrics)
        self.assertNotIn("sm__throughput.avg.pct_of_peak_sustained_elapsed", metrics)
        self.assertNotIn("smsp__inst_issued.avg", metrics)

    def test_beside_a_number_of_the_platform(self):
        metrics = self.metrics("--set", "gpu.sm_count=66", "--set", "full")
        self.assertEqual(metrics["launch__sm_count"], 66)

    def test_the_breakdown_has_what_its_throughput_is(self):
        metrics = self.metrics("--set", "full")
        page = self.succeeds(*GEMM, "--set", "full", "--section", "SpeedOfLight")
        for title, name in (("Compute (SM)", "sm__throughput"), ("Memory", "gpu__compute_memory_throughput")):
            rows = page[page.index(f"    {title} Throughput Breakdown\n"):].splitlines()[4:]
            shares = [float(row.split()[-1]) for row in rows[:next(i for i, row in enumerate(rows) if row.startswith("    ---"))]]
            self.assertGreater(len(shares), 8)
            self.assertEqual(shares, sorted(shares, reverse=True))
            self.assertAlmostEqual(shares[0], metrics[name + ".avg.pct_of_peak_sustained_elapsed"], delta=0.005)
        self.assertNotIn("Breakdown", self.succeeds(*GEMM, "--set", "detailed"))

    def test_memory_is_told_by_space_and_access(self):
        page = self.succeeds(*GEMM, "--set", "detailed", "--section", "MemoryWorkloadAnalysis")
        metrics = self.metrics("--set", "full")
        cells = {tuple(row.split()[:2]): row.split()[2:] for row in page.splitlines() if row.startswith(("    Global ", "    Local ", "    Shared ")) and "Wavefronts" not in row}
        self.assertEqual(set(cells) >= {("Global", "Loads"), ("Global", "Stores"), ("Global", "Atomics"), ("Global", "Reductions"), ("Local", "Loads"), ("Shared", "Atomics")}, True)
        number = lambda text: float(text.replace(",", ""))
        self.assertEqual(number(cells["Global", "Loads"][1]), metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"])
        self.assertEqual(number(cells["Global", "Stores"][3]), metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"])
        self.assertEqual(number(cells["Shared", "Loads"][2]), metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"])
        self.assertEqual(cells["Shared", "Loads"][3], "-")  # no sectors there
        self.assertEqual(page.count("Section: "), 1)

    def test_what_is_always_there_is_the_basic_set(self):
        for options in ((), ("--page", "details", "--no-what-if"), ("--set", "basic")):
            page = self.succeeds(*GEMM, *options)
            for label in ("Compute \\(SM\\) Throughput", "Memory Throughput", "L1/TEX Cache Throughput", "DRAM Throughput"):
                self.assertRegex(page, rf"    {label} +% +[\d.]+\n")
            for label in ("Block Limit Registers", "Theoretical Active Warps per SM", "Waves Per SM", "Registers Per Thread", "SM Frequency +Ghz"):
                self.assertRegex(page, rf"    {label} +")
            self.assertNotIn("Scheduler Statistics", page)
            self.assertNotIn("Memory Tables", page)
        file = self.path("basic.json")
        self.succeeds(*GEMM, "--page", "details", "--no-what-if", "--json", file)  # the page has more, the JSON not
        with open(file) as written:
            self.assertEqual(json.load(written)["kernels"][0]["metrics"], self.metrics())

    def test_sections_are_chosen_by_their_names(self):
        page = self.succeeds(*GEMM, "--section", "Occupancy", "--section", "SchedulerStats", "--no-what-if", "--page", "details")
        self.assertEqual(re.findall("Section: (.*)", page), ["Scheduler Statistics", "Occupancy"])
        self.assertEqual(re.findall("Section: (.*)", self.succeeds(*GEMM, "--section", "regex:Mem.*Analysis|^GPU S")), ["GPU Speed Of Light Throughput", "Memory Workload Analysis"])
        self.assertEqual(re.findall("Section: (.*)", self.succeeds(*GEMM, "--section", "Launch Statistics")), ["Launch Statistics"])
        self.fails(BAD_INPUT, *GEMM, "--section", "SpeedOfLite", says=["no section \"SpeedOfLite\"", "nearest are SpeedOfLight"])
        self.fails(BAD_INPUT, *GEMM, "--section", "regex:(", says=["--section"])
        self.fails(BAD_INPUT, *GEMM, "--section", "Occupancy", "--page", "raw", says=["details page"])
        self.fails(BAD_INPUT, *GEMM, "--section", "Occupancy", "--json", "-", says=["no sections"])
        self.fails(BAD_INPUT, *GEMM, "--section", "Occupancy", "--metrics", "dram__bytes_read.sum", says=["--metrics"])

    def test_the_clock_is_the_platforms(self):
        self.assertEqual(self.metrics("--clock-control", "none"), self.metrics("--clock-control", "base"))
        self.fails(BAD_INPUT, *GEMM, "--clock-control", "boost", says=["base", "none"])

    def test_registers_are_said_once_and_alike(self):
        barriers = ("run", "micro", "--variant", "barriers", "--n", "4")
        for options in ((), ("--set", "full")):
            names, units, values = csv.reader(io.StringIO(self.succeeds(*barriers, *options, "--csv", "--page", "raw")))
            self.assertEqual(len(names), len(set(names)))
            place = names.index("launch__registers_per_thread")
            self.assertEqual((units[place], values[place]), ("register/thread", "16"))
            self.assertEqual(units[names.index("launch__shared_mem_per_block_static")], "byte/block")
            self.assertRegex(self.succeeds(*barriers, *options), r"Registers Per Thread +register/thread +16\n")

    def test_half_precision_has_a_pipe_of_its_own(self):
        self.assertRegex(self.succeeds(*GEMM, "--set", "full"), r"    FMA \(FP16\) +% +0\n")

    def test_details_have_the_sections(self):
        page = self.succeeds(*GEMM, "--set", "full")
        for section in ("Scheduler Statistics", "Instruction Statistics", "GPU and Memory Workload Distribution", "Source Counters"):
            self.assertIn(f"Section: {section}", page)
        self.assertEqual(page.count("Section: Launch Statistics"), 1)
        self.assertRegex(page, r"Block Limit Registers +block +3\n")

    def test_only_where_there_are_pages(self):
        self.fails(BAD_INPUT, "conflicts", "sort", "--n", "4096", "--set", "full", says=["GROUP.PARAMETER=VALUE"])


if __name__ == "__main__":
    unittest.main()
