"""`validate --claims` from the command line: forms of output, choice of claims, what is refused, and that docs/claims.md says the same."""
import csv
import io
import json
import os
import re
import unittest

from program import BAD_INPUT, ProgramTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Evaluated by formulas or by counting: fractions of a second. The verdicts follow from Table 4.2 and the printed formulas, and are held in
# tests/unit/validate/spt_claims_test.cpp too.
QUICKLY = {
    "registers-over-500K": "reproduced",
    "gemm-bandwidth-bound": "reproduced",
    "koike-sadakane-latency-bound": "differs",
    "koike-sadakane-shared-share": "reproduced",
    "mergesort-global-share": "differs",
    "merge-on-cpu": "cannot be tested",
    "class-of-table-6.2": "differs",
    "class-of-table-6.16": "reproduced",
    "phi-figures-6.19": "reproduced",
}


class Claims(ProgramTest):
    def validate(self, *arguments):
        return self.succeeds("validate", "--claims", *arguments)

    def chosen(self):
        return [word for claim in QUICKLY for word in ("--claim", claim)]

    def test_verdicts_in_every_form(self):
        result = json.loads(self.validate(*self.chosen(), "--json", "-"))
        self.assertEqual({claim["id"]: claim["verdict"] for claim in result["claims"]}, QUICKLY)
        self.assertEqual(result["totals"], {"reproduced": 5, "differs": 3, "not run": 0, "cannot be tested": 1})
        for claim in result["claims"]:
            self.assertEqual(claim["cause"] is not None, claim["verdict"] == "differs", claim["id"])
            for word in ("source", "statement", "figure", "reason"):
                self.assertTrue(claim[word], claim["id"])
            for test in claim["tests"]:
                least, most = test["accepted"]["least"], test["accepted"]["most"]
                inside = (least is None or test["value"] >= least) and (most is None or test["value"] <= most)
                self.assertEqual(test["agrees"], inside, test["what"])
        latency = next(claim for claim in result["claims"] if claim["id"] == "koike-sadakane-latency-bound")
        self.assertEqual([test["value"] for test in latency["tests"]], [3, 7])  # 269.5 / 8.73 rounds up to 31, below 33.2
        rows = list(csv.DictReader(io.StringIO(self.validate(*self.chosen(), "--csv"))))
        self.assertEqual({row["claim"]: row["verdict"] for row in rows}, QUICKLY)
        self.assertEqual(len(rows), sum(max(1, len(claim["tests"])) for claim in result["claims"]))
        table = self.validate(*self.chosen())
        for claim, verdict in QUICKLY.items():
            self.assertRegex(table, rf"(?m)^{re.escape(claim)}: {verdict}( \(\w+\))? \[")
        self.assertIn("koike-sadakane-latency-bound: differs (source) [", table)
        self.assertIn("9 claims: reproduced 5, differs 3, cannot be tested 1", table)

    def test_simulated_claims_do_not_depend_on_threads(self):
        claim = ("--claim", "mergesort-steps", "--claim", "conflicts-matter-to-scans", "--json", "-")
        once, again = (json.loads(self.validate(*claim, "--threads", threads)) for threads in ("1", "3"))
        self.assertEqual(once, again)
        self.assertGreater(once["claims"][0]["tests"][0]["value"], 0)

    def test_quick_leaves_out_and_says_so(self):
        claim = json.loads(self.validate("--claim", "merge-order", "--quick", "--json", "-"))["claims"][0]
        self.assertEqual(claim["verdict"], "not run")
        self.assertIn("left out", claim["reason"])
        self.assertIsNone(claim["tests"][0]["value"])
        self.assertIn("not run 1", self.validate("--claim", "merge-order", "--quick"))
        self.assertIn("left out", self.validate("--claim", "merge-order", "--quick"))

    def test_what_is_refused(self):
        self.fails(BAD_INPUT, "validate", "--claims", "--claim", "koike-sadakane-latency-bond", says=["there is no claim", "koike-sadakane-latency-bound"])
        self.fails(BAD_INPUT, "validate", "--claim", "beta-merge", says=["--claims"])
        self.fails(BAD_INPUT, "validate", "merge", "--full", says=["--claims"])
        self.fails(BAD_INPUT, "validate", "--claims", "--quick", "--full", says=["--quick", "--full"])

    def test_the_page_has_these_verdicts(self):
        with open(os.path.join(ROOT, "docs", "claims.md")) as file:
            page = file.read()
        verdicts = re.findall(r"(?m)^\| `[^|]*\|[^|]*\| ([^|]*) \|", page)
        self.assertGreaterEqual(len(verdicts), 90)
        self.assertLessEqual(verdicts.count("cannot be tested"), 5)
        for verdict in verdicts:
            self.assertRegex(verdict, r"^(reproduced|cannot be tested|differs \((algorithm|kernel|model|GPU|source)\))$")
        for claim, verdict in QUICKLY.items():
            self.assertRegex(page, rf"(?m)^\| `{re.escape(claim)}`[^|]*\|[^|]*\| {re.escape(verdict)}( \(\w+\))? \|")


if __name__ == "__main__":
    unittest.main()
