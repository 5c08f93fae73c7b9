"""Programs that go wrong, and programs that need what is not modelled: each is named as compute-sanitizer would."""
import unittest

from program import NOT_MODELLED, WRONG_RESULT, ProgramTest, fixture

DEVICES = ("functional", "simulated")


class Faults(ProgramTest):
    def faults(self, kernel, *more, says=()):
        for device in DEVICES:
            with self.subTest(device=device):
                self.fails(WRONG_RESULT, "launch", "--device", device, "--cubin", fixture("faults.cubin"), "--kernel", kernel, *more, says=[kernel, *says])

    def test_out_of_bounds_store(self):
        # 64 ints from the 2^20th on, behind the page of 2 MiB that a buffer of 64 ints lies in
        self.faults("out_of_bounds", "--block", "64", "--arg", "buffer:256", "--arg", "i32:1048576", says=["write of size 4", "00 is out of bounds", "STG", "thread (0,0,0)"])

    def test_a_store_within_the_page_of_an_allocation(self):
        for device in DEVICES:
            with self.subTest(device=device):
                self.succeeds("launch", "--device", device, "--cubin", fixture("faults.cubin"), "--kernel", "out_of_bounds", "--block", "64",
                              "--arg", "buffer:256", "--arg", "i32:64")
        self.faults("out_of_bounds", "--check", "--block", "64", "--arg", "buffer:256", "--arg", "i32:64",
                    says=["write of size 4", "00 is out of bounds", "STG", "thread (0,0,0)"])

    def test_misaligned_store(self):
        self.faults("misaligned", "--arg", "buffer:256", says=["01 is misaligned", "STG", "thread (0,0,0)"])

    def test_shared_memory_out_of_bounds(self):
        self.faults("shared_out_of_bounds", "--block", "1", "--shared", "64", "--arg", "buffer:64", "--arg", "i32:4096", says=["shared"])

    def test_barrier_that_some_never_reach(self):
        self.faults("barrier_deadlock", "--block", "64", "--arg", "buffer:256", says=["deadlock"])

    def test_runaway(self):
        self.faults("runaway", "--block", "32", "--arg", "buffer:64", "--instruction-limit", "100000", says=["runaway"])

    def test_trap(self):
        self.faults("trap")


class NotModelled(ProgramTest):
    def test_sparse_matrices(self):
        for device in DEVICES:
            self.fails(NOT_MODELLED, "launch", "--device", device, "--cubin", fixture("sparse.cubin"), "--kernel", "sparse",
                       "--arg", "buffer:1024", "--arg", "u32:0x44444444", says=["HMMA", "sparse"])


class Prints(ProgramTest):
    """Kernels that were refused once."""

    def test_printf(self):
        for device in DEVICES:
            printed = self.succeeds("launch", "--device", device, "--cubin", fixture("not_modelled.cubin"), "--kernel", "prints", "--block", "40")
            self.assertTrue(printed.startswith("".join(f"{thread}\n" for thread in range(40))), printed)

    def test_tensor_core(self):
        for device in DEVICES:
            self.succeeds("launch", "--device", device, "--cubin", fixture("not_modelled.cubin"), "--kernel", "tensor",
                          "--arg", "buffer:1024", "--arg", "buffer:512", "--arg", "buffer:512")


if __name__ == "__main__":
    unittest.main()
