"""sassafras exec: how a program's time adds up, and its timeline, read back by its schema."""
import csv
import json

import timeline_file
from exec_program import BuiltTest, why_not
from program import run_tests

LAUNCHES = 5


class Timeline(BuiltTest):
    NAME, SOURCE = "timeline", br"""
#include <cstdio>
#include <cstring>
#include <nvtx3/nvToolsExt.h>
__global__ void scale(float* data, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float x = data[i];
        for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
        data[i] = x;
    }
}
// One stream: everything between two events, then more in two streams beside each other.
int main(int argc, char** arguments) {
    const int n = 1 << 16;
    float *data, *host;
    cudaStream_t first, second;
    cudaEvent_t begin, end;
    cudaMalloc(&data, n * sizeof(float));
    cudaMallocHost(&host, n * sizeof(float));
    std::memset(host, 0, n * sizeof(float));
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, first);
    nvtxRangePushA("all of it");
    cudaMemsetAsync(data, 0, n * sizeof(float), first);
    cudaMemcpyAsync(data, host, n * sizeof(float), cudaMemcpyHostToDevice, first);
    nvtxRangePushA("kernels, \"two\"");
    scale<<<64, 128, 0, first>>>(data, n, 64);
    scale<<<64, 128, 0, first>>>(data, n, argc > 1 ? 4096 : 256);
    nvtxRangePop();
    cudaMemcpyAsync(host, data, n * sizeof(float), cudaMemcpyDeviceToHost, first);
    cudaEventRecord(end, first);
    cudaStreamSynchronize(first);
    nvtxRangePop();
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    std::printf("ns %.0f\n", 1e6 * milliseconds);
    if (argc > 1) return 0;
    nvtxMarkA("half way");
    nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
    nvtxEventAttributes_t named{};
    named.version = NVTX_VERSION;
    named.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    named.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    named.message.registered = nvtxDomainRegisterStringA(domain, "a copy beside kernels");
    const nvtxRangeId_t whole = nvtxDomainRangeStartEx(domain, &named);
    scale<<<8, 128, 0, first>>>(data, n / 8, 256);
    scale<<<8, 128, 0, second>>>(data, n / 8, 256);
    cudaMemcpy(host, data, 1024, cudaMemcpyDeviceToHost);
    nvtxDomainRangeEnd(domain, whole);
    nvtxRangePushA("never ends");
    scale<<<1, 32>>>(data, 32, 1);  // nobody waits for it
    return 0;
}
"""

    plain_run = None  # of all tests that need nothing else

    def timeline(self, *arguments, options=()):
        if arguments or options:
            return self.run_of(*arguments, options=options)
        Timeline.plain_run = Timeline.plain_run or self.run_of()
        return Timeline.plain_run

    def run_of(self, *arguments, options=()):
        done, report = self.report_of(self.built(), *arguments, options=("--timeline", self.path("t.json"), *options))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done, report, timeline_file.load(self.path("t.json"))

    def test_the_time_adds_up(self):
        _, report, _ = self.timeline()
        time = report["time"]
        parts = [time[part]["alone_ns"] for part in ("kernels", "copies", "sets", "events")]
        self.assertAlmostEqual(sum(parts) + time["idle_ns"], time["total_ns"], delta=1)
        self.assertEqual([time[part]["count"] for part in ("kernels", "copies", "sets", "events")], [LAUNCHES, 3, 1, 2])
        self.assertGreater(time["kernels"]["together_ns"], time["kernels"]["alone_ns"])  # two go on beside each other
        self.assertAlmostEqual(sum(kernel["end_ns"] - kernel["start_ns"] for kernel in report["kernels"]), time["kernels"]["together_ns"], delta=1)
        self.assertLess(time["host"]["waits_ns"], time["total_ns"])  # the last kernel goes on without it

    def test_the_total_agrees_with_events_around_everything(self):
        done, report, _ = self.timeline("one stream")
        elapsed = float(next(line for line in done.stdout.splitlines() if line.startswith("ns "))[3:])
        self.assertAlmostEqual(elapsed / report["time"]["total_ns"], 1, delta=0.02)
        self.assertLess(elapsed, report["time"]["total_ns"])  # the first event's own recording is not between them

    def test_the_text_has_the_same_sums(self):
        done, report, _ = self.timeline()
        rows = {words[0]: words for words in map(str.split, done.stdout.splitlines()) if words}
        for row in ("kernels", "copies", "sets", "events"):
            self.assertAlmostEqual(float(rows[row][1]), report["time"][row]["alone_ns"] / 1000, delta=0.001)
        self.assertAlmostEqual(float(rows["total"][1]), report["time"]["total_ns"] / 1000, delta=0.001)

    def test_work_of_a_stream_is_one_behind_the_other_and_sums_are_the_reports(self):
        _, report, timeline = self.timeline()
        work = timeline_file.of_category(timeline, "kernel", "copy", "set", "event")
        self.assertEqual(timeline_file.overlaps(work), [])
        self.assertEqual(sorted(set(map(timeline_file.names_of_tracks(timeline).get, timeline_file.by_track(work)))),
                         ["default stream", "stream 13", "stream 14"])
        for category, part in (("kernel", "kernels"), ("copy", "copies"), ("set", "sets"), ("event", "events")):
            spans = [timeline_file.nanoseconds(event) for event in timeline_file.of_category(timeline, category)]
            self.assertEqual(len(spans), report["time"][part]["count"])
            self.assertAlmostEqual(sum(end - begin for begin, end in spans), report["time"][part]["together_ns"], delta=len(spans))
        self.assertAlmostEqual(max(end for _, end in map(timeline_file.nanoseconds, work)), report["time"]["total_ns"], delta=1)
        for event in timeline_file.of_category(timeline, "kernel"):
            kernel = report["kernels"][event["args"]["launch"]]
            self.assertAlmostEqual(timeline_file.nanoseconds(event)[0], kernel["start_ns"], delta=1)
            self.assertAlmostEqual(timeline_file.nanoseconds(event)[1], kernel["end_ns"], delta=1)
            self.assertEqual(event["args"]["cycles"], kernel["metrics"]["sm__cycles_elapsed.max"])
        copies = {(event["name"], event["args"]["bytes"]) for event in timeline_file.of_category(timeline, "copy", "set")}
        self.assertEqual(copies, {("memset device", 1 << 18), ("memcpy HtoD", 1 << 18), ("memcpy DtoH", 1 << 18), ("memcpy DtoH", 1024)})
        host = timeline_file.of_category(timeline, "host")
        self.assertEqual(timeline_file.overlaps(host), [])
        self.assertAlmostEqual(sum(end - begin for begin, end in map(timeline_file.nanoseconds, host)), sum(report["time"]["host"].values()), delta=len(host))

    def test_ranges_of_nvtx_have_the_hosts_time_and_that_of_their_work(self):
        _, report, timeline = self.timeline()
        host = {event["name"]: event for event in timeline_file.of_category(timeline, "nvtx")}
        self.assertEqual(set(host), {"all of it", "kernels, \"two\"", "half way", "a copy beside kernels", "never ends"})
        self.assertEqual(host["half way"]["ph"], "i")
        self.assertIs(host["never ends"]["args"]["unfinished"], True)
        gpu = {}
        for event in timeline_file.of_category(timeline, "nvtx-gpu"):
            gpu.setdefault(event["name"], {})[event["ph"]] = event
        kernels = report["kernels"]
        two = gpu["kernels, \"two\""]
        self.assertEqual(two["b"]["args"]["pieces"], 2)
        self.assertAlmostEqual(1000 * two["b"]["ts"], kernels[0]["start_ns"], delta=1)
        self.assertAlmostEqual(1000 * two["e"]["ts"], kernels[1]["end_ns"], delta=1)
        self.assertEqual(gpu["all of it"]["b"]["args"]["pieces"], 6)
        self.assertEqual(gpu["a copy beside kernels"]["b"]["args"], {"domain": "mine", "pieces": 3})

    def test_without_a_timeline_nobody_asks_for_ranges(self):
        plain = self.exec(self.built())
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertNotIn("half way", plain.stdout)

    def test_too_many_events_are_left_out_and_said(self):
        done, _, timeline = self.timeline(options=("--timeline-events", "5"))
        self.assertEqual(timeline["otherData"]["events"], 5)
        self.assertGreater(timeline["otherData"]["events_left_out"], 10)
        self.assertIn(f"leaves out {timeline['otherData']['events_left_out']} more", done.stderr)

    def test_intervals_and_blocks(self):
        table = self.path("i.csv")
        _, report, timeline = self.timeline(options=("--interval", "1000", "--interval-csv", table, "--timeline-blocks", "1"))
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({int(row["launch"]) for row in rows}, set(range(LAUNCHES)))
        for number, kernel in enumerate(report["kernels"]):
            of_launch = [row for row in rows if int(row["launch"]) == number]
            timeline_file.check_sums(self, of_launch, kernel["metrics"])
            ends = [0] + [int(row["end_cycle"]) for row in of_launch]
            self.assertEqual([int(row["begin_cycle"]) for row in of_launch], ends[:-1])
        blocks = timeline_file.of_category(timeline, "block")
        self.assertEqual(sorted(event["name"] for event in blocks), sorted(f"block {i}" for i in range(64)))
        self.assertEqual(timeline_file.overlaps(blocks), [])
        kernel = report["kernels"][1]
        for event in blocks:
            begin, end = timeline_file.nanoseconds(event)
            self.assertGreater(begin, kernel["start_ns"])
            self.assertLess(end, kernel["end_ns"])
        counters = timeline_file.of_category(timeline, "counter")
        self.assertTrue(any(event["name"] == "IPC of an SM" and event["args"]["inst/cycle"] > 0 for event in counters))

    def test_threads_do_not_change_a_byte(self):
        files = []
        for threads in ("1", "2", "3"):
            self.timeline(options=("--threads", threads, "--interval", "500", "--interval-csv", self.path("i.csv"), "--timeline-blocks", "1"))
            with open(self.path("t.json"), encoding="utf-8") as timeline, open(self.path("i.csv"), encoding="utf-8") as table:
                files.append((timeline.read(), table.read()))
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_a_profile_changes_no_result(self):
        _, profiled, _ = self.timeline(options=("--interval", "300", "--timeline-blocks", "0"))
        _, plain = self.report_of(self.built())
        for part in ("kernels", "time"):
            self.assertEqual(json.dumps(profiled[part]), json.dumps(plain[part]))

    def test_what_has_no_effect_is_refused(self):
        file = self.path("t.json")
        for options, says in ((("--timeline-events", "5"), "there is no timeline"), (("--interval", "5"), "nothing shows the counts"),
                              (("--interval-csv", file), "nothing is counted"), (("--device", "functional", "--timeline", file), "simulated"),
                              (("--sample", "--timeline", file), "not timed as a whole"),
                              (("--launches", "0/2", "--cache-control", "all", "--timeline", file), "no time")):
            self.assertIn(says, self.exec(self.built(), options=options).stderr)


class EndsAnyWay(BuiltTest):
    """What a program has waited for has its time, however it ends then; what is under way has none."""
    NAME, SOURCE = "ends_any_way", br"""
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void nothing() {}
int main(int, char** arguments) {
    nothing<<<1, 32>>>();
    nothing<<<1, 32>>>();
    cudaDeviceSynchronize();
    nothing<<<1, 32>>>();
    if (std::strcmp(arguments[1], "at once") == 0) _exit(0);
    if (std::strcmp(arguments[1], "aborted") == 0) std::abort();
}
"""

    def test_launches_that_were_waited_for_have_their_times(self):
        for how, known in (("at once", 2), ("aborted", 2), ("well", 3)):
            with self.subTest(how):
                _, report = self.report_of(self.built(), how)
                self.assertEqual(len(report["kernels"]), 3)
                self.assertEqual(["end_ns" in kernel for kernel in report["kernels"]], [True] * known + [False] * (3 - known))
                self.assertEqual(report["time"]["kernels"]["count"], known)


if __name__ == "__main__":
    run_tests(lambda: why_not() or timeline_file.why_no_schema())
