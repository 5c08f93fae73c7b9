"""What a user of Nsight Compute stumbles over in the first hour: each says what to do, or just works."""
import unittest

from program import BAD_INPUT, ProgramTest


class Dashes(ProgramTest):
    def test_a_program_without_dashes_is_told_the_whole_line(self):
        for line, right in ((["exec", "./prog", "a", "b"], "exec -- ./prog a b"),
                            (["exec", "-k", "prog", "--csv", "prog", "-x", "a b"], "exec -k prog --csv -- prog -x 'a b'"),
                            (["diagnose", "exec", "./prog", "a"], "diagnose exec -- ./prog a"),
                            (["diagnose", "./prog", "a"], "diagnose -- ./prog a"),
                            (["trace", "capture", "-o", "folder", "./prog", "1"], "trace capture -o folder -- ./prog 1")):
            with self.subTest(line=line):
                done = self.fails(BAD_INPUT, *line)
                self.assertTrue(done.stderr.endswith(f"; write sassafras {right}\n"), done.stderr)
        # An option misspelt is still an option.
        self.fails(BAD_INPUT, "exec", "--chekc", "./prog", says=["did you mean --check?"])


if __name__ == "__main__":
    unittest.main()
