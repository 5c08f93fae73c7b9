"""Buffers of a launch: what they hold, and how much memory of this machine they take."""
import itertools
import json
import os
import random
import resource
import struct
import subprocess
import unittest

from program import BAD_INPUT, MEGABYTE, OK, PROGRAM, SANITIZED, SANITIZERS, ProgramTest, fixture

MASK = (1 << 64) - 1
FNV_BASIS, FNV_PRIME = 0xcbf29ce484222325, 0x100000001b3  # draft-eastlake-fnv
SAXPY = ["launch", "--device", "functional", "--cubin", fixture("faults.cubin"), "--kernel", "saxpy"]
NO_ELEMENTS = ["--arg", "buffer:64", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:0"]  # saxpy then touches nothing


def fnv1a(data):
    value = FNV_BASIS
    for byte in data:
        value = (value ^ byte) * FNV_PRIME & MASK
    return f"{value:016x}"


def split_mix(seed, count):
    """Words of SplitMix64, as its authors publish it, the lower halves of its numbers."""
    for _ in range(count):
        seed = seed + 0x9e3779b97f4a7c15 & MASK
        mixed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb & MASK
        yield (mixed ^ mixed >> 31) & 0xffffffff


class Buffers(ProgramTest):
    def measured_buffer(self, argument):
        """Its checksum as printed, and the most memory the program had, in MiB."""
        status, said, memory = self.measured(*SAXPY, "--arg", argument, *NO_ELEMENTS, "--json", self.path("out.json"))
        self.assertEqual(status, OK, said)
        with open(self.path("out.json"), encoding="utf-8") as file:
            return json.load(file)["workload"]["buffers"][0]["fnv1a64"], memory

    def test_a_buffer_that_nothing_touches_costs_nothing(self):
        size = 64 << 30  # read byte by byte, minutes
        checksum, memory = self.measured_buffer(f"buffer:{size}")
        self.assertLess(memory, 500 * SANITIZERS)
        # FNV-1a of zeros: each only multiplies the basis by the prime.
        self.assertEqual(checksum, f"{FNV_BASIS * pow(FNV_PRIME, size, 1 << 64) & MASK:016x}")

    def test_what_buffers_hold(self):
        size = 2 * MEGABYTE + 4102  # no multiple of any piece it may be made in, nor of a word
        words = (size + 3) // 4
        numbers = random.Random(1).randbytes(MEGABYTE + 12)
        header = b"{'descr': '<u4', 'fortran_order': False, 'shape': (%d,), }" % (len(numbers) // 4)
        npy = b"\x93NUMPY\x01\x00\x76\x00" + header.ljust(117) + b"\n" + numbers  # numpy.lib.format
        raw_file, npy_file = self.write("raw", numbers), self.write("numbers.npy", npy)
        seed = 1 + 0  # of the command line, and the argument's position
        for argument, expected in ((f"buffer:{size}:iota", struct.pack(f"<{words}I", *range(words))[:size]),
                                   (f"buffer:{size}:random", struct.pack(f"<{words}I", *split_mix(seed, words))[:size]),
                                   (f"file:{raw_file}", numbers), (f"file:{npy_file}", numbers),
                                   (f"buffer:{size}:file={npy_file}", numbers.ljust(size, b"\0"))):
            with self.subTest(argument=argument):
                self.assertEqual(self.measured_buffer(argument)[0], fnv1a(expected))

    @unittest.skipIf(SANITIZED, "shadows and what is kept for a while hide what is measured")
    def test_a_buffer_is_in_memory_once(self):
        megabytes = 192
        _, little = self.measured_buffer("buffer:64:iota")
        with open(self.path("file"), "wb") as file:
            file.write(b"\1" * (megabytes * MEGABYTE))
        for argument in (f"buffer:{megabytes * MEGABYTE}:iota", f"buffer:{megabytes * MEGABYTE}:random", f"file:{self.path('file')}",
                         f"buffer:{megabytes * MEGABYTE + 4}:file={self.path('file')}"):
            with self.subTest(argument=argument):
                _, memory = self.measured_buffer(argument)
                self.assertLess(memory - little, 1.25 * megabytes)
        # What is behind the numbers of a file is zeros that nobody touches.
        _, memory = self.measured_buffer(f"buffer:{64 << 30}:file={self.path('file')}")
        self.assertLess(memory - little, 1.25 * megabytes + (64 << 30 >> 20) / 512)  # page tables


@unittest.skipIf(SANITIZED, "AddressSanitizer reserves more address space than any limit leaves")
class LimitedSpace(ProgramTest):
    def under(self, limits, *arguments):
        def set_limits():
            for name, value in limits.items():
                resource.setrlimit(name, (value, value))
        return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=set_limits)

    def test_device_memory_gets_half_of_what_is_left(self):
        rest = ["--arg", "buffer:64", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:1"]
        limit = {resource.RLIMIT_AS: 2 << 30}
        done = self.under(limit, *SAXPY, "--arg", "buffer:64", *rest)
        self.assertEqual(done.returncode, OK, done.stderr)
        done = self.under(limit, *SAXPY, "--arg", "buffer:1500000000", *rest)
        self.assertEqual(done.returncode, BAD_INPUT)
        for text in ("out of device memory: 1500000000 bytes wanted", "limited to 2,097,152 KiB by ulimit -v", "address space"):
            self.assertIn(text, done.stderr)
        self.assertNotIn("0 of 0", done.stderr)

    def test_the_limit_is_named(self):
        limits = (("-v", resource.RLIMIT_AS), ("-d", resource.RLIMIT_DATA))
        sizes = (10_000, 15_000, 20_000, 25_000, 30_000, 40_000, 50_000, 70_000, 100_000)
        # What the program has at its end where nothing limits it, but for the GPU's memory and with room for noise.
        enough = {("-v", "functional"): 50_000, ("-d", "functional"): 30_000, ("-v", "simulated"): 70_000, ("-d", "simulated"): 50_000}
        for (option, name), kibibytes, device, check in itertools.product(limits, sizes, ("functional", "simulated"), ([], ["--check"])):
            if option == "-v" and kibibytes << 10 < 1.5 * os.path.getsize(PROGRAM):
                continue  # the system cannot even map the program
            with self.subTest(option=option, kibibytes=kibibytes, device=device, check=check):
                done = self.under({name: kibibytes << 10}, "run", "merge", "--n", "4096", "--device", device, *check)
                if done.returncode == 127:
                    continue  # too little for the libraries, as their loader says
                if kibibytes >= enough[option, device]:
                    self.assertEqual((done.returncode, done.stderr), (OK, ""))
                if done.returncode == OK:
                    continue
                self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                for text in (f"{kibibytes:,} KiB by ulimit {option}", "raise the limit"):
                    self.assertIn(text, done.stderr)
                self.assertNotIn("of 0 free", done.stderr)
                self.assertNotIn("this machine", done.stderr)

    def test_a_stack_too_small_is_named(self):
        for kibibytes in (32, 64, 127):
            done = self.under({resource.RLIMIT_STACK: kibibytes << 10}, "run", "merge", "--n", "4096")
            self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
            self.assertIn(f"limited to {kibibytes} KiB by ulimit -s", done.stderr)
        self.assertEqual(self.under({resource.RLIMIT_STACK: 256 << 10}, "run", "merge", "--n", "4096").returncode, OK)

    def test_as_many_threads_as_a_limit_leaves_room_for(self):
        command = ["run", "merge", "--n", "20000", "--json", "-"]
        alone = json.loads(self.run_program(*command).stdout)["kernels"]
        for name, mebibytes, threads in itertools.product((resource.RLIMIT_AS, resource.RLIMIT_DATA), (100, 120, 150, 300, 700, 1000), ("8", "64")):
            with self.subTest(name=name, mebibytes=mebibytes, threads=threads):
                done = self.under({name: mebibytes << 20}, *command, "--threads", threads)
                self.assertEqual(done.returncode, OK, done.stderr)
                self.assertEqual(json.loads(done.stdout)["kernels"], alone)

    def test_threads_that_cannot_be_had(self):
        command = ["run", "sort", "--n", "40000", "--json", "-"]
        alone = json.loads(self.run_program(*command).stdout)
        stacks = {resource.RLIMIT_STACK: 64 << 20}  # of each thread; more than the limit leaves to some of 32
        done = self.under({resource.RLIMIT_AS: 1 << 30, **stacks}, *command, "--threads", "32")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kernels"], alone["kernels"])


if __name__ == "__main__":
    unittest.main()
