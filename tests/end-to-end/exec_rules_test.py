"""Rules of CUDA programs: the first one names the habit that makes a kernel slow."""
import json

from exec_program import BuiltTest, why_not
from program import run_tests

SMALL = ("--set", "gpu.sm_count=2")


class OfPrograms(BuiltTest):
    NAME, SOURCE = "planted", br"""
__global__ void transpose(const float* from, float* to, int rounds) {
    __shared__ float tile[32][32];
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32;
    for (int round = 0; round < rounds; ++round) {
        tile[row][lane] = from[threadIdx.x] + round;
        __syncthreads();
        to[threadIdx.x] = tile[lane][row];
        __syncthreads();
    }
}
__global__ void count(unsigned* counters, int rounds, int apart) {
    for (int round = 0; round < rounds; ++round) atomicAdd(counters + threadIdx.x * apart, threadIdx.x + round);
}
int main() {
    float* memory;
    cudaMalloc(&memory, 1 << 20);
    transpose<<<2, 1024>>>(memory, memory + 4096, 20);
    count<<<2, 1024>>>(reinterpret_cast<unsigned*>(memory), 20, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""

    def test_the_first_rule_names_what_was_planted(self):
        report = self.path("report.json")
        self.exec(self.built(), options=(*SMALL, "--apply-rules", "yes", "--json", report))
        with open(report) as file:
            transpose, count = json.load(file)["kernels"]
        self.assertEqual(transpose["rules"][0]["what_if"], "no-bank-conflicts")
        self.assertEqual(count["rules"][0]["what_if"], "no-atomic-contention")
        self.assertGreater(count["rules"][0]["estimated_speedup_percent"], 50)


class OfShares(BuiltTest):
    """What bounds a kernel is said by the shares that Speed Of Light has beside it."""
    NAME, SOURCE = "shares", br"""
__global__ void load(const float4* from, float4* to) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    const float4 a = from[at], b = from[at + step], c = from[at + 2 * step], d = from[at + 3 * step];
    if (a.x + b.x + c.x + d.x != 0) to[at] = a;
}
__global__ void spill(float* out, int k) {
    float values[64];
    for (int i = 0; i < 64; ++i) values[i] = threadIdx.x * i;
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += values[(i * k + threadIdx.x) % 64];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void multiply(float* out, float x) {
    float a = threadIdx.x, b = 1, c = 2, d = 3;
    for (int i = 0; i < 400; ++i) { a = a * x + 1; b = b * x + 2; c = c * x + 3; d = d * x + 4; }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
__global__ void wait(float* out, int n) {
    int at = threadIdx.x;
    for (int i = 0; i < n; ++i) at = (__float_as_int(out[at]) + threadIdx.x) & 1023;
    out[at] = 1;
}
int main() {
    float* memory;
    cudaMalloc(&memory, 1 << 25);
    cudaMemset(memory, 0, 1 << 25);
    float4* const halves = reinterpret_cast<float4*>(memory);
    load<<<256, 1024>>>(halves, halves + (1 << 20));
    spill<<<4, 128>>>(memory, 3);
    multiply<<<16, 1024>>>(memory, 0.5f);
    wait<<<1, 32>>>(memory, 50);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""
    # Bytes that DRAM moves in a cycle as on the whole GPU, for so many SMs.
    GPU = ("--set", "gpu.sm_count=4", "--set", "dram.bandwidth_gb_per_s=60")
    SHARES = {"compute": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "memory": "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
              "L1": "l1tex__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"}

    def kernels(self, *options):
        done, report = self.report_of(self.built(), options=(*self.GPU, "--cache-control", "all", "--no-what-if", *options))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, report["kernels"]

    def test_the_verdict_is_of_the_shares_that_are_shown(self):
        _, kernels = self.kernels("--set", "full", "--apply-rules", "yes")
        bounds = dict(zip(("load", "spill", "multiply", "wait"), (kernel["bound"] for kernel in kernels)))
        self.assertEqual(bounds, {"load": "memory", "spill": "latency", "multiply": "instructions", "wait": "latency"})
        for kernel in kernels:
            share = {name: kernel["metrics"][metric] for name, metric in self.SHARES.items()}
            rule, = [rule["text"] for rule in kernel["rules"] if rule["rule"] == "SOLBottleneck"]
            for text in kernel["verdict"], rule:
                self.assertIn(f"{share['memory']:.0f} %", text)
                self.assertIn(f"{share['compute']:.0f} %", text)
        load, spill, multiply, wait = (kernel["verdict"] for kernel in kernels)
        self.assertIn("DRAM at", load)
        self.assertIn("(L1)", spill)  # which serves local memory, too
        self.assertIn("more heavily utilized than memory", [rule["text"] for rule in kernels[2]["rules"] if rule["rule"] == "SOLBottleneck"][0])
        self.assertNotIn("nearest", wait)

    def test_it_is_the_same_where_the_full_set_is_not_asked_for(self):
        _, full = self.kernels("--set", "full", "--apply-rules", "yes")
        page, plain = self.kernels("--page", "details")
        for one, other in zip(full, plain):
            self.assertEqual((one["verdict"], one["rules"]), (other["verdict"], other["rules"]))
            self.assertNotIn(self.SHARES["memory"], other["metrics"])


class OfNothing(BuiltTest):
    """What is there to see and not to win is no optimisation."""
    NAME, SOURCE = "nothing", br"""
__global__ void one_in_ten(float* p, int rounds) {
    __shared__ float t[1024];
    if (threadIdx.x < 32) t[threadIdx.x * 32 % 1024] = p[threadIdx.x];  // conflicts, once
    __syncthreads();
    float x = t[threadIdx.x];
    for (int i = 0; i < rounds; ++i) x = x * 0.5f + 1;
    p[threadIdx.x] = x;
}
int main() {
    float* p;
    cudaMalloc(&p, 1 << 20);
    one_in_ten<<<2, 256>>>(p, 10000);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""

    def test_it_is_said_without_an_estimate(self):
        file = self.path("report.json")
        page = self.exec(self.built(), options=(*SMALL, "--page", "details", "--json", file)).stdout
        with open(file, encoding="utf-8") as text:
            rules = json.load(text)["kernels"][0]["rules"]
        conflicts, = [rule for rule in rules if rule["what_if"] == "no-bank-conflicts"]
        self.assertLess(conflicts["estimated_speedup_percent"], 1)
        self.assertEqual(conflicts["type"], "INF")
        self.assertIn("    INF   An access to shared memory takes", page)
        self.assertNotRegex(page, r"(Speedup: |At most )0\.")


class OfSelected(BuiltTest):
    """What is said of a launch does not depend on which launches are selected beside it."""
    NAME, SOURCE = "selected", br"""
__global__ void conflict(float* p) {
    __shared__ float t[32 * 33];
    for (int i = 0; i < 8; i++) {
        t[threadIdx.x % 32 * 32 + threadIdx.x / 32] = p[threadIdx.x];
        __syncthreads();
        p[threadIdx.x] = t[(threadIdx.x * 32) % 1024];
        __syncthreads();
    }
}
__global__ void ticket(int* p, int* o) { o[threadIdx.x] = atomicAdd(p, 1); }  // its blocks depend on their order
int main() {
    float* p;
    cudaMalloc(&p, 1 << 20);
    for (int i = 0; i < 3; ++i) {
        conflict<<<4, 256>>>(p);
        ticket<<<1, 32>>>(reinterpret_cast<int*>(p), reinterpret_cast<int*>(p) + 1000);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""
    KEPT = ("verdict", "bound", "rules", "metrics")

    def ruled(self, *options):
        """By number of the launch."""
        file = self.path("report.json")
        done = self.exec(self.built(), options=(*SMALL, "--apply-rules", "yes", "--json", file, *options))
        return self.read(done, file)

    def replayed(self, folder, *options):
        file = self.path("replay.json")
        return self.read(self.run_program("trace", "replay", folder, *SMALL, "--apply-rules", "yes", "--json", file, *options), file)

    def read(self, done, file):
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(file, encoding="utf-8") as text:
            report = json.load(text)
        numbers = report["launches"]["numbers"] if "launches" in report else range(len(report["kernels"]))
        return {number: {key: kernel[key] for key in self.KEPT} for number, kernel in zip(numbers, report["kernels"])}

    def test_exec(self):
        for control in "all", "none":
            every = self.ruled("--cache-control", control)
            self.assertEqual(len(every), 6)
            # The first launch of the process is not among those that are selected; what a launch saves is known.
            self.assertTrue(all(kernel["rules"][0]["estimated_speedup_percent"] > 1 for number, kernel in every.items() if number % 2 == 0))
            for options, numbers in ((("-k", "conflict"), [0, 2, 4]), (("-k", "ticket"), [1, 3, 5]), (("-s", "1"), [1, 2, 3, 4, 5]), (("-s", "4", "-c", "1"), [4])):
                with self.subTest(control=control, options=options):
                    self.assertEqual(self.ruled("--cache-control", control, *options), {number: every[number] for number in numbers})

    def test_trace_replay(self):
        folder = self.path("traced")
        self.assertEqual(self.run_program("trace", "capture", "-o", folder, *SMALL, "--", self.built()).returncode, 0)
        for control in "all", "none":
            every = self.replayed(folder, "--cache-control", control)
            self.assertEqual(len(every), 6)
            for options, numbers in ((("-k", "conflict"), [0, 2, 4]), (("-c", "1"), [0]), (("-s", "4"), [4, 5])):
                with self.subTest(control=control, options=options):
                    self.assertEqual(self.replayed(folder, "--cache-control", control, *options), {number: every[number] for number in numbers})


if __name__ == "__main__":
    run_tests(why_not)
