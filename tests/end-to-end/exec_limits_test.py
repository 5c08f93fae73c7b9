"""sassafras exec where the process may not have all the memory or files as long as it likes (ulimit -v, -d, -f)."""
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess

from exec_program import BuiltTest, why_not
from program import BAD_INPUT, OK, PROGRAM, WRONG_RESULT, run_tests

KIB = 1024


def limited(name, kib, *command, **options):
    limit = kib * KIB if kib else resource.RLIM_INFINITY
    return subprocess.run([PROGRAM, *command], capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(name, (limit, limit)),
                          **options)


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

    def run_limited(self, built, kib, *arguments, device="functional", name=resource.RLIMIT_AS):
        return limited(name, kib, "exec", "--device", device, "--", built, *arguments)

    def test_what_a_limit_takes_from_the_program_is_said_once(self):
        built = self.built()
        refused = 0
        for kib in (3000, 15000, 25000, 30000, 40000, 50000, 70000, 100000, 200000):
            for (option, name), (device, *more) in itertools.product(
                    (("-v", resource.RLIMIT_AS), ("-d", resource.RLIMIT_DATA)), (("functional",), ("simulated",), ("simulated", "managed"))):
                with self.subTest(option=option, kib=kib, device=device, more=more):
                    done = self.run_limited(built, kib, "4096", *more, device=device, name=name)
                    if done.returncode in (127, -signal.SIGSEGV) and not done.stdout:
                        continue  # too little for the libraries, as their loader says, or for the loader
                    if done.stdout.startswith("worked\n"):
                        # Where there is room for one allocation and not for three, it works all the same.
                        self.assertEqual(done.returncode, OK)
                        self.assertRegex(done.stderr, rf"^(sassafras: note: .* is limited to {kib:,} KiB by ulimit {option}; raise the limit\n)?$")
                        continue
                    refused += 1
                    self.assertIn(f"limited to {kib:,} KiB by ulimit {option}", done.stderr)
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

    def test_a_limit_of_data_that_leaves_enough(self):
        for kib in (30000, 50000):
            done = self.run_limited(self.built(), kib, "4096", name=resource.RLIMIT_DATA)
            self.assertEqual((done.stdout.startswith("worked\n"), done.returncode, done.stderr), (True, OK, ""))

    def test_a_capture_that_found_no_memory_leaves_no_folder(self):
        trace, built, refused = self.path("trace"), self.built(), 0
        for kib in (2000, 3000, 4000, 5000, 10000, 30000):
            with self.subTest(kib=kib):
                done = limited(resource.RLIMIT_DATA, kib, "trace", "capture", "--output", trace, "--", built, "4096")
                self.assertEqual(os.path.exists(trace), done.returncode == OK, done.stderr)
                refused += done.returncode != OK and "ulimit -d" in done.stderr
                shutil.rmtree(trace, ignore_errors=True)
        self.assertGreater(refused, 0)

    def test_what_the_gpu_has_not_is_no_matter_of_the_limit(self):
        built = self.built()
        terabyte, gigabyte = str(10**12), str(10**9)
        for kib in (None, 1000000):
            self.assertNotIn("ulimit", self.run_limited(built, kib, terabyte).stderr)
        self.assertNotIn("note", self.run_limited(built, None, gigabyte).stderr)
        self.assertRegex(self.run_limited(built, 1000000, gigabyte).stderr, r"^sassafras: note: .*1,000,000 KiB by ulimit -v")


class LimitedFiles(BuiltTest):
    NAME, SOURCE = "many", br"""
#include <cstdio>
#include <cstdlib>
__global__ void work(int* out) { out[threadIdx.x] = 3; }
/// LAUNCHES, then a FILE of so many KIB if it is given.
int main(int count, char** arguments) {
    int* memory = nullptr;
    cudaMalloc(&memory, 256);
    for (int i = 0; i < std::atoi(arguments[1]); ++i) work<<<2, 64>>>(memory);
    cudaDeviceSynchronize();
    if (count > 3) {
        std::FILE* file = std::fopen(arguments[2], "w");
        for (int i = 0; i < std::atoi(arguments[3]); ++i) std::fprintf(file, "%1024d", i);
        std::fclose(file);
    }
    std::puts("all");
}
"""

    # What the program is told, with the sources of the platform's numbers, takes some 70 KiB.
    def of_96_kib(self, *command):
        return limited(resource.RLIMIT_FSIZE, 96, *command)

    def test_records_that_become_too_long_end_the_run_with_the_limit_named(self):
        for device in ("functional", "simulated"):
            done = self.of_96_kib("exec", "--device", device, "--check", "--", self.built(), "450")
            self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
            self.assertNotIn("all", done.stdout.split("\n"))
            self.assertEqual(done.stderr.count("sassafras: error: "), 1, done.stderr)
            self.assertIn("files are limited to 96 KiB by ulimit -f", done.stderr)
            self.assertIn("run stopped before its end", done.stdout)

    def test_the_json_says_why_launches_are_missing(self):
        # The file itself would be too long; a pipe is not.
        done = self.of_96_kib("exec", "--device", "functional", "--json", "/dev/stderr", "--", self.built(), "450")
        self.assertEqual(done.returncode, BAD_INPUT)
        report, _ = json.JSONDecoder().raw_decode(done.stderr[done.stderr.index("{"):])
        self.assertIn("ulimit -f", report["workload"]["errors"][0])
        self.assertIn(len(report["kernels"]), range(10, 449))

    def test_a_capture_whose_files_become_too_long_leaves_no_folder(self):
        trace = self.path("trace")
        done = self.of_96_kib("trace", "capture", "--output", trace, "--", self.built(), "450")
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("ulimit -f", done.stderr)
        self.assertFalse(os.path.exists(trace))

    def test_the_programs_own_file_ends_it_as_without_us(self):
        done = self.of_96_kib("exec", "--device", "functional", "--", self.built(), "3", self.path("own"), "102")
        self.assertEqual(done.returncode, 128 + signal.SIGXFSZ)
        self.assertIn("ended by signal", done.stderr)
        self.assertIn("kernels: 3", done.stdout)
        done = self.of_96_kib("exec", "--device", "functional", "--", self.built(), "3", self.path("own"), "92")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))


if __name__ == "__main__":
    run_tests(why_not)
