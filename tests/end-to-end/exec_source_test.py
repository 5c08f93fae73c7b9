"""--print-source cuda,sass: lines of a program with their instructions, the hottest first, and what they count beside what Nsight Compute counted on an H200."""
import csv
import json
import os
import re

from exec_program import BuiltTest, why_not
from program import BAD_INPUT, run_tests

RECORDING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "ncu")
CONFLICT = 9  # the line of transpose.cu that reads the columns of its tile


class Source(BuiltTest):
    NAME, SOURCE_FILE = "transpose", os.path.join(RECORDING, "transpose.cu")
    VIEW = ("--page", "source", "--print-source", "cuda,sass", "--source-folders", RECORDING)

    def setUp(self):
        super().setUp()
        columns = os.environ.get("COLUMNS")
        os.environ["COLUMNS"] = "300"  # numbers are whole, and all columns are there
        self.addCleanup(lambda: os.environ.pop("COLUMNS") if columns is None else os.environ.update(COLUMNS=columns))

    def test_it_fits_a_hundred_columns(self):
        del os.environ["COLUMNS"]
        view = self.exec(self.built(), options=self.VIEW).stdout
        os.environ["COLUMNS"] = "300"
        rows = [row for row in view.splitlines() if re.match(r" +(transpose\.cu:\d+|[0-9a-f]{4}) ", row)]
        self.assertGreater(len(rows), 20)
        self.assertLessEqual(max(map(len, rows)), 100)
        self.assertTrue(all(re.search(r" [a-z_]+ \d+% | {10}", row) for row in rows))
        conflict, = (row for row in rows if row.lstrip().startswith(f"transpose.cu:{CONFLICT} ") and "63K" in row)

    def lines(self, view):
        """(location, the rest) of each line of the first kernel, in the order of the page; None for an instruction."""
        first = view.split("\n  scale")[0].split("transpose<1>")[0]
        return re.findall(r"^ +(transpose\.cu:\d+)  +(.*)$", first, re.MULTILINE)

    def test_lines_with_their_instructions(self):
        view = self.exec(self.built(), options=self.VIEW)
        self.assertEqual(view.returncode, 0, view.stderr)
        lines = self.lines(view.stdout)
        with open(self.SOURCE_FILE, encoding="utf-8") as file:
            texts = [text.strip() for text in file]
        for location, rest in lines:
            self.assertTrue(rest.startswith(texts[int(location.split(":")[1]) - 1][:40]), rest)
        shares = [float(re.search(r"% +(\d+\.\d) ", rest).group(1)) for _, rest in lines]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertGreater(shares[0], 10)
        conflict, = (rest for location, rest in lines if location == f"transpose.cu:{CONFLICT}")
        # 2048 warps read 32 words of one bank each: 32 wavefronts, one of which would do.
        self.assertRegex(conflict, r" 65,536 +63,488 ")
        self.assertRegex(view.stdout, r"\n +01[0-9a-f]0 +EXIT ")
        self.assertNotRegex(view.stdout, r"\n +0[0-9a-f]{3} +NOP ")

    def test_it_counts_what_an_h200_counts(self):
        self.exec(self.built(), options=("--page", "source", "--json", self.path("source.json")))
        with open(self.path("source.json"), encoding="utf-8") as file:
            kernel = json.load(file)["kernels"][0]
        with open(os.path.join(RECORDING, "source.csv"), newline="", encoding="utf-8") as file:
            _, header, *rows = csv.reader(file)
        recorded = [dict(zip(header, row)) for row in rows[:next(i for i, row in enumerate(rows) if row[0] == "Kernel Name")]]
        if [row["Source"].split()[0] for row in recorded[:8]] != [row["sass"].split()[0] for row in kernel["source"][:8]]:
            self.skipTest("this nvcc makes other code than that of the recording")
        counts = {"Instructions Executed": "inst_executed", "Thread Instructions Executed": "thread_inst_executed", "L1 Wavefronts Shared": "shared_wavefronts",
                  "L1 Wavefronts Shared Ideal": "shared_wavefronts_ideal", "L2 Theoretical Sectors Global": "global_sectors"}
        for ours, theirs in zip(kernel["source"], recorded):
            for title, key in counts.items():
                self.assertEqual(ours[key], int(theirs[title]), (ours["sass"], title))
        self.assertEqual({row["line"].split(":")[0] for row in kernel["source"] if "line" in row}, {"transpose.cu"})

    def test_without_sources_and_lines(self):
        view = self.exec(self.built(), options=self.VIEW[:4]).stdout
        self.assertIn("transpose.cu:", view)
        self.assertNotIn("tile[threadIdx.y]", view)
        self.assertIn("  not found: transpose.cu; name the folder with --source-folders\n", view)
        self.assertNotIn("not found", self.exec(self.built(), options=self.VIEW).stdout)
        merge = self.succeeds("run", "merge", "--n", "2000", "--page", "source", "--print-source", "cuda,sass")
        self.assertIn("compile with nvcc -lineinfo", merge)

    def test_refused(self):
        self.fails(BAD_INPUT, "run", "merge", "--print-source", "cuda,sass", says=["--page source"])
        self.fails(BAD_INPUT, "run", "merge", "--page", "source", "--source-folders", ".", says=["--print-source cuda,sass"])
        self.fails(BAD_INPUT, "run", "merge", "--page", "source", "--print-source", "cuda,sass", "--csv", says=["CSV"])
        self.fails(BAD_INPUT, "run", "merge", "--page", "source", "--print-source", "ptx", says=["sass or cuda,sass"])


run_tests(why_not)
