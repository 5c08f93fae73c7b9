"""sassafras exec --check: what a whole program frees, and how its run ends."""
import shutil
import signal
import subprocess
import sys
import unittest

from exec_test import SKIPPED_STATUS, ExecTest, why_not
from program import NOT_MODELLED, OK, WRONG_RESULT

CHECK = ("--check", "--device", "functional")


class BuiltTest(ExecTest):
    NAME, SOURCE = None, None

    @classmethod
    def setUpClass(cls):
        if not shutil.which("nvcc"):
            raise unittest.SkipTest("there is no nvcc on the PATH")

    def built(self):
        source = self.write(self.NAME + ".cu", self.SOURCE)
        subprocess.run(["nvcc", "-arch=sm_90", "-lineinfo", "-cudart", "shared", source, "-o", self.path(self.NAME)], check=True, capture_output=True)
        return self.path(self.NAME)


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
    reason = why_not()
    if reason:
        print("skipped:", reason)
        sys.exit(SKIPPED_STATUS)
    unittest.main()
