"""sassafras trace: capture, info and replay, as a user has them; and the traces that are checked in."""
import json
import os
import unittest

from program import BAD_INPUT, ProgramTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRACES = os.path.join(ROOT, "validate", "records", "h200", "traces")


def workload_arguments(workload):
    words = [workload["name"], "--variant", workload["variant"], "--n", str(workload["n"]), "--input", workload["input"],
             "--seed", str(workload["seed"])]
    for name, value in workload["parameters"].items():
        words += [f"--{name}", str(value)]
    return words


class Trace(ProgramTest):
    def capture(self, *arguments, name="trace"):
        folder = self.path(name)
        self.succeeds("trace", "capture", *arguments, "-o", folder)
        return folder

    def report(self, *arguments):
        return json.loads(self.succeeds(*arguments, "--page", "source", "--json", "-"))

    def damage(self, path, at):
        with open(path, "r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 0x10]))

    def test_replay_is_run(self):
        folder = self.capture("sort", "--n", "5000", "--input", "sorted")
        for platform in ("h200", "h200-half"):
            live = self.report("run", "sort", "--n", "5000", "--input", "sorted", "--platform", platform)
            replayed = self.report("trace", "replay", folder, "--platform", platform)
            self.assertEqual(replayed["kernels"], live["kernels"])
            self.assertEqual(replayed["total"]["cycles"], live["total"]["cycles"])
            self.assertEqual(replayed["platform"], live["platform"])
            self.assertIsNone(replayed["verified"])  # a replay computes nothing

    def test_info(self):
        folder = self.capture("merge", "--n", "5000")
        self.fails(BAD_INPUT, "trace", "capture", "merge", "--n", "5000", "-o", self.path("no/such/trace"), says=["cannot make the folder", "no/such/trace"])
        self.assertFalse(os.path.exists(self.path("no")))
        run = self.report("run", "merge", "--n", "5000", "--device", "functional")
        info = json.loads(self.succeeds("trace", "info", folder, "--json", "-"))
        self.assertTrue(info["verified"])
        self.assertEqual(info["workload"], run["workload"])
        self.assertEqual(info["total"]["warp_instructions"], run["kernels"][0]["metrics"]["smsp__inst_executed.sum"])
        launch = info["launches"][0]
        self.assertEqual(launch["grid"], run["kernels"][0]["grid"])
        self.assertEqual(launch["bytes"], os.path.getsize(os.path.join(folder, launch["file"])))
        self.assertIn("merge_E15", self.succeeds("trace", "info", folder))

    def test_same_bytes(self):
        one = self.capture("merge", "--n", "5000", name="one")
        two = self.capture("merge", "--n", "5000", name="two")
        self.assertEqual(sorted(os.listdir(one)), sorted(os.listdir(two)))
        for name in os.listdir(one):
            with open(os.path.join(one, name), "rb") as a, open(os.path.join(two, name), "rb") as b:
                self.assertEqual(a.read(), b.read(), name)

    def test_damage(self):
        folder = self.capture("merge", "--n", "5000")
        index = os.path.join(folder, "index.json")
        file = next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".sft"))
        size = os.path.getsize(file)
        for at in (0, 9, 100, size // 2, size - 1):
            self.damage(file, at)
            for command in ("info", "replay"):
                self.fails(BAD_INPUT, "trace", command, folder, says=[file + ", offset "])
            self.damage(file, at)  # as it was
        os.truncate(file, size - 1)
        self.fails(BAD_INPUT, "trace", "replay", folder, says=[file + ", offset "])
        self.damage(index, 40)
        self.fails(BAD_INPUT, "trace", "info", folder, says=[index + ", offset ", "checksum"])
        os.truncate(index, 10)
        self.fails(BAD_INPUT, "trace", "info", folder, says=[index + ", offset "])

    def test_what_is_no_trace(self):
        file, missing = self.write("file", b"x"), self.path("missing")
        for command in ("info", "replay"):
            self.fails(BAD_INPUT, "trace", command, file, says=["this is a file", file, "give the folder"])
            self.fails(BAD_INPUT, "trace", command, missing, says=["there is no such folder", missing])
            self.fails(BAD_INPUT, "trace", command, self.folder.name, says=["no index.json"])
        output = ["-o", self.path("out")]
        self.fails(BAD_INPUT, "trace", "import", self.folder.name, *output, says=["this is a folder", self.folder.name, "kernelslist.g"])
        self.fails(BAD_INPUT, "trace", "import", missing, *output, says=["cannot open", missing])
        self.fails(BAD_INPUT, "trace", "import", self.write("x.traceg", b""), *output, says=["the file is empty", "x.traceg"])

    def test_usage(self):
        os.makedirs(self.path("full"))
        self.write("full/file", b"x")
        self.fails(BAD_INPUT, "trace", "capture", "merge", "-o", self.path("full"), says=["not empty"])
        self.fails(BAD_INPUT, "trace", "capture", "merge", says=["--output"])
        self.fails(BAD_INPUT, "trace", "capture", "merg", "-o", self.path("x"), says=["merge"])
        self.fails(BAD_INPUT, "trace", "capture", "merge", "--F", "3", "-o", self.path("x"), says=["--F", "trace capture --help"])
        self.fails(BAD_INPUT, "trace", "replay", self.path("full"), says=["index.json"])
        self.fails(BAD_INPUT, "trace", "replay", self.path("full"), "--device", "cuda", says=["no data"])
        self.fails(BAD_INPUT, "trace", "rerun", says=["trace --help"])

    def test_checked_in(self):
        """They replay to what the same program gives now: if a kernel or an input was changed, scripts/capture-traces."""
        folders = sorted(name for name in os.listdir(TRACES) if os.path.isdir(os.path.join(TRACES, name)))
        self.assertEqual(folders, ["gemm", "merge", "search", "sort"])
        total = 0
        for name in folders:
            folder = os.path.join(TRACES, name)
            total += sum(os.path.getsize(os.path.join(folder, file)) for file in os.listdir(folder))
            replayed = self.report("trace", "replay", folder)
            workload = replayed["workload"]
            workload.pop("trace")
            live = self.report("run", *workload_arguments(workload))
            self.assertEqual(live["workload"], workload)
            self.assertEqual([kernel["source"][0]["sass"] for kernel in replayed["kernels"]],
                             [kernel["source"][0]["sass"] for kernel in live["kernels"]], "another kernel: run scripts/capture-traces")
            self.assertEqual(replayed["kernels"], live["kernels"], f"{name}: if its kernel is another, run scripts/capture-traces")
            self.assertGreater(replayed["total"]["cycles"], 1000)
        self.assertLess(total, 2_000_000)


if __name__ == "__main__":
    unittest.main()
