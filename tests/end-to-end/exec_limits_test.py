"""sassafras exec where the process may not have all the address space that it likes (ulimit -v)."""
import resource
import subprocess
import sys
import unittest

from exec_check_test import BuiltTest
from exec_test import SKIPPED_STATUS, why_not
from program import BAD_INPUT, OK, PROGRAM, WRONG_RESULT

KIB = 1024


class Limited(BuiltTest):
    NAME, SOURCE = "careless", br"""
#include <cstdio>
#include <cstdlib>
__global__ void work(int* out) { out[threadIdx.x] = 3; }
/// Allocates so many bytes a few times and does not look whether that worked. BYTES [managed]
int main(int count, char** arguments) {
    int* memory = nullptr;
    int result[64] = {};
    for (int i = 0; i < 3; ++i)
        count > 2 ? cudaMallocManaged(&memory, std::atoll(arguments[1])) : cudaMalloc(&memory, std::atoll(arguments[1]));
    work<<<1, 64>>>(memory);
    cudaMemcpy(result, memory, sizeof result, cudaMemcpyDefault);
    std::printf("%s\n", result[63] == 3 ? "worked" : "careless");
}
"""

    def run_limited(self, built, kib, *arguments, device="functional"):
        limit = kib * KIB if kib else resource.RLIM_INFINITY
        return subprocess.run([PROGRAM, "exec", "--device", device, "--", built, *arguments], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    def test_what_a_limit_takes_from_the_program_is_said_once(self):
        built = self.built()
        refused = 0
        for kib in (25000, 30000, 40000, 50000, 60000, 70000, 80000, 90000, 100000, 120000, 200000):
            for device, *more in (("functional",), ("simulated",), ("simulated", "managed")):
                with self.subTest(kib=kib, device=device, more=more):
                    done = self.run_limited(built, kib, "4096", *more, device=device)
                    if done.stdout.startswith("worked\n"):
                        self.assertEqual((done.returncode, done.stderr), (OK, ""))
                        continue
                    refused += 1
                    self.assertIn("ulimit -v", done.stderr)
                    self.assertIn(f"{kib} KiB", done.stderr)
                    self.assertLessEqual(done.stderr.count("sassafras: note: "), 1)
                    self.assertLessEqual(done.stderr.count("sassafras: error: "), 1)
                    self.assertNotIn("internal error", done.stderr)
                    if "sassafras: error: " in done.stderr:  # a kernel that never ran, or ran without its memory
                        self.assertIn(done.returncode, (WRONG_RESULT, BAD_INPUT))
        self.assertGreater(refused, 0)

    def test_memory_that_both_see_is_there_under_a_limit(self):
        done = self.run_limited(self.built(), 1000000, "4096", "managed")
        self.assertTrue(done.stdout.startswith("worked\n"), done.stdout)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))

    def test_what_the_gpu_has_not_is_no_matter_of_the_limit(self):
        built = self.built()
        terabyte, gigabyte = str(10**12), str(10**9)
        for kib in (None, 1000000):
            self.assertNotIn("ulimit", self.run_limited(built, kib, terabyte).stderr)
        self.assertNotIn("note", self.run_limited(built, None, gigabyte).stderr)
        self.assertRegex(self.run_limited(built, 1000000, gigabyte).stderr, r"^sassafras: note: .*1000000 KiB \(ulimit -v\)")


if __name__ == "__main__":
    reason = why_not()
    if reason:
        print("skipped:", reason)
        sys.exit(SKIPPED_STATUS)
    unittest.main()
