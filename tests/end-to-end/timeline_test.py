"""--timeline and --interval of run and launch: read back by the schema; results stay as they are."""
import csv
import json

import timeline_file
from program import OK, ProgramTest, fixture, run_tests

SORT = ("run", "sort", "--n", "3000")


class TimelineOfLaunches(ProgramTest):
    def report(self, *arguments):
        self.succeeds(*arguments, "--json", self.path("r.json"))
        with open(self.path("r.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_launches_follow_one_another(self):
        report = self.report(*SORT, "--timeline", self.path("t.json"))
        kernels = timeline_file.of_category(timeline_file.load(self.path("t.json")), "kernel")
        self.assertEqual([event["args"]["launch"] for event in kernels], list(range(len(report["kernels"]))))
        spans = [timeline_file.nanoseconds(event) for event in kernels]
        self.assertEqual([begin for begin, _ in spans], [0] + [end for _, end in spans[:-1]])
        self.assertAlmostEqual(spans[-1][1], report["total"]["time_ns"], delta=1)

    def test_intervals_add_up_at_any_number_of_threads_and_change_nothing(self):
        plain = self.report(*SORT)
        tables = []
        for threads in ("1", "2"):
            report = self.report(*SORT, "--threads", threads, "--interval", "700", "--timeline", self.path("t.json"), "--interval-csv", self.path("i.csv"))
            self.assertEqual(report["kernels"], plain["kernels"])
            timeline_file.load(self.path("t.json"))
            with open(self.path("i.csv"), encoding="utf-8") as file:
                tables.append(file.read())
        self.assertEqual(tables[0], tables[1])
        rows = list(csv.DictReader(tables[0].splitlines()))
        for number, kernel in enumerate(plain["kernels"]):
            of_launch = [row for row in rows if int(row["launch"]) == number]
            metrics = kernel["metrics"]
            total = lambda column: sum(int(row[column]) for row in of_launch)
            timeline_file.check_sums(self, of_launch, metrics)
            self.assertEqual(total("lts_bytes"), 32 * metrics["lts__t_sectors_srcunit_tex.sum"])
            # What the launch itself brings, its code and parameters, is in no interval.
            self.assertLessEqual(total("dram__bytes_read.sum"), metrics["dram__bytes_read.sum"])
            self.assertGreater(total("dram__bytes_read.sum"), 0.5 * metrics["dram__bytes_read.sum"] - 10_000)
            self.assertEqual(int(of_launch[-1]["end_cycle"]), metrics["sm__cycles_elapsed.max"])
            for row in of_launch[:-1]:
                self.assertGreaterEqual(int(row["end_cycle"]) - int(row["begin_cycle"]), 1)
            stalls = sum(int(row[column]) for row in of_launch for column in row if column.startswith("stall_"))
            self.assertAlmostEqual(stalls / total("sm__warps_active.sum"), 1, delta=0.05)

    def test_blocks_of_one_launch(self):
        self.succeeds("launch", "--cubin", fixture("faults.cubin"), "--kernel", "saxpy", "--grid", "300", "--block", "128", "--arg", "buffer:153600",
                      "--arg", "buffer:153600:iota", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:38400", "--timeline", self.path("t.json"), "--timeline-blocks", "0")
        timeline = timeline_file.load(self.path("t.json"))
        blocks = timeline_file.of_category(timeline, "block")
        self.assertEqual({event["args"]["index"][0] for event in blocks}, set(range(300)))
        self.assertEqual(timeline_file.overlaps(blocks), [])
        self.assertEqual(len({event["pid"] for event in blocks}), 132)
        kernel, = timeline_file.of_category(timeline, "kernel")
        for event in blocks:
            self.assertLessEqual(timeline_file.nanoseconds(event)[1], timeline_file.nanoseconds(kernel)[1])

    def test_blocks_beyond_the_most_events_are_left_out_and_said(self):
        done = self.run_program(*SORT, "--timeline", self.path("t.json"), "--timeline-events", "3", "--timeline-blocks", "0")
        self.assertEqual(done.returncode, OK, done.stderr)
        other = timeline_file.load(self.path("t.json"))["otherData"]
        self.assertEqual(other["events"], 3)
        self.assertIn(f"leaves out {other['events_left_out']} more", done.stderr)

    def test_a_launch_that_is_not_there(self):
        done = self.run_program(*SORT, "--timeline", self.path("t.json"), "--timeline-blocks", "99")
        self.assertIn("no launch 99", done.stderr)

    def test_no_file_is_written_over(self):
        self.fails(2, *SORT, "--json", self.path("a"), "--timeline", self.path("a"), says=("would write over",))
        self.fails(2, *SORT, "--timeline", self.path("no/folder"), says=("the timeline",))


if __name__ == "__main__":
    run_tests(timeline_file.why_no_schema)
