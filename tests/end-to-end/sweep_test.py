"""Studies through the command line: runs once each, whoever makes them and whatever kills them, and one table of all."""
import csv
import io
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from program import BAD_INPUT, OK, PROGRAM, SANITIZED, TIMEOUT_S, WRONG_RESULT, ProgramTest, runs_programs

MERGE = ["--", "run", "merge", "--device", "functional"]


def results(folder):
    """Of each run its record, by its file's name."""
    found = {}
    for inner, _, files in os.walk(folder):
        if len(os.path.basename(inner)) == 2:
            for name in files:
                with open(os.path.join(inner, name), "rb") as file:
                    found[name] = file.read()
    return found


def as_root():
    """Open MPI wants to be told that root means it."""
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class SweepTest(ProgramTest):
    def rows(self, *arguments):
        done = self.run_program("sweep", "collect", *arguments)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn(done.stderr, ("", "note: lists of more than 16 values are in no column: kernels\n"))
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def study(self, name, *options, command=MERGE):
        self.succeeds("sweep", "plan", self.path(name), *options, *command)
        return self.path(name)


class Runs(SweepTest):
    def test_a_study_runs_once_and_grows(self):
        study = self.path("study")
        self.assertEqual(self.succeeds("sweep", "plan", study, "--vary", "n=2^10..2^12", "--set", "gpu.sm_count=66,132", *MERGE),
                         "6 runs: 0 done, 0 failed, 6 left\nhow long they take is not known: --try makes a few of them\n")
        self.assertEqual(self.succeeds("sweep", "run", study), "6 runs: 6 done, 0 failed, 0 left\n")
        first = results(study)
        self.assertEqual(len(first), 6)
        more = ["--vary", "n=2^10..2^13", "--set", "gpu.sm_count=66,132"]
        self.assertRegex(self.succeeds("sweep", "plan", study, *more, *MERGE), r"^8 runs: 6 done, 0 failed, 2 left\nabout 1 s on the \d+ processors of this machine, by 6 that were timed\n$")
        self.assertEqual(self.succeeds("sweep", "run", study, "--jobs", "1"), "8 runs: 8 done, 0 failed, 0 left\n")
        self.assertEqual({name: text for name, text in results(study).items() if name in first}, first)
        rows = self.rows(study)
        self.assertEqual([(row["n"], row["gpu.sm_count"]) for row in rows], [(str(n), sms) for n in (1024, 2048, 4096, 8192) for sms in ("66", "132")])
        self.assertEqual({row["status"] for row in rows}, {"done"})
        self.assertTrue(all(float(row["smsp__inst_executed.sum"]) > 0 for row in rows))

    def test_results_are_those_of_the_command(self):
        study = self.study("study", "--vary", "n=3000")
        self.succeeds("sweep", "run", study)
        row = self.rows(study)[0]
        metrics = json.loads(self.succeeds(*MERGE[1:], "--n", "3000", "--json", "-"))["kernels"][0]["metrics"]
        for name, value in metrics.items():
            self.assertEqual(float(row[name]), value, name)

    def test_a_description_in_a_file(self):
        with open(self.path("sorts.json"), "w") as file:
            json.dump({"commands": [MERGE[1:], "run search --device functional"], "vary": {"n": [1000, 2000]}}, file)
        self.assertEqual(self.succeeds("sweep", "run", self.path("sorts.json")), "4 runs: 4 done, 0 failed, 0 left\n")
        self.assertEqual(self.succeeds("sweep", "status", self.path("sorts.json")), "4 runs: 4 done, 0 failed, 0 left\n")
        self.assertEqual({row["workload.name"] for row in self.rows(self.path("sorts.json"))}, {"merge", "search"})

    def test_a_status_for_programs(self):
        study = self.study("study", "--vary", "n=1000,none,2000")
        self.run_program("sweep", "run", study, "--shard", "1/2")
        self.assertTrue(self.succeeds("sweep", "status", study, "--json", self.path("status.json")).startswith("3 runs: 0 done, 1 failed, 2 left\n"))
        with open(self.path("status.json")) as file:
            status = json.load(file)
        self.assertEqual(self.succeeds("sweep", "status", study, "--json", "-"), json.dumps(status, indent=2) + "\n")
        self.assertGreater(status.pop("processor_seconds_left"), 0)
        self.assertEqual(list(map(status.pop, ("schema_version", "kind", "sassafras")))[:2], [1, "study_status"])
        self.assertEqual(status, {"study": study, "rows": 3, "runs": 3, "done": 0, "failed": 1, "damaged": 0, "left": 2})
        self.succeeds("sweep", "run", self.path("study"), "--shard", "0/2")
        self.assertEqual(json.loads(self.succeeds("sweep", "status", study, "--json", "-"))["processor_seconds_left"], 0)

    def test_a_plan_says_how_long_by_a_few_runs(self):
        study = self.study("study", "--vary", "n=2^16..2^21:x2", "--vary", "input=random,sorted", "--vary", "seed=1,2", command=["--", "run", "merge"])
        self.assertRegex(self.succeeds("sweep", "plan", study, "--try"), r"^24 runs: 3 done, 0 failed, 21 left\nabout \d+ (s|min) on the \d+ processors of this machine, by 3 that were timed\n$")

    def test_a_run_that_fails_is_a_row(self):
        study = self.study("study", "--vary", "n=1000,none,2000")
        done = self.run_program("sweep", "run", study)
        self.assertEqual(done.returncode, WRONG_RESULT)
        self.assertTrue(done.stdout.startswith("3 runs: 2 done, 1 failed, 0 left\nthe first that failed, run 1 (n none): "), done.stdout)
        rows = self.rows(study)
        self.assertEqual([row["status"] for row in rows], ["done", "failed", "done"])
        self.assertIn("--n", rows[1]["error"])
        self.assertEqual(rows[1]["total.instructions"] if "total.instructions" in rows[1] else "", "")
        before = results(study)
        self.run_program("sweep", "run", study, "--retry-failed")
        self.assertEqual(results(study), before)

    @runs_programs
    def test_a_program_may_say_what_is_no_text(self):
        script = self.write("says.sh", b"#!/bin/sh\nprintf 'broken \\377\\n' >&2\nexit 3\n")
        os.chmod(script, 0o755)
        study = self.study("says", "--vary", "a=1,2", command=["--", "exec", "--", script, "{a}"])
        self.assertEqual(self.run_program("sweep", "run", study).returncode, WRONG_RESULT)
        rows = self.rows(study)
        self.assertEqual([row["status"] for row in rows], ["failed", "failed"])
        self.assertIn("exited with 3", rows[0]["error"])

    @runs_programs
    def test_a_run_that_says_nothing_has_its_status(self):
        script = self.write("silent.sh", b"#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x >&2\nexit 3\n")
        os.chmod(script, 0o755)
        study = self.study("silent", "--vary", "a=1", command=["--", "exec", "--", script, "{a}"])
        self.assertEqual(self.run_program("sweep", "run", study).returncode, WRONG_RESULT)
        error = self.rows(study)[0]["error"]
        self.assertTrue(0 < len(error) < 5000, len(error))

    def test_names_of_a_study(self):
        study = self.study("named", "--vary", "n=1024,2048")
        self.assertEqual(self.succeeds("sweep", "run", os.path.join(study, "study.json")), "2 runs: 2 done, 0 failed, 0 left\n")
        self.assertEqual(self.succeeds("sweep", "status", study), "2 runs: 2 done, 0 failed, 0 left\n")
        plain = self.write("plain", b'{"command": "run merge", "vary": {"n": [1024]}}')
        self.fails(BAD_INPUT, "sweep", "run", plain, says=["NAME.json"])

    def test_numbers_that_are_tiny(self):
        file = self.write("tiny.json", b'{"command": "run merge", "vary": {"x": ["1e-320", "1e-310"]}}')
        self.assertIn("2 runs", self.succeeds("sweep", "status", file))

    def test_a_plan_asks_whether_its_commands_are_any(self):
        study = self.path("wrong")
        for axis, words, says in (("n=1000", ["run", "merge", "--varant", "E15"], "--varant"), ("n=1000", ["run", "mergee"], "\"merge\""),
                                  ("m=1000", ["run", "merge"], "--m"), ("n=1000", ["rum", "merge"], "\"rum\""), ("n=none", ["run", "merge"], "whole number"),
                                  ("n=run", ["manual", "{n}"], "--json"), ("E=15", ["conflicts", "srot"], "sort"), ("n=1000", ["run", "merge", "--help"], "help"),
                                  ("n=1000", ["trace", "capture", "merge"], "--output"), ("n=1000", ["run", "merge", "--", "program"], "runs no program")):
            self.fails(BAD_INPUT, "sweep", "plan", study, "--vary", axis, "--", *words, says=[says, "sassafras " + words[0]])
            self.assertFalse(os.path.exists(study), words)
        with open(self.path("filed.json"), "w") as file:
            json.dump({"commands": ["run merge", "run sort --variants mgpu"], "vary": {"n": [1000]}}, file)
        self.fails(BAD_INPUT, "sweep", "plan", self.path("filed.json"), says=["--variants", "run sort"])
        for words in (["estimate", "sort", "--E", "15"], ["conflicts", "merge"], ["diagnose", "merge"], ["exec", "--", "./program", "{seed}"], ["diagnose", "exec", "--", "./program", "{seed}"]):
            self.succeeds("sweep", "plan", study, "--vary", "seed=1,2" if words[0] != "estimate" else "n=1000,2000", "--", *words)

    def test_a_plan_of_ten_thousand_runs_is_quick(self):
        begin = time.monotonic()
        self.succeeds("sweep", "plan", self.path("many"), "--vary", "n=1..10000:+1", *MERGE)
        self.assertLess(time.monotonic() - begin, 10 if SANITIZED else 4)  # 2 s on a machine that has nothing else to do

    def test_options_of_another_engine_are_refused(self):
        study = self.study("study", "--vary", "n=1000")
        for options, says in ((["--mem", "2G", "--wait"], ["--mem, --wait would have no effect", "--engine slurm", "engine is local"]),
                              (["--template", "x"], ["--template", "--engine slurm"]), (["--shards", "3"], ["--shards", "--engine mpi", "--shard I/N"]),
                              (["--engine", "mpi", "--jobs", "2"], ["--jobs", "engine is mpi", "--shards"]), (["--engine", "mpi", "--sbatch=-v"], ["--sbatch", "--engine slurm"]),
                              (["--engine", "mpi", "--shard", "0/2"], ["--shard ", "--engine local"]), (["--engine", "slurm", "--shard", "0/2"], ["--shard ", "--engine local"])):
            self.fails(BAD_INPUT, "sweep", "run", study, *options, says=says)
        self.assertEqual(self.succeeds("sweep", "status", study), "1 runs: 0 done, 0 failed, 1 left\n")

    @runs_programs
    def test_a_key_on_the_terminal_interrupts_no_run(self):
        script = self.write("slow.sh", b"#!/bin/sh\nsleep 30\n")
        os.chmod(script, 0o755)
        study = self.study("interrupted", "--vary", "a=1..4:+1", command=["--", "exec", "--", script, "{a}"])
        process = subprocess.Popen([PROGRAM, "sweep", "run", study], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(10)
        time.sleep(0.2)
        self.assertEqual(self.succeeds("sweep", "status", study), "4 runs: 0 done, 0 failed, 4 left\n")

    def test_shards_are_the_whole(self):
        study = self.study("study", "--vary", "n=1000..1006:+1")
        whole = self.study("whole", "--vary", "n=1000..1006:+1")
        self.succeeds("sweep", "run", whole)
        for shard in range(3):
            self.assertEqual(self.succeeds("sweep", "run", study, "--shard", f"{shard}/3"), "")
        self.assertEqual(self.succeeds("sweep", "status", study), "7 runs: 7 done, 0 failed, 0 left\n")
        self.assertEqual(results(study), results(whole))

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks_of_mpi_take_a_file(self):
        self.write("filed.json", b'{"command": "run merge --device functional", "vary": {"n": [1024, 2048, 3000]}}')
        done = subprocess.run([PROGRAM, "sweep", "run", self.path("filed.json"), "--engine", "mpi", "--shards", "2"], env=as_root(), capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(done.stdout, "3 runs: 3 done, 0 failed, 0 left\n", done.stderr)

    def test_ranks_of_mpi_are_the_whole(self):
        if shutil.which("mpirun") is None:
            self.skipTest("there is no mpirun")
        study = self.study("study", "--vary", "n=1000..1006:+1")
        whole = self.study("whole", "--vary", "n=1000..1006:+1")
        self.succeeds("sweep", "run", whole)
        done = subprocess.run([PROGRAM, "sweep", "run", study, "--engine", "mpi", "--shards", "2"], env=as_root(), capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (OK, "7 runs: 7 done, 0 failed, 0 left\n"), done.stderr)
        self.assertEqual(results(study), results(whole))


class JobArrays(SweepTest):
    """What sbatch gets, by one of the test's own that makes the array's elements itself; sweep_slurm_test.py has Slurm's."""

    def setUp(self):
        super().setUp()
        self.write("sbatch", b"""#!/bin/sh
cat > script
echo "$@" > options
for element in $(sed -n 's/^#SBATCH .*-*a[rray]*[= ]0-\\([0-9]*\\).*/\\1/p' script | xargs seq 0); do
    SLURM_ARRAY_TASK_ID=$element sh script >&2 || exit 1
done
echo "42;here"
""")
        os.chmod(self.path("sbatch"), 0o755)
        self.environment = {**os.environ, "PATH": self.folder.name + ":" + os.environ["PATH"]}

    def submitted(self, study, *options):
        done = subprocess.run([PROGRAM, "sweep", "run", study, "--engine", "slurm", *options], env=self.environment, cwd=self.folder.name,
                              capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, OK, done.stderr)
        with open(self.path("script")) as file:
            return done.stdout, file.read()

    def test_our_own_script(self):
        study = self.study("study", "--vary", "n=1000..1006:+1")
        said, script = self.submitted(study, "--shards", "3", "--mem", "2G", "--time", "10", "--sbatch=--nice", "--wait")
        self.assertEqual(said, "7 runs: 7 done, 0 failed, 0 left\n")
        for line in ("--array=0-2", "--mem=2G", "--time=10", "--requeue"):
            self.assertIn(f"#SBATCH {line}\n", script)
        self.assertNotIn("partition", script)
        with open(self.path("options")) as file:
            self.assertIn("--wait --nice", file.read())

    def test_a_template(self):
        study = self.study("study", "--vary", "n=1000..1006:+1")
        printed = self.succeeds("sweep", "run", "--print-template")
        self.write("job.sh", printed.replace("exec {command}", "echo $SLURM_ARRAY_TASK_ID of {shards} >> elements\n{command}").encode())
        said, script = self.submitted(study, "--shards", "2", "--template", self.path("job.sh"))
        self.assertRegex(said, "^job 42 of 2 shards")
        with open(self.path("elements")) as file:
            self.assertEqual(file.read(), "0 of 2\n1 of 2\n")
        self.assertEqual(self.succeeds("sweep", "status", study), "7 runs: 7 done, 0 failed, 0 left\n")
        self.write("job.sh", b"#SBATCH --array={array}\n")
        self.succeeds("sweep", "plan", study, "--vary", "n=2000", *MERGE)
        self.fails(BAD_INPUT, "sweep", "run", study, "--engine", "slurm", "--template", self.path("job.sh"), says=["{command}", "--print-template"])
        self.fails(BAD_INPUT, "sweep", "run", "--engine", "slurm", says=["no study"])


class Killed(SweepTest):
    def test_a_study_that_is_killed_ends_with_every_run_once(self):
        options = ["--vary", "n=1000..1019:+1", "--vary", "seed=1,2"]
        study, whole = self.study("study", *options), self.study("whole", *options)
        self.succeeds("sweep", "run", whole)
        chance = random.Random(7)
        for _ in range(5 if SANITIZED else 20):
            process = subprocess.Popen([PROGRAM, "sweep", "run", study], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.06))
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.succeeds("sweep", "run", study)
        self.assertEqual(self.succeeds("sweep", "status", study), "40 runs: 40 done, 0 failed, 0 left\n")
        self.assertEqual(results(study), results(whole))
        self.assertEqual(os.listdir(os.path.join(study, "working")), [])
        self.assertEqual(len(self.rows(study)), 40)

    def run_and_kill(self, study, times):
        """Kills the study's one run as often as that, each time it is begun anew; the study's exit status."""
        process = subprocess.Popen([PROGRAM, "sweep", "run", study, "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        killed = set()
        while len(killed) < times and process.poll() is None:
            try:
                with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
                    children = set(file.read().split()) - killed
                for child in children:
                    with open(f"/proc/{child}/cmdline") as file:
                        if "sweep" in file.read().split("\0"):  # what ends runs, should the study be killed
                            continue
                    os.kill(int(child), signal.SIGKILL)
                    killed.add(child)
            except (FileNotFoundError, ProcessLookupError):
                pass
            time.sleep(0.01)
        self.assertEqual(len(killed), times, "the run ended before it was killed: make it longer")
        return process.wait(TIMEOUT_S)

    def test_a_run_that_is_killed_is_made_again(self):
        study = self.study("study", "--vary", "n=2^20", command=["--", "run", "sort", "--variant", "mgpu", "--device", "functional"])
        self.assertEqual(self.run_and_kill(study, 2), OK)
        self.assertEqual(self.rows(study)[0]["status"], "done")

    def test_a_run_that_is_killed_each_time_is_a_row(self):
        study = self.study("study", "--vary", "n=2^20", command=["--", "run", "sort", "--variant", "mgpu", "--device", "functional"])
        self.assertEqual(self.run_and_kill(study, 3), WRONG_RESULT)
        row = self.rows(study)[0]
        self.assertEqual((row["status"], row["error"]), ("failed", "killed by signal 9"))
        self.succeeds("sweep", "run", study, "--retry-failed")
        self.assertEqual(self.rows(study)[0]["status"], "done")


if __name__ == "__main__":
    unittest.main()
