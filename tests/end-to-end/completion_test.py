"""Completion and manual pages say what --help says: the same commands and options, values where there is a fixed set."""
import os
import re
import shutil
import subprocess
import unittest

from program import BAD_INPUT, SANITIZED, ProgramTest


class CompletionTest(ProgramTest):
    def commands_of(self, *path):
        """Names below a command, as its help lists them."""
        listed = self.succeeds(*path, "--help").partition("\nSubcommands:\n")[2].partition("\n\n")[0]
        return re.findall(r"^  (\S+)", listed, re.M)

    def all_paths(self):
        paths = [[]]
        for name in self.commands_of():
            paths.append([name])
            if not SANITIZED or name == "trace":
                paths += [[name, below] for below in self.commands_of(name)]
        return paths

    def options_of(self, path):
        """As the help lists them."""
        text = self.succeeds(*path, "--help").partition("\nOptions:\n")[2].partition("\nSubcommands:\n")[0]
        return {name for names in re.findall(r"^  (-[\w,-]+)", text, re.M) for name in names.split(",") if name.startswith("-")}

    def completed(self, *words):
        """What bash offers for the last word."""
        script = self.path("completion.bash")
        if not os.path.exists(script):
            self.write("completion.bash", self.succeeds("completion", "bash").encode())
        asked = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sassafras; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "--norc", "-uc", asked, "bash", script, "sassafras", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_bash_offers_every_command_and_option(self):
        self.assertEqual(self.completed(""), set(self.commands_of()))
        self.assertEqual(self.completed("trace", ""), set(self.commands_of("trace")))
        for path in self.all_paths():
            with self.subTest(path=path):
                self.assertEqual(self.completed(*path, "-"), self.options_of(path))

    def test_bash_offers_values(self):
        self.assertEqual(self.completed("run", "sort", "--device", ""), {"simulated", "functional", "cuda"})
        self.assertEqual(self.completed("exec", "--device", ""), {"simulated", "functional"})
        self.assertEqual(self.completed("run", "--page", "=", "s"), {"source"})
        self.assertEqual(self.completed("run", "--page", "="), {"details", "raw", "source"})
        self.assertEqual(self.completed("trace", "replay", "folder", "--platform", "h200"), {"h200", "h200-half"})
        self.assertEqual(self.completed("run", "st"), {"stencil"})
        self.assertEqual(self.completed("completion", ""), {"bash", "zsh", "fish"})
        self.assertEqual(self.completed("run", "--n", ""), set())

    def test_what_stands_behind_dashes_is_not_ours(self):
        self.assertEqual(self.completed("exec", "--", "--de"), set())

    def test_fish_and_zsh_read_theirs(self):
        fish, zsh = (self.write(f"completion.{shell}", self.succeeds("completion", shell).encode()) for shell in ("fish", "zsh"))
        if shutil.which("zsh"):
            done = subprocess.run(["zsh", "-fn", zsh], stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        if shutil.which("fish"):
            environment = dict(os.environ, HOME=self.folder.name)

            def offered(line):
                done = subprocess.run(["fish", "--no-config", "-c", f"source {fish}; complete -C '{line}'"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True, env=environment)
                self.assertEqual(done.stderr, "")
                return {row.split("\t")[0] for row in done.stdout.splitlines()}

            self.assertEqual(offered("sassafras "), set(self.commands_of()))
            self.assertEqual(offered("sassafras run --device "), {"simulated", "functional", "cuda"})
            self.assertLessEqual({"h200", "h200-half"}, offered("sassafras trace replay --platform h2"))
            self.assertEqual(offered("sassafras trace capture --input-ty"), {"--input-type"})

    def test_a_page_a_command_names_every_option(self):
        os.mkdir(self.path("pages"))
        self.succeeds("manual", "--output", self.path("pages"))
        paths = self.all_paths()
        if not SANITIZED:
            self.assertEqual(set(os.listdir(self.path("pages"))), {"-".join(["sassafras", *path]) + ".1" for path in paths})
        for path in paths:
            with open(os.path.join(self.path("pages"), "-".join(["sassafras", *path]) + ".1")) as file:
                page = file.read()
            self.assertTrue(page.startswith(".TH "), path)
            named = set(re.findall(r"(?:^|, )\\fB(-[^\\]*(?:\\-[^\\]*)*)\\fR", page.replace("\\fB\\-", "\\fB-"), re.M))
            self.assertEqual({name.replace("\\-", "-") for name in named}, self.options_of(path), path)
            if not path[1:] and not SANITIZED:
                self.assertEqual(self.succeeds("manual", *path), page)

    def test_roff_is_clean(self):
        if not shutil.which("groff"):
            self.skipTest("there is no groff")
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-"], input=self.succeeds("manual", "run"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.stderr, "")
        plain = re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout)
        self.assertIn("--platform TEXT", plain)

    def test_what_is_refused(self):
        self.fails(BAD_INPUT, "manual", "rnu", says=['there is no command "rnu"', "run"])
        self.fails(BAD_INPUT, "manual", "run", "-o", self.folder.name, says=["a folder gets the pages of all commands"])
        self.fails(BAD_INPUT, "manual", "-o", self.path("none"), says=["none"])
        self.fails(BAD_INPUT, "completion", "tcsh", says=["tcsh", "bash, zsh, fish"])


if __name__ == "__main__":
    unittest.main()
