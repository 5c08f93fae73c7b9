"""sassafras exec and trace capture of programs with several processes, closed descriptors, or a folder of their own."""
import json
import os
import subprocess
import time

from exec_program import CHECK, BuiltTest, why_not
from program import OK, PROGRAM, WRONG_RESULT, run_tests


class Processes(BuiltTest):
    NAME, SOURCE = "processes", br"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
__global__ void work(int* out, int times) {
    for (int i = 0; i < times; ++i) out[blockIdx.x * blockDim.x + threadIdx.x] += i;
}
__global__ void race(int* out) {
    __shared__ int places[64];
    places[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = places[63 - threadIdx.x];
}
int* memory(int count = 64) {
    int* made = nullptr;
    cudaMalloc(&made, 4 * count);
    return made;
}
void launch() {
    work<<<1, 64>>>(memory(), 3);
    cudaDeviceSynchronize();
}
/// Runs what each argument says, in turn.
int main(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        const auto is = [&](const char* word) { return !std::strcmp(arguments[i], word); };
        if (is("launch")) launch();
        if (is("race")) race<<<1, 64>>>(memory()), cudaDeviceSynchronize();
        if (is("free-twice")) {
            int* const freed = memory();
            cudaFree(freed);
            cudaFree(freed);
        }
        if (is("fork") && fork() == 0) {
            if (i + 1 < count && !std::strcmp(arguments[i + 1], "race"))
                race<<<1, 64>>>(memory()), cudaDeviceSynchronize();
            else
                launch();
            _exit(0);
        }
        if (is("fork") && i + 1 < count && !std::strcmp(arguments[i + 1], "race")) ++i;
        if (is("wait")) while (wait(nullptr) > 0) {}
        if (is("print-meanwhile")) {
            int* const out = memory(64 * 64);
            cudaDeviceSynchronize();
            close(1);
            bool goes_on = true;
            std::thread printing([&] { while (goes_on) std::printf("text\n"), std::fflush(stdout); });
            work<<<64, 64>>>(out, 2000);
            cudaDeviceSynchronize();
            goes_on = false;
            printing.join();
        }
        if (is("folder") && chdir("/") != 0) return 9;
        if (is("free-many"))
            for (int i = 0; i < 70000; ++i) {
                int* made[2] = {};
                for (int*& one : made)
                    if (cudaMallocManaged(&one, 64) != cudaSuccess) return 8;
                cudaFree(made[0]);
            }
    }
    std::puts("end");
}
"""

    def captured(self, command):
        """Launches of a capture whose folder is whole."""
        trace = self.path("trace")
        done = self.run_program("trace", "capture", "-o", trace, "--", *command)
        self.assertEqual(done.returncode, OK, done.stderr)
        report = json.loads(self.succeeds("trace", "info", trace, "--json", "-"))
        self.assertEqual(len(os.listdir(trace)), len(report["launches"]) + 1)
        self.succeeds("trace", "replay", trace, "--device", "functional")
        subprocess.run(["rm", "-r", trace], check=True)
        return len(report["launches"])

    def test_processes_share_a_captures_folder(self):
        program = self.built()
        self.assertEqual(self.captured([program, "fork", "fork", "fork", "wait"]), 3)
        self.assertEqual(self.captured([program, "fork", "wait", "launch"]), 2)
        self.assertEqual(self.captured(["/bin/sh", "-c", f"{program} launch launch; {program} launch"]), 3)

    def test_what_each_process_found_is_reported(self):
        program = self.built()
        for command in ([program, "fork", "race", "wait", "free-twice"], [program, "free-twice", "fork", "wait"],
                        ["/bin/sh", "-c", f"{program} race; {program} free-twice; {program} launch"],
                        ["/bin/sh", "-c", f"{program} race; exec {program} free-twice"]):
            with self.subTest(command=command):
                done, report = self.report_of(command[0], *command[1:], options=CHECK)
                self.assertEqual(done.returncode, WRONG_RESULT, done.stderr)
                found = [finding["what"] for finding in report["checks"]]
                self.assertEqual(any("hazard" in what for what in found), "race" in " ".join(command), found)
                self.assertEqual(sum("cudaFree" in what for what in found), 1, found)

    def test_a_second_free_says_what_was_freed(self):
        done = self.exec(self.built(), "free-twice", options=CHECK)
        self.assertRegex(done.stdout, r"is inside the allocation at 0x[0-9a-f]+ of size 256 bytes, which has been freed")

    def test_what_a_program_prints_after_closing_its_output_lands_nowhere(self):
        self.assertEqual(self.captured([self.built(), "print-meanwhile"]), 1)
        self.assertEqual(self.captured(["/bin/sh", "-c", f"exec {self.built()} print-meanwhile >&-"]), 1)
        for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
            done, report = self.report_of("/bin/sh", "-c", f"exec {self.built()} print-meanwhile launch {closed}", options=CHECK)
            self.assertEqual((done.returncode, len(report["kernels"])), (OK, 2), done.stderr)

    def test_a_relative_folder_for_temporary_files(self):
        os.mkdir(self.path("temporary"))
        done = subprocess.run([PROGRAM, "exec", "--device", "functional", "--", self.built(), "launch", "folder", "launch"], capture_output=True, text=True,
                              cwd=self.folder.name, env={**os.environ, "TMPDIR": "temporary"})
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertIn("kernels: 2", done.stdout)

    def test_a_process_that_outlives_the_program_is_told_so(self):
        says = self.path("says")
        done = self.exec("/bin/sh", "-c", f"(sleep 1; {self.built()} launch) > {says} 2>&1 & {self.built()} launch", options=("--device", "functional"))
        self.assertEqual(done.returncode, OK, done.stderr)
        deadline = time.monotonic() + 20
        while not (os.path.exists(says) and os.path.getsize(says)) and time.monotonic() < deadline:
            time.sleep(0.1)
        with open(says, encoding="utf-8") as file:
            self.assertIn("outlives the program that sassafras exec has run", file.read())

    def test_freeing_much_leaves_the_program_its_own_mappings(self):
        done = self.exec(self.built(), "free-many", "launch", options=CHECK)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))


if __name__ == "__main__":
    run_tests(why_not)
