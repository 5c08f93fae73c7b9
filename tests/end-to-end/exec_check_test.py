"""sassafras exec --check: what a whole program frees, and how its run ends."""
import itertools
import signal

from exec_program import CHECK, BuiltTest, ExecTest, why_not
from program import NOT_MODELLED, OK, WRONG_RESULT, run_tests


class Freed(BuiltTest):
    NAME, SOURCE = "freed", br'''
#include <cstdio>
#include <cstring>
__managed__ int variable[1024];
__global__ void read(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

int* allocate(const char* kind) {
    int* memory = nullptr;
    if (!std::strcmp(kind, "device")) cudaMalloc(&memory, 4096);
    if (!std::strcmp(kind, "managed")) cudaMallocManaged(&memory, 4096);
    if (!std::strcmp(kind, "pinned")) cudaMallocHost(&memory, 4096);
    if (!std::strcmp(kind, "mapped")) cudaHostAlloc(&memory, 4096, cudaHostAllocMapped);
    return memory;
}

/// Reads what was freed, after there is memory of another kind as well; or past the end of what was not. KIND HOW [OTHER]
int main(int, char** arguments) {
    int* freed = allocate(arguments[1]);
    std::printf("%p\n", static_cast<void*>(freed));
    if (!std::strcmp(arguments[2], "past"))
        freed += 1024 - 32;
    else if (!std::strcmp(arguments[2], "reset"))
        cudaDeviceReset();
    else if (!std::strcmp(arguments[1], "pinned") || !std::strcmp(arguments[1], "mapped"))
        cudaFreeHost(freed);
    else
        cudaFree(freed);
    if (arguments[3] != nullptr && !std::strcmp(arguments[3], "variable"))
        variable[0] = 1;
    else if (arguments[3] != nullptr)
        allocate(arguments[3])[0] = 1;
    int* to = allocate("device");
    read<<<1, 64>>>(freed, to);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
'''

    def test_memory_that_was_freed_is_named_whoever_comes_after(self):
        built = self.built()
        for kind, how, *other in (("managed", "free"), ("managed", "free", "managed"), ("managed", "free", "pinned"), ("managed", "free", "variable"),
                                  ("pinned", "free"), ("pinned", "free", "pinned"), ("mapped", "free", "managed"),
                                  ("device", "reset"), ("managed", "reset"), ("managed", "reset", "managed"), ("managed", "reset", "variable"),
                                  ("pinned", "reset", "pinned")):
            with self.subTest(kind=kind, how=how, other=other):
                done, report = self.report_of(built, kind, how, *other, options=CHECK)
                self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
                freed, error = done.stdout.split("\n")[:2]
                self.assertEqual(error, "cudaErrorIllegalAddress")
                found = [finding for finding in report["checks"] if finding["places"]]
                self.assertEqual([finding["what"] for finding in found], ["Invalid __global__ read of size 4 bytes"])
                self.assertEqual(found[0]["details"], [f"Access to {freed} is out of bounds",
                                                       f"and is inside the allocation at {freed} of size 4,096 bytes, which has been freed"])
                self.assertEqual(found[0]["count"], 32)  # of the first warp
                self.assertIn("; the memory there has been freed\n", done.stderr)

    def test_whole_pages_of_host_memory_do_not_touch(self):
        built = self.built()
        for kind in ("managed", "pinned"):
            with self.subTest(kind=kind):
                done, report = self.report_of(built, kind, "past", kind, options=CHECK)
                self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
                begin = int(done.stdout.split("\n")[0], 16)
                self.assertEqual(report["checks"][0]["details"], [f"Access to {begin + 4096:#x} is out of bounds",
                                                                  f"and is 1 bytes after the nearest allocation at {begin:#x} of size 4,096 bytes"])

    def test_without_check_an_address_is_given_out_again(self):
        self.assertIn("\ncudaSuccess\n", self.exec(self.built(), "managed", "free", "managed", options=("--device", "functional")).stdout)


class FreedBeforeTheHost(BuiltTest):
    NAME, SOURCE = "freed_before_the_host", br'''
#include <cstdio>
#include <cstring>
/// What the host does with memory that was freed. KIND HOW
int main(int, char** arguments) {
    int numbers[1024] = {};
    int* device = nullptr;
    int* freed = nullptr;
    cudaMalloc(&device, 4096);
    const bool is_managed = !std::strcmp(arguments[1], "managed");
    const bool is_pinned = !std::strcmp(arguments[1], "pinned");
    is_managed ? cudaMallocManaged(&freed, 4096) : is_pinned ? cudaMallocHost(&freed, 4096) : cudaMalloc(&freed, 4096);
    std::printf("%p\n", static_cast<void*>(freed));
    std::fflush(stdout);
    is_pinned ? cudaFreeHost(freed) : cudaFree(freed);
    const auto is = [&](const char* how) { return !std::strcmp(arguments[2], how); };
    cudaError_t error = cudaSuccess;
    if (is("load")) return freed[16];
    if (is("store")) freed[16] = 1;
    if (is("set")) error = cudaMemset(freed, 0, 64);
    if (is("from")) error = cudaMemcpy(numbers, freed + 16, 64, cudaMemcpyDefault);
    if (is("to")) error = cudaMemcpy(freed + 16, numbers, 64, cudaMemcpyDefault);
    if (is("host-to-device")) error = cudaMemcpy(device, freed, 64, cudaMemcpyHostToDevice);
    if (is("device-to-host")) error = cudaMemcpy(freed, device, 64, cudaMemcpyDeviceToHost);
    if (is("2d")) error = cudaMemcpy2D(device, 64, freed, 128, 64, 8, cudaMemcpyDefault);
    if (is("async")) error = cudaMemcpyAsync(device, freed, 64, cudaMemcpyDefault, nullptr);
    if (is("again")) {
        is_managed ? cudaMallocManaged(&freed, 4096) : cudaMallocHost(&freed, 4096);
        freed[16] = 1;
    }
    std::printf("%s\n", cudaGetErrorName(error));
}
'''

    def test_a_call_that_is_given_freed_memory_fails_and_says_so(self):
        for kind, how in itertools.product(("device", "managed", "pinned"), ("set", "from", "to", "host-to-device", "device-to-host", "2d", "async")):
            if kind == "device" and how in ("host-to-device", "device-to-host"):
                continue  # wrong whether it was freed or not
            with self.subTest(kind=kind, how=how):
                done, report = self.report_of(self.built(), kind, how, options=CHECK)
                self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
                freed, error = done.stdout.split("\n")[:2]
                self.assertEqual(error, "cudaErrorInvalidValue")
                details, = [finding["details"] for finding in report["checks"] if "CUDA API call to cudaMem" in finding["what"]]
                self.assertRegex(details[0], rf"^0x[0-9a-f]+ is inside the allocation at {freed} of size 4,096 bytes, which has been freed$")

    def test_an_access_of_the_host_faults_as_on_hardware(self):
        for kind, how in itertools.product(("managed", "pinned"), ("load", "store")):
            with self.subTest(kind=kind, how=how):
                done = self.exec(self.built(), kind, how, options=CHECK)
                self.assertEqual(done.returncode, 128 + signal.SIGSEGV)
                self.assertIn("ended by signal 11", done.stderr)

    def test_new_memory_is_nobodys_former(self):
        for kind in ("managed", "pinned"):
            done = self.exec(self.built(), kind, "again", options=CHECK)
            self.assertEqual((done.returncode, done.stdout.split("\n")[1]), (OK, "cudaSuccess"), done.stderr)


class Constants(BuiltTest):
    NAME, SOURCE = "constants", br'''
__constant__ int table[64];
__global__ void copy(int* to, int first) { to[threadIdx.x] = table[first + threadIdx.x]; }
int main() {
    int* to;
    cudaMalloc(&to, 256);
    copy<<<1, 64>>>(to, 40);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 2;
}
'''

    def test_a_read_past_constant_variables_has_its_place(self):
        done, report = self.report_of(self.built(), options=CHECK)
        self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
        found = report["checks"][0]
        self.assertEqual((found["kernel"], found["what"], found["count"]), ("copy(int*, int)", "Invalid __constant__ read of size 4 bytes", 8))
        self.assertEqual((found["places"][0]["file"], found["places"][0]["line"], found["places"][0]["thread"]), ("constants.cu", 3, [24, 0, 0]))


class Stopped(ExecTest):
    STOPPED = "ERROR SUMMARY: 0 errors, 0 warnings; the run stopped before its end, what would have followed was not checked\n"

    def test_a_summary_says_that_the_run_stopped_before_its_end(self):
        for how, status in (("graph", NOT_MODELLED), ("crash", 128 + signal.SIGSEGV)):
            with self.subTest(how=how):
                done, report = self.report_of("ends", how, options=CHECK)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertTrue(done.stdout.endswith(self.STOPPED), done.stdout)
                self.assertEqual((report["checks"], report["checks_complete"]), ([], False))
        _, report = self.report_of("ends", "forever", options=(*CHECK, "--instruction-limit", "10000"))
        self.assertFalse(report["checks_complete"])
        self.assertTrue(self.exec("ends", "graph", options=(*CHECK, "--csv")).stderr.endswith(self.STOPPED))

    def test_a_run_that_ends_by_itself_is_checked_to_its_end(self):
        _, report = self.report_of("ends", "fault", options=CHECK)
        self.assertTrue(report["checks_complete"])  # a kernel ends at its fault on a GPU, too
        for how, status in (("well", OK), ("status", 7)):
            with self.subTest(how=how):
                done, report = self.report_of("ends", how, options=CHECK)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertTrue(done.stdout.endswith("ERROR SUMMARY: 0 errors, 0 warnings\n"), done.stdout)
                self.assertEqual((report["checks"], report["checks_complete"]), ([], True))


if __name__ == "__main__":
    run_tests(why_not)
