"""sassafras exec --check: what is found in whole programs, and that nothing is found in clean ones."""
import shutil

from exec_program import ExecTest, why_not
from program import OK, WRONG_RESULT, run_tests


class Checks(ExecTest):
    def built(self, name, text):
        if not shutil.which("nvcc"):
            self.skipTest("there is no nvcc on the PATH")
        return self.build(name, text, "-arch=sm_90", "-lineinfo", "-cudart", "shared")

    def test_findings_of_a_program(self):
        race = self.built("race", '''
__global__ void race(int* out) {
    __shared__ volatile int value;
    if (threadIdx.x == 40) value = 7;
    out[threadIdx.x] = value;
}
int main() {
    int* out;
    cudaMalloc(&out, 1024);
    race<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}
''')
        done, report = self.report_of(race, options=("--check",))
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertIn("race.cu", done.stdout)
        self.assertIn("hazard", done.stdout.lower())
        self.assertGreater(len(report["checks"]), 0)

    def test_a_call_of_the_runtime_that_fails_is_reported_as_memcheck_does(self):
        built = self.built("twice", '''
int main() {
    int* memory;
    cudaMalloc(&memory, 1024);
    cudaFree(memory);
    cudaFree(memory);
    cudaMemcpy(memory, memory, 4, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    return cudaStreamQuery(stream) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess ? 0 : 1;
}
''')
        done, report = self.report_of(built, options=("--check",))
        self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
        # The text is compute-sanitizer 2025.3.1's, of such a program on an H200.
        says = 'Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to '
        self.assertEqual([(found["tool"], found["what"], found["count"], found["places"]) for found in report["checks"]],
                         [("memcheck", says + "cudaFree.", 2, []), ("memcheck", says + "cudaMemcpy.", 1, [])])
        self.assertIn("[2 calls]", done.stdout)
        self.assertIn("ERROR SUMMARY: 2 errors", done.stdout)
        self.assertEqual(self.exec(built).returncode, OK)

    def test_a_row_before_the_first_array(self):
        """A stencil that reads a row before its first array runs, as on an H200; --check names it."""
        built = self.built("stencil", '''
#include <cstdio>
__global__ void average(const float* in, float* out, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (in[i - width] + in[i] + in[i + width]) / 3;
}
int main() {
    float *in, *out;
    const int size = 64 * 256;
    cudaMalloc(&in, size * sizeof(float));
    cudaMalloc(&out, size * sizeof(float));
    cudaMemset(in, 0, size * sizeof(float));
    average<<<64, 256>>>(in, out, 256);
    std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
''')
        done = self.exec(built)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertTrue(done.stdout.startswith("cudaSuccess\n"), done.stdout)
        done, report = self.report_of(built, options=("--check",))
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertEqual(report["checks"][0]["what"], "Invalid __global__ read of size 4 bytes")
        self.assertIn("1,024 bytes before the nearest allocation", report["checks"][0]["details"][1])

    def test_clean_programs(self):
        for name in ("launches", "memory", "warp", "cooperative", "async_copy", "tensor", "calls", "cub_algorithms"):
            with self.subTest(program=name):
                done = self.exec(name, options=("--check", "--device", "functional"))
                self.assertEqual(done.returncode, OK, f"{done.stdout[-3000:]}\n{done.stderr}")

    def test_a_launch_that_is_refused_on_purpose_is_all_that_is_found(self):
        _, report = self.report_of("between_blocks", options=("--check", "--device", "functional"))
        self.assertEqual([found["what"] for found in report["checks"]],
                         ['Program hit cudaErrorCooperativeLaunchTooLarge (error 720) due to "too many blocks in cooperative launch" '
                          'on CUDA API call to cudaLaunchCooperativeKernel.'])

    def test_thrust_is_clean_but_for_what_set_intersection_reads_behind_its_keys(self):  # docs/checks.md
        done, report = self.report_of("thrust_algorithms", options=("--check", "--device", "functional"))
        self.assertIn(done.returncode, (OK, WRONG_RESULT), done.stderr)
        for finding in report["checks"]:
            self.assertEqual(finding["tool"], "initcheck", finding)
            self.assertIn("set_intersection", finding["kernel"])


if __name__ == "__main__":
    run_tests(why_not)
