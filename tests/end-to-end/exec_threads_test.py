"""sassafras exec: every program of tests/programs writes the same at one thread and at one of 2, 3, 7 and 16, by turns; those whose blocks communicate several times at each."""
import os
import re

from exec_program import SOURCES, ExecTest, why_not
from program import run_tests
from same_threads import COUNTS, report

#: Blocks of these wait for one another, count together, or take turns.
COMMUNICATE = ("between_blocks", "cooperative", "collectives", "swaps", "pauses")
REPETITIONS = 4
#: Registers memory of its own, which lies where its malloc has room beside ours: what it prints is the same each time, its sectors are not (docs/exec.md).
REGISTERS = "memory"


def runs():
    for name in sorted(os.listdir(SOURCES)):
        if not name.endswith(".cu"):
            continue
        with open(os.path.join(SOURCES, name), encoding="utf-8") as file:
            arguments = re.match(r"// runs: (.*)", file.readline())
        for argument in arguments.group(1).split() if arguments else [None]:
            yield name[:-3], [argument] if argument else []


class Threads(ExecTest):
    def at(self, threads, name, arguments):
        file = self.path("report.json")
        if os.path.exists(file):
            os.remove(file)
        done = self.exec(name, *arguments, options=("--threads", str(threads), "--json", file))
        if name == REGISTERS:
            return done.returncode, done.stdout.split("  #  Grid")[0]
        printed = re.sub(r"wall time: .*", "", done.stdout)
        return done.returncode, printed, report(file) if os.path.exists(file) else None

    def test_every_program_is_the_same_at_any_number_of_threads(self):
        others = [(name, arguments) for name, arguments in runs() if name not in COMMUNICATE]
        for number, (name, arguments) in enumerate(others):
            alone = self.at(1, name, arguments)
            threads = COUNTS[number % len(COUNTS)]
            with self.subTest(program=name, arguments=arguments, threads=threads):
                self.assertEqual(self.at(threads, name, arguments), alone)

    def test_programs_whose_blocks_communicate_are_the_same_each_time(self):
        for name, arguments in runs():
            if name not in COMMUNICATE:
                continue
            alone = self.at(1, name, arguments)
            for repetition in range(REPETITIONS):
                threads = COUNTS[repetition % len(COUNTS)]
                with self.subTest(program=name, arguments=arguments, threads=threads, repetition=repetition):
                    self.assertEqual(self.at(threads, name, arguments), alone)


if __name__ == "__main__":
    run_tests(why_not)
