"""sassafras exec and launch on what nvcc makes: files that are looked at before anything runs, and what is said of them."""
import os
import shutil
import subprocess
import unittest

from exec_program import ExecTest, why_not
from program import BAD_INPUT, OK, run_tests

STUBS = os.path.join(os.path.dirname(os.path.realpath(shutil.which("nvcc") or "nvcc")), "..", "lib64", "stubs")


@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
class Linked(ExecTest):
    """How a program is linked is read from its file."""
    MARK = "the program ran"
    TEXT = '''
#include <cstdio>
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }
int main() {
    std::puts("the program ran");
    int* device;
    cudaMalloc(&device, 128);
    fill<<<1, 32>>>(device);
    return cudaDeviceSynchronize();
}
'''

    def refused(self, program):
        done = self.exec(program)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        return done

    def test_a_runtime_inside_is_found_before_the_program_runs(self):
        inside = self.build("inside", self.TEXT, "-arch=sm_90")
        stripped = self.path("stripped")
        shutil.copy(inside, stripped)
        subprocess.run(["strip", stripped], check=True)
        for program in (inside, stripped):
            done = self.refused(program)
            self.assertNotIn(self.MARK, done.stdout)
            self.assertIn("libcudart_static", done.stderr)
            self.assertIn("-cudart shared", done.stderr)

    def test_the_driver_is_named_and_nothing_is_advised_that_is_there(self):
        both = self.build("both", self.TEXT, "-arch=sm_90", "-cudart", "shared", "-L", STUBS, "-Xlinker", "--no-as-needed", "-lcuda")
        done = self.exec(both)
        self.assertNotIn("-cudart shared", done.stderr)
        if done.returncode != OK:  # else this machine has a driver, which is loaded and not called
            self.assertEqual(done.returncode, BAD_INPUT)
            self.assertIn("libcuda.so.1", done.stderr)
            self.assertIn("without -lcuda", done.stderr)
        early = self.build("early", "int main() { return 3; }\n", "-cudart", "shared", "-Xlinker", "--no-as-needed")
        self.assertNotIn("-cudart shared", self.exec(early).stderr)

    def test_a_runtime_of_another_version_is_named(self):
        shared = self.build("shared", self.TEXT, "-arch=sm_90", "-cudart", "shared")
        with open(shared, "rb") as file:
            older = file.read().replace(b"libcudart.so.13\0", b"libcudart.so.12\0")
        program = self.write("older", older)
        os.chmod(program, 0o755)
        done = self.refused(program)
        self.assertTrue(done.stderr.startswith("sassafras: error: the program needs libcudart.so.12"), done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    run_tests(why_not)
