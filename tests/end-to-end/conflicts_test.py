"""sassafras conflicts, and launch --conflicts: what a user sees."""
import csv
import io
import json
import os
import struct
import unittest
import xml.dom.minidom

from program import BAD_INPUT, ProgramTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CUBIN = os.path.join(ROOT, "tests/fixtures/conflicts.cubin")
COPIES = os.path.join(ROOT, "tests/fixtures/conflicts_copies.cubin")
SORT = ["conflicts", "sort", "--variant", "mgpu", "--E", "15", "--b", "128", "--n", "3840"]


def launch(kernel, stride):
    return ["launch", "--cubin", CUBIN, "--kernel", kernel, "--block", "32", "--arg", "buffer:4096", "--arg", f"u32:{stride}", "--conflicts"]


def steady(text):
    report = json.loads(text)
    del report["total"]["wall_seconds"]
    return report


class Reports(ProgramTest):
    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.succeeds(*arguments, "--csv"))))

    def test_golden_csv(self):
        """tests/golden/cli/conflicts_strided.csv is arithmetic: 8192 words are filled, then lane l reads words 12 l and 12 l + 4096."""
        with open(os.path.join(ROOT, "tests/golden/cli/conflicts_strided.csv"), encoding="utf-8") as file:
            self.assertEqual(self.succeeds(*launch("strided", 12), "--csv", "--by", "instruction"), file.read())

    def test_views_are_of_the_same_requests(self):
        report = steady(self.succeeds(*SORT, "--json", "-"))
        self.assertEqual(list(report), ["sassafras", "schema_version", "kind", "command", "platform", "workload", "verified", "geometry", "run", "thesis", "kernels", "phases", "rounds",
                                        "instructions", "banks", "explained", "total"])
        self.assertIs(report["verified"], True)
        self.assertEqual(report["geometry"], {"banks": 32, "bank_bytes": 4})
        for view in ("kernels", "phases", "rounds", "instructions"):
            for figure in ("requests", "lanes", "wavefronts", "wavefronts_ideal"):
                self.assertEqual(sum(row[figure] for row in report[view]), report["run"][figure], (view, figure))
        by_degree = report["run"]["requests_by_wavefronts"]
        self.assertEqual(sum(by_degree.values()), report["run"]["requests"])
        self.assertEqual(sum(int(degree) * count for degree, count in by_degree.items()), report["run"]["wavefronts"])
        self.assertEqual(len(report["banks"]), 32)
        # and those of `run`
        run = json.loads(self.succeeds("run", *SORT[1:], "--device", "functional", "--json", "-"))
        self.assertEqual(sum(kernel["metrics"]["memory_l1_wavefronts_shared"] for kernel in run["kernels"]),
                         report["run"]["wavefronts"])

    def test_banks_are_the_platforms_where_nothing_is_launched(self):
        report = steady(self.succeeds("conflicts", "search", "--n", "0", "--banks", "16", "--json", "-"))
        self.assertEqual(report["geometry"], {"banks": 16, "bank_bytes": 4})
        self.assertEqual(report["run"]["requests"], 0)

    def test_csv_has_what_json_has(self):
        report = steady(self.succeeds(*SORT, "--json", "-"))
        phases = self.rows(*SORT)
        self.assertEqual([(row["Part"], row["Phase"], int(row["Requests"])) for row in phases[:-1]],
                         [(row["part"], row["phase"], row["requests"]) for row in report["phases"]])
        self.assertEqual(int(phases[-1]["L1 Wavefronts Shared"]), report["run"]["wavefronts"])
        instructions = self.rows(*SORT, "--by", "instruction")
        self.assertEqual([(row["Kernel Name"], int(row["Address"], 16), row["Source"], row["File"], int(row["Line"])) for row in instructions],
                         [(row["kernel"], row["pc"], row["sass"], row["line"]["file"], row["line"]["line"]) for row in report["instructions"]])
        self.assertEqual([int(row["Words"]) for row in self.rows(*SORT, "--by", "bank")], [bank["words"] for bank in report["banks"]])
        self.assertEqual(sum(int(row["Requests"]) for row in self.rows(*SORT, "--by", "degree")), report["run"]["requests"])
        self.assertEqual(sum(int(row["Requests"]) for row in self.rows(*SORT, "--by", "round")), report["run"]["requests"])

    def test_same_bytes_again_and_with_other_threads(self):
        first = steady(self.succeeds(*SORT, "--json", "-"))
        for threads in ("1", "4"):
            self.assertEqual(steady(self.succeeds(*SORT, "--json", "-", "--threads", threads)), first)

    def test_another_memory(self):
        usual = steady(self.succeeds(*SORT, "--json", "-"))
        same = steady(self.succeeds(*SORT, "--json", "-", "--banks", "32", "--bank-width", "4"))
        self.assertEqual({**same, "command": usual["command"]}, usual)
        half = steady(self.succeeds(*launch("strided", 1), "--json", "-", "--banks", "16"))
        self.assertEqual(half["run"]["wavefronts"], 2 * half["run"]["requests"])
        wide = steady(self.succeeds(*launch("strided", 2), "--json", "-", "--bank-width", "8"))
        self.assertEqual(wide["run"]["wavefronts"], wide["run"]["requests"])

    def test_keys_from_a_file(self):
        keys = self.write("keys", struct.pack("<3840I", *range(3840)))
        of_file = steady(self.succeeds(*SORT[:-2], "--input", keys, "--json", "-"))
        of_kind = steady(self.succeeds(*SORT, "--input", "sorted", "--json", "-"))
        self.assertEqual(of_file["run"]["requests"], of_kind["run"]["requests"])
        self.assertEqual(of_file["run"]["wavefronts"], of_kind["run"]["wavefronts"])

    def test_table_is_for_people(self):
        text = self.succeeds(*SORT)
        for part in ("block sort", "partition search", "merge reads", "beta_1, partitioning", "rounds of launch 0", "most wavefronts beyond the ideal",
                     "busiest bank", "verified: yes", "serial_merge.cuh:38  const T successor = shared[next];"):
            self.assertIn(part, text)

    def test_no_shared_memory(self):
        self.assertIn("no access to shared memory", self.succeeds("conflicts", "merge", "--n", "1000"))
        self.assertEqual(json.loads(self.succeeds("conflicts", "merge", "--n", "1000", "--json", "-"))["run"]["beta"], 0)


class Explained(ProgramTest):
    def test_stride_of_eight(self):
        text = self.succeeds(*launch("strided", 8), "--explain")
        self.assertIn("loads of 4 bytes by 32 lanes: 8 wavefronts, 1 without conflicts; 32 banks of 4 bytes", text)
        self.assertIn("Bank 0 has 8 different words, of lanes 0, 4, 8, 12, 16, 20, 24 and 28: one a pass; 3 more as many.", text)
        self.assertIn("conflicts.cu:11 < conflicts.cu:15 < conflicts.cu:21", text)
        passes = [line.split("|")[1].split() for line in text.splitlines() if line.split("|")[0].strip().isdigit()]
        self.assertEqual(len(passes), 8)
        for number, row in enumerate(passes):
            self.assertEqual([cell for cell in row if cell != "."], [str(4 * number + i) for i in range(4)])
            self.assertEqual([bank for bank, cell in enumerate(row) if cell != "."], [0, 8, 16, 24])

    def test_wide_accesses(self):
        pcs = [row["Address"] for row in csv.DictReader(io.StringIO(self.succeeds(*launch("wide", 2), "--csv", "--by", "instruction")))
               if "LDS" in row["Source"]]
        half, quarter = (self.succeeds(*launch("wide", 2), "--explain", "--pc", pc) for pc in pcs)
        self.assertIn("16 lanes of 8 bytes fill all banks once", half)
        self.assertIn("lanes 16-31", half)
        self.assertIn("8 lanes of 16 bytes fill all banks once", quarter)
        self.assertIn("lanes 24-31", quarter)

    def test_atomics_do_not_share(self):
        pc = next(row["Address"] for row in csv.DictReader(io.StringIO(self.succeeds(*launch("add", 0), "--csv", "--by", "instruction")))
                  if "ATOMS" in row["Source"])
        self.assertIn("Bank 0 has 32 accesses, of lanes 0-31: one a pass.", self.succeeds(*launch("add", 0), "--explain", "--pc", pc))
        self.assertIn("Lanes 0-31 share a word, which is served once (+).", self.succeeds(*launch("strided", 0), "--explain", "--request", "0", "--pc", "0x1c0"))

    def test_svg_is_a_document(self):
        file = self.path("request.svg")
        report = json.loads(self.succeeds(*launch("strided", 8), "--svg", file, "--json", "-"))
        drawing = xml.dom.minidom.parse(file)
        self.assertEqual(drawing.documentElement.tagName, "svg")
        self.assertEqual(len(drawing.getElementsByTagName("path")), 32)  # a line a lane
        self.assertEqual(report["explained"]["wavefronts"], 8)
        self.assertEqual(report["explained"]["addresses"][3] - report["explained"]["addresses"][0], 96)

    def test_the_worst_is_chosen_unless_one_is_named(self):
        worst = json.loads(self.succeeds(*SORT, "--explain", "--json", "-"))
        degrees = [int(degree) for degree in worst["run"]["requests_by_wavefronts"]]
        self.assertEqual(worst["explained"]["wavefronts"], max(degrees))
        named = json.loads(self.succeeds(*SORT, "--explain", "--kernel", "mgpu_merge_u32_E15_b128", "--request", "5", "--json", "-"))["explained"]
        self.assertEqual((named["kernel"], named["request"]), ("mgpu_merge_u32_E15_b128", 5))


class OtherAccesses(ProgramTest):
    """Lane l at a stride of 8 words: lanes 0, 4, 8, ... share a bank, 8 of them; 16 lanes: 4. Of 16 bytes a lane, 8 lanes fill all banks; at twice the distance two of
    them share banks."""

    def rows(self, kernel, *arguments):
        words = [word for argument in arguments for word in ("--arg", argument)]
        text = self.succeeds("launch", "--cubin", COPIES, "--kernel", kernel, "--block", "32", *words, "--conflicts", "--csv", "--by", "instruction")
        return {row["Source"].split()[0]: row for row in csv.DictReader(io.StringIO(text))}

    def test_asynchronous_copies(self):
        for stride, wavefronts in ((1, 1), (8, 8), (32, 32), (15, 1)):
            row = self.rows("copied", "buffer:4096", "buffer:4096", f"u32:{stride}")["LDGSTS.E"]
            self.assertEqual((row["Requests"], row["L1 Wavefronts Shared"], row["Phase"], row["Line"]), ("1", str(wavefronts), "conflicts_copies.cu:10 stores", "10"))
        for stride, wavefronts in ((1, 4), (2, 8), (8, 32)):
            row = self.rows("copied_wide", "buffer:4096", "buffer:4096", f"u32:{stride}")["LDGSTS.E.BYPASS.128"]
            self.assertEqual((row["Requests"], row["L1 Wavefronts Shared"], row["L1 Wavefronts Shared Ideal"]), ("1", str(wavefronts), "4"))

    def test_generic_addresses(self):
        for lanes, wavefronts in ((32, 8), (16, 4), (2, 1)):
            rows = self.rows("generic", "buffer:4096", "u32:8", f"u32:{lanes}")
            for instruction, phase in (("ST.E", "conflicts_copies.cu:32 stores"), ("LD.E", "conflicts_copies.cu:36 loads")):
                row = rows[instruction]
                self.assertEqual((row["Requests"], row["Lanes"], row["L1 Wavefronts Shared"], row["Phase"]), ("1", str(lanes), str(wavefronts), phase))
        self.assertNotIn("ST.E", self.rows("generic", "buffer:4096", "u32:8", "u32:0"))  # no lane reaches shared memory


class Expectations(ProgramTest):
    """Beside what was counted, what random accesses would cost and the bound, in every view."""

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.succeeds(*arguments, "--csv"))))

    def test_by_degree(self):
        """Kernel strided has 256 stores and 2 loads, of 32 lanes all: 3.5329 wavefronts each if random, and 32 at worst."""
        rows = self.rows(*launch("strided", 12), "--by", "degree")
        for part, requests in (("conflicts.cu:6 < conflicts.cu:20 stores", 256), ("conflicts.cu:11 < conflicts.cu:15 < conflicts.cu:21 loads", 2)):
            mine = [row for row in rows if row["Phase"] == part]
            expected = [(int(row["Wavefronts"]), float(row["Requests Random"])) for row in mine]
            self.assertAlmostEqual(sum(count for _, count in expected), requests, delta=1e-4)
            self.assertAlmostEqual(sum(degree * count for degree, count in expected) / requests, 3.5329, delta=1e-3)
            self.assertEqual([(row["Wavefronts"], float(row["Requests Bound"])) for row in mine if float(row["Requests Bound"])], [("32", requests)])
        # 258 requests of 32 words over 32 banks
        self.assertEqual({row["Words Random"] for row in self.rows(*launch("strided", 12), "--by", "bank")}, {"258.000000"})

    def test_wide_requests(self):
        """Two groups of 16 lanes in 16 places each: twice 3.078 wavefronts (docs/conflicts.md); four groups of 8 in 8: 4 times 2.597; at worst 32."""
        for phase, expected in (("conflicts.cu:34 loads", 2 * 3.078), ("conflicts.cu:35 loads", 4 * 2.597)):
            rows = [row for row in self.rows(*launch("wide", 2), "--by", "degree") if row["Phase"] == phase]
            summary = next(row for row in self.rows(*launch("wide", 2), "--by", "phase") if row["Phase"] == phase)
            self.assertEqual(summary["Requests"], "1")
            mean = sum(int(row["Wavefronts"]) * float(row["Requests Random"]) for row in rows)
            self.assertAlmostEqual(mean, float(summary["Beta Random"]), delta=1e-4)
            self.assertAlmostEqual(float(summary["Beta Random"]), expected, delta=2e-3)
            self.assertEqual(sum(float(row["Requests Bound"]) for row in rows if row["Wavefronts"] == "32"), 1)

    def test_no_request_is_expected_below_its_groups(self):
        """With 16 banks a warp's 32-bit request has two groups, of 16 lanes each: 3.078 wavefronts a group, 32 at worst."""
        rows = self.rows(*launch("strided", 12), "--by", "degree", "--banks", "16")
        for row in rows:
            if int(row["Wavefronts"]) < 2:
                self.assertEqual(float(row["Requests Random"]), 0, row)
            self.assertEqual(float(row["Requests Bound"]) != 0, row["Wavefronts"] == "32", row)
        mean = sum(int(row["Wavefronts"]) * float(row["Requests Random"]) for row in rows) / 258
        self.assertAlmostEqual(mean, 2 * 3.078, delta=2e-3)
        # Keys of 64 bits; some requests have lanes in one half of the warp only, none has no lane.
        for row in self.rows("conflicts", "sort", "--variant", "mgpu", "--key_bits", "64", "--n", "6000", "--by", "degree"):
            self.assertNotEqual(row["Wavefronts"], "0", row)
            if int(row["Wavefronts"]) < 2 and row["Phase"] == "merge writes":
                self.assertAlmostEqual(float(row["Requests Random"]), 0, delta=1e-4)

    def test_tables(self):
        self.assertRegex(self.succeeds(*launch("strided", 12), "--by", "round"), r"launch +requests +all +random +bound.*\n +0 +258 +[0-9.]+ +3\.533 +32\.00")
        degree = self.succeeds(*launch("strided", 12), "--by", "degree")
        self.assertRegex(degree, r"wavefronts +requests +random +bound +share")
        self.assertRegex(degree, r"\n +32 +0 +0\.0 +258\.0 +0\.00 %")
        self.assertRegex(self.succeeds(*launch("strided", 12), "--by", "bank"), r"bank +words +random +worst\n +0 +[0-9,]+ +258\.0")


class Refused(ProgramTest):
    def test_options(self):
        for options, says in ((["--banks", "12"], "12 banks are not modelled"), (["--banks", "128"], "128 is out of range"),
                              (["--bank-width", "6"], "banks of 6 bytes are not modelled"), (["--banks", "2"], "cannot hold what one lane accesses"),
                              (["--by", "phases"], 'did you mean "phase"'), (["--pc", "0x10"], "add --explain"),
                              (["--explain", "--pc", "sixteen"], "is no address"), (["--explain", "--pc", "0x7"], "no request to shared memory fits"),
                              (["--explain", "--kernel", "none"], "no request to shared memory fits"),
                              (["--svg", "/nowhere/a.svg"], "cannot write the SVG file"), (["--csv", "--json", "-"], "both print to standard output"),
                              (["--F", "15"], "there is no option --F")):
            with self.subTest(options=options):
                self.fails(BAD_INPUT, *SORT, *options, says=[says])


if __name__ == "__main__":
    unittest.main()
