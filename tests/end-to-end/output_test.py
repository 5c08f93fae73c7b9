"""What a successful run prints: JSON, CSV, tables, listings; and that it is the same every time."""
import csv
import io
import json
import os
import pty
import re
import struct
import subprocess
import threading
import unittest

from program import BAD_INPUT, PROGRAM, ProgramTest, fixture

SAXPY = ["launch", "--cubin", fixture("faults.cubin"), "--kernel", "saxpy", "--grid", "4", "--block", "128",
         "--arg", "buffer:2048", "--arg", "buffer:2048:iota", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:512"]


def fnv1a64(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def steady(text):
    """The JSON without what may differ between two runs."""
    report = json.loads(text)
    del report["total"]["wall_seconds"]
    del report["total"]["warp_instructions_per_second"]
    return report


class Json(ProgramTest):
    def test_keys(self):
        report = json.loads(self.succeeds(*SAXPY, "--device", "functional", "--json", "-", "--page", "source"))
        self.assertEqual(list(report), ["sassafras", "schema_version", "kind", "command", "platform", "workload", "verified", "units", "kernels", "total"])
        kernel = report["kernels"][0]
        self.assertEqual(kernel["name"], "saxpy")
        self.assertEqual(kernel["grid"], [4, 1, 1])
        self.assertEqual(kernel["block"], [128, 1, 1])
        self.assertIsNone(report["verified"])
        self.assertGreater(len(kernel["source"]), 5)
        self.assertEqual(report["platform"]["name"], "h200")

    def test_counts_add_up(self):
        kernel = json.loads(self.succeeds(*SAXPY, "--device", "functional", "--json", "-", "--page", "source"))["kernels"][0]
        rows, metrics = kernel["source"], kernel["metrics"]
        self.assertEqual(sum(row["inst_executed"] for row in rows), metrics["smsp__inst_executed.sum"])
        self.assertEqual(sum(row["thread_inst_executed"] for row in rows), metrics["smsp__thread_inst_executed.sum"])
        # 16 warps of 32 consecutive floats, aligned: one load and one store of 128 bytes, four sectors of 32, each.
        self.assertEqual(metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 64)
        self.assertEqual(metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 64)
        self.assertEqual(rows[0]["inst_executed"], 16)
        self.assertEqual(rows[0]["thread_inst_executed"], 512)

    def test_buffers_hold_what_the_kernel_wrote(self):
        report = json.loads(self.succeeds(*SAXPY, "--device", "functional", "--json", "-"))
        # iota fills words with integers; as floats they are denormals: 2 * x + 1 rounds to 1.
        expected = b"".join(struct.pack("<f", 1.0) for _ in range(512))
        self.assertEqual(report["workload"]["buffers"][0]["fnv1a64"], fnv1a64(expected))
        self.assertEqual(report["workload"]["buffers"][1]["fnv1a64"], fnv1a64(struct.pack("<512I", *range(512))))

    def test_same_bytes_again_and_with_other_threads(self):
        for device in ("functional", "simulated"):
            with self.subTest(device=device):
                command = ["run", "sort", "--n", "4000", "--device", device, "--page", "source", "--json", "-"]
                first = steady(self.succeeds(*command))
                for threads in ("1", "2", "4"):
                    self.assertEqual(steady(self.succeeds(*command, "--threads", threads)), first)

    def test_file(self):
        text = self.succeeds(*SAXPY, "--device", "functional", "--json", self.path("out.json"))
        self.assertIn("saxpy (4, 1, 1)x(128, 1, 1)", text)
        with open(self.path("out.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["kernels"][0]["name"], "saxpy")


class Workloads(ProgramTest):
    def test_every_workload_is_verified(self):
        for workload, size in (("gemm", "65"), ("search", "1000"), ("merge", "1001"), ("sort", "3000")):
            for device in ("functional", "simulated"):
                with self.subTest(workload=workload, device=device):
                    report = json.loads(self.succeeds("run", workload, "--n", size, "--device", device, "--json", "-"))
                    self.assertIs(report["verified"], True)
                    self.assertGreater(len(report["kernels"]), 0)
                    self.assertEqual(report["workload"]["n"], int(size))
                    if device == "simulated":
                        self.assertGreater(report["total"]["cycles"], 0)
                        self.assertGreater(report["total"]["time_ns"], 0)
                    else:
                        self.assertIsNone(report["total"]["cycles"])

    def test_parameters_reach_the_workload(self):
        report = json.loads(self.succeeds("run", "sort", "--n", "5000", "--E", "17", "--b=256", "--device", "functional", "--json", "-"))
        self.assertEqual(report["workload"]["parameters"]["E"], 17)
        self.assertEqual(report["workload"]["parameters"]["b"], 256)

    def test_keys_from_a_file(self):
        keys = self.write("keys", struct.pack("<1000I", *((i * 2654435761) % 2**32 for i in range(1000))))
        report = json.loads(self.succeeds("run", "sort", "--input", keys, "--device", "functional", "--json", "-"))
        self.assertIs(report["verified"], True)
        self.assertEqual(report["workload"]["n"], 1000)

    def test_numbers_from_files(self):
        """A .npy file says its type, --input-type that of a raw one; floats keep their order."""
        numbers = [(i * 37 % 101 - 50) / 10 for i in range(1000)]  # no float32 is a tenth
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000,), }".ljust(117) + "\n"
        npy = self.write("keys.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<1000d", *numbers))
        report = json.loads(self.succeeds("run", "sort", "--variant", "mgpu", "--input", npy, "--device", "functional", "--json", "-"))
        self.assertIs(report["verified"], True)
        self.assertEqual(report["workload"]["parameters"]["key_bits"], 64)
        raw = self.write("raw", struct.pack("<1000f", *sorted(numbers[:500]), *sorted(numbers[500:])))
        for words in (["sort"], ["merge", "--A", "500"], ["search", "--K", "64"]):
            report = json.loads(self.succeeds("run", *words, "--input", raw, "--input-type", "f4", "--device", "functional", "--json", "-"))
            self.assertIs(report["verified"], True)
            self.assertEqual((report["workload"]["n"], report["workload"]["input"]), (1000, "given"))


class Pages(ProgramTest):
    def rows(self, *options):
        return list(csv.reader(io.StringIO(self.succeeds(*SAXPY, "--device", "functional", "--csv", *options))))

    def test_details(self):
        rows = self.rows()
        self.assertEqual(rows[0][:2], ["ID", "Process ID"])
        values = {row[rows[0].index("Metric Name")]: row[rows[0].index("Metric Value")] for row in rows[1:]}
        self.assertEqual(values["Global Load Sectors"], "64")
        self.assertEqual({row[rows[0].index("Section Name")] for row in rows[1:]},
                         {"Memory Workload Analysis", "Instruction Statistics", "Launch Statistics", "Occupancy"})

    def test_raw(self):
        rows = self.rows("--page", "raw")
        self.assertEqual(len(rows), 3)  # names, units, one kernel
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual(rows[2][rows[0].index("Kernel Name")], "saxpy")

    def test_source(self):
        rows = self.rows("--page", "source")
        self.assertEqual(rows[0], ["Kernel Name", "saxpy"])
        self.assertTrue(any("LDG" in row[2] for row in rows[2:]))
        self.assertEqual({len(row) for row in rows[1:]}, {len(rows[1])})


class Tables(ProgramTest):
    def test_details_are_for_people(self):
        text = self.succeeds("run", "merge", "--n", "20000")
        for section in ("GPU Speed Of Light Throughput", "Memory Workload Analysis", "Occupancy", "Warp State Statistics", "Launch Statistics"):
            self.assertIn(f"    Section: {section}\n", text)
        self.assertRegex(text, r"Elapsed Cycles +cycle +\d{1,3},\d{3}\n")
        self.assertRegex(text, r"Duration +us +\d+\.\d\d\n")
        self.assertNotRegex(text, r"(?<![.\d])\d{4}")  # whole parts are grouped

    def test_raw_names_every_metric(self):
        metrics = json.loads(self.succeeds("run", "merge", "--n", "20000", "--json", "-"))["kernels"][0]["metrics"]
        text = self.succeeds("run", "merge", "--n", "20000", "--page", "raw")
        for name in metrics:
            self.assertIn(f"    {name} ", text)


class Sources(ProgramTest):
    GEMM = ("run", "gemm", "--n", "128", "--page", "source")

    def test_what_fills_up_the_code_is_no_row(self):
        self.assertNotRegex(self.succeeds(*self.GEMM), r"  NOP\n")
        rows = list(csv.reader(io.StringIO(self.succeeds(*self.GEMM, "--csv"))))
        self.assertNotEqual(rows[-1][2], "NOP")
        source = json.loads(self.succeeds(*self.GEMM, "--json", "-"))["kernels"][0]["source"]
        self.assertNotEqual(source[-1]["sass"], "NOP")
        self.assertEqual(len(source), len(rows) - 2)
        self.assertTrue(source[-1]["sass"].startswith("BRA"))  # to itself, as every kernel ends

    def test_the_source_view_is_as_wide_as_asked(self):
        waits = re.compile(r"[a-z_]+ \d+%(, [a-z_]+ \d+%)*")
        for columns, most in ((None, 100), ("100", 100), ("140", 140)):
            with self.subTest(columns=columns):
                environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"} | ({"COLUMNS": columns} if columns else {})
                text = subprocess.run([PROGRAM, *self.GEMM, "--print-source", "cuda,sass"], stdout=subprocess.PIPE, text=True, env=environment, check=True).stdout
                rows = text[:text.index("\n\n")].splitlines()
                self.assertLessEqual(max(map(len, rows)), most)
                self.assertIn("  BRA 0x", text)
                self.assertEqual(sum("Waits For" in row for row in rows), 1)  # no column stands below the others
                for row in rows[3:]:
                    for found in re.findall(r"[a-z_.]+ \d+%", row):
                        self.assertRegex(found, waits)
                        self.assertNotIn("..", found)
        file = self.path("wide.txt")
        self.succeeds(*self.GEMM, "--print-source", "cuda,sass", "--log-file", file)
        with open(file) as written:
            self.assertGreater(max(map(len, written)), 140)


class Latex(ProgramTest):
    def test_tables_of_the_sections(self):
        file, result = self.path("tables.tex"), self.path("result.json")
        page = self.succeeds("run", "search", "--variant", "pbs", "--K", "64", "--n", "4096", "--page", "details", "--no-what-if", "--latex", file)
        with open(file) as written:
            text = written.read()
        captions = re.findall(r"\\caption\{(.*?) \(search\\_pbs, grid \(", text)
        self.assertEqual(captions, re.findall("Section: (.*)", page))
        self.assertEqual(text.count("\\begin{tabular}{lrr}"), text.count("\\bottomrule"))
        self.assertIn("Compute (SM) Throughput & \\% & ", text)
        self.assertIn("\\# SMs & SM & 132 \\\\", text)
        self.assertNotRegex(text.replace("% Needs", ""), r"(?<!\\)[%#_$]")
        for row in re.findall(r"^  [^\\].*\\\\$", text, re.M):
            self.assertEqual(row.count(" & "), 2)
        self.succeeds("run", "gemm", "--n", "128", "--set", "detailed", "--section", "MemoryWorkloadAnalysis", "--json", result, "--page", "raw", "--latex", file)
        with open(file) as written:
            self.assertIn("\\begin{tabular}{llrrrrrr}", written.read())
        with open(result) as written:
            self.assertNotIn("--latex", json.load(written)["command"])

    def test_it_is_a_file_of_its_own(self):
        self.fails(BAD_INPUT, *SAXPY, "--latex", "/nowhere/t.tex", says=["--latex"])
        self.fails(BAD_INPUT, *SAXPY, "--latex", self.path("a"), "--json", self.path("a"), says=["--latex", "--json"])


class Progress(ProgramTest):
    def run_on_a_terminal(self, *arguments):
        """What the program writes to a terminal that is its standard error, and to its standard output."""
        terminal, program_side = pty.openpty()
        shown = bytearray()

        def read():  # while the program runs, or a full terminal would stop it
            while not shown.endswith(b"\0"):
                shown.extend(os.read(terminal, 4096))

        reader = threading.Thread(target=read)
        reader.start()
        with open(self.path("output"), "wb") as output:  # no second pipe: one that nobody reads would stop the program
            status = subprocess.run([PROGRAM, *arguments], stdout=output, stderr=program_side).returncode
        # The side of the program stays open until all is read: what a terminal still holds when its last writer closes
        # it is lost on some systems.
        os.write(program_side, b"\0")
        reader.join()
        os.close(program_side)
        os.close(terminal)
        with open(self.path("output")) as output:
            return status, output.read(), shown[:-1].decode()

    def test_long_runs_say_how_far_they_are(self):
        for device, blocks, cycles in (("simulated", "100", " cycles"), ("functional", "1000", " instructions")):
            with self.subTest(device=device):
                # a kernel that never ends takes as long as the limit lets it
                status, output, shown = self.run_on_a_terminal("launch", "--device", device, "--cubin", fixture("faults.cubin"), "--kernel", "runaway",
                                                               "--grid", blocks, "--arg", "buffer:64", "--instruction-limit", "20000")
                self.assertEqual((status, output), (1, ""), shown)
                self.assertRegex(shown, r"^(\r\x1b\[Krunaway: [\d,]+ of [\d,]+ blocks, [\d,]+" + cycles + r"(, [\d,]+ a second)?)+\r\x1b\[K(\x1b\[1;31m)?sassafras: error:")

    def test_short_runs_show_nothing(self):
        for _ in range(5):  # a busy machine may make a short run long
            status, output, shown = self.run_on_a_terminal(*SAXPY, "--json", "-")
            if shown == "":
                break
        self.assertEqual((status, shown), (0, ""))
        self.assertEqual(json.loads(output)["kernels"][0]["name"], "saxpy")


class Disasm(ProgramTest):
    def test_all_kernels(self):
        text = self.succeeds("disasm", fixture("faults.cubin"))
        for kernel in ("saxpy", "echo", "runaway"):
            self.assertIn(f".text.{kernel}:", text)
        self.assertIn("EXIT ;", text)

    def test_one_kernel_with_control_codes(self):
        text = self.succeeds("disasm", fixture("faults.cubin"), "--kernel", "saxpy", "--control")
        self.assertEqual(text.count(".text."), 1)
        self.assertRegex(text, r"/\*0000\*/  B[-0-5]{6}:R[-0-5]:W[-0-5]:[-Y]:S\d\d  ")


if __name__ == "__main__":
    unittest.main()
