"""A study whose long runs are timed in parts of their launches: each row is the one of the run that is not split."""
import csv
import io
import json
import re
import unittest

from exec_program import BuiltTest, why_not
from program import BAD_INPUT, ProgramTest


class SplitTest(ProgramTest):
    def rows_of(self, name, *options, command):
        study = self.path(name)
        self.succeeds("sweep", "plan", study, *options, "--", *command)
        self.run_program("sweep", "run", study)
        done = self.run_program("sweep", "collect", study)
        self.assertEqual("time.*" in done.stderr, command[0] == "exec" and "--split-launches" in options, done.stderr)
        return [{name: value for name, value in row.items() if not re.fullmatch(r"time\..*|kernels\.\d+\.(stream|start_ns|end_ns)", name)} for row in csv.DictReader(io.StringIO(done.stdout))]


class Replayed(SplitTest):
    def setUp(self):
        super().setUp()
        self.succeeds("trace", "capture", "sort", "--n", "20000", "-o", self.path("traced"))
        self.command = ["trace", "replay", self.path("traced")]

    def test_the_row_is_that_of_the_whole(self):
        settings = ["--set", "gpu.sm_count=66,132"]
        whole = self.rows_of("whole", *settings, command=self.command)
        self.assertEqual(len(whole), 2)
        self.assertGreater(float(whole[0]["launches"]), 2)
        for parts in ("2", "3", "50"):  # of 50 parts most have nothing to do
            self.assertEqual(self.rows_of(parts, *settings, "--split-launches", parts, command=self.command), whole)

    def test_a_part_has_its_launches(self):
        whole = self.launches()
        parts = [self.launches("--launches", f"{part}/2") for part in range(2)]
        self.assertEqual([part["launches"]["numbers"] for part in parts], [list(range(part, len(whole["kernels"]), 2)) for part in range(2)])
        for part in parts:
            self.assertEqual(part["kernels"], [whole["kernels"][number] for number in part["launches"]["numbers"]])

    def launches(self, *options):
        return json.loads(self.succeeds(*self.command, *options, "--json", "-"))

    def test_until_all_parts_are_there_the_row_is_missing(self):
        study = self.path("study")
        self.succeeds("sweep", "plan", study, "--split-launches", "2", "--", *self.command)
        self.succeeds("sweep", "run", study, "--shard", "0/2")
        self.assertEqual(self.succeeds("sweep", "status", study), "2 runs: 1 done, 0 failed, 1 left\n")
        row = next(csv.DictReader(io.StringIO(self.succeeds("sweep", "collect", study))))
        self.assertEqual((row["status"], "total.cycles" in row), ("missing", False))

    def test_what_cannot_be_split(self):
        def refused(says, *command):
            self.fails(BAD_INPUT, "sweep", "plan", self.path("new"), "--split-launches", "2", "--", *command, says=says)
        refused(["no launches to split"], "run", "sort")
        refused(["--cache-control all"], *self.command, "--cache-control", "none")
        refused(["--cache-control all"], "exec", "--", "./program")
        refused(["--sample"], *self.command, "--sample")
        refused(["--launches"], *self.command, "--launches", "0/2")
        self.fails(BAD_INPUT, *self.command, "--launches", "2/2", says=["2/2", "I/N"])
        self.fails(BAD_INPUT, *self.command, "--launches", "0/2", "--cache-control", "none", says=["--cache-control all"])


@unittest.skipIf(why_not(), "programs cannot be run here")
class Executed(SplitTest, BuiltTest):
    NAME, SOURCE = "steps", br"""
#include <cstdio>
#include <cstdlib>
__global__ void step(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = 0.25f * from[i == 0 ? n - 1 : i - 1] + 0.5f * from[i] + 0.25f * from[i == n - 1 ? 0 : i + 1];
}
// Which block gets which items depends on when each comes for them.
__global__ void queue(int* next, float* of, int n) {
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(next, 1);
        __syncthreads();
        if (item >= n) return;
        for (int i = 0; i < item % 7; ++i) of[(item * 64 + threadIdx.x) % n] *= 1.5f;
        __syncthreads();
    }
}
__global__ void fast_first(const float* of, float* to) {
    const long long begin = clock64();
    to[threadIdx.x] = of[threadIdx.x] + of[threadIdx.x * 32];
    if (clock64() - begin > 1000) to[threadIdx.x] *= 2;
}
__global__ void pause() { __nanosleep(1000); }
int main(int argc, char**) {
    const int n = 4096;
    float *a, *b;
    int* next;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&next, sizeof(int));
    cudaMemset(a, 0x3e, n * sizeof(float));
    for (int i = 0; i < 4; ++i) {
        step<<<32, 128>>>(a, b, n);
        cudaMemset(next, 0, sizeof(int));
        queue<<<8, 64>>>(next, b, n / 8);
        fast_first<<<1, 128>>>(b, a);
        if (argc > 1) pause<<<1, 32>>>();
    }
    float result = 0;
    cudaMemcpy(&result, a, sizeof(float), cudaMemcpyDefault);
    if (argc > 2) return 5;
    std::printf("%.9g\n", result);
}
"""

    def both(self, *arguments, cold=("--cache-control", "all")):
        command = ["exec", *cold, "--", self.built(), *arguments]
        return [self.rows_of(name, *options, command=command)[0] for name, options in (("whole", []), ("parts", ["--split-launches", "3"]))]

    def test_the_row_is_that_of_the_whole(self):
        whole, split = self.both()
        self.assertEqual(whole["launches"], "12")
        self.assertEqual(split, whole)

    def test_sleeps_end_by_the_time_of_the_parts_launches(self):
        """A sleep ends at a tick of the global timer, which counts the time of launches that are timed: only those kernels
        differ, by less than what they sleep."""
        whole, split = self.both("pauses")
        self.assertEqual(split["launches"], whole["launches"])
        self.assertEqual(split["smsp__inst_executed.sum"], whole["smsp__inst_executed.sum"])
        self.assertNotEqual(split["total.cycles"], whole["total.cycles"])
        self.assertLess(abs(float(split["total.cycles"]) - float(whole["total.cycles"])), 4 * 2000 * 1.98)

    def test_a_program_that_fails_is_a_row(self):
        _, split = self.both("pauses", "fail")
        self.assertEqual(split["status"], "failed")


if __name__ == "__main__":
    unittest.main()
