"""sassafras exec: what nvcc and the toolkit let a program be: options, architectures, compression, parts that are not modelled."""
import os
import shutil
import subprocess
import unittest

from exec_program import SOURCES, ExecTest, why_not
from program import BAD_INPUT, NOT_MODELLED, OK, PROGRAM, WRONG_RESULT, run_tests


@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
class Toolkit(ExecTest):
    def test_the_functional_device_has_no_time(self):
        built = self.build("no_time", '''
#include <cstdio>
__global__ void increment(int* values) { values[threadIdx.x] += 1; }
int main() {
    int* device;
    int host[32] = {};
    cudaEvent_t events[2];
    for (cudaEvent_t& event : events) cudaEventCreate(&event);
    cudaMalloc(&device, sizeof host);
    cudaEventRecord(events[0]);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    increment<<<1, 32>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaEventRecord(events[1]);
    cudaEventSynchronize(events[1]);
    float milliseconds = -1;
    std::printf("%d ", cudaEventElapsedTime(&milliseconds, events[0], events[1]));
    std::printf("%s %d\\n", milliseconds > 0 ? "some time" : milliseconds == 0 ? "no time" : "less", host[31]);
}
''', "-arch=sm_90", "-cudart", "shared")
        self.assertTrue(self.exec(built, options=("--device", "functional")).stdout.startswith("0 no time 1\n"))
        self.assertTrue(self.exec(built).stdout.startswith("0 some time 1\n"))

    def test_a_default_stream_a_thread(self):
        """With -default-stream per-thread the default stream of a thread waits for no other; an H200 prints the same for both."""
        text = '''
#include <cstdio>
#include <thread>
__global__ void empty() {}
int main() {
    const size_t size = size_t(1) << 26;
    char* device;
    char* pinned;
    cudaEvent_t begin, copied, mine;
    cudaStream_t apart;
    cudaMalloc(&device, size);
    cudaMallocHost(&pinned, size);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    for (cudaEvent_t* event : {&begin, &copied, &mine}) cudaEventCreate(event);
    empty<<<1, 1>>>();
    cudaMemset(device, 0, size);
    empty<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaEventRecord(begin, apart);
    std::thread([&] {
        cudaMemcpyAsync(device, pinned, size, cudaMemcpyDefault);
        cudaEventRecord(copied);
    }).join();
    empty<<<1, 1>>>();
    cudaEventRecord(mine);
    cudaDeviceSynchronize();
    float of_copy = 0, of_mine = 0;
    cudaEventElapsedTime(&of_copy, begin, copied);
    cudaEventElapsedTime(&of_mine, begin, mine);
    std::printf("%s, %s\\n", of_mine < of_copy ? "beside" : "behind", cudaGetErrorName(cudaGetLastError()));
}
'''
        for flags, said in ((("-default-stream", "per-thread"), "beside"), ((), "behind")):
            built = self.build("threads" + said, text, "-arch=sm_90", "-cudart", "shared", *flags)
            self.assertTrue(self.exec(built).stdout.startswith(said + ", cudaSuccess\n"), said)

    def test_code_of_older_gpus_prints_the_same_on_their_platforms(self):
        for architecture, platform, programs in (("sm_80", "a100", ("printing", "calls", "cooperative", "warp", "pauses", "divergence")),
                                                 ("sm_75", "t4", ("printing", "calls", "memory", "pauses", "divergence"))):
            for name in programs:
                with self.subTest(name=name, architecture=architecture):
                    built = self.path(f"{name}.{architecture}")
                    subprocess.run(["nvcc", "-arch=" + architecture, "-std=c++17", "-cudart", "shared",
                                    os.path.join(SOURCES, name + ".cu"), "-o", built], check=True, capture_output=True)
                    done = self.run_program("exec", "--platform", platform, "--json", self.path("old.json"), "--", built)
                    fails = name == "printing"  # an assertion, on purpose
                    self.assertEqual(done.returncode, WRONG_RESULT if fails else OK, done.stderr)
                    with open(os.path.join(SOURCES, "expected", name + ".txt")) as file:
                        self.assertTrue(done.stdout.startswith(file.read()), done.stdout)

    LITTLE = "__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaGetLastError() + cudaDeviceSynchronize(); }\n"

    def test_programs_without_code_for_the_platform(self):
        only_ptx = self.build("only_ptx", self.LITTLE, "-cudart", "shared", "-gencode", "arch=compute_80,code=compute_80")
        done = self.exec(only_ptx)
        self.assertEqual(done.returncode, NOT_MODELLED)
        self.assertIn("-gencode arch=compute_90,code=sm_90", done.stderr)
        self.assertIn("PTX compute_80", done.stderr)
        other = self.build("other", self.LITTLE, "-cudart", "shared", "-gencode", "arch=compute_120,code=sm_120")
        done = self.exec(other)
        self.assertEqual(done.returncode, 209)  # cudaErrorNoKernelImageForDevice, as the program returns it
        self.assertIn("-gencode arch=compute_90,code=sm_90", done.stderr)

    def test_what_is_not_modelled_or_not_allowed(self):
        cluster = self.build("cluster", "__global__ void __cluster_dims__(2, 1, 1) k() {}\n"
                             "int main() { k<<<2, 32>>>(); return cudaDeviceSynchronize(); }\n", "-arch=sm_90", "-cudart", "shared")
        done = self.exec(cluster)
        self.assertEqual(done.returncode, NOT_MODELLED)
        self.assertIn("__cluster_dims__", done.stderr)
        refused = self.build("refused", '''
#include <cstdio>
__global__ void k(int) {}
int main() {
    char a[64];
    void* device;
    cudaMalloc(&device, 64);
    std::printf("%d\\n", cudaMemcpy2D(device, (1ull << 63) + 8, a, (1ull << 63) + 8, 8, 3, cudaMemcpyHostToDevice));
    std::printf("%d\\n", cudaLaunchKernel((const void*)k, 1, 1, nullptr, 0, nullptr));
    std::printf("%d\\n", cudaGetDeviceFlags(nullptr));
    int value;
    std::printf("%d\\n", cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));
    void* pinned;
    cudaMallocHost(&pinned, 64);
    cudaDeviceReset();
    std::printf("%d\\n", cudaFreeHost(pinned));
    for (int i = 1; i <= 60; ++i) {
        if (cudaMallocHost(&pinned, size_t(i) << 30) != cudaSuccess) std::printf("no room at %d\\n", i);
        cudaFreeHost(pinned);
    }
}
''', "-arch=sm_90", "-cudart", "shared")
        self.assertTrue(self.exec(refused).stdout.startswith("1\n1\n1\n1\n1\n  #"), self.exec(refused).stdout)

    def test_a_program_with_the_runtime_inside(self):
        inside = self.build("inside", "int main() { return 0; }\n")
        self.assertEqual(self.exec(inside).returncode, BAD_INPUT)
        self.assertIn("-cudart shared", self.exec(inside).stderr)

    def test_every_compression(self):
        for mode in ("none", "size", "speed", "balance", "default"):
            with self.subTest(mode=mode):
                built = self.build(mode, self.LITTLE, "-cudart", "shared", "-arch=sm_90", f"-compress-mode={mode}")
                self.assertEqual(self.exec(built).returncode, OK)

    SANITIZED = '''
#include <cstdio>
#include <cstdlib>
__global__ void count(int* out) { out[threadIdx.x] = threadIdx.x; }
int main(int arguments, char**) {
    int *device, *managed, host[32];
    cudaMalloc(&device, sizeof host);
    count<<<1, 32>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault);
    if (cudaMallocManaged(&managed, sizeof host) != cudaSuccess) return 2;
    count<<<1, 32>>>(managed);
    cudaDeviceSynchronize();
    std::printf("%d %d\\n", host[31], managed[31]);
    std::fflush(stdout);
    char* bytes = static_cast<char*>(std::malloc(8));
    if (arguments > 1) bytes[8 + arguments] = 1;
    std::free(bytes);
}
'''

    def test_host_code_with_a_sanitizer(self):
        for sanitizer, finding in (("address", "heap-buffer-overflow"), ("thread", None)):
            with self.subTest(sanitizer=sanitizer):
                try:
                    built = self.build(sanitizer, self.SANITIZED, "-arch=sm_90", "-cudart", "shared", "-g", "-Xcompiler", f"-fsanitize={sanitizer}")
                except subprocess.CalledProcessError as error:
                    self.skipTest(f"the host compiler builds nothing with -fsanitize={sanitizer}: {error.stderr[-200:]}")
                done = self.exec(built)
                if "unexpected memory mapping" in done.stderr:
                    self.skipTest("the sanitizer does not start here: kernel.randomize_va_space leaves it no room")
                self.assertEqual(done.returncode, OK, done.stderr)
                self.assertTrue(done.stdout.startswith("31 31\n"), done.stdout)
                if finding is None:
                    continue
                done = subprocess.run([PROGRAM, "exec", "--", built, "overrun"], capture_output=True, text=True,
                                      env={**os.environ, "ASAN_OPTIONS": "exitcode=42"})
                self.assertEqual(done.returncode, 42, done.stderr)  # what the user set holds too
                self.assertIn(finding, done.stderr)

    def test_launches_from_the_device_are_named(self):
        parent = self.build("parent", '''
__global__ void child(int* out) { out[threadIdx.x] = 1; }
__global__ void parent(int* out) { child<<<1, 32>>>(out); }
int main() { parent<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }
''', "-arch=sm_90", "-rdc=true", "-cudart", "shared", "-lcudadevrt")
        done = self.exec(parent)
        self.assertEqual(done.returncode, NOT_MODELLED)
        self.assertIn("dynamic parallelism", done.stderr)
        self.assertIn("_Z5childPi", done.stderr)
        self.assertIn("_Z6parentPi", done.stderr)

    def test_managed_variables_have_one_address_in_every_run_and_outlive_a_reset(self):
        built = self.build("managed", '''
#include <cstdio>
__managed__ int numbers[4] = {1, 2, 3, 4};
__managed__ int* second;
__global__ void scale(int* of) {
    of[threadIdx.x] *= 10;
    numbers[3] += 1;
    second = &numbers[1];
}
int main() {
    scale<<<1, 3>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("%p %d: %d %d\\n", static_cast<void*>(numbers), second == &numbers[1], numbers[0], numbers[3]);
    cudaDeviceReset();
    void* address;
    cudaGetSymbolAddress(&address, numbers);
    scale<<<1, 3>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\\n", address == numbers, numbers[0], numbers[3]);
}
''', "-arch=sm_90", "-cudart", "shared")
        first, second = self.exec(built).stdout.split("\n"), self.exec(built).stdout.split("\n")
        self.assertRegex(first[0], r" 1: 10 5$")
        self.assertEqual(first[1], "1 100 6")  # as on an H200
        self.assertEqual(first[0], second[0])
        cycles = [[line.split()[3] for line in run if "scale" in line] for run in (first, second)]
        self.assertEqual(len(cycles[0]), 2)
        self.assertEqual(cycles[0], cycles[1])

    def test_one_device_and_null_pointers(self):
        built = self.build("null", '''
#include <cstdio>
int main() {
    const auto say = [](cudaError_t error) { std::printf("%d ", error); };
    char bus[32];
    int device = -1;
    cudaPitchedPtr box;
    say(cudaDeviceEnablePeerAccess(0, 0));
    say(cudaDeviceEnablePeerAccess(1, 0));
    say(cudaDeviceDisablePeerAccess(1));
    say(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    say(cudaDeviceGetByPCIBusId(&device, bus));
    std::printf("device %d ", device);
    say(cudaSetValidDevices(nullptr, 1));
    say(cudaDeviceGetDefaultMemPool(nullptr, 0));
    say(cudaDeviceGetCacheConfig(nullptr));
    say(cudaMalloc3D(&box, make_cudaExtent(16, size_t(1) << 33, size_t(1) << 33)));
    std::printf("\\n");
}
''', "-arch=sm_90", "-cudart", "shared")
        self.assertTrue(self.exec(built).stdout.startswith("217 101 101 0 0 device 0 1 1 1 1 \n"), self.exec(built).stdout)


if __name__ == "__main__":
    run_tests(why_not)
