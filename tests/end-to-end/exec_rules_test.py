"""Rules of CUDA programs: the first one names the habit that makes a kernel slow."""
import json

from exec_program import BuiltTest, why_not
from program import run_tests

SMALL = ("--set", "gpu.sm_count=2")


class OfPrograms(BuiltTest):
    NAME, SOURCE = "planted", br"""
__global__ void transpose(const float* from, float* to, int rounds) {
    __shared__ float tile[32][32];
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32;
    for (int round = 0; round < rounds; ++round) {
        tile[row][lane] = from[threadIdx.x] + round;
        __syncthreads();
        to[threadIdx.x] = tile[lane][row];
        __syncthreads();
    }
}
__global__ void count(unsigned* counters, int rounds, int apart) {
    for (int round = 0; round < rounds; ++round) atomicAdd(counters + threadIdx.x * apart, threadIdx.x + round);
}
int main() {
    float* memory;
    cudaMalloc(&memory, 1 << 20);
    transpose<<<2, 1024>>>(memory, memory + 4096, 20);
    count<<<2, 1024>>>(reinterpret_cast<unsigned*>(memory), 20, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""

    def test_the_first_rule_names_what_was_planted(self):
        report = self.path("report.json")
        self.exec(self.built(), options=(*SMALL, "--apply-rules", "yes", "--json", report))
        with open(report) as file:
            transpose, count = json.load(file)["kernels"]
        self.assertEqual(transpose["rules"][0]["what_if"], "no-bank-conflicts")
        self.assertEqual(count["rules"][0]["what_if"], "no-atomic-contention")
        self.assertGreater(count["rules"][0]["estimated_speedup_percent"], 50)


if __name__ == "__main__":
    run_tests(why_not)
