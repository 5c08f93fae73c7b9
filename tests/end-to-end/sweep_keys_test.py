"""Which run a result is of: outputs are no inputs, names are no files, bases of platforms are inputs, and nothing foreign is taken."""
import glob
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from program import BAD_INPUT, OK, PROGRAM, TIMEOUT_S, WRONG_RESULT, runs_programs
from sweep_store_test import computed
from sweep_test import SweepTest

MERGE = ["--", "run", "merge", "--device", "functional"]


class KeysTest(SweepTest):
    def within(self, *arguments):
        """As in a shell of the test's folder."""
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder.name, capture_output=True, text=True, timeout=TIMEOUT_S)

    def made(self):
        return len(computed(self.path("study")))

    def results(self):
        return sorted(glob.glob(os.path.join(self.path("study"), "??", "*.json")))


class Outputs(KeysTest):
    def stays(self, *words, vary="n=1920,3840"):
        self.assertEqual(self.within("sweep", "plan", "study", "--vary", vary, "--", *words).returncode, OK)
        for _ in range(2):
            done = self.within("sweep", "run", "study")
            self.assertEqual((done.stdout, done.stderr), ("2 runs: 2 done, 0 failed, 0 left\n", ""))
            self.assertEqual(self.made(), 2)

    def test_what_is_written_is_no_input(self):
        self.stays("worst-case", "sort", "--variant", "mgpu", "-o", "wo-{n}.npy")
        self.assertTrue(os.path.exists(self.path("wo-1920.npy")))

    def test_nor_is_a_timeline_or_its_intervals(self):
        self.stays("run", "merge", "--timeline", "t-{n}.json", "--interval", "1000", "--interval-csv", "c-{n}.csv", vary="n=1024,2048")
        self.assertTrue(os.path.exists(self.path("c-1024.csv")) and os.path.exists(self.path("t-2048.json")))

    def test_names_of_the_command_are_no_files(self):
        self.stays("run", "merge", "--variant", "E8", "--device", "functional")
        for name in ("run", "merge", "E8", "functional", "1920"):
            self.write(name, b"something else\n")
        self.assertEqual(self.within("sweep", "status", "study").stdout, "2 runs: 2 done, 0 failed, 0 left\n")


class Bases(KeysTest):
    @runs_programs
    def test_a_base_that_changes_during_a_run_makes_no_result(self):
        self.write("base.json", json.dumps({"name": "b", "base": "h200"}).encode())
        platform = self.write("p.json", json.dumps({"name": "p", "base": "base.json"}).encode())
        changes = f"echo >> {self.path('base.json')}; exit 3"
        study = self.study("study", command=["--", "exec", "--platform", platform, "--", "sh", "-c", changes])
        self.fails(WRONG_RESULT, "sweep", "run", study, says=["1 runs were not kept", "base.json"])
        self.assertEqual(self.results(), [])


class Foreign(KeysTest):
    DAMAGED = "2 runs: 1 done, 0 failed, 1 damaged (sweep run makes them anew), 0 left\n"

    def test_another_runs_record_is_none(self):
        study = self.study("study", "--vary", "n=1024,2048")
        self.succeeds("sweep", "run", study)
        one, other = self.results()
        shutil.copyfile(one, other)
        self.assertEqual(self.succeeds("sweep", "status", study), self.DAMAGED)
        self.assertEqual(sorted(row["status"] for row in self.rows(study)), ["done", "failed"])
        self.succeeds("sweep", "run", study)
        self.assertEqual(len({row["n"] for row in self.rows(study) if row["status"] == "done"}), 2)

    def test_another_digit_is_damage(self):
        study = self.study("study", "--vary", "n=1024,2048")
        self.succeeds("sweep", "run", study)
        with open(self.results()[0], "rb+") as file:
            text = file.read()
            at = text.index(b'"smsp__inst_executed.sum":') + len(b'"smsp__inst_executed.sum":')
            file.seek(at)
            file.write(b"1" if text[at:at + 1] != b"1" else b"2")
        self.assertEqual(self.succeeds("sweep", "status", study), self.DAMAGED)
        self.assertEqual(sorted(row["status"] for row in self.rows(study)), ["done", "failed"])

    def test_a_failure_is_no_success_by_its_name(self):
        study = self.study("study", "--vary", "n=1024,none")
        self.assertEqual(self.run_program("sweep", "run", study).returncode, WRONG_RESULT)
        failed, = glob.glob(os.path.join(study, "??", "*.failed.json"))
        os.rename(failed, failed.replace(".failed.json", ".json"))
        self.assertEqual(self.succeeds("sweep", "status", study), self.DAMAGED)


class Values(KeysTest):
    def test_a_value_is_there_once(self):
        for words in (["--vary", "n=1024,1024"], ["--vary", "n=1024,2^10"], ["--set", "l2.bytes=25M,26214400"], ["--vary", "n=1,1", "--vary", "seed=2,2", "--design", "list"]):
            self.fails(BAD_INPUT, "sweep", "plan", self.path("study"), *words, *MERGE, says=["twice"])
        self.succeeds("sweep", "plan", self.path("study"), "--vary", "n=1024,1024", "--vary", "seed=1,2", "--design", "list", *MERGE)

    def test_one_result_counts_once(self):
        study = self.study("study", "--vary", "n=1024,2048,4096", "--vary", "threads=1,2", command=["--", "run", "merge"])
        self.succeeds("sweep", "run", study)
        text = self.succeeds("sweep", "collect", study, "--best", "cycles")
        self.assertIn(" of 3 runs", text)
        self.assertIn("left out: 3 runs that are another once more", text)

    def test_text_that_is_no_utf8(self):
        done = subprocess.run([PROGRAM.encode(), b"sweep", b"plan", self.path("study").encode(), b"--vary", b"input=random,\xff\xfe", b"--", b"run", b"merge"], capture_output=True, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn(b"no UTF-8 [input=\\xff\\xfe]", done.stderr)
        self.assertFalse(os.path.exists(self.path("study")))


class Commands(KeysTest):
    def test_several_commands_are_compared_as_what_they_are(self):
        file = self.write("study.json", json.dumps({"commands": ["run merge", "run merge --variant E8"], "vary": {"n": [20000, 40000]}, "set": {"gpu.sm_count": [66, 132], "l2.bytes": "25M,50M"}}).encode())
        self.succeeds("sweep", "run", file)
        rows = self.rows(file)
        self.assertEqual({row["command"] for row in rows}, {"run merge", "run merge --variant E8"})
        costs = ["--best", "cycles", "--cost", "gpu.sm_count"]
        self.assertEqual(self.succeeds("sweep", "collect", file, *costs).splitlines()[0], self.succeeds("sweep", "collect", file, *costs, "--by", "command,n").splitlines()[0])
        self.assertNotIn("16 of 16", self.succeeds("sweep", "collect", file, *costs))
        self.assertIn("cycles by 16 runs", self.succeeds("sweep", "collect", file, "--sensitivity", "cycles"))

    def test_what_no_study_is_of(self):
        for words, says in ((["sweep", "status", "c4"], "a study is no run"), (["worst-case", "sort", "--metric", "cycles", "--minutes", "1"], "minutes"),
                            (["run", "merge", "--set", "l2.bytes=30M"], "its command sets it"), (["run", "merge", "--set=l2.bytes=30M"], "its command sets it")):
            self.fails(BAD_INPUT, "sweep", "plan", self.path("study"), "--set", "l2.bytes=25M", "--", *words, says=[says])

    def test_a_number_has_one_spelling(self):
        names = set()
        for spelled in ("25M", "26214400"):
            study = self.study(spelled, "--vary", "n=1024", command=["--", "run", "merge", "--set", "l2.bytes=" + spelled])
            self.succeeds("sweep", "run", study)
            names.add(self.rows(study)[0]["platform.name"])
        self.assertEqual(len(names), 1)

    def test_the_table_has_what_is_said_of_a_kernel(self):
        for command, column in (("run", "kernels.0.registers_per_thread"), ("conflicts", "kernels.0.wavefronts"), ("diagnose", "kernels.0.verdict.bound")):
            study = self.study(command, "--vary", "n=1024", command=["--", command, "merge"])
            self.succeeds("sweep", "run", study)
            self.run_program("sweep", "collect", study, "--json", self.path("table"))
            with open(self.path("table")) as file:
                columns = {one["name"]: one["values"] for one in json.load(file)["columns"]}
            self.assertIsNotNone(columns[column][0])


class Ends(KeysTest):
    @runs_programs
    def test_a_program_that_a_signal_kills_is_tried_again(self):
        log = self.path("log")
        study = self.study("study", command=["--", "exec", "--", "sh", "-c", f"echo once more >> {log}; kill -9 $$"])
        self.assertEqual(self.run_program("sweep", "run", study).returncode, WRONG_RESULT)
        with open(log) as file:
            self.assertEqual(len(file.readlines()), 3)
        self.assertIn("signal 9", self.rows(study)[0]["error"])

    @runs_programs
    def test_so_are_others_that_run_programs(self):
        for name, command in (("diagnose", ["diagnose", "exec"]), ("capture", ["trace", "capture", "-o", self.path("traced-{n}")])):
            log = self.path(name + ".log")
            study = self.study(name, "--vary", "n=7", command=["--", *command, "--", "sh", "-c", f"echo {{n}} >> {log}; kill -9 $$"])
            self.assertEqual(self.run_program("sweep", "run", study).returncode, WRONG_RESULT)
            with open(log) as file:
                self.assertEqual(file.read(), "7\n" * 3, name)
            self.assertIn("signal 9", self.rows(study)[0]["error"])

    @runs_programs
    def test_nothing_goes_on_when_the_study_has_been_ended(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            log = self.path("log")
            script = f"sh -c 'trap \"\" TERM; echo $$ >> {log}; sleep 60' & echo $$ >> {log}; wait"
            study = self.study("study", command=["--", "exec", "--", "sh", "-c", script])
            running = subprocess.Popen([PROGRAM, "sweep", "run", study], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.wait_for(lambda: os.path.exists(log) and len(open_lines(log)) == 2)
            running.send_signal(how)
            running.wait(timeout=TIMEOUT_S)
            self.wait_for(lambda: not any(is_alive(line) for line in open_lines(log)))
            os.remove(log)

    def wait_for(self, holds):
        deadline = time.monotonic() + 20
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)


def open_lines(path):
    with open(path) as file:
        return file.read().split()


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Times(KeysTest):
    def test_runs_that_lie_together_say_nothing_of_far_ones(self):
        study = self.study("study", "--vary", "n=1000..1003:+1")
        self.succeeds("sweep", "run", study)
        text = self.succeeds("sweep", "plan", study, "--vary", "n=1000..40000:+100,1001,1002,1003", *MERGE)
        self.assertIn("lie too close together; --try makes a few others", text)
        self.assertIsNone(json.loads(self.succeeds("sweep", "status", study, "--json", "-"))["processor_seconds_left"])
        text = self.succeeds("sweep", "plan", study, "--try", "--vary", "n=1000..40000:+100,1001,1002,1003", *MERGE)
        self.assertRegex(text, "about [0-9]+ s ")


if __name__ == "__main__":
    unittest.main()
