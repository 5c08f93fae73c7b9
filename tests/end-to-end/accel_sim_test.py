"""sassafras trace import and export: traces of Accel-Sim, as a user has them."""
import json
import lzma
import os
import shutil
import unittest

from program import BAD_INPUT, NOT_MODELLED, OK, ProgramTest

HEADER = """-kernel name = stream
-kernel id = 1
-grid dim = (4,1,1)
-block dim = (96,1,1)
-shmem = 512
-nregs = 16
-binary version = 70
-cuda stream id = 0
-shmem base_addr = 0x00007efeb0000000
-local mem base_addr = 0x00007efeb2000000
-nvbit version = 1.5
-accelsim tracer version = 5
-enable lineinfo = 0

#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate
"""


def trace(blocks=4, times=10, header=HEADER):
    """A loop of loads with a stride of 128 bytes, stores to shared memory and a barrier; the third warp of a block is
    empty, and left out in odd blocks."""
    text = header
    for block in range(blocks):
        text += f"\n#BEGIN_TB\n\nthread block = {block},0,0\n"
        for warp in range(2):
            lines = ["0000 ffffffff 1 R1 MOV 0 0 0 "]
            for i in range(times):
                base = 0x7efe00000000 + ((block * 2 + warp) * times + i) * 4096
                lines += [f"0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 {base:#x} 128 0 ",
                          "0020 ffffffff 0 STS 2 R0 R4 4 2 0x7efeb0000000" + " 8" * 31 + " 0 ",
                          "0030 ffffffff 1 R2 IADD3 1 R2 0 0 ",
                          "0040 ffffffff 0 BRA 0 0 0 "]
            lines += ["0050 ffffffff 0 BAR.SYNC 0 0 0 ", "0060 ffffffff 0 EXIT 0 0 0 "]
            text += f"\nwarp = {warp}\ninsts = {len(lines)}\n" + "\n".join(lines) + "\n"
        if block % 2 == 0:
            text += "\nwarp = 2\ninsts = 0\n"
        text += "\n#END_TB\n"
    return text


class AccelSim(ProgramTest):
    def run_of(self, text, name="run", compressed=False):
        folder = self.path(name)
        os.makedirs(folder)
        file = "kernel-1.traceg" + (".xz" if compressed else "")
        data = text.encode()
        with open(os.path.join(folder, file), "wb") as out:
            out.write(lzma.compress(data) if compressed else data)
        kernels = os.path.join(folder, "kernelslist.g")
        with open(kernels, "w") as out:
            out.write(f"MemcpyHtoD,0x00007efe00000000,327680\n{file}\n")
        return kernels

    def replay(self, folder, *arguments):
        done = self.run_program("trace", "replay", folder, "--page", "source", "--json", "-", *arguments)
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_import(self):
        imported = self.path("imported")
        text = self.succeeds("trace", "import", self.run_of(trace()), "-o", imported)
        self.assertIn("What such a trace cannot tell", text)
        self.assertIn("control codes", text)
        report, note = self.replay(imported, "--platform", "h200")
        self.assertIn("without control codes", note)
        self.assertIsNone(report["verified"])
        self.assertEqual(report["platform"]["resolved"]["sm"]["dependence_tracking"]["value"], "scoreboard")
        self.assertEqual(report["workload"]["binary_versions"], [70])
        self.assertEqual(report["workload"]["copies_from_host"], 1)
        self.assertTrue(any("predicates" in sentence for sentence in report["workload"]["cannot_tell"]))
        kernel = report["kernels"][0]
        self.assertEqual((kernel["name"], kernel["grid"], kernel["block"]), ("stream", [4, 1, 1], [96, 1, 1]))
        self.assertNotIn("demangled", kernel)  # it would be the same
        warps, times = 8, 10
        self.assertEqual(kernel["metrics"]["smsp__inst_executed.sum"], warps * (4 * times + 3))
        rows = {row["pc"]: row for row in kernel["source"]}
        # 32 lanes in 32 sectors; 32 words 8 bytes apart lie two to a bank.
        self.assertEqual(rows[0x10]["global_sectors"], warps * times * 32)
        self.assertEqual(rows[0x20]["shared_wavefronts"], warps * times * 2)
        self.assertEqual(rows[0x20]["shared_wavefronts_ideal"], warps * times)
        self.assertEqual(rows[0x50]["inst_executed"], warps)
        # Each store waits for its load: ten times the way to memory, however fast all else is.
        self.assertGreater(report["total"]["cycles"], 10 * 400)
        info = json.loads(self.succeeds("trace", "info", imported, "--json", "-"))
        self.assertIsNone(info["verified"])
        self.assertEqual(info["launches"][0]["accesses"], warps * times * 2)

    def test_compressed_is_the_same(self):
        plain, packed = self.path("plain"), self.path("packed")
        self.succeeds("trace", "import", self.run_of(trace(), "a"), "-o", plain)
        self.succeeds("trace", "import", self.run_of(trace(), "b", compressed=True), "-o", packed)
        (name,) = [file for file in os.listdir(plain) if file.endswith(".sft")]
        with open(os.path.join(plain, name), "rb") as one, open(os.path.join(packed, name), "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_one_kernel_without_a_list(self):
        kernels = self.run_of(trace(), compressed=True)
        self.succeeds("trace", "import", os.path.join(os.path.dirname(kernels), "kernel-1.traceg.xz"), "-o", self.path("one"))

    def test_long_warps_are_cut_into_parts(self):
        """More than one part of 2,048 instructions a warp: nothing is lost between them, with any number of threads."""
        imported = self.path("long")
        self.succeeds("trace", "import", self.run_of(trace(times=1500)), "-o", imported)
        one, _ = self.replay(imported)
        four, _ = self.replay(imported, "--threads", "4")
        self.assertEqual(one["kernels"], four["kernels"])
        self.assertEqual(one["kernels"][0]["metrics"]["smsp__inst_executed.sum"], 8 * (4 * 1500 + 3))

    def test_kernel_names_are_demangled_for_people(self):
        mangled, readable = "_Z6streamIfEvPT_i", "void stream<float>(float*, int)"
        imported = self.path("imported")
        self.succeeds("trace", "import", self.run_of(trace(header=HEADER.replace("stream", mangled, 1))), "-o", imported)
        for arguments in (("info", imported), ("replay", imported), ("replay", imported, "--csv"), ("replay", imported, "--csv", "--page", "source")):
            done = self.run_program("trace", *arguments)  # it says that registers are tracked otherwise
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertIn(readable, done.stdout)
            self.assertNotIn(mangled, done.stdout)
        launch = json.loads(self.succeeds("trace", "info", imported, "--json", "-"))["launches"][0]
        self.assertEqual((launch["kernel"], launch["demangled"]), (mangled, readable))
        kernel = self.replay(imported)[0]["kernels"][0]
        self.assertEqual((kernel["name"], kernel["demangled"]), (mangled, readable))
        self.assertEqual(list(kernel)[:2], ["name", "demangled"])

    def test_faults_name_file_and_line(self):
        wrong = trace().replace("0030 ffffffff 1 R2 IADD3 1 R2 0 0 ", "0030 ffffffff 1 R2 IADD3 one R2 0 0 ", 1)
        line = wrong.split("\n").index("0030 ffffffff 1 R2 IADD3 one R2 0 0 ") + 1
        self.fails(BAD_INPUT, "trace", "import", self.run_of(wrong, "wrong"), "-o", self.path("x"),
                   says=[f"kernel-1.traceg, line {line}", "source registers"])
        # What failed leaves nothing that a command takes.
        self.fails(BAD_INPUT, "trace", "replay", self.path("x"), says=["there is no such folder"])
        self.fails(NOT_MODELLED, "trace", "import", self.run_of(trace().replace("IADD3", "XMAD"), "xmad"), "-o", self.path("y"),
                   says=["XMAD is no operation", "kernel-1.traceg, line "])
        self.fails(BAD_INPUT, "trace", "import", self.run_of(trace(blocks=3), "short"), "-o", self.path("z"),
                   says=["3 of 4 blocks", "kernel-1.traceg, line "])
        kernels = self.run_of(trace(), "cut", compressed=True)
        packed = os.path.join(os.path.dirname(kernels), "kernel-1.traceg.xz")
        os.truncate(packed, os.path.getsize(packed) // 2)
        self.fails(BAD_INPUT, "trace", "import", kernels, "-o", self.path("w"), says=["kernel-1.traceg.xz", "damaged"])
        os.remove(packed)
        self.fails(BAD_INPUT, "trace", "import", kernels, "-o", self.path("v"), says=["kernel-1.traceg.xz"])
        self.fails(BAD_INPUT, "trace", "import", self.path("none.g"), "-o", self.path("u"), says=["none.g"])

    def test_export(self):
        captured, text, back = self.path("captured"), self.path("text"), self.path("back")
        for workload, platform, binary in (("scan", "h200", 90), ("merge", "a100", 80), ("search", "t4", 75)):
            for path in (captured, text, back):
                if os.path.isdir(path):
                    shutil.rmtree(path)
            self.succeeds("trace", "capture", workload, "--n", "5000", "--platform", platform, "-o", captured)
            says = self.succeeds("trace", "export", captured, "--format", "accel-sim", "-o", text)
            self.assertIn("version 5", says)
            self.succeeds("trace", "import", os.path.join(text, "kernelslist.g"), "-o", back)
            self.fails(BAD_INPUT, "trace", "export", back, "--format", "accel-sim", "-o", self.path("again"), says=["imported", back])
            with open(os.path.join(text, "kernel-1.traceg")) as file:
                self.assertIn(f"-binary version = {binary}\n", file.readlines()[:20])
            before, _ = self.replay(captured, "--device", "functional")
            after, _ = self.replay(back, "--device", "functional")
            self.assertEqual(len(after["kernels"]), len(before["kernels"]))
            for one, other in zip(before["kernels"], after["kernels"]):
                counts = [{row["pc"]: {key: value for key, value in row.items() if key not in ("sass", "lines", "source")}
                           for row in kernel["source"] if row["inst_executed"]} for kernel in (one, other)]
                self.assertEqual(counts[0], counts[1])
                self.assertGreater(len(counts[0]), 10)
                self.assertGreater(len(counts[0][0]), 4)
                wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"  # those of S2R of an index are not in the text
                self.assertGreater(one["metrics"].pop(wavefronts), other["metrics"].pop(wavefronts))
                self.assertEqual(one["metrics"], other["metrics"])

    def test_exported_lines_are_what_accel_sim_reads(self):
        """By its reader's rules: one destination, four sources, modes 0 and 1, an immediate at the end."""
        captured, text = self.path("captured"), self.path("text")
        self.succeeds("trace", "capture", "merge", "--n", "5000", "-o", captured)
        self.succeeds("trace", "export", captured, "--format", "accel-sim", "-o", text)
        with open(os.path.join(text, "kernelslist.g")) as file:
            names = file.read().split()
        self.assertEqual(names, ["kernel-1.traceg"])
        with open(os.path.join(text, names[0])) as file:
            lines = file.read().split("\n")
        begin = next(i for i, line in enumerate(lines) if line.startswith("#traces"))
        self.assertIn("-accelsim tracer version = 5", lines[:begin])
        modes = set()
        left = blocks = guarded = ended = 0
        for line in lines[begin + 1:]:
            words = line.split()
            if left == 0:
                if line.startswith("insts = "):
                    left = int(words[2])
                    ended = 0
                blocks += line == "#BEGIN_TB"
                continue
            left -= 1
            mask = int(words[1], 16)
            if words[-1].startswith("active="):
                # Behind what its reader takes: the lanes before the guard.
                active = int(words.pop()[len("active="):], 16)
                self.assertEqual((mask & ~active, mask != active), (0, True), line)
                guarded += 1
            if "EXIT" in words:
                # Its simulator ends each lane of an EXIT's mask, and no lane may end twice.
                self.assertEqual(mask & ended, 0, line)
                ended |= mask
            self.assertEqual(mask & ended, mask if "EXIT" in words else 0, line)
            self.assertEqual((len(words[0]) >= 4, len(words[1])), (True, 8), line)
            at = 2
            for most in (1, 4):
                count = int(words[at])
                self.assertLessEqual(count, most, line)
                self.assertTrue(all(word.startswith("R") for word in words[at + 1:at + 1 + count]), line)
                at += 1 + count
                if most == 1:
                    self.assertRegex(words[at], "^[A-Z]")
                    at += 1
            width = int(words[at])
            at += 1
            if width:
                mode = int(words[at])
                modes.add(mode)
                at += 1 + (bin(mask).count("1") if mode == 0 else 2)
            self.assertEqual(len(words), at + 1, line)
            int(words[at])
        self.assertEqual(left, 0)
        self.assertGreater(blocks, 1)
        self.assertEqual(modes, {0, 1})
        self.assertGreater(guarded, 0)

    def test_usage(self):
        self.fails(BAD_INPUT, "trace", "export", self.path("x"), "-o", self.path("y"), says=["--format"])
        self.fails(BAD_INPUT, "trace", "export", self.path("x"), "--format", "gem5", "-o", self.path("y"), says=["accel-sim"])
        self.fails(BAD_INPUT, "trace", "export", self.path("x"), "--format", "accel-sim", "-o", self.path("y"), says=["there is no such folder"])
        self.fails(BAD_INPUT, "trace", "import", self.path("x"), says=["--output"])


if __name__ == "__main__":
    unittest.main()
