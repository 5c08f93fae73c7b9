"""Files that were made to do harm: little memory, no crash, no status 70, and nothing raw on the terminal."""
import json
import os
import struct
import subprocess
import unittest

from program import BAD_INPUT, MEGABYTE, OK, PROGRAM, SANITIZERS, WRONG_RESULT, ProgramTest, fixture
from stored_record import xxhash64

EXIT = struct.pack("<QQ", 0x794d, 0x000fea0003800000)


def number(value):
    """LEB128."""
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(digits + bytes([value]))


def zstd(*parts):
    """One frame of the parts: bytes as they are, (byte, count) as runs, which take 4 bytes each 128 KiB."""
    blocks = b""
    size = 0

    def block(kind, length, content):
        return struct.pack("<I", kind << 1 | length << 3)[:3] + content

    for part in parts:
        if isinstance(part, bytes):
            blocks += block(0, len(part), part)
            size += len(part)
        else:
            byte, count = part
            size += count
            while count:
                length = min(count, 128 << 10)
                blocks += block(1, length, bytes([byte]))
                count -= length
    last = block(0, 0, b"")
    return struct.pack("<IBQ", 0xfd2fb528, 0xe0, size) + blocks + bytes([last[0] | 1]) + last[1:], size


def trace_file(header, index, frames=()):
    """A file with all its checksums right. header and index: what zstd() gives; frames: bytes."""
    packed, size = header
    prologue = b"SASSTRC\n" + struct.pack("<IIQQ", 2, len(packed), size, xxhash64(packed))
    prologue += struct.pack("<Q", xxhash64(prologue))
    body = prologue + packed + b"".join(frames)
    packed, size = index
    epilogue = struct.pack("<QQQQQ", len(body), len(packed), size, xxhash64(packed), struct.unpack("<Q", prologue[-8:])[0])
    epilogue += struct.pack("<Q", xxhash64(epilogue))
    return body + packed + epilogue + b"SASSTRC\n", struct.unpack("<Q", epilogue[-8:])[0]


def header_parts(code=(EXIT,), functions=(number(0),), branches=(number(0),), exits=(number(0),), words=1, grid=1):
    launch = b"".join(number(n) for n in (32, 0, 0, 0, 1024, 0, 0, 0, 0, 0, 0, 0x210, 0))
    shape = b"".join(number(n) for n in (grid, 1, 1, 32, 1, 1, 0, 132))
    return (number(1) + b"k" + number(words), *code, launch, *functions, *branches, *exits, shape)


class Hostile(ProgramTest):
    def trace_folder(self, workload='{"name": "x"}', trace=None, kernel="k", name="trace"):
        """A folder whose index has its right checksum."""
        folder = self.path(name)
        os.makedirs(folder, exist_ok=True)
        launches = ""
        if trace is not None:
            data, checksum = trace
            with open(os.path.join(folder, "0.sft"), "wb") as file:
                file.write(data)
            launches = f'{{"file": "0.sft", "kernel": "{kernel}", "warp_instructions": 1, "clock_reads": 0, "bytes": {len(data)}, "checksum": "{checksum:016x}"}}'
        text = f'{{\n  "sassafras_trace": 1,\n  "workload": {workload},\n  "verified": true,\n  "launches": [{launches}],\n'.encode()
        text += f'  "checksum": "{xxhash64(text):016x}"\n}}\n'.encode()
        with open(os.path.join(folder, "index.json"), "wb") as file:
            file.write(text)
        return folder


class Memory(Hostile):
    def test_the_hash_is_xxh64(self):
        self.assertEqual(xxhash64(b""), 0xef46db3751d8e999)
        self.assertEqual(xxhash64(b"a"), 0xd24ec4f1a98c6e5b)
        self.assertEqual(xxhash64(b"Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1)

    def test_info_of_a_small_file_takes_little(self):
        many = 80_000_000
        one_frame = number(1) + number(0) + number(0) + number(1) + number(9) + number(0) + bytes(8) + number(1) + number(0)
        frame = [bytes(9)]
        index = zstd(one_frame)
        files = {
            "nothing wrong": (zstd(*header_parts()), index, frame, OK),
            "empty functions": (zstd(*header_parts(functions=(number(many), (0, 3 * many)))), index, frame, BAD_INPUT),
            "empty branches": (zstd(*header_parts(branches=(number(many), (0, 2 * many)))), index, frame, BAD_INPUT),
            "exits": (zstd(*header_parts(exits=(number(many), (0, many)))), index, frame, BAD_INPUT),
            "exits in small": (zstd(*header_parts(exits=(number(6_000_000), (0, 6_000_000)))), index, frame, OK),
            "code": (zstd(*header_parts(code=((0, 16 * many // 8),), words=many // 8)), index, frame, BAD_INPUT),
            "frames": (zstd(*header_parts()), zstd(number(1) * 3 + number(2_000_000), (0, 22_000_000)), frame, BAD_INPUT),
            "blocks": (zstd(*header_parts(grid=60_000_000)),
                       zstd(one_frame[:3] + number(1) + number(9) + number(0) + bytes(8) + number(60_000_000) + number(0), (2, 60_000_000 - 1)), frame, OK),
            "more blocks": (zstd(*header_parts(grid=200_000_000)),
                            zstd(one_frame[:3] + number(1) + number(9) + number(0) + bytes(8) + number(200_000_000) + number(0), (2, 200_000_000 - 1)), frame,
                            BAD_INPUT),
            "frame": (zstd(*header_parts()), index, None, BAD_INPUT),
        }
        for what, (header, index_of_file, frames, expected) in files.items():
            with self.subTest(what=what):
                content, size = zstd((0, 250 * MEGABYTE)) if frames is None else zstd(b"")
                if frames is not None and expected == OK:
                    size = 0
                entries = index_of_file
                if what in ("nothing wrong", "exits in small", "frame"):
                    head = number(1) + number(0) + number(0) + number(1) + number(len(content)) + number(size) + struct.pack("<Q", xxhash64(content))
                    entries = zstd(head + number(1) + number(0))
                    frames = [content]
                elif what == "blocks":
                    head = number(1) + number(0) + number(0) + number(1) + number(len(content)) + number(0) + struct.pack("<Q", xxhash64(content))
                    entries = zstd(head + number(60_000_000) + number(0), (2, 60_000_000 - 1))
                    frames = [content]
                data = trace_file(header, entries, frames)
                self.assertLess(len(data[0]), MEGABYTE)
                status, said, memory = self.measured("trace", "info", self.trace_folder(trace=data))
                self.assertLess(memory, 256, what)
                self.assertEqual(status, expected, said)

    def test_an_index_full_of_faults(self):
        folder = self.trace_folder()
        text = b'{\n  "sassafras_trace": 1,\n  "launches": [' + b"{}," * 300_000 + b"{}],\n"
        for body in (text, b'{\n  "a": {' + b",".join(b'"%d":0' % i for i in range(80_000)) + b"},\n"):
            body += f'  "checksum": "{xxhash64(body):016x}"\n}}\n'.encode()
            with open(os.path.join(folder, "index.json"), "wb") as file:
                file.write(body)
            status, _, memory = self.measured("trace", "info", folder)
            self.assertEqual(status, BAD_INPUT)
            self.assertLess(memory, 256 * SANITIZERS)

    def test_files_that_never_end(self):
        for command in (["disasm", "/dev/zero"], ["launch", "--cubin", "/dev/zero", "--kernel", "k"], ["run", "sort", "--platform", "/dev/zero"],
                        ["estimate", "sort", "--instance", "/dev/zero"]):
            with self.subTest(command=command):
                status, said, memory = self.measured(*command)
                self.assertEqual(status, BAD_INPUT, said)
                self.assertIn("longer than", said)
                self.assertLess(memory, 700 * SANITIZERS)


class Indices(Hostile):
    def test_what_is_no_object(self):
        for workload in ("1", '"x"', "[]", "[1]", "null", "true", "1.5"):
            with self.subTest(workload=workload):
                for command in ("replay", "info", "export"):
                    more = ["--format", "accel-sim", "-o", self.path("out")] if command == "export" else []
                    self.fails(BAD_INPUT, "trace", command, self.trace_folder(workload=workload), *more, says=["/workload", "is no object"])


    def test_names_that_no_file_has(self):
        trace = trace_file(zstd(*header_parts()), zstd(b""))
        folder = self.trace_folder(trace=trace)
        with open(os.path.join(folder, "index.json"), "rb") as file:
            text = file.read().replace(b'"0.sft"', b'"0.sft\\u0000x"')
        text = text[:text.rindex(b'  "checksum"')]
        self.write("trace/index.json", text + f'  "checksum": "{xxhash64(text):016x}"\n}}\n'.encode())
        self.fails(BAD_INPUT, "trace", "info", folder, says=["/launches/0/file", "is no name of a file"])
        platform = self.write("a.json", b'{"name": "a", "base": "h200.json\\u0000x"}')
        self.fails(BAD_INPUT, "run", "sort", "--n", "1000", "--platform", platform, says=["h200.json"])

    def test_pipes_in_place_of_files(self):
        content, size = zstd(b"")
        head = number(1) + number(0) + number(0) + number(1) + number(len(content)) + number(size) + struct.pack("<Q", xxhash64(content))
        folder = self.trace_folder(trace=trace_file(zstd(*header_parts()), zstd(head + number(1) + number(0)), [content]))
        self.succeeds("trace", "info", folder)
        for name in ("0.sft", "index.json"):
            os.remove(os.path.join(folder, name))
            os.mkfifo(os.path.join(folder, name))
            for command in ("info", "replay"):
                self.fails(BAD_INPUT, "trace", command, folder, says=[name, "a pipe or a device"])
        os.remove(os.path.join(folder, "index.json"))
        os.symlink("/dev/zero", os.path.join(folder, "index.json"))
        self.fails(BAD_INPUT, "trace", "info", folder, says=["index.json", "a pipe or a device"])
        os.mkfifo(self.path("kernel-1.traceg"))
        for file in (self.write("kernelslist.g", b"kernel-1.traceg\n"), self.path("kernel-1.traceg")):
            self.fails(BAD_INPUT, "trace", "import", file, "-o", self.path("out"), says=["kernel-1.traceg", "a pipe or a device"])


class Names(Hostile):
    ESCAPE = "\x1b]0;title\x07\x1b[31m"

    def prints_no_escape(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for printed in (done.stdout, done.stderr):
            self.assertNotIn(b"\x1b", printed)
            self.assertNotIn(b"\x07", printed)
        return done

    def test_names_from_files(self):
        with open(fixture("faults.cubin"), "rb") as file:
            cubin_bytes = file.read()
        name = b"\x1b[31m"  # in place of saxpy, as long as that
        cubin = self.write("a.cubin", cubin_bytes.replace(b"saxpy", name))
        self.assertIn(b"\\x1b[31m", self.prints_no_escape("disasm", cubin).stdout)
        self.prints_no_escape("launch", "--cubin", cubin, "--kernel", "none")
        arguments = ["--arg", "buffer:64", "--arg", "buffer:64", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:1"]
        for page in ("details", "raw", "source"):
            self.prints_no_escape("launch", "--device", "functional", "--cubin", cubin, "--kernel", name, *arguments, "--page", page)
            self.prints_no_escape("launch", "--device", "functional", "--cubin", cubin, "--kernel", name, *arguments, "--page", page, "--csv")
        no_text = self.write("b.cubin", cubin_bytes.replace(b"saxpy", b"sax\xffy"))
        printed = self.prints_no_escape("launch", "--device", "functional", "--cubin", no_text, "--kernel", b"sax\xffy", *arguments, "--json", "-").stdout
        self.assertEqual(json.loads(printed)["kernels"][0]["name"], "sax\ufffdy")

    def test_names_on_the_command_line(self):
        for command in (["disasm", self.ESCAPE], ["trace", "info", self.ESCAPE], ["run", self.ESCAPE], ["run", "sort", "--platform", self.ESCAPE],
                        ["exec", "--", self.ESCAPE], [self.ESCAPE], ["run", "sort", "--" + self.ESCAPE, "1"]):
            self.prints_no_escape(*command)

    def test_a_trace(self):
        content, size = zstd(b"")
        head = number(1) + number(0) + number(0) + number(1) + number(len(content)) + number(size) + struct.pack("<Q", xxhash64(content))
        trace = trace_file(zstd(*header_parts()), zstd(head + number(1) + number(0)), [content])
        kernel = "\\u001b[31m"
        for command in ("info", "replay"):
            self.prints_no_escape("trace", command, self.trace_folder(trace=trace, kernel=kernel))


class Calls(Hostile):
    def test_a_call_near_a_function_of_the_driver(self):
        with open(fixture("not_modelled.cubin"), "rb") as file:
            cubin_bytes = file.read()
        call = bytes.fromhex("4373000200000000")  # CALL.ABS.NOINC R2, in which a displacement may stand
        self.assertEqual(cubin_bytes.count(call), 1)
        for words in (15, 255):  # between two such functions, and behind the last
            damaged = self.write("a.cubin", cubin_bytes.replace(call, call[:2] + bytes([words]) + call[3:]))
            self.fails(WRONG_RESULT, "launch", "--device", "functional", "--cubin", damaged, "--kernel", "prints", "--block", "64",
                       says=["Indirect branch to 0x8000000000", "outside the kernel's code"])


class Imports(Hostile):
    def test_a_failed_import_leaves_nothing(self):
        lists = {"empty": b"", "missing": b"kernel-1.traceg\n", "damaged": b"kernel-2.traceg\n"}
        self.write("kernel-2.traceg", b"-kernel name = k\n-nonsense\n")
        for name, text in lists.items():
            with self.subTest(list=name):
                file = self.write(name + ".g", text)
                self.fails(BAD_INPUT, "trace", "import", file, "-o", self.path("out"))
                self.assertFalse(os.path.exists(self.path("out")))
                os.mkdir(self.path("out"))
                self.fails(BAD_INPUT, "trace", "import", file, "-o", self.path("out"))
                self.assertEqual(os.listdir(self.path("out")), [])
                os.rmdir(self.path("out"))


if __name__ == "__main__":
    unittest.main()
