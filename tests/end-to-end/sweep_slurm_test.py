"""A study on a real Slurm of this machine: one controller and two nodes of one processor, in a folder of the test's own.

Skipped, with the reason, without root or Debian's slurm-wlm and munge, as the daemons need both."""
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from program import OK, PROGRAM, SANITIZED, ProgramTest, run_tests
from sweep_test import MERGE, results

RUNS = 60 if SANITIZED else 200  # so many that the job has not ended before something happens to it
DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue")
NODES = ("n1", "n2")


def why_not():
    if os.geteuid() != 0:
        return "Slurm's daemons are started by root"
    missing = [name for name in DAEMONS if shutil.which(name) is None and not os.path.exists(f"/usr/sbin/{name}")]
    if missing:
        return "there is no " + ", ".join(missing) + " (Debian: slurm-wlm, munge)"
    try:
        pwd.getpwnam("munge")
    except KeyError:
        return "there is no user munge"
    # A machine may have all of it and not let it start, a container without privileges for instance.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        cluster = None
        try:
            cluster = Cluster(folder)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            return f"Slurm does not start here: {error}"
        finally:
            if cluster:
                cluster.stop()
    return None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def port_is_open(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Cluster:
    """munged, slurmctld and two slurmd on this machine; they end with it."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        os.chmod(folder, 0o755)
        host = socket.gethostname().split(".")[0]
        munge = os.path.join(folder, "munge")
        os.mkdir(munge, 0o755)
        key = os.path.join(munge, "key")
        with open(key, "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(key, 0o400)
        account = pwd.getpwnam("munge")
        for path in (munge, key):
            os.chown(path, account.pw_uid, account.pw_gid)
        self.socket = os.path.join(munge, "socket")
        ports = [free_port() for _ in range(3)]
        self.conf = os.path.join(folder, "slurm.conf")
        nodes = "\n".join(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=500 State=UNKNOWN"
                          for node, port in zip(NODES, ports[1:]))
        with open(self.conf, "w") as file:
            file.write(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.socket}
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
MpiDefault=none
SchedulerParameters=batch_sched_delay=1,sched_interval=2
{nodes}
PartitionName=all Nodes={",".join(NODES)} Default=YES MaxTime=INFINITE State=UP
""")
        os.mkdir(os.path.join(folder, "state"))
        self.environment = {**os.environ, "SLURM_CONF": self.conf, "PATH": os.environ["PATH"] + ":/usr/sbin"}
        try:
            self.start_all(key, munge, ports)
        except BaseException:
            self.stop()
            raise

    def start_all(self, key, munge, ports):
        self.start(["munged", "--foreground", "--force", f"--socket={self.socket}", f"--key-file={key}", f"--pid-file={munge}/pid",
                    f"--log-file={munge}/log", f"--seed-file={munge}/seed"], user="munge")
        self.wait_for(lambda: os.path.exists(self.socket), "munged")
        self.start(["slurmctld", "-D", "-f", self.conf])
        self.wait_for(lambda: port_is_open(ports[0]), "slurmctld")
        for node in NODES:
            os.mkdir(os.path.join(self.folder, f"spool{node}"))
            self.start(["slurmd", "-D", "-N", node, "-f", self.conf])
        self.wait_for(lambda: self.states() == {"idle"}, "slurmd")

    def start(self, words, user=None):
        with open(os.path.join(self.folder, "said"), "ab") as said:
            self.processes.append(subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said, user=user))

    def wait_for(self, holds, what, seconds=30):
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise RuntimeError(f"{what} did not start:\n" + self.said())
            time.sleep(0.1)

    def said(self):
        texts = []
        for name in sorted(os.listdir(self.folder)):
            if name == "said" or name.endswith(".log"):
                with open(os.path.join(self.folder, name), errors="replace") as file:
                    texts.append(name + ":\n" + file.read()[-3000:])
        return "\n".join(texts)

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=30).stdout

    def states(self):
        return set(self.ask("sinfo", "-h", "-N", "-o", "%t").split())

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Slurm(ProgramTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("cluster"))
        os.chmod(self.folder.name, 0o755)
        self.cluster = Cluster(self.path("cluster"))
        self.addCleanup(self.cluster.stop)

    def sweep(self, *arguments):
        return subprocess.run([PROGRAM, "sweep", *arguments], env=self.cluster.environment, capture_output=True, text=True, timeout=240, cwd=self.folder.name)

    def test_a_study_survives_what_happens_to_a_cluster(self):
        options = ["--vary", f"n=1000..{999 + RUNS}:+1"]
        study, whole = self.path("study"), self.path("whole")
        self.succeeds("sweep", "run", whole, *options, *MERGE)
        self.succeeds("sweep", "plan", study, *options, *MERGE)
        # Elements of the job are killed, put back into the queue, and one node takes no more of them.
        done = self.sweep("run", study, "--engine", "slurm", "--shards", "4")
        self.assertEqual(done.returncode, OK, done.stderr)
        job = done.stdout.split()[1]
        self.assertEqual(done.stdout, f"job {job} of 4 shards; sassafras sweep status {study} says how far it is\n")
        self.cluster.wait_for(lambda: results(study), "a run", 60)
        self.cluster.ask("scontrol", "requeue", f"{job}_0")
        self.cluster.ask("scontrol", "update", "nodename=n2", "state=drain", "reason=test")
        self.cluster.ask("scancel", f"{job}_1", f"{job}_2", f"{job}_3")
        self.cluster.ask("scancel", job)
        self.cluster.wait_for(lambda: not self.cluster.ask("squeue", "-h").split(), "an empty queue", 60)
        status = self.sweep("status", study).stdout
        self.assertRegex(status, rf"^{RUNS} runs: \d+ done, 0 failed, \d+ left\n$")
        self.assertLess(len(results(study)), RUNS, "the job ended before anything happened to it: give it more runs")
        # Then the rest, on the node that is left.
        done = self.sweep("run", study, "--engine", "slurm", "--shards", "3", "--partition", "all", "--time", "5", "--wait")
        self.assertEqual((done.returncode, done.stdout), (OK, f"{RUNS} runs: {RUNS} done, 0 failed, 0 left\n"), done.stderr + self.cluster.said())
        self.assertEqual(results(study), results(whole))
        self.assertEqual(os.listdir(os.path.join(study, "working")), [])

    def test_a_template_from_python(self):
        module = os.path.join(os.path.dirname(PROGRAM), "..", "python")
        if subprocess.run([sys.executable, "-c", "import sassafras"], env={**os.environ, "PYTHONPATH": module}, capture_output=True).returncode != 0:
            self.skipTest("the Python module was not built")
        study, whole = self.path("study"), self.path("whole")
        self.succeeds("sweep", "run", whole, "--vary", "n=1000..1007:+1", *MERGE)
        self.succeeds("sweep", "plan", study, "--vary", "n=1000..1007:+1", *MERGE)
        printed = self.succeeds("sweep", "run", "--print-template")
        self.write("job.sh", printed.replace("exec {command}", f"scontrol show job $SLURM_JOB_ID > {self.path('job')}.$SLURM_ARRAY_TASK_ID\n{{command}}").encode())
        run = f"import sassafras; print(sassafras.sweep({study!r}).run(engine='slurm', shards=2, mem='200M', time='5', template={self.path('job.sh')!r}, wait=True).status)"
        done = subprocess.run([sys.executable, "-c", run], env={**self.cluster.environment, "PYTHONPATH": module}, capture_output=True, text=True, timeout=120, cwd=self.folder.name)
        self.assertEqual((done.returncode, done.stdout), (OK, "{'runs': 8, 'done': 8, 'failed': 0, 'damaged': 0, 'left': 0}\n"), done.stderr + self.cluster.said())
        self.assertEqual(results(study), results(whole))
        for element in range(2):
            with open(self.path(f"job.{element}")) as file:
                said = file.read()
            for text in ("MinMemoryNode=200M", "TimeLimit=00:05:00", "Requeue=1"):
                self.assertIn(text, said)

    def test_what_sbatch_refuses_is_said(self):
        study = self.path("study")
        self.succeeds("sweep", "plan", study, "--vary", "n=1000", *MERGE)
        done = self.sweep("run", study, "--engine", "slurm", "--partition", "none")
        self.assertEqual(done.returncode, 2)
        self.assertIn("sassafras: error: sbatch ended with status 1", done.stderr)
        self.assertIn("none", done.stderr)


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    run_tests(why_not)
