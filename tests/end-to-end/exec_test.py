"""sassafras exec: whole CUDA programs, built by nvcc, against what they print on an H200 (tests/programs)."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import unittest

from program import BAD_INPUT, NOT_MODELLED, OK, PROGRAM, WRONG_RESULT, ProgramTest

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")
BUILT = os.environ["SASSAFRAS_PROGRAMS"]
SKIPPED_STATUS = 77  # ctest's SKIP_RETURN_CODE

#: Compared number by number below, not text by text.
TIMES = "clocks"


def why_not():
    if not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "..", "cudart", "libcudart.so.13")):
        return "libcudart.so.13 was not built: no CUDA toolkit was found"
    if not os.path.isdir(BUILT) or not os.path.exists(os.path.join(BUILT, "launches")):
        return "the test programs were not built: there is no nvcc, or sanitizers are on"
    return None


def runs():
    """(program, argument or None, file with what it prints)"""
    for name in sorted(os.listdir(SOURCES)):
        if not name.endswith(".cu"):
            continue
        name = name[:-3]
        with open(os.path.join(SOURCES, name + ".cu"), encoding="utf-8") as file:
            first = file.readline()
        arguments = re.match(r"// runs: (.*)", first)
        for argument in arguments.group(1).split() if arguments else [None]:
            yield name, argument, f"{name}.{argument}.txt" if argument else f"{name}.txt"


def expected(file):
    with open(os.path.join(SOURCES, "expected", file), encoding="utf-8") as text:
        return re.sub(r"status \d+\n$", "", text.read())


class ExecTest(ProgramTest):
    def exec(self, name, *arguments, options=(), **other):
        path = name if os.path.isabs(name) else os.path.join(BUILT, name)
        return self.run_program("exec", *options, "--", path, *arguments, **other)

    def report_of(self, name, *arguments, options=()):
        file = self.path("report.json")
        done = self.exec(name, *arguments, options=("--json", file, *options))
        with open(file, encoding="utf-8") as text:
            return done, json.load(text)


class Programs(ExecTest):
    def test_every_program_prints_what_it_prints_on_an_h200(self):
        for name, argument, file in runs():
            if name == TIMES:
                continue
            with self.subTest(program=name, argument=argument):
                done = self.exec(name, *([argument] if argument else []))
                self.assertTrue(done.stdout.startswith(expected(file)), f"{done.stdout[:2000]}\n{done.stderr}")

    def test_clocks_are_within_a_tenth_of_the_h200s(self):
        done = self.exec(TIMES)
        self.assertEqual(done.returncode, OK, done.stderr)
        hardware = re.findall(r"^(.*): ([\d.]+) (cycles|ns)$", expected(f"{TIMES}.txt"), re.MULTILINE)
        self.assertEqual(len(hardware), 11)
        for what, value, unit in hardware:
            with self.subTest(what=what):
                found = re.search(rf"^{re.escape(what)}: ([\d.]+) {unit}$", done.stdout, re.MULTILINE)
                self.assertIsNotNone(found, done.stdout)
                self.assertLessEqual(abs(float(found.group(1)) / float(value) - 1), 0.10)

    def test_clocks_give_back_what_the_platform_says(self):
        """Another platform: the numbers that were changed are the numbers that the program measures."""
        platform = self.write("slow.json", json.dumps({
            "name": "slow", "base": "h200",
            "lsu": {"shared_load_latency_cycles": {"value": 40, "provenance": "assumed", "source": "test"}},
            "l2": {"hit_latency_cycles": {"value": 356, "provenance": "assumed", "source": "test"}},
            "pipes": {"xu": {"latency_cycles": {"value": 60, "provenance": "assumed", "source": "test"}}}}).encode())
        base = self.exec(TIMES).stdout
        slow = self.exec(TIMES, options=("--platform", platform)).stdout

        def cycles(text, what):
            return float(re.search(rf"^{what}: ([\d.]+) cycles$", text, re.MULTILINE).group(1))
        self.assertAlmostEqual(cycles(slow, "shared memory"), 40, delta=3)
        self.assertAlmostEqual(cycles(slow, "L2") - cycles(base, "L2"), 100, delta=5)
        self.assertGreater(cycles(slow, "MUFU.RSQ"), cycles(base, "MUFU.RSQ") + 20)
        self.assertEqual(cycles(slow, "FFMA"), cycles(base, "FFMA"))

    def test_the_work_queue_spreads_over_the_blocks(self):
        done = self.exec("between_blocks")
        least, median, most = map(int, re.search(r"least (\d+), median (\d+), most (\d+)", done.stderr).groups())
        self.assertGreaterEqual(least, 8)  # an H200: 13, 16, 18
        self.assertIn(median, range(13, 19))
        self.assertLessEqual(most, 24)

    def test_eight_gigabytes_hardly_touched_take_little_memory(self):
        done = self.exec("sparse_memory")
        self.assertEqual(done.returncode, OK, done.stderr)
        # The largest of all processes that this test has waited for: kibibytes.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 1 << 20)


class Library(ExecTest):
    def test_it_has_every_name_of_the_toolkits_library(self):
        nvcc = shutil.which("nvcc")
        library = nvcc and os.path.join(os.path.dirname(os.path.realpath(nvcc)), "..", "lib64", "libcudart.so.13")
        if not library or not os.path.exists(library):
            self.skipTest("there is no toolkit whose nvcc is on the PATH")

        def names(path):
            listed = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", path], capture_output=True, text=True, check=True)
            return {line.split()[2] for line in listed.stdout.splitlines()}
        ours = names(os.path.join(os.path.dirname(PROGRAM), "..", "cudart", "libcudart.so.13"))
        self.assertEqual(names(library) - ours, set())
        self.assertEqual({name for name in ours if not name.startswith(("cuda", "__cuda", "libcudart"))}, set())


class Reports(ExecTest):
    def test_sums_over_instructions_are_the_launchs_totals(self):
        done, report = self.report_of("cub_algorithms", options=("--page", "source"))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertGreater(len(report["kernels"]), 40)
        for kernel in report["kernels"]:
            metrics, rows = kernel["metrics"], kernel["source"]
            for column, metric in (("inst_executed", "smsp__inst_executed.sum"),
                                   ("thread_inst_executed", "smsp__thread_inst_executed.sum"),
                                   ("shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")):
                self.assertEqual(sum(row[column] for row in rows), metrics[metric], kernel["name"])
            self.assertGreater(metrics["sm__cycles_elapsed.max"], 0)
            self.assertGreater(metrics["gpu__time_duration.sum"], 0)

    def test_two_runs_and_two_threads_give_the_same_report(self):
        reports = []
        for options in ((), (), ("--threads", "2")):
            _, report = self.report_of("thrust_algorithms", options=options)
            del report["total"]["wall_seconds"], report["total"]["warp_instructions_per_second"]
            reports.append(report)
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])

    def test_functional_counts_what_simulated_counts(self):
        _, timed = self.report_of("calls")
        _, counted = self.report_of("calls", options=("--device", "functional"))
        for one, other in zip(timed["kernels"], counted["kernels"], strict=True):
            self.assertEqual(one["name"], other["name"])
            for metric, value in other["metrics"].items():
                self.assertEqual(one["metrics"][metric], value)
            self.assertNotIn("sm__cycles_elapsed.max", other["metrics"])

    def test_pages(self):
        self.assertRegex(self.exec("ends").stdout, r"Cycles +Time ns +Warp Inst")
        self.assertIn("GPU Speed Of Light", self.exec("ends", options=("--page", "details")).stdout)
        self.assertIn("STG", self.exec("ends", options=("--page", "source")).stdout)
        self.assertIn('"sm__cycles_elapsed.max"', self.exec("ends", options=("--csv",)).stdout)


class Traces(ExecTest):
    def test_a_captured_program_replays_to_the_same_counts(self):
        folder = self.path("traced")
        done = self.run_program("trace", "capture", "-o", folder, "--", os.path.join(BUILT, "launches"))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertTrue(done.stdout.startswith(expected("launches.txt")))
        file = self.path("replayed.json")
        self.succeeds("trace", "replay", folder, "--json", file)
        with open(file, encoding="utf-8") as text:
            replayed = json.load(text)["kernels"]
        _, run = self.report_of("launches", options=("--cache-control", "all"))
        self.assertEqual(len(replayed), 4)
        for one, other in zip(run["kernels"], replayed, strict=True):
            for metric in ("smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"):
                self.assertEqual(one["metrics"][metric], other["metrics"][metric])

    def test_of_a_program_it_is_said_how_it_ended(self):
        for how, says in (("status", "the program ended with status 7"), ("crash", "the program was ended by signal 11")):
            with self.subTest(how=how):
                folder = self.path(how)
                for done in (self.run_program("trace", "capture", "-o", folder, "--", os.path.join(BUILT, "ends"), how),
                             self.run_program("trace", "info", folder, "--json", self.path("info.json"))):
                    self.assertIn(f"\n{says}\n", done.stdout)
                    self.assertNotIn("result", done.stdout)
                with open(self.path("info.json"), encoding="utf-8") as text:
                    self.assertIsNone(json.load(text)["verified"])  # nobody looked

    def test_capture_takes_a_workload_or_a_program(self):
        self.fails(BAD_INPUT, "trace", "capture", "-o", self.path("a"), says=("neither a workload nor a program",))
        self.fails(BAD_INPUT, "trace", "capture", "merge", "-o", self.path("a"), "--", "true", says=("both",))


class Checks(ExecTest):
    def test_findings_of_a_program(self):
        source = self.write("race.cu", b'''
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
        if not shutil.which("nvcc"):
            self.skipTest("there is no nvcc on the PATH")
        subprocess.run(["nvcc", "-arch=sm_90", "-lineinfo", "-cudart", "shared", source, "-o", self.path("race")], check=True, capture_output=True)
        done, report = self.report_of(self.path("race"), options=("--check",))
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertIn("race.cu", done.stdout)
        self.assertIn("hazard", done.stdout.lower())
        self.assertGreater(len(report["checks"]), 0)

    def build(self, name, text):
        if not shutil.which("nvcc"):
            self.skipTest("there is no nvcc on the PATH")
        source = self.write(name + ".cu", text)
        subprocess.run(["nvcc", "-arch=sm_90", "-lineinfo", "-cudart", "shared", source, "-o", self.path(name)], check=True, capture_output=True)
        return self.path(name)

    def test_a_call_of_the_runtime_that_fails_is_reported_as_memcheck_does(self):
        built = self.build("twice", b'''
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
        built = self.build("stencil", b'''
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


class Ends(ExecTest):
    def test_the_programs_status_and_its_launches_are_kept(self):
        for how, status in (("well", 0), ("unsynchronised", 0), ("status", 7), ("crash", 128 + signal.SIGSEGV),
                            ("abort", 128 + signal.SIGABRT), ("fault", WRONG_RESULT), ("graph", NOT_MODELLED)):
            with self.subTest(how=how):
                done, report = self.report_of("ends", how)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(len(report["kernels"]), 1)
                self.assertEqual(report["kernels"][0]["grid"], [4, 1, 1])
                self.assertTrue(done.stdout.startswith(how + "\n"))

    def test_launches_after_main_and_without_descriptors_are_reported(self):
        for how in ("late", "closed"):
            with self.subTest(how=how):
                done, report = self.report_of("ends", how)
                self.assertEqual(done.returncode, OK, done.stderr)
                self.assertEqual([kernel["grid"] for kernel in report["kernels"]], [[4, 1, 1], [2, 1, 1]])

    def test_what_went_wrong_is_said(self):
        self.assertIn("signal 11", self.exec("ends", "crash").stderr)
        done, report = self.report_of("ends", "fault")
        self.assertIn("Invalid __global__ write of size 4 bytes", done.stderr)
        self.assertIn("Invalid __global__ write", report["workload"]["errors"][0])
        failed = report["workload"]["failed_launches"]
        self.assertEqual([(launch["launches_before"], launch["error"]) for launch in failed],
                         [(1, report["workload"]["errors"][0])])
        self.assertRegex(self.exec("ends", "fault").stdout, r"\n +- .* failed\n")
        self.assertIn("  failed: ", self.exec("ends", "fault", options=("--page", "raw")).stdout)
        self.assertIn("cudaGraphCreate", self.exec("ends", "graph").stderr)

    def test_a_kernel_that_does_not_end_is_stopped(self):
        done = self.exec("ends", "forever", options=("--instruction-limit", "100000", "--device", "functional"))
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertIn("Runaway kernel", done.stderr)

    def test_who_ends_exec_ends_the_program_and_gets_its_report(self):
        report = self.path("terminated.json")
        running = subprocess.Popen([PROGRAM, "exec", "--json", report, "--", os.path.join(BUILT, "ends"), "forever"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(running.stdout.readline(), "forever\n")
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 128 + signal.SIGTERM)
        self.assertIn("signal 15", errors)
        with open(report) as file:
            self.assertEqual(json.load(file)["workload"]["signal"], signal.SIGTERM)

    def test_a_folder_whose_name_the_loader_would_cut_is_named(self):
        folder = self.path("a:b")
        os.mkdir(folder)
        here = os.path.dirname(PROGRAM)
        for file in (PROGRAM, os.path.join(here, "..", "cudart", "libcudart.so.13")):
            shutil.copy(file, folder)
        done = subprocess.run([os.path.join(folder, os.path.basename(PROGRAM)), "exec", "--", "true"], capture_output=True, text=True)
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("colon", done.stderr)
        self.assertIn(folder, done.stderr)

    def test_a_folder_for_temporary_files_that_is_not_there_is_named(self):
        done = subprocess.run([PROGRAM, "exec", "--", "true"], capture_output=True, text=True,
                              env={**os.environ, "TMPDIR": "/nowhere/at/all"})
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("/nowhere/at/all", done.stderr)

    def test_nothing_stays_of_a_launch_that_failed_in_capture(self):
        folder = self.path("captured")
        done = subprocess.run([PROGRAM, "trace", "capture", "-o", folder, "--", os.path.join(BUILT, "ends"), "fault"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
        self.assertEqual(len([name for name in os.listdir(folder) if name.endswith(".sft")]), 1)

    def build(self, name, text, *flags):
        source = self.write(name + ".cu", text.encode())
        subprocess.run(["nvcc", *flags, source, "-o", self.path(name)], check=True, capture_output=True)
        return self.path(name)

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
    def test_code_of_older_gpus_prints_the_same_on_their_platforms(self):
        for architecture, platform, programs in (("sm_80", "a100", ("printing", "calls", "cooperative", "warp", "pauses", "divergence")),
                                                 ("sm_75", "t4", ("printing", "calls", "memory", "pauses", "divergence"))):
            for name in programs:
                with self.subTest(name=name, architecture=architecture):
                    built = self.path(f"{name}.{architecture}")
                    subprocess.run(["nvcc", "-arch=" + architecture, "-std=c++17", "-cudart", "shared",
                                    os.path.join(SOURCES, name + ".cu"), "-o", built], check=True, capture_output=True)
                    done = subprocess.run([PROGRAM, "exec", "--platform", platform, "--json", self.path("old.json"), "--", built],
                                          capture_output=True, text=True)
                    fails = name == "printing"  # an assertion, on purpose
                    self.assertEqual(done.returncode, WRONG_RESULT if fails else OK, done.stderr)
                    with open(os.path.join(SOURCES, "expected", name + ".txt")) as file:
                        self.assertTrue(done.stdout.startswith(file.read()), done.stdout)

    LITTLE = "__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaGetLastError() + cudaDeviceSynchronize(); }\n"

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
    def test_a_program_with_the_runtime_inside(self):
        inside = self.build("inside", "int main() { return 0; }\n")
        self.assertEqual(self.exec(inside).returncode, BAD_INPUT)
        self.assertIn("-cudart shared", self.exec(inside).stderr)

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
    def test_every_compression(self):
        for mode in ("none", "size", "speed", "balance", "default"):
            with self.subTest(mode=mode):
                built = self.build(mode, self.LITTLE, "-cudart", "shared", "-arch=sm_90", f"-compress-mode={mode}")
                self.assertEqual(self.exec(built).returncode, OK)

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
    def test_a_thread_that_waits_for_input_does_not_hold_up_the_end(self):
        waits = self.build("waits", '''
#include <cstdio>
#include <thread>
#include <unistd.h>
int main() {
    std::thread([] { char line[10]; if (!std::fgets(line, sizeof line, stdin)) return; }).detach();
    sleep(1);
    std::fputs("before", stdout);
    std::FILE* file = std::fopen("written", "w");
    std::fputs("kept", file);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
}
''', "-arch=sm_90", "-cudart", "shared")
        running = subprocess.Popen([PROGRAM, "exec", "--", waits], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder.name)
        try:
            self.assertEqual(running.wait(timeout=30), NOT_MODELLED)  # with its input still open
            self.assertTrue(running.stdout.read().startswith("before"))
            self.assertIn("cudaGraphCreate", running.stderr.read())
            with open(self.path("written"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "kept")
        finally:
            running.kill()
            running.communicate()

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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
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

    def test_usage(self):
        self.fails(BAD_INPUT, "exec", says=("no program is given",))
        self.fails(BAD_INPUT, "run", "merge", "--n", "100", "--", "true", says=("runs no program",))
        self.fails(BAD_INPUT, "exec", "--", "/no/such/program", says=("cannot start the program",))
        self.fails(BAD_INPUT, "exec", "--json", "-", "--", "true", says=("--json -",))
        self.fails(BAD_INPUT, "exec", "--device", "functional", "--cache-control", "all", "--", "true", says=("--cache-control",))
        self.fails(BAD_INPUT, "exec", "--", "true", says=("does not use libcudart.so.13",))


if __name__ == "__main__":
    reason = why_not()
    if reason:
        print("skipped:", reason)
        sys.exit(SKIPPED_STATUS)
    unittest.main()
