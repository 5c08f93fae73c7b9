"""sassafras exec and launch on what nvcc makes: files that are looked at before anything runs, and what is said of them."""
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

from exec_program import BUILT, ExecTest, why_not
from program import BAD_INPUT, NOT_MODELLED, OK, PROGRAM, TIMEOUT_S, run_tests

FLAGS = ("-arch=sm_90", "-cudart", "shared")
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

    def test_the_program_is_not_written_over(self):
        program = self.build("own", self.TEXT, "-arch=sm_90", "-cudart", "shared")
        link, script, data = self.path("link"), self.write("run.sh", b'exec "$1"'), self.write("data", b"1 2 3")
        os.symlink("own", link)
        for kept, command in ((program, [program]), (link, [program]), (script, ["sh", script, program]), (data, [program, data])):
            with open(kept, "rb") as file:
                before = file.read()
            for option in "--html", "--json", "--log-file", "--timeline", "--interval-csv", "--svg":
                more = ("--html", self.path("h.html")) if option == "--svg" else ("--interval", "100") if option == "--interval-csv" else ()
                with self.subTest(kept=kept, option=option):
                    done = self.fails(BAD_INPUT, "exec", *more, option, kept, "--", *command, says=[f"{option} would write over", "needs"])
                    self.assertNotIn(self.MARK, done.stdout)
            with open(kept, "rb") as file:
                self.assertEqual(file.read(), before)
        self.fails(BAD_INPUT, "trace", "capture", "-o", program, "--", program, says=["would write over"])
        # What is not there yet takes nothing away, also if the program is told of it.
        self.assertEqual(self.exec(program, "new", options=("--json", self.path("new"))).returncode, OK)

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

@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
class Launched(ExecTest):
    """launch takes what nvcc makes, and kernels by the names that their source has."""
    TEXT = b'''
namespace inner {
template <class T> __global__ void scale(T* values, int by) { values[threadIdx.x] *= by; }
}
__global__ void scale(float* values, int by) { values[threadIdx.x] *= by * (ARCH / 10); }
__global__ void fill(float* values, int value) { values[threadIdx.x] = value; }
int main() { inner::scale<int><<<1, 1>>>(nullptr, 2); scale<<<1, 1>>>(nullptr, 2); fill<<<1, 1>>>(nullptr, 3); }
'''

    @classmethod
    def setUpClass(cls):
        cls.built = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.built.cleanup)
        source = os.path.join(cls.built.name, "k.cu")
        with open(source, "wb") as file:
            file.write(b"#ifdef __CUDA_ARCH__\n#define ARCH __CUDA_ARCH__\n#else\n#define ARCH 0\n#endif\n" + cls.TEXT)
        both = ("-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90")
        for name, flags in (("program", both), ("object.o", (*both, "-c")), ("k.fatbin", (*both, "-fatbin")), ("k.cubin", ("-arch=sm_90", "-cubin")),
                            ("unlinked.o", ("-arch=sm_90", "-rdc=true", "-c"))):
            subprocess.run(["nvcc", *flags, source, "-o", os.path.join(cls.built.name, name)], check=True, capture_output=True)

    def launch(self, file, kernel, *options):
        out = self.path("out.npy")
        done = self.run_program("launch", "--cubin", os.path.join(self.built.name, file), "--kernel", kernel, "--device", "functional",
                                "--arg", f"file:{self.ones}:out={out}", "--arg", "i32:3", *options)
        if done.returncode != OK:
            return done, None
        with open(out, "rb") as data:
            return done, struct.unpack("<32f", data.read()[-128:])[0]

    def setUp(self):
        super().setUp()
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (32,), }"
        header += " " * (117 - len(header)) + "\n"
        self.ones = self.write("ones.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<32f", *[1.0] * 32))

    def test_programs_objects_and_fat_binaries_with_the_image_of_the_platform(self):
        for file in ("program", "object.o", "k.fatbin", "k.cubin"):
            with self.subTest(file=file):
                self.assertEqual(self.launch(file, "scale(float*, int)")[1], 3 * 90)
                if file != "k.cubin":
                    self.assertEqual(self.launch(file, "scale(float*, int)", "--platform", "a100")[1], 3 * 80)
        for file, says in (("unlinked.o", "-rdc=true"), ("program", "sm_75")):
            done, _ = self.launch(file, "fill", *(("--platform", "t4") if file == "program" else ()))
            self.assertEqual(done.returncode, NOT_MODELLED if file == "program" else BAD_INPUT, done.stderr)
            self.assertIn(says, done.stderr)

    def test_names_of_kernels(self):
        for name in ("fill", "fill(float*, int)", "fill(float*,int)", "void fill(float*, int)", "_Z4fillPfi"):
            self.assertEqual(self.launch("program", name)[1], 3, name)
        for name in ("inner::scale<int>", "inner::scale<int>(int*, int)", "void inner::scale<int>(int*, int)"):
            self.assertEqual(self.launch("k.cubin", name)[0].returncode, OK, name)
        done, _ = self.launch("program", "scale")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("2 kernels are called scale", done.stderr)
        for name in ("inner::scale<int>(int*, int)", "scale(float*, int)"):
            self.assertIn(name, done.stderr)
        done, _ = self.launch("program", "scael")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("there is no kernel scael", done.stderr)
        report = self.path("report.json")
        self.launch("program", "fill", "--json", report)
        with open(report, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["workload"]["kernel"], "_Z4fillPfi")

class Wide(ExecTest):
    def test_names_are_shortened_in_the_middle_to_fit(self):
        command = [PROGRAM, "exec", "--device", "functional", "--", os.path.join(BUILT, "thrust_algorithms")]
        shown = subprocess.run(command, env={**os.environ, "COLUMNS": "100"}, capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertLessEqual(max(map(len, shown)), 100)
        rows = [line for line in shown if re.match(r" +\d+ .*cub::", line)]
        self.assertGreater(len(rows), 10)
        self.assertTrue(all(re.search(r"cub::\S+\.\.\.\S", row) for row in rows), rows[:3])


@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
class Interrupted(ExecTest):
    WAITS = '''
#include <cstdio>
#include <unistd.h>
__global__ void done_before(int* out) { *out = 1; }
int main() {
    int* device;
    cudaMalloc(&device, 4);
    done_before<<<1, 1>>>(device);
    cudaDeviceSynchronize();
    std::puts("waiting");
    std::fflush(stdout);
    for (;;) pause();
}
'''

    def test_launches_that_had_ended_are_reported(self):
        waits = self.build("waits", self.WAITS, *FLAGS)
        process = self.begun(waits)
        os.killpg(process.pid, signal.SIGINT)  # as a shell does that ends a job
        out, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("done_before", out)
        self.assertIn("signal 2", error)

    def begun(self, *program, options=()):
        process = subprocess.Popen([PROGRAM, "exec", *options, "--", *program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.assertEqual(process.stdout.readline(), "waiting\n")
        return process

    def test_an_interruption_of_the_command_alone_ends_its_program(self):
        waits = self.build("waits", self.WAITS, *FLAGS)
        report = self.path("report.json")
        process = self.begun(waits, options=("--json", report, "--apply-rules", "yes"))
        process.send_signal(signal.SIGINT)  # as a notebook and kill do
        out, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("done_before", out)
        with open(report, encoding="utf-8") as file:
            written = json.load(file)
        self.assertEqual(written["workload"]["signal"], signal.SIGINT)
        self.assertEqual(len(written["kernels"]), 1)

    def test_the_second_ends_a_program_that_goes_on(self):
        stays = self.build("stays", "#include <csignal>\n" + self.WAITS.replace("int* device;", "std::signal(SIGINT, SIG_IGN); int* device;"), *FLAGS)
        report = self.path("report.json")
        process = self.begun(stays, options=("--json", report))
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("interrupted", error)
        self.assertFalse(os.path.exists(report))

@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
class Selected(ExecTest):
    def test_others_are_executed_only_or_timed_for_what_they_leave(self):
        program = self.build("selected", '''
#include <cstdio>
__global__ void scattered(float* to, const float* from, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned j = (i * 32) % n + i / (n / 32);
    to[j % n] = from[j % n];
}
__global__ void other(float* of) {
    for (int i = 0; i < 1000; ++i) of[threadIdx.x] += i;
}
int main() {
    const unsigned n = 1 << 16;
    float *to, *from;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaMalloc(&to, 4 * n);
    cudaMalloc(&from, 4 * n);
    cudaEventRecord(begin);
    other<<<1, 32>>>(to);
    cudaEventRecord(end);
    scattered<<<n / 256, 256>>>(to, from, n);
    cudaDeviceSynchronize();
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    std::printf("%s\\n", milliseconds < 0.002f ? "no time" : "some time");
}
''', "-arch=sm_90", "-cudart", "shared")
        for control, said in (("all", "no time"), ("none", "some time")):
            shown = self.exec(program, options=("-k", "scattered", "--page", "details", "--cache-control", control)).stdout
            self.assertTrue(shown.startswith(said + "\n"), shown)
            self.assertIn("OPT   Est. Speedup: ", shown)  # what the remedy would bring, in caches as they were
            self.assertNotIn("other(float*)", shown)


if __name__ == "__main__":
    run_tests(why_not)
