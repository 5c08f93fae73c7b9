"""sassafras exec: whole CUDA programs, built by nvcc, against what they print on an H200 (tests/programs)."""
import json
import os
import re
import resource
import shutil
import subprocess

from exec_program import BUILT, SOURCES, ExecTest, why_not
from program import BAD_INPUT, OK, PROGRAM, run_tests

#: Compared number by number below, not text by text.
TIMES = "clocks"


def runs():
    """(program, argument or None, file with what it prints)"""
    for name in sorted(os.listdir(SOURCES)):
        if not name.endswith(".cu"):
            continue
        name = name[:-3]
        with open(os.path.join(SOURCES, name + ".cu"), encoding="utf-8") as file:
            first = file.readline()
        arguments = re.match(r"// runs: (.*)", first)
        for argument in arguments.group(1).split() if arguments else [None]:
            yield name, argument, f"{name}.{argument}.txt" if argument else f"{name}.txt"


def expected(file):
    with open(os.path.join(SOURCES, "expected", file), encoding="utf-8") as text:
        return re.sub(r"status \d+\n$", "", text.read())


class Programs(ExecTest):
    def test_every_program_prints_what_it_prints_on_an_h200(self):
        for name, argument, file in runs():
            if name == TIMES:
                continue
            with self.subTest(program=name, argument=argument):
                done = self.exec(name, *([argument] if argument else []))
                self.assertTrue(done.stdout.startswith(expected(file)), f"{done.stdout[:2000]}\n{done.stderr}")

    def test_clocks_are_within_a_tenth_of_the_h200s(self):
        done = self.exec(TIMES)
        self.assertEqual(done.returncode, OK, done.stderr)
        hardware = re.findall(r"^(.*): ([\d.]+) (cycles|ns)$", expected(f"{TIMES}.txt"), re.MULTILINE)
        self.assertEqual(len(hardware), 11)
        for what, value, unit in hardware:
            with self.subTest(what=what):
                found = re.search(rf"^{re.escape(what)}: ([\d.]+) {unit}$", done.stdout, re.MULTILINE)
                self.assertIsNotNone(found, done.stdout)
                self.assertLessEqual(abs(float(found.group(1)) / float(value) - 1), 0.10)

    def test_clocks_give_back_what_the_platform_says(self):
        """Another platform: the numbers that were changed are the numbers that the program measures."""
        platform = self.write("slow.json", json.dumps({
            "name": "slow", "base": "h200",
            "lsu": {"shared_load_latency_cycles": {"value": 40, "provenance": "assumed", "source": "test"}},
            "l2": {"hit_latency_cycles": {"value": 356, "provenance": "assumed", "source": "test"}},
            "pipes": {"xu": {"latency_cycles": {"value": 60, "provenance": "assumed", "source": "test"}}}}).encode())
        base = self.exec(TIMES).stdout
        slow = self.exec(TIMES, options=("--platform", platform)).stdout

        def cycles(text, what):
            return float(re.search(rf"^{what}: ([\d.]+) cycles$", text, re.MULTILINE).group(1))
        self.assertAlmostEqual(cycles(slow, "shared memory"), 40, delta=3)
        self.assertAlmostEqual(cycles(slow, "L2") - cycles(base, "L2"), 100, delta=5)
        self.assertGreater(cycles(slow, "MUFU.RSQ"), cycles(base, "MUFU.RSQ") + 20)
        self.assertEqual(cycles(slow, "FFMA"), cycles(base, "FFMA"))

    def test_the_work_queue_spreads_over_the_blocks(self):
        done = self.exec("between_blocks")
        least, median, most = map(int, re.search(r"least (\d+), median (\d+), most (\d+)", done.stderr).groups())
        self.assertGreaterEqual(least, 8)  # an H200: 13, 16, 18
        self.assertIn(median, range(13, 19))
        self.assertLessEqual(most, 24)

    def test_eight_gigabytes_hardly_touched_take_little_memory(self):
        done = self.exec("sparse_memory")
        self.assertEqual(done.returncode, OK, done.stderr)
        # The largest of all processes that this test has waited for: kibibytes.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 1 << 20)


class Library(ExecTest):
    def test_it_has_every_name_of_the_toolkits_library(self):
        nvcc = shutil.which("nvcc")
        library = nvcc and os.path.join(os.path.dirname(os.path.realpath(nvcc)), "..", "lib64", "libcudart.so.13")
        if not library or not os.path.exists(library):
            self.skipTest("there is no toolkit whose nvcc is on the PATH")

        def names(path):
            listed = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", path], capture_output=True, text=True, check=True)
            return {line.split()[2] for line in listed.stdout.splitlines()}
        ours = names(os.path.join(os.path.dirname(PROGRAM), "..", "cudart", "libcudart.so.13"))
        self.assertEqual(names(library) - ours, set())
        # Beside them, what the header-only NVTX looks for in a library that it is told of.
        self.assertEqual({name for name in ours if not name.startswith(("cuda", "__cuda", "libcudart"))}, {"InitializeInjectionNvtx2@@libcudart.so.13"})


class Reports(ExecTest):
    def test_sums_over_instructions_are_the_launchs_totals(self):
        done, report = self.report_of("cub_algorithms", options=("--page", "source"))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertGreater(len(report["kernels"]), 40)
        for kernel in report["kernels"]:
            metrics, rows = kernel["metrics"], kernel["source"]
            for column, metric in (("inst_executed", "smsp__inst_executed.sum"),
                                   ("thread_inst_executed", "smsp__thread_inst_executed.sum"),
                                   ("shared_wavefronts", "memory_l1_wavefronts_shared")):
                self.assertEqual(sum(row[column] for row in rows), metrics[metric], kernel["name"])
            self.assertGreater(metrics["sm__cycles_elapsed.max"], 0)
            self.assertGreater(metrics["gpu__time_duration.sum"], 0)

    def test_two_runs_and_two_threads_give_the_same_report(self):
        for program in ("thrust_algorithms", "memory"):  # the latter registers memory that its own allocator gave it
            reports = []
            for options in ((), (), ("--threads", "2")):
                _, report = self.report_of(program, options=options)
                del report["total"]["wall_seconds"], report["total"]["warp_instructions_per_second"]
                reports.append(report)
            self.assertEqual(reports[0], reports[1])
            self.assertEqual(reports[0], reports[2])

    def test_functional_counts_what_simulated_counts(self):
        _, timed = self.report_of("calls")
        _, counted = self.report_of("calls", options=("--device", "functional"))
        for one, other in zip(timed["kernels"], counted["kernels"], strict=True):
            self.assertEqual(one["name"], other["name"])
            for metric, value in other["metrics"].items():
                self.assertEqual(one["metrics"][metric], value)
            self.assertNotIn("sm__cycles_elapsed.max", other["metrics"])

    def test_pages(self):
        self.assertRegex(self.exec("ends").stdout, r"Cycles +Time ns +Warp Inst")
        self.assertIn("GPU Speed Of Light", self.exec("ends", options=("--page", "details")).stdout)
        chosen = self.exec("ends", options=("--section", "Occupancy")).stdout  # which is on the details page
        self.assertEqual(set(re.findall("Section: (.*)", chosen)), {"Occupancy"})
        self.assertRegex(chosen, r"Theoretical Occupancy +% ")
        self.assertIn('"Occupancy","Block Limit SM"', self.exec("ends", options=("--section", "Occupancy", "--csv")).stdout)
        self.assertIn("STG", self.exec("ends", options=("--page", "source")).stdout)
        self.assertIn('"sm__cycles_elapsed.max"', self.exec("ends", options=("--csv",)).stdout)


class Traces(ExecTest):
    def test_a_captured_program_replays_to_the_same_counts(self):
        folder = self.path("traced")
        done = self.run_program("trace", "capture", "-o", folder, "--", os.path.join(BUILT, "launches"))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertTrue(done.stdout.startswith(expected("launches.txt")))
        file = self.path("replayed.json")
        self.succeeds("trace", "replay", folder, "--json", file)
        with open(file, encoding="utf-8") as text:
            replayed = json.load(text)["kernels"]
        _, run = self.report_of("launches", options=("--cache-control", "all"))
        self.assertEqual(len(replayed), 4)
        for one, other in zip(run["kernels"], replayed, strict=True):
            for metric in ("smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"):
                self.assertEqual(one["metrics"][metric], other["metrics"][metric])

    def test_of_a_program_it_is_said_how_it_ended(self):
        for how, says in (("status", "the program ended with status 7"), ("crash", "the program was ended by signal 11")):
            with self.subTest(how=how):
                folder = self.path(how)
                for done in (self.run_program("trace", "capture", "-o", folder, "--", os.path.join(BUILT, "ends"), how),
                             self.run_program("trace", "info", folder, "--json", self.path("info.json"))):
                    self.assertIn(f"\n{says}\n", done.stdout)
                    self.assertNotIn("result", done.stdout)
                with open(self.path("info.json"), encoding="utf-8") as text:
                    self.assertIsNone(json.load(text)["verified"])  # nobody looked

    def test_capture_takes_a_workload_or_a_program(self):
        self.fails(BAD_INPUT, "trace", "capture", "-o", self.path("a"), says=("neither a workload nor a program",))
        self.fails(BAD_INPUT, "trace", "capture", "merge", "-o", self.path("a"), "--", "true", says=("both",))


class Usage(ExecTest):
    def test_usage(self):
        self.fails(BAD_INPUT, "exec", says=("no program is given",))
        self.fails(BAD_INPUT, "run", "merge", "--n", "100", "--", "true", says=("runs no program",))
        self.fails(BAD_INPUT, "exec", "--", "/no/such/program", says=("cannot start the program",))
        self.fails(BAD_INPUT, "exec", "--json", "-", "--", "true", says=("--json -",))
        self.fails(BAD_INPUT, "exec", "--device", "functional", "--cache-control", "all", "--", "true", says=("--cache-control",))
        self.fails(BAD_INPUT, "exec", "--", "true", says=("does not use libcudart.so.13",))


if __name__ == "__main__":
    run_tests(why_not)
