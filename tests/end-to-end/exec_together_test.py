"""sassafras exec: kernels of several streams go on at the same time where SMs have places and units for both, and in turn where not.

Times of an H200: validate/records/h200/probes/kernels_together.csv, kernels_small.csv and kernels_mixed.csv."""
from exec_program import BuiltTest, why_not
from program import run_tests


WAIT = 1.2  # microseconds between two streams that wait for the same event, on a line with the one that recorded it
RECORD = 2.25  # between their records of events for timing


class Together(BuiltTest):
    NAME, SOURCE = "together", br"""
#include <cstdio>
#include <cstdlib>
__global__ void spin(float* out, int rounds, unsigned long long* begin) {
    if (blockIdx.x == 0 && threadIdx.x == 0) asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*begin));
    float x = threadIdx.x;
    for (int i = 0; i < rounds; ++i) x = x * 1.0001f + 0.5f;
    if (x < 0) *out = x;
}
int main(int argc, char** argv) {
    const int streams = std::atoi(argv[1]), blocks = std::atoi(argv[2]), threads = std::atoi(argv[3]), shared = std::atoi(argv[4]);
    const unsigned flags = std::atoi(argv[5]) != 0 ? cudaEventDefault : cudaEventDisableTiming;
    float* out;
    unsigned long long* begins;
    cudaMalloc(&begins, 8 * sizeof *begins);
    cudaStream_t base, others[8];
    cudaEvent_t begin, ends[8], end;
    cudaMalloc(&out, 4);
    cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
    cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, base);
    for (int i = 0; i < streams; ++i) {
        cudaStreamCreateWithFlags(&others[i], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&ends[i], flags);
        cudaStreamWaitEvent(others[i], begin);
        spin<<<blocks, threads, i == streams - 1 ? shared : 0, others[i]>>>(out, 4000, begins + i);
        cudaEventRecord(ends[i], others[i]);
        cudaStreamWaitEvent(base, ends[i]);
    }
    cudaEventRecord(end, base);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    unsigned long long began[8];
    cudaMemcpy(began, begins, sizeof began, cudaMemcpyDeviceToHost);
    std::printf("us %.3f %lld\n", 1000 * milliseconds, static_cast<long long>(began[streams - 1] - began[0]));
}
"""

    def times(self, streams, blocks, threads=64, shared=0, timing=False):
        """Microseconds, and nanoseconds by the global timer from the first kernel's begin to the last one's."""
        for line in self.exec(self.built(), str(streams), str(blocks), str(threads), str(shared), str(int(timing))).stdout.splitlines():
            if line.startswith("us "):
                return tuple(map(float, line[3:].split()))
        self.fail("it printed no time")

    def microseconds(self, *arguments, **other):
        return self.times(*arguments, **other)[0]

    def test_the_global_timer_is_one(self):
        self.assertLess(abs(self.times(2, 132)[1]), 2 * 1000 * WAIT)  # begin together, but for waits
        self.assertGreater(self.times(2, 132, shared=100 << 10)[1], 8000)  # one behind the other

    def test_what_fits_goes_on_together(self):
        alone = self.microseconds(1, 8)
        self.assertLess(self.microseconds(8, 8), 1.1 * alone + 8 * WAIT)
        self.assertLess(self.microseconds(2, 66), 1.1 * self.microseconds(1, 66) + 2 * WAIT)

    def test_records_for_timing_take_turns(self):
        one, two, eight = (self.microseconds(streams, 8, timing=True) for streams in (1, 2, 8))
        self.assertAlmostEqual(two - one, 3.9, delta=0.5)
        self.assertAlmostEqual(eight - two, 6 * RECORD, delta=1.5)

    def test_blocks_of_several_kernels_share_an_sm(self):
        self.assertLess(self.microseconds(3, 132), 1.1 * self.microseconds(1, 132) + 3 * WAIT)

    def test_what_finds_its_units_busy_takes_its_turn(self):
        # Two blocks of 1,024 threads fit an SM, but one keeps its FMA pipes busy: 4,000 multiply-adds of 32 warps are 36,000 cycles, 18 us.
        alone = self.microseconds(1, 132, 1024)
        self.assertGreater(self.microseconds(2, 132, 1024), alone + 18)

    def test_an_sm_is_carved_for_its_first_block(self):
        # The second kernel's 100 KiB are free, but not carved out of L1 while blocks run that came without.
        alone = self.microseconds(1, 132)
        self.assertGreater(self.microseconds(2, 132, shared=100 << 10), alone + 8)


class Reading(BuiltTest):
    """Kernels of several lengths, one behind the other in each of four streams, which read what L2 has."""
    NAME, SOURCE = "reading", br"""
__global__ void sum(const float4* data, float* out, int vectors) {
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) total += data[i].x + data[i].w;
    if (total < 0) *out = total;
}
int main() {
    float4* data;
    cudaStream_t streams[4];
    cudaMalloc(&data, 16 << 20);
    cudaMemset(data, 0, 16 << 20);
    for (auto& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < 24; ++i) sum<<<132 + 7 * (i % 5), 512, 0, streams[i % 4]>>>(data, reinterpret_cast<float*>(data), 500000 + 45670 * (i % 7));
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""

    def test_none_is_quicker_than_alone(self):
        _, report = self.report_of(self.built())
        self.assertEqual(len(report["kernels"]), 24)
        slower = 0
        for kernel in report["kernels"]:
            took, alone = kernel["end_ns"] - kernel["start_ns"], kernel["metrics"]["gpu__time_duration.sum"]
            self.assertGreaterEqual(took, alone - 0.1)
            slower += took > 1.01 * alone
        self.assertGreater(slower, 0)  # else they were not in each other's way


if __name__ == "__main__":
    run_tests(why_not)
