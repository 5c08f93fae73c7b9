"""The contract for programs: a result of every kind is as configs/output.schema.json says, and a field that it does not know, lacks or has with another type is a fault."""
import json
import os

from program import ProgramTest, fixture, run_tests
from result_schema import CONFIGS, faults, read, schema, why_no_schema


RECORDING = os.path.join(CONFIGS, "..", "tests", "golden", "ncu", "raw.csv")
TRACES = os.path.join(CONFIGS, "..", "validate", "records", "h200", "traces")
SAXPY = ("launch", "--cubin", fixture("faults.cubin"), "--kernel", "saxpy", "--grid", "4", "--block", "128",
         "--arg", "buffer:2048", "--arg", "buffer:2048:iota", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:512")
# What takes seconds to make is held to the schema by the tests that make it, as are the results of exec.
ELSEWHERE = {"spt_constants", "calibration"}  # microbench_test, calibrate_test
COMMANDS = {
    "launches": [("run", "merge", "--n", "2000"), ("run", "gemm", "--n", "64", "--page", "source", "--check"), ("run", "gemm", "--n", "64", "--apply-rules", "yes", "--set", "full"),
                 ("run", "sort", "--n", "9000", "--print-summary", "per-kernel", "--metrics", "regex:dram"), ("run", "search", "--n", "262144", "--sample", "--platform", "h200-half"),
                 ("run", "merge", "--n", "2000", "--device", "functional"), SAXPY, ("trace", "replay", os.path.join(TRACES, "merge"))],
    "conflicts": [("conflicts", "sort", "--n", "8000", "--explain"), (*SAXPY, "--conflicts")],
    "estimate": [("estimate", "gemm", "--n", "512", "--model", "all")],
    "estimate_series": [("estimate", "sort", "--variant", "mgpu", "--n", "2^12..2^14")],
    "diagnosis": [("diagnose", "gemm", "--n", "64")],
    "difference": [("diff", RECORDING, RECORDING), ("diff", RECORDING, os.path.join(os.path.dirname(RECORDING), "details.csv"), "--fail-above", "1")],
    "microbench": [("microbench", "--filter", "latency fadd")],
    "trace": [("trace", "info", os.path.join(TRACES, "merge"))],
    "input": [("worst-case", "sort", "--variant", "mgpu", "--n", "15360")],
    "validation": [("validate", "merge", "--quick", "--variant", "E15")],
    "claims": [("validate", "--claims", "--quick", "--claim", "banks-are-lanes")],
}


def objects(value, path=()):
    if isinstance(value, dict):
        yield path
        for key, part in value.items():
            yield from objects(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from objects(part, (*path, i))


def shortened(value):
    """Lists of the first two and maps of the first metrics, which others are like; no platform, whose schema has tests of its own."""
    if isinstance(value, dict):
        kept = list(value.items())[:3 if len(value) > 20 and "." in next(iter(value)) else None]
        return {key: None if key == "resolved" else shortened(part) for key, part in kept}
    return [shortened(part) for part in value[:2]] if isinstance(value, list) and len(value) not in (3, 32) else value


def at(value, path):
    for step in path:
        value = value[step]
    return value


class Schema(ProgramTest):
    def result_of(self, *command):
        self.run_program(*command, "--json", self.path("result.json"))
        with open(self.path("result.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_it_is_a_schema(self):
        import jsonschema  # pylint: disable=import-outside-toplevel
        jsonschema.Draft202012Validator.check_schema(schema())
        jsonschema.Draft202012Validator.check_schema(read("platform.schema.json"))

    def test_every_kind_is_as_it_says(self):
        phi = self.write("counters", b"CPU_CLK_UNHALTED,100\nINSTRUCTIONS_EXECUTED,10\nVPU_ELEMENTS_ACTIVE,30\n")
        commands = {**COMMANDS, "xeon_phi": [("diagnose", "--from-counters", phi)], **self.studies()}
        self.assertEqual({*commands, *ELSEWHERE}, set(schema()["properties"]["kind"]["enum"]))
        for kind, of_kind in commands.items():
            tried = set()
            for command in of_kind:
                with self.subTest(" ".join(command)):
                    result = self.result_of(*command)
                    self.assertEqual((list(result)[:3], result["kind"], result["schema_version"]), (["sassafras", "schema_version", "kind"], kind, 1))
                    self.assertEqual(faults(result), [])
                    self.mutilate(result, tried)

    def studies(self):
        study = self.path("study")
        self.succeeds("sweep", "run", study, "--vary", "n=1000,2000", "--", "run", "merge")
        return {"study_status": [("sweep", "status", study)], "study_table": [("sweep", "collect", study)]}

    def mutilate(self, result, tried):
        """A field more in any object, a required one less, another type at the top: each is a fault."""
        result = shortened(result)
        self.assertEqual(faults(result), [])
        for path in objects(result):
            place = tuple("" if isinstance(step, int) else step for step in path)
            if place in tried:
                continue
            tried.add(place)
            more = at(result, path)
            more["undocumented"] = []
            self.assertNotEqual(faults(result), [], f"a field more at /{'/'.join(map(str, path))}")
            del more["undocumented"]
        for key in schema()["$defs"][result["kind"]]["required"]:
            less = {name: value for name, value in result.items() if name != key}
            self.assertNotEqual(faults(less), [], f"without {key}")
            self.assertNotEqual(faults({**result, key: [3.5]}), [], f"{key} as a list of a number")

    def test_the_contract_of_the_version_is_checked(self):
        result = self.result_of("trace", "info", os.path.join(TRACES, "merge"))
        self.assertNotEqual(faults({**result, "schema_version": 2}), [])
        self.assertNotEqual(faults({**result, "kind": "conflicts"}), [])


run_tests(why_no_schema)
