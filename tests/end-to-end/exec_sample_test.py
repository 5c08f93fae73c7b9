"""sassafras exec --sample: of many launches that are alike a few are timed, the program's results stay what they are."""
from exec_program import BuiltTest, why_not
from program import BAD_INPUT, OK, run_tests

CYCLES = "sm__cycles_elapsed.max"


class Sampled(BuiltTest):
    NAME, SOURCE = "steps", br"""
#include <cstdio>
#include <vector>
__global__ void step(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = 0.25f * from[i == 0 ? n - 1 : i - 1] + 0.5f * from[i] + 0.25f * from[i == n - 1 ? 0 : i + 1];
}
__global__ void sum(const float* of, float* to) {
    float total = 0;
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) total += of[i];
    atomicAdd(to, total);
}
int main() {
    const int n = 4096;
    float *a, *b, *total;
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i % 64);
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&total, sizeof(float));
    cudaMemset(total, 0, sizeof(float));
    cudaMemcpy(a, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    for (int i = 0; i < 500; ++i) {
        step<<<32, 128>>>(a, b, n);
        step<<<32, 128>>>(b, a, n);
    }
    sum<<<1, 256>>>(a, total);
    float result = 0;
    cudaMemcpy(&result, total, sizeof(float), cudaMemcpyDefault);
    std::printf("%.9g\n", result);
}
"""

    def report(self, *options):
        done, report = self.report_of(self.built(), options=options)
        self.assertEqual(done.returncode, OK, done.stderr)
        return done.stdout, report

    def test_launches_that_are_alike_are_executed_only(self):
        text, whole = self.report()
        sampled_text, sampled = self.report("--sample")
        self.assertEqual(sampled_text.splitlines()[0], text.splitlines()[0])
        self.assertEqual(len(sampled["kernels"]), 1001)
        timed = [kernel for kernel in sampled["kernels"] if "sampling" not in kernel]
        self.assertLess(len(timed), 10)
        for exact, estimated in zip(whole["kernels"], sampled["kernels"]):
            for metric in ("smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"):
                self.assertEqual(estimated["metrics"][metric], exact["metrics"][metric])
        held = sum(low <= exact["metrics"][CYCLES] <= high
                   for exact, kernel in zip(whole["kernels"], sampled["kernels"]) if "sampling" in kernel
                   for low, high in [kernel["sampling"]["intervals_95"].get(CYCLES, [kernel["metrics"][CYCLES]] * 2)])
        self.assertGreater(held, 900)
        low, high = sampled["total"]["cycles_95"]
        self.assertLess(low, sampled["total"]["cycles"])
        self.assertLess(sampled["total"]["cycles"], high)
        self.assertLess(abs(sampled["total"]["cycles"] / whole["total"]["cycles"] - 1), 0.02)
        self.assertRegex(sampled_text, r"cycles: [\d,]+ \+- [\d,.]+ with 95 % confidence; launches timed: \d whole, 0 in waves of blocks, of 1,001")

    def test_a_wider_or_narrower_interval_is_reached_by_fewer_or_more_launches(self):
        timed = []
        for narrow in ("10%", "0.001%"):
            _, sampled = self.report("--sample", "--stop-when", narrow)
            timed.append(sum("sampling" not in kernel for kernel in sampled["kernels"]))
        self.assertLessEqual(timed[0], 5)
        self.assertGreaterEqual(timed[1], timed[0])

    def test_options_without_effect_are_refused(self):
        for options, says in ((("--stop-when", "2%"), "all launches are timed"), (("--sample", "--device", "functional"), "only time is sampled"),
                              (("--conflicts", "--sample"), "has a report of its own"),
                              (("--sample", "--stop-when", "0"), "is no share"), (("--sample", "--stop-when", "wide"), "is no share")):
            with self.subTest(options=options):
                self.fails(BAD_INPUT, "exec", *options, "--", self.built(), says=(says,))


if __name__ == "__main__":
    run_tests(why_not)
