"""sassafras exec: which launches are measured, and what of them is reported where. Options as Nsight Compute's."""
import csv
import io
import os

from exec_program import BuiltTest, why_not
from program import run_tests

CYCLES, TIME = "sm__cycles_elapsed.max", "gpu__time_duration.sum"
# Kernels in the order of the program's launches; streams as Nsight Compute numbers them.
LAUNCHES = ["fill", "fill", "scale", "scaleMore", "fill", "scale", "scale", "tick"]
STREAMS = [7, 7, 7, 13, 14, 7, 7, 7]


class Select(BuiltTest):
    NAME, SOURCE = "select", br"""
#include <cstdio>
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>
namespace inner {
template <class T> __global__ void fill(T* data, T value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }
}
extern "C" __global__ void scale(int* data, int rounds) {
    int x = data[threadIdx.x];
    for (int i = 0; i < rounds; ++i) x = x * 5 + 1;
    data[threadIdx.x] = x;
}
__global__ void scaleMore(int* data) { data[threadIdx.x] *= 3; }
__global__ void tick(int* data) { const long long begin = clock64(); while (clock64() - begin < 100) {} data[0] += 1; }
int main(int argc, char** arguments) {
    int* data;
    cudaMalloc(&data, 4096 * sizeof(int));
    if (argc > 1) {
        for (int i = 0; i < std::atoi(arguments[1]); ++i)
            if (i % 2) scale<<<1, 32>>>(data, i); else inner::fill<<<4, 64>>>(data, i);
        std::printf("%d\n", static_cast<int>(cudaDeviceSynchronize()));
        return 0;
    }
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    inner::fill<<<64, 64>>>(data, 1);
    inner::fill<<<32, 64>>>(data, 2);
    nvtxRangePushA("solve");
    scale<<<1, 32>>>(data, 100);
    scaleMore<<<1, 32, 0, first>>>(data);
    nvtxRangePop();
    const nvtxRangeId_t step = nvtxRangeStartA("step");
    inner::fill<<<16, 64, 0, second>>>(data, 3);
    nvtxRangePushA("solve");
    scale<<<1, 32>>>(data, 200);
    nvtxRangePop();
    nvtxRangeEnd(step);
    scale<<<1, 32>>>(data, 300);
    tick<<<1, 1>>>(data);
    int result = 0;
    cudaMemcpy(&result, data, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("\"result\",%d\n", result);
    return 0;
}
"""

    def test_a_selected_launch_that_fails_is_not_said_to_be_missing(self):
        failing = self.build("failing", """
__global__ void good(int* p) { *p = 1; }
__global__ void bad(int* p) { p[1 << 30] = 1; }
int main() {
    int* p;
    cudaMalloc(&p, 4);
    good<<<1, 1>>>(p);
    bad<<<1, 1>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
""", "-arch=sm_90", "-cudart", "shared")
        done = self.exec(failing, options=("-k", "bad"))
        self.assertIn("bad(int*): failed", done.stdout)
        self.assertIn("of 1 launches that ended none is selected, and 1 failed", done.stderr)
        self.assertIn("Available Kernels:\n  1. good\n  2. bad\n", done.stderr)

    def selected(self, *options):
        """The numbers of the launches in the report."""
        done, report = self.report_of(self.built(), options=options)
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = report["launches"]["numbers"]
        self.assertEqual(report["launches"]["all"], len(LAUNCHES))
        self.assertEqual([kernel.get("demangled", kernel["name"]).split("<")[0].split("(")[0].split("::")[-1].split()[-1]
                          for kernel in report["kernels"]], [LAUNCHES[number] for number in numbers])
        return numbers

    def rows(self, *options):
        """Of the CSV that --log-file has."""
        file = self.path("r.csv")
        done = self.exec(self.built(), options=("--csv", "--log-file", file, *options))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(file, encoding="utf-8") as text:
            return done, list(csv.DictReader(text))

    def test_names_select(self):
        for options, numbers in ((("-k", "scale"), [2, 5, 6]), (("-k", "regex:scale"), [2, 3, 5, 6]), (("-k", "fill"), [0, 1, 4]),
                                 (("--kernel-name", "regex:fill<int>", "--kernel-name-base", "demangled"), [0, 1, 4]),
                                 (("-k", "_Z9scaleMorePi", "--kernel-name-base", "mangled"), [3])):
            self.assertEqual(self.selected(*options), numbers, options)

    def test_places_select(self):
        for options, numbers in ((("-s", "2", "-c", "3"), [2, 3, 4]), (("-k", "scale", "-s", "1"), [5, 6]), (("-k", "scale", "-c", "1"), [2]),
                                 (("-k", "scale", "--launch-skip-before-match", "3", "-c", "1"), [5])):
            self.assertEqual(self.selected(*options), numbers, options)

    def test_ids_select(self):
        for text, numbers in (("::scale:2", [5]), ("::regex:scale:1", [2, 3]), ("1:13::", [3]), (":14:fill:", [4]), (":::3", [4, 6]), ("2:::", [])):
            if numbers:
                self.assertEqual(self.selected("--kernel-id", text), numbers, text)

    def test_ranges_select(self):
        for options, numbers in ((("--nvtx", "--nvtx-include", "solve"), [2, 3, 5]), (("--nvtx-include", "step"), [4, 5]), (("--nvtx-include", "solve/,step"), [5]),
                                 (("--nvtx-include", "step", "--nvtx-include", "solve/", "-k", "scale", "-s", "1"), [5])):
            self.assertEqual(self.selected(*options), numbers, options)
        # Without time, too.
        self.assertEqual(self.selected("--device", "functional", "--nvtx-include", "solve"), [2, 3, 5])

    def test_a_launch_is_what_it_is_among_all(self):
        _, whole = self.report_of(self.built(), options=("--cache-control", "all"))
        done, some = self.report_of(self.built(), options=("-k", "scale", "-s", "1", "-c", "1"))
        self.assertEqual(some["kernels"][0]["metrics"][CYCLES], whole["kernels"][5]["metrics"][CYCLES])
        self.assertIn('"result",', done.stdout)
        # Caches as the others leave them: those are timed, and not reported.
        _, warm = self.report_of(self.built())
        _, some = self.report_of(self.built(), options=("-k", "scale", "-s", "1", "-c", "1", "--cache-control", "none"))
        self.assertEqual(len(some["kernels"]), 1)
        self.assertEqual(some["kernels"][0]["metrics"][CYCLES], warm["kernels"][5]["metrics"][CYCLES])
        self.assertLess(warm["kernels"][5]["metrics"][CYCLES], whole["kernels"][5]["metrics"][CYCLES])

    def test_results_are_the_same(self):
        outputs = {self.exec(self.built(), options=options).stdout.splitlines()[0] for options in ((), ("-k", "fill"), ("-c", "0"))}
        self.assertEqual(len(outputs), 1)

    def test_no_launch_selected_is_a_warning(self):
        done = self.exec(self.built(), options=("-k", "scal"))
        self.assertEqual(done.returncode, 0)
        self.assertIn(f"No kernels were profiled: of {len(LAUNCHES)} launches none is selected", done.stderr)
        for name in set(LAUNCHES):
            self.assertRegex(done.stderr, rf"\d\. {name}\n")

    def test_csv_is_clean_and_says_the_stream(self):
        done, rows = self.rows("--page", "raw")
        self.assertRegex(done.stdout, r'^"result",-?\d+\n$')
        self.assertEqual([row["Stream"] for row in rows[1:]], list(map(str, STREAMS)))
        self.assertEqual({(row["Context"], row["CC"]) for row in rows[1:]}, {("1", "9.0")})

    def test_compute_capability_is_the_platforms(self):
        file = self.path("r.csv")
        done = self.run_program("run", "gemm", "--n", "32", "--platform", "a100", "--csv", "--log-file", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(file, encoding="utf-8") as text:
            self.assertEqual({row["CC"] for row in csv.DictReader(text)}, {"8.0"})

    def test_metrics_are_those_alone(self):
        options = ("-k", "tick", "--metrics", f"{CYCLES},regex:^smsp__inst_executed\\.")
        names = [CYCLES, "smsp__inst_executed.sum"]
        _, rows = self.rows(*options, "--page", "details")
        self.assertTrue(set(names) <= {row["Metric Name"] for row in rows})
        self.assertTrue(all(row["Metric Name"] == CYCLES or row["Metric Name"].startswith("smsp__inst_executed.") for row in rows))
        _, rows = self.rows(*options, "--page", "raw")
        self.assertNotIn("launch__registers_per_thread", rows[0])
        self.assertTrue(set(names) <= set(rows[1]))
        _, report = self.report_of(self.built(), options=options)
        self.assertIn(CYCLES, report["kernels"][0]["metrics"])
        self.assertNotIn(TIME, report["kernels"][0]["metrics"])
        text = self.exec(self.built(), options=options).stdout
        self.assertIn("Section: Command line profiler metrics", text)
        self.assertNotIn("GPU Speed Of Light", text)

    def test_a_metric_of_the_full_set_is_computed(self):
        name = "launch__occupancy_limit_registers"
        _, report = self.report_of(self.built(), options=("-c", "1", "--metrics", name))
        self.assertGreater(report["kernels"][0]["metrics"][name], 0)

    def test_what_is_not_known_says_so(self):
        _, rows = self.rows("-c", "1", "--metrics", CYCLES, "--device", "functional", "--page", "details")
        self.assertEqual([(row["Metric Name"], row["Metric Value"]) for row in rows], [(CYCLES, "n/a")])

    def test_a_summary_has_a_row_a_kernel(self):
        file = self.path("log")
        report = self.path("report.json")
        done = self.exec(self.built(), "2000", options=("--print-summary", "per-kernel", "--log-file", file, "-s", "1900", "--json", report))
        self.assertEqual((done.returncode, done.stdout), (0, "0\n"))
        with open(file, encoding="utf-8") as text:
            table = text.read()
        lines = [line.split() for line in table.splitlines()]
        self.assertEqual([line[0] for line in lines if line and line[-1] == "scale"], ["50"])
        self.assertLess(len(lines), 12)

    def test_a_summary_adds_up(self):
        options = ("--print-summary", "per-kernel", "--metrics", f"{CYCLES},smsp__inst_executed.sum")
        _, report = self.report_of(self.built(), options=options)
        _, rows = self.rows(*options)
        self.assertEqual([entry["launches"] for entry in report["summary"]], [3, 3, 1, 1])
        for entry in report["summary"]:
            cycles = [kernel["metrics"][CYCLES] for kernel in report["kernels"] if kernel["name"] == entry["name"]]
            of = entry["metrics"][CYCLES]
            self.assertEqual((of["min"], of["max"], of["sum"]), (min(cycles), max(cycles), sum(cycles)))
            self.assertAlmostEqual(of["mean"], sum(cycles) / len(cycles))
            row = next(row for row in rows if row["Kernel Name"] == entry.get("demangled", entry["name"]) and row["Metric Name"] == CYCLES)
            self.assertEqual((int(row["Invocations"]), float(row["Minimum"]), float(row["Maximum"]), float(row["Sum"])), (len(cycles), min(cycles), max(cycles), sum(cycles)))
        # Sizes that differ between launches are none.
        self.assertEqual([row["Grid Size"] for row in rows if row["Metric Name"] == CYCLES], ["", "(1, 1, 1)", "(1, 1, 1)", "(1, 1, 1)"])

    def test_channels_are_as_files(self):
        done = self.exec(self.built(), options=("--csv", "--log-file", "stderr", "-c", "1", "--page", "raw"))
        self.assertRegex(done.stdout, r'^"result",-?\d+\n$')
        self.assertEqual(len(list(csv.reader(io.StringIO(done.stderr)))), 3)

    def test_workloads_and_traces_select(self):
        options = ("-k", "regex:.", "-s", "1", "-c", "2", "--csv", "--page", "raw")
        ran = self.run_program("run", "sort", "--n", "20000", *options)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        traced = self.path("traced")
        self.assertEqual(self.run_program("trace", "capture", "sort", "--n", "20000", "-o", traced).returncode, 0)
        replayed = self.run_program("trace", "replay", traced, *options)
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        cycles = [[row[CYCLES] for row in csv.DictReader(io.StringIO(done.stdout))][1:] for done in (ran, replayed)]
        self.assertEqual(len(cycles[0]), 2)
        self.assertEqual(cycles[0], cycles[1])

    def test_wrong_words_are_refused(self):
        for options, said in ((("-k", "regex:("), "is no regular expression"), (("--kernel-id", "foo"), "no context:stream:name:invocation"),
                              (("--metrics", "sm__cycles_elapsed.mix"), "sm__cycles_elapsed.max"), (("--metrics", "regex:nothing_of_it"), "no metric matches"),
                              (("--nvtx",), "give --nvtx-include"), (("--nvtx-include", "a/b"), "stacks of ranges"), (("--kernel-name-base", "mangled"), "no kernel is named"),
                              (("-k", "a", "--launches", "0/2", "--cache-control", "all"), "--launches"), (("-k", "a", "--timeline", self.path("t.json")), "--timeline"),
                              (("--page", "source", "--metrics", CYCLES), "--metrics"), (("--log-file", os.path.join(self.path("no"), "x")), "--log-file")):
            done = self.exec(self.built(), options=options)
            self.assertEqual(done.returncode, 2, (options, done.stderr))
            self.assertIn(said, done.stderr, options)


if __name__ == "__main__":
    run_tests(why_not)
