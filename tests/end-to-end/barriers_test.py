"""Warps whose lanes reach a block barrier in several groups, or not at all: both modelled devices finish with the same memory."""
import json
import os
import unittest

from program import FIXTURES, WRONG_RESULT, ProgramTest

CUBIN = os.path.join(FIXTURES, "..", "barriers.cubin")


class Barriers(ProgramTest):
    def launch(self, device, kernel):
        text = self.succeeds("launch", "--device", device, "--cubin", CUBIN, "--kernel", kernel, "--grid", "3", "--block", "96",
                             "--arg", "buffer:4096:zero", "--json", "-")
        result = json.loads(text)
        return result["workload"], result["kernels"][0]["metrics"]["smsp__inst_executed.sum"]

    def test_devices_agree(self):
        for kernel in ("arrives_in_groups", "some_lanes_exit"):
            with self.subTest(kernel=kernel):
                functional, simulated = (self.launch(device, kernel) for device in ("functional", "simulated"))
                self.assertEqual(functional, simulated)
                self.assertGreater(functional[1], 0)

    def test_a_store_that_fails_before_a_barrier(self):
        for device in ("functional", "simulated"):
            with self.subTest(device=device):
                self.fails(WRONG_RESULT, "launch", "--device", device, "--cubin", CUBIN, "--kernel", "stores_before_barrier", "--block", "96",
                           "--arg", "buffer:384", says=["write of size 4", "out of bounds", "stores_before_barrier"])


if __name__ == "__main__":
    unittest.main()
