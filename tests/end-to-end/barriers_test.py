"""Warps whose lanes reach a block barrier in several groups, or not at all: both modelled devices finish with the same memory."""
import json
import os
import unittest

from program import FIXTURES, ProgramTest

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


if __name__ == "__main__":
    unittest.main()
