"""sassafras diagnose exec: every launch of a CUDA program, by kernel."""
import json
import subprocess

from exec_program import BuiltTest, why_not
from program import BAD_INPUT, PROGRAM, run_tests

OWN_STATUS = 7


class Diagnosed(BuiltTest):
    NAME, SOURCE = "transposes", br"""
#include <cstdio>
template <int padding> __global__ void transpose(const float* from, float* to) {
    __shared__ float tile[32][32 + padding];
    tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
        const float value = tile[threadIdx.x][threadIdx.y];
        __syncthreads();
        tile[threadIdx.x][threadIdx.y] = value + 1;
        __syncthreads();
    }
    to[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
__global__ void nothing() {}
int main() {
    float *from, *to, result;
    cudaMalloc(&from, 4096);
    cudaMalloc(&to, 4096);
    cudaMemset(from, 0, 4096);
    for (int i = 0; i < 3; ++i) transpose<0><<<12, dim3(32, 32)>>>(from, to);
    nothing<<<1, 32>>>();
    transpose<1><<<12, dim3(32, 32)>>>(from, to);
    cudaMemcpy(&result, to, 4, cudaMemcpyDeviceToHost);
    std::printf("%g\n", result);
    return 7;
}
"""

    def diagnosed(self, *options):
        file = self.path("diagnosis.json")
        few_sms = self.write("few_sms.json", json.dumps({"name": "few_sms", "base": "h200", "gpu": {"sm_count": 4}}).encode())
        done = self.run_program("diagnose", "--platform", few_sms, *options, "--json", file, "exec", "--", self.built())
        self.assertEqual((done.returncode, done.stderr), (OWN_STATUS, ""))
        with open(file, encoding="utf-8") as text:
            return done.stdout, {kernel["demangled"].split("(")[0]: kernel for kernel in json.load(text)["kernels"]}

    def test_launches_are_grouped_by_kernel_and_each_is_timed_again(self):
        printed, kernels = self.diagnosed()
        self.assertTrue(printed.startswith("64\n"))  # the program's own
        launches = {name: kernel["launches"] for name, kernel in kernels.items()}
        self.assertEqual(launches, {"void transpose<0>": 3, "nothing": 1, "void transpose<1>": 1})
        unpadded, padded = kernels["void transpose<0>"], kernels["void transpose<1>"]
        self.assertEqual(unpadded["verdict"]["bound"], "shared memory")
        remedy = next(remedy for remedy in unpadded["remedies"] if remedy.get("what_if") == "no-bank-conflicts")
        # What the same kernel takes that is padded.
        gained = unpadded["counters"]["time"] / 3 / padded["counters"]["time"]
        self.assertGreater(gained, 2)
        self.assertAlmostEqual(remedy["speed_up"], gained, delta=0.1 * gained)
        self.assertIn(f"what if: {remedy['speed_up']:.2f} times as fast", printed)
        hottest = unpadded["hottest"]["instructions"][0]
        self.assertRegex(hottest["line"], r"transposes\.cu:8$")
        self.assertEqual(hottest["cost"], 32 * hottest["needed"])

    def test_without_what_if_the_same_is_counted(self):
        _, asked = self.diagnosed()
        _, plain = self.diagnosed("--no-what-if")
        for name, kernel in plain.items():
            self.assertEqual(kernel["counters"], asked[name]["counters"])
            self.assertFalse(any("speed_up" in remedy for remedy in kernel["remedies"]))

    def test_standard_output_is_the_programs(self):
        done = subprocess.run([PROGRAM, "diagnose", "--json", "-", "exec", "--", self.built()], capture_output=True, text=True)
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("the program prints to standard output", done.stderr)


if __name__ == "__main__":
    run_tests(why_not)
