"""`scripts/compare-recordings`: recordings of a GPU, each beside the others, metric by metric."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
HEADER = "workload,variant,n,launch,kernel,sm__cycles_elapsed.max,gpu__time_duration.sum,dram__bytes_read.sum," + \
    ",".join(STALL.format(reason) for reason in ("wait", "barrier")) + "\n"


def compare(*arguments):
    return subprocess.run([sys.executable, os.path.join(ROOT, "scripts/compare-recordings"), *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class CompareRecordings(unittest.TestCase):
    def test_what_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("first.csv", "second.csv")]
            for path, rows in zip(paths, ("w,v,8,0,k,1000,1,100,3,1\nw,v,8,1,k,2000,1,0,1,1\n", "w,v,8,0,k,1100,1,105,1,1\nw,v,8,1,k,2000,1,32,1,1\n")):
                with open(path, "w") as file: file.write(HEADER + rows)
            done = compare(*paths)
            self.assertEqual(done.returncode, 0)
            # 5 % more is within 5 %, 5 less of 105, too, of a measured 0 nothing but 0; a quarter of the first launch's stalls is another's.
            self.assertIn("first.csv: 50.0 % of values within 5 %", done.stdout)
            self.assertIn("second.csv: 50.0 % of values within 5 %", done.stdout)
            self.assertIn("12.5 % of warp time under another reason", done.stdout)
            self.assertIn("cycles 5.0 % apart", done.stdout)
            self.assertIn("100.0 % of values within 5 %", compare(paths[0], paths[0]).stdout)
            # The median of 100, 105 and 100 is 100.
            self.assertIn("second.csv: 50.0 % of values within 5 %", compare(paths[0], paths[1], paths[0]).stdout)

    def test_the_page_says_what_comes_out(self):
        done = compare()
        self.assertEqual(done.returncode, 0)
        shares = [line.split(": ")[1].split()[0] for line in done.stdout.splitlines() if line.startswith("metrics")]
        self.assertEqual(len(shares), 4)
        with open(os.path.join(ROOT, "docs", "counters.md")) as file:
            self.assertIn(f"{shares[0]}, {shares[1]}, {shares[2]} and {shares[3]} %", file.read())

    def test_one_file_is_not_enough(self):
        self.assertEqual(compare("first.csv").returncode, 2)


if __name__ == "__main__":
    unittest.main()
