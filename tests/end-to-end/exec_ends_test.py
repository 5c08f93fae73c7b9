"""sassafras exec: how a program ends, and what is said of it."""
import json
import os
import shutil
import signal
import subprocess
import unittest

from exec_program import BUILT, ExecTest, why_not
from program import BAD_INPUT, NOT_MODELLED, OK, PROGRAM, WRONG_RESULT, run_tests


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


if __name__ == "__main__":
    run_tests(why_not)
