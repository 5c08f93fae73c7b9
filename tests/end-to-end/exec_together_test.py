"""sassafras exec: kernels of several streams go on at the same time where each can have SMs of its own, and alone where not.

On an H200 one to eight kernels of 8 blocks take 50 to 66 us (validate/records/h200/probes/kernels_together.csv)."""
from exec_program import BuiltTest, why_not
from program import run_tests


WAIT = 1.5  # microseconds of a stream that waits for another's event


class Together(BuiltTest):
    NAME, SOURCE = "together", br"""
#include <cstdio>
#include <cstdlib>
__global__ void spin(float* out, int rounds) {
    float x = threadIdx.x;
    for (int i = 0; i < rounds; ++i) x = x * 1.0001f + 0.5f;
    if (x < 0) *out = x;
}
int main(int argc, char** argv) {
    const int streams = std::atoi(argv[1]), blocks = std::atoi(argv[2]);
    float* out;
    cudaStream_t base, others[8];
    cudaEvent_t begin, ends[8], end;
    cudaMalloc(&out, 4);
    cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, base);
    for (int i = 0; i < streams; ++i) {
        cudaStreamCreateWithFlags(&others[i], cudaStreamNonBlocking);
        cudaEventCreate(&ends[i]);
        cudaStreamWaitEvent(others[i], begin);
        spin<<<blocks, 64, 0, others[i]>>>(out, 4000);
        cudaEventRecord(ends[i], others[i]);
        cudaStreamWaitEvent(base, ends[i]);
    }
    cudaEventRecord(end, base);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    std::printf("us %.3f\n", 1000 * milliseconds);
}
"""

    def microseconds(self, streams, blocks):
        for line in self.exec(self.built(), str(streams), str(blocks)).stdout.splitlines():
            if line.startswith("us "):
                return float(line[3:])
        self.fail("it printed no time")

    def test_what_fits_goes_on_together(self):
        alone = self.microseconds(1, 8)
        self.assertLess(self.microseconds(8, 8), 1.1 * alone + 7 * WAIT)
        self.assertLess(self.microseconds(2, 66), 1.1 * self.microseconds(1, 66) + WAIT)

    def test_what_does_not_fit_takes_its_turn(self):
        # A kernel's 4,000 additions, 4 cycles each, are 8 us.
        self.assertGreater(self.microseconds(2, 132), self.microseconds(1, 132) + 8)
        self.assertGreater(self.microseconds(3, 66), self.microseconds(2, 66) + 8)


if __name__ == "__main__":
    run_tests(why_not)
