"""sassafras exec --conflicts: bank conflicts of whole CUDA programs. Expected counts are arithmetic."""
import csv
import io
import json
import os
import shutil
import subprocess
import xml.dom.minidom

import exec_program
from exec_program import BUILT
from program import BAD_INPUT, OK, PROGRAM, WRONG_RESULT, ProgramTest, run_tests

HELPER = """__device__ __forceinline__ void put(float* tile, int index, float value) {
    tile[index] = value;
}
"""
#: A warp is a row of a block. It writes neighbouring words, 1 wavefront. Reading a column, its lane l has bank 32 l + y of 32, the same for all lanes, in a
#: tile of 32 columns, which takes 32 wavefronts; in one of 33 columns bank 33 l + y, another for each lane: 1. A launch has 32 warps.
TRANSPOSES = """#include <cstdio>
#include "inc/helper.cuh"
template <int pitch>
__global__ void transpose(float* out, const float* in) {
    __shared__ float tile[32 * pitch];
    put(tile, threadIdx.y * pitch + threadIdx.x, in[threadIdx.y * 32 + threadIdx.x]);
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * pitch + threadIdx.y];
}
__global__ void touch(float* out) { out[threadIdx.x] = 1; }
int main() {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    const dim3 block(32, 32);
    touch<<<1, 32>>>(in);
    for (int i = 0; i < 3; ++i) transpose<32><<<1, block>>>(out, in);
    transpose<33><<<1, block>>>(out, in);
    std::printf("error %d\\n", cudaDeviceSynchronize());
}
"""
UNPADDED, PADDED = "_Z9transposeILi32EEvPfPKf", "_Z9transposeILi33EEvPfPKf"
STORE_LINE, LOAD_LINE, CALL_LINE = 2, 8, 6


def why_not():
    return exec_program.why_not() or (None if shutil.which("nvcc") else "there is no nvcc on the PATH")


class ConflictsTest(ProgramTest):
    def compile(self, name, *flags, **sources):
        for file, text in sources.items():
            os.makedirs(os.path.dirname(self.path(file.replace("__", "/"))), exist_ok=True)
            self.write(file.replace("__", "/") + ("" if "__" in file else ".cu"), text.encode())
        units = [self.path(file + ".cu") for file in sources if "__" not in file]
        subprocess.run(["nvcc", "-arch=sm_90", "-cudart", "shared", *flags, *units, "-o", self.path(name)], check=True, capture_output=True)
        return self.path(name)

    def transposes(self, *flags):
        os.makedirs(self.path("inc"))
        self.write("inc/helper.cuh", HELPER.encode())
        return self.compile("transposes", *flags, transposes=TRANSPOSES)

    def conflicts(self, program, *options, arguments=(), status=OK):
        done = self.run_program("exec", "--conflicts", *options, "--", program, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def report(self, program, *options, **other):
        self.conflicts(program, "--json", self.path("report.json"), *options, **other)
        with open(self.path("report.json"), encoding="utf-8") as text:
            report = json.load(text)
        del report["total"]["wall_seconds"]
        return report

    def rows(self, program, *options):
        text = self.conflicts(program, "--csv", *options)
        return list(csv.DictReader(io.StringIO(text[text.index('"'):])))


class Lines(ConflictsTest):
    def setUp(self):
        super().setUp()
        self.program = self.transposes("-lineinfo")

    def test_phases_are_lines(self):
        report = self.report(self.program)
        self.assertEqual([(kernel["kernel"], kernel["launches"], kernel["requests"], kernel["wavefronts"]) for kernel in report["kernels"]],
                         [("_Z5touchPf", 1, 0, 0), (UNPADDED, 3, 2 * 96, 96 + 32 * 96), (PADDED, 1, 2 * 32, 2 * 32)])
        store, load = f"helper.cuh:{STORE_LINE} < transposes.cu:{CALL_LINE} stores", f"transposes.cu:{LOAD_LINE} loads"
        self.assertEqual([(phase["part"], phase["phase"], phase["requests"], phase["wavefronts"], phase["beta_ideal"]) for phase in report["phases"]],
                         [(UNPADDED, store, 96, 96, 1), (UNPADDED, load, 96, 32 * 96, 1), (PADDED, store, 32, 32, 1), (PADDED, load, 32, 32, 1)])
        for phase in report["phases"]:
            self.assertAlmostEqual(phase["beta_random"], 3.5329, delta=1e-3)
            self.assertEqual(phase["beta_bound"], 32)
        self.assertEqual(report["phases"][0]["line"], {"file": "helper.cuh", "line": STORE_LINE, "text": "tile[index] = value;",
                                                       "inlined": [{"function": "put", "file": "transposes.cu", "line": CALL_LINE}]})
        self.assertEqual(report["workload"]["name"], "exec")
        self.assertEqual(report["total"]["launches"], 5)

    def test_table(self):
        text = self.conflicts(self.program)
        self.assertTrue(text.startswith("error 0\n"))  # what the program prints
        self.assertIn("32 banks of 4 bytes, 5 launches", text)
        self.assertIn("void transpose<32>(float*, float const*), 3 launches\n", text)
        self.assertIn("void transpose<33>(float*, float const*), 1 launch\n", text)
        self.assertRegex(text, r"\n    helper.cuh:2 stores +96 +96 +1\.000 +1\.000 +3\.533 +32\.00  tile\[index\] = value;  < transposes.cu:6\n")
        self.assertRegex(text, r"\n    transposes.cu:8 loads +96 +3,072 +32\.000 +1\.000 +3\.533 +32\.00  out\[.*\n")
        self.assertRegex(text, r"most wavefronts beyond the ideal\n  void transpose<32>.*\n.*\n +0x[0-9a-f]+ +96 +3,072 ")

    def test_other_views(self):
        by_round = self.rows(self.program, "--by", "round")
        self.assertEqual([(row["Launch"], row["L1 Wavefronts Shared"]) for row in by_round if row["Phase"].endswith("loads")],
                         [("1", "1024"), ("2", "1024"), ("3", "1024"), ("4", "32")])
        by_instruction = self.rows(self.program, "--by", "instruction")
        self.assertEqual([(row["File"], row["Line"], row["Beta"]) for row in by_instruction if "transpose<32>" in row["Kernel Name"]],
                         [("helper.cuh", "2", "1.000000"), ("transposes.cu", "8", "32.000000")])
        self.assertEqual([row["Part"] for row in self.rows(self.program)][0], "void transpose<32>(float*, float const*)")
        self.assertRegex(self.conflicts(self.program, "--by", "round"), r"launch +requests +all +random +bound\n +1 +64 +16\.500 +3\.533 +32\.00\n +2 ")

    def test_one_request_is_drawn(self):
        text = self.conflicts(self.program, "--explain", "--svg", self.path("request.svg"))
        self.assertIn("void transpose<32>(float*, float const*) (launch 1), LDS", text)
        self.assertIn("  transposes.cu:8  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * pitch + threadIdx.y];\n", text)
        self.assertIn("loads of 4 bytes by 32 lanes: 32 wavefronts, 1 without conflicts; 32 banks of 4 bytes", text)
        self.assertIn("Bank 0 has 32 different words, of lanes 0-31: one a pass.", text)
        drawing = xml.dom.minidom.parse(self.path("request.svg"))
        self.assertEqual(len(drawing.getElementsByTagName("path")), 32)  # a line a lane
        for name in (PADDED, "void transpose<33>(float*, float const*)"):
            explained = self.report(self.program, "--explain", "--kernel", name)["explained"]
            self.assertEqual((explained["kernel"], explained["launch"], explained["wavefronts"]), (PADDED, 4, 1))

    def test_another_memory(self):
        """Half a warp fills 16 banks: two wavefronts without conflicts, and all 16 lanes of a half in one bank of a column of the unpadded tile."""
        report = self.report(self.program, "--banks", "16")
        self.assertEqual(report["geometry"], {"banks": 16, "bank_bytes": 4})
        self.assertEqual([phase["beta"] for phase in report["phases"]], [2, 32, 2, 2])

    def test_text_only_of_the_source_that_was_compiled(self):
        self.write("transposes.cu", ("// a line more\n" + TRANSPOSES).encode())
        lines = {phase["phase"]: phase["line"]["text"] for phase in self.report(self.program)["phases"]}
        self.assertEqual(lines[f"transposes.cu:{LOAD_LINE} loads"], "")
        self.assertEqual(lines[f"helper.cuh:{STORE_LINE} < transposes.cu:{CALL_LINE} stores"], "tile[index] = value;")
        shutil.rmtree(self.path("inc"))
        self.assertEqual({phase["line"]["text"] for phase in self.report(self.program)["phases"]}, {""})

    def test_same_bytes_again_and_with_other_threads(self):
        first = self.report(self.program)
        self.assertEqual(self.report(self.program), first)
        self.assertEqual(self.report(self.program, "--threads", "3"), first)


class WithoutLines(ConflictsTest):
    def test_phases_are_instructions(self):
        report = self.report(self.transposes())
        self.assertEqual([(phase["part"], phase["phase"].split()[1], phase["wavefronts"], phase["line"]) for phase in report["phases"]],
                         [(UNPADDED, "stores", 96, None), (UNPADDED, "loads", 32 * 96, None), (PADDED, "stores", 32, None), (PADDED, "loads", 32, None)])
        self.assertEqual([int(phase["phase"].split()[0], 16) for phase in report["phases"]], [one["pc"] for one in report["instructions"]])

    def test_kernels_of_libraries(self):
        """As many launches and wavefronts as `exec` counts for the same program."""
        program = os.path.join(BUILT, "cub_algorithms")
        report = self.report(program)
        file = self.path("run.json")
        done = self.run_program("exec", "--device", "functional", "--json", file, "--", program)
        self.assertEqual(done.returncode, OK, done.stderr)
        with open(file, encoding="utf-8") as text:
            kernels = json.load(text)["kernels"]
        self.assertEqual(report["total"]["launches"], len(kernels))
        self.assertGreater(report["run"]["wavefronts"], report["run"]["requests"])
        for row in report["kernels"]:
            mine = [kernel["metrics"]["memory_l1_wavefronts_shared"] for kernel in kernels if kernel["name"] == row["kernel"]]
            self.assertEqual((len(mine), sum(mine)), (row["launches"], row["wavefronts"]))
        for view in ("phases", "instructions", "kernels", "rounds"):
            self.assertEqual(sum(row["wavefronts"] for row in report[view]), report["run"]["wavefronts"], view)


class Programs(ConflictsTest):
    ONE = """__global__ void column(float* out) {
    __shared__ float tile[33 * 32];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * PITCH];
}
void NAME(float* out) { column<<<1, 32>>>(out); }
"""

    def test_kernels_of_one_name_in_two_files(self):
        """Each file has a kernel of its own: a column of 32 floats, and one of 33."""
        first = self.ONE.replace("__global__", "static __global__").replace("PITCH", "32").replace("NAME", "first")
        second = self.ONE.replace("__global__", "static __global__").replace("PITCH", "33").replace("NAME", "second")
        main = "void first(float*); void second(float*);\nint main() { float* out; cudaMalloc(&out, 128); first(out); second(out); return cudaDeviceSynchronize(); }\n"
        for flags in (("-lineinfo",), ()):
            with self.subTest(flags=flags):
                report = self.report(self.compile("two", *flags, first=first, second=second, main=main))
                loads = [row for row in report["instructions"] if row["sass"].startswith("LDS")]
                self.assertEqual([row["wavefronts"] for row in loads], [32, 1])
                self.assertEqual([row["wavefronts"] for row in report["phases"] if row["phase"].endswith("loads")], [32, 1])
                if flags:
                    self.assertEqual([row["line"]["file"] for row in loads], ["first.cu", "second.cu"])

    def test_functions_with_a_section_of_their_own(self):
        """-rdc=true leaves what is not inlined apart from the kernel; its lines are still its own."""
        pick = "__device__ float pick(const float* tile, int index) {\n    return tile[index * 32];\n}\n"
        kernel = """__device__ float pick(const float*, int);
__global__ void picked(float* out) {
    __shared__ float tile[1024];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = pick(tile, threadIdx.x);
}
int main() { float* out; cudaMalloc(&out, 128); picked<<<1, 32>>>(out); return cudaDeviceSynchronize(); }
"""
        program = self.compile("apart", "-rdc=true", "-lineinfo", pick=pick, picked=kernel)
        report = self.report(program)
        self.assertEqual([(phase["phase"], phase["wavefronts"]) for phase in report["phases"]], [("pick.cu:2 loads", 32), ("picked.cu:4 stores", 1)])
        done = self.run_program("exec", "--device", "functional", "--check", "--", program)
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)  # but for the first, the words of the column have no value
        self.assertIn("pick.cu:2", done.stdout)
        self.assertNotIn("picked.cu", done.stdout)

    def test_a_kernel_that_fails(self):
        text = self.conflicts(os.path.join(BUILT, "ends"), arguments=["fault"], status=WRONG_RESULT)
        self.assertIn("failed: ", text)

    def test_refusals(self):
        for options, says in ((["--page", "source"], "--page would have no effect"), (["--check"], "--check would have no effect"),
                              (["--cache-control", "all"], "--cache-control would have no effect"), (["--device", "simulated"], "--device would have no effect"),
                              (["--json", "-"], "the program prints to standard output"), (["--explain", "--csv"], "--csv would have no effect"),
                              (["--kernel", "k"], "add --explain"), (["--banks", "12"], "12 banks are not modelled"), (["--svg", "/nowhere/a.svg"], "cannot write")):
            with self.subTest(options=options):
                self.fails(BAD_INPUT, "exec", "--conflicts", *options, "--", "true", says=[says])
        for option in (["--explain"], ["--by", "phase"], ["--kernel", "k"]):
            self.fails(BAD_INPUT, "exec", *option, "--", "true", says=["--conflicts"])
        done = self.run_program("exec", "--svg", self.path("a.svg"), "--", "true")
        if "scripts/setup charts" not in done.stderr:  # else it was built without what draws charts
            self.assertEqual(done.returncode, BAD_INPUT)
            self.assertIn("--conflicts", done.stderr)
        self.fails(BAD_INPUT, "exec", "--conflicts", "--explain", "--", os.path.join(BUILT, "ends"), says=["no request to shared memory fits"])


class SharedCounters(exec_program.BuiltTest):
    """Counters in shared memory (ATOMS.POPC.INC) on 16 distributions of values, as Nsight Compute counted them on an H200."""
    PROBES = os.path.join(exec_program.SOURCES, "..", "..", "validate", "records", "h200", "probes")
    NAME, SOURCE_FILE, FLAGS = "text_histogram", os.path.join(PROBES, "text_histogram.cu"), ("-O3", "-std=c++17")

    def test_wavefronts_and_instructions_are_those_that_were_recorded(self):
        with open(os.path.join(self.PROBES, "text_histogram.csv"), encoding="utf-8") as file:
            recorded = list(csv.DictReader(line for line in file if not line.startswith("#")))
        done = self.exec(self.program, options=("--device", "functional", "--csv", "--page", "raw"))
        self.assertEqual(done.returncode, OK)
        lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
        rows = [row for row in csv.DictReader(lines) if "counts" in row["Kernel Name"]]
        names = {"wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "inst_executed": "smsp__inst_executed.sum"}
        counted = [{short: float(row[name].replace(",", "")) for short, name in names.items()} for row in rows]
        self.assertEqual(counted, [{short: float(row[short]) for short in names} for row in recorded])
        self.assertEqual(len(recorded), 16)


if __name__ == "__main__":
    run_tests(why_not)
