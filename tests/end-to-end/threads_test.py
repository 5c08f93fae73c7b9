"""Every workload in every variant writes the same JSON at any number of threads."""
import re
import unittest

from program import ProgramTest, some_of
from same_threads import COUNTS, report

SIZES = {"gemm": 100, "search": 20000, "merge": 20000, "sort": 20000, "scan": 30000, "stencil": 26, "ode": 1000, "micro": 1}


def workloads(text):
    """(workload, variant), as `sassafras list` shows them."""
    for name, body in re.findall(r"^  (\w+): [^\n]*\n((?:    [^\n]*\n)+)", text.split("\nPlatforms")[0], re.MULTILINE):
        variants = re.search(r"--variant: (.*)", body).group(1)
        for variant in re.sub(r" \([^)]*\)", "", variants).split(", "):
            yield name, variant


class Threads(ProgramTest):
    def run_at(self, threads, *words):
        file = self.path(f"{threads}.json")
        self.succeeds(*words, "--threads", str(threads), "--json", file)
        return report(file)

    def test_every_workload_writes_the_same_at_any_number_of_threads(self):
        cases = list(workloads(self.succeeds("list")))
        self.assertGreater(len(cases), 60)
        self.assertEqual({name for name, _ in cases}, set(SIZES))
        for number, (name, variant) in enumerate(some_of(cases, 8)):
            words = ("run", name, "--variant", variant, "--n", str(SIZES[name]))
            alone = self.run_at(1, *words)
            threads = COUNTS[number % 4]  # by turns, so that each count meets each kind of workload
            with self.subTest(workload=name, variant=variant, threads=threads):
                self.assertEqual(self.run_at(threads, *words), alone)

    def test_executed_only_and_sampled_too(self):
        for words in (("run", "sort", "--variant", "mgpu", "--n", "60000", "--device", "functional"),
                      ("run", "scan", "--n", "60000", "--repeat", "6", "--sample"), ("run", "search", "--n", "100000", "--device", "functional")):
            alone = self.run_at(1, *words)
            for threads in COUNTS:
                with self.subTest(words=words, threads=threads):
                    self.assertEqual(self.run_at(threads, *words), alone)

    def test_a_launch_of_which_waves_are_timed_too(self):
        platform = self.write("few.json", b'{"name": "few", "base": "h200", "gpu": {"sm_count": 2}, "l2": {"slices": 2, "bytes": 1048576}, "dram": {"channels": 2}}')
        words = ("run", "stencil", "--n", "66", "--platform", platform, "--sample")
        alone = self.run_at(1, *words)
        for kernel in alone["kernels"]:
            self.assertGreater(kernel["sampling"]["timed_blocks"], 0)
        for threads in COUNTS:
            with self.subTest(threads=threads):
                self.assertEqual(self.run_at(threads, *words), alone)


if __name__ == "__main__":
    unittest.main()
