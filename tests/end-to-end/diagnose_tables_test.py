"""`scripts/diagnose-tables`: the thesis' tables beside our kernels on the modelled GPUs, and that docs/diagnose-tables.md says what comes out."""
import json
import os
import re
import subprocess
import sys
import unittest

from program import PROGRAM, SANITIZED, ProgramTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def tables(*arguments):
    return subprocess.run([sys.executable, os.path.join(ROOT, "scripts/diagnose-tables"), PROGRAM, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class DiagnoseTables(ProgramTest):
    def test_the_page_has_every_table_and_counts_its_agreements(self):
        with open(os.path.join(ROOT, "validate", "records", "gehrke", "gehrke_tables.json")) as file:
            printed = json.load(file)["tables"]
        with open(os.path.join(ROOT, "docs", "diagnose-tables.md")) as file:
            page = file.read()
        classes = {row[0]: row for row in (line.strip("| \n").split(" | ") for line in page.splitlines()) if re.fullmatch(r"6\.\d+", row[0])}
        self.assertEqual(list(classes), [table["table"] for table in printed])
        agreeing = 0
        for table in printed:
            row = classes[table["table"]]
            self.assertEqual(row[1], table["platform"])
            self.assertEqual(row[3:5], [table["author"], table["by_units"]])
            agrees = row[5].split(":")[0] == table["author"]
            self.assertEqual(row[7], "yes" if agrees else "**no**")
            agreeing += agrees
            self.assertIn(f"**Table {table['table']}**", page)
        self.assertIn(f"{agreeing} of 16 kernels get the class", page)
        self.assertGreaterEqual(agreeing, 13)

    @unittest.skipIf(SANITIZED, "a minute under sanitizers")
    def test_the_page_is_what_comes_out(self):
        done = tables("--check", "--only", "6.1", "6.17")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_refused(self):
        for arguments in (["--only", "6.12"], ["--update", "--only", "6.1"]):
            self.assertEqual(tables(*arguments).returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
