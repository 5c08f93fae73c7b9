"""Bad usage and bad input: status 2, or 3 for what is not modelled, and a message that says what and where."""
import json
import os
import struct
import unittest

from program import BAD_INPUT, NOT_MODELLED, ProgramTest, fixture


def launch(kernel, *more, cubin=None):
    return ["launch", "--device", "functional", "--cubin", cubin or fixture("faults.cubin"), "--kernel", kernel, *more]


class Usage(ProgramTest):
    def test_help_and_version(self):
        self.assertIn("run", self.succeeds("--help"))
        self.assertRegex(self.succeeds("--version"), r"^\d+\.\d+\.\d+ \((unknown|[0-9a-f]{12}\+?)\)\n$")

    def test_no_command(self):
        self.fails(BAD_INPUT, says=["no command", "microbench", "disasm"])
        self.fails(BAD_INPUT, "--n", "5", says=["no command", "--n"])

    def test_unknown_command(self):
        self.fails(BAD_INPUT, "frobnicate", says=['"frobnicate"', "run", "launch"])
        self.fails(BAD_INPUT, "dissasm", "x.cubin", says=['"dissasm"', 'did you mean "disasm"?'])
        self.fails(BAD_INPUT, "micro", says=['did you mean "microbench"?'])

    def test_unknown_option(self):
        self.fails(BAD_INPUT, "list", "--frobnicate", says=["--frobnicate", "sassafras list --help"])
        self.fails(BAD_INPUT, "launch", "--krenel", "x", says=["--krenel", "did you mean --kernel?"])
        self.fails(BAD_INPUT, "run", "gemm", "--platfrom", "h200", says=["--platfrom", "did you mean --platform?", "--N_TB"])
        self.fails(BAD_INPUT, "run", "sort", "--e", "17", says=["did you mean --E?"])

    def test_unknown_device_and_page(self):
        self.fails(BAD_INPUT, "run", "gemm", "--device", "abacus", says=["abacus", "simulated, functional, cuda"])
        self.fails(BAD_INPUT, "run", "gemm", "--device", "simulatd", says=['did you mean "simulated"?'])
        self.fails(BAD_INPUT, "run", "gemm", "--page", "title", says=["title", "details, raw, source"])

    def test_two_forms_of_the_result_for_one_place(self):
        saxpy = launch("saxpy", "--arg", "buffer:64", "--arg", "buffer:64", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:1")
        for command in (["run", "gemm", "--n", "64"], saxpy, ["microbench", "--filter", "latency fadd"]):
            with self.subTest(command=command[0]):
                done = self.fails(BAD_INPUT, *command, "--json", "-", "--csv", says=["--json", "--csv", "standard output"])
                self.assertEqual(done.stdout, "")
        self.assertIn("saxpy", self.succeeds(*saxpy, "--json", self.path("out.json"), "--csv"))

    def test_list_names_workloads_and_platforms(self):
        text = self.succeeds("list")
        for name in ("gemm", "search", "merge", "sort", "h200"):
            self.assertIn(name, text)


class Workloads(ProgramTest):
    def test_extents_that_are_too_large(self):
        for grid, says in (("99999999999", ["the extent 99999999999", "4294967295", "max_grid_x"]), ("1,70000", ["(1, 70000, 1)", "65535"]),
                           ("1x70000", ['"1x70000" is none', "commas"])):
            self.fails(BAD_INPUT, *launch("saxpy", "--grid", grid, "--arg", "buffer:64", "--arg", "buffer:64", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:1"),
                       says=says)

    def test_inputs_that_are_no_files_of_numbers(self):
        run = ["run", "sort", "--device", "functional", "--input"]
        for name in ("empty", "empty.npy"):
            self.fails(BAD_INPUT, *run, self.write(name, b""), says=["the file is empty", name, "write numbers"])
        self.fails(BAD_INPUT, *run, self.folder.name, says=["this is a folder", self.folder.name, "give a file"])
        self.fails(BAD_INPUT, *run, self.path("nothing"), says=["there is no such file", "check the name"])
        if os.geteuid() == 0:
            return  # who may read everything
        os.chmod(self.write("locked", b"1234"), 0)
        self.fails(BAD_INPUT, *run, self.path("locked"), says=["cannot read the file", "permissions"])

    def test_unknown_names(self):
        self.fails(BAD_INPUT, "run", "nope", "--device", "functional", says=["nope", "gemm"])
        self.fails(BAD_INPUT, "run", "mereg", "--device", "functional", says=["mereg", 'did you mean "merge"?'])
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--variant", "nope", says=["nope", "64x64x16"])
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--variant", "64x64x61", says=['did you mean "64x64x16"?'])
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", "randm", says=["randm", 'did you mean "random"?', "reverse"])
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--nope", "3", says=["nope", "--N_TB"])

    def test_values_that_are_no_numbers(self):
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--E", "many", says=["--E"])
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--E", says=["--E"])
        for option, values in (("--n", ("-1", "abc", "1.5", "99999999999999999999")), ("--seed", ("-1", "x")), ("--threads", ("0", "2000", "x")),
                               ("--repeat", ("0", "x")), ("--instruction-limit", ("-1", "1e9"))):
            for value in values:
                with self.subTest(option=option, value=value):
                    done = self.fails(BAD_INPUT, "run", "sort", "--device", "functional", f"{option}={value}", says=[option, value, "see sassafras run --help"])
                    self.assertLess(len(done.stderr), 120)

    def test_parameter_given_twice(self):
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--b", "128", "--b", "256", says=["--b", "twice"])

    def test_input_files(self):
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", self.path("missing"), says=["missing"])
        odd = self.write("odd", b"12345")
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", odd, says=["5 bytes"])
        falling = self.write("falling", struct.pack("<4I", 1, 2, 4, 3))
        self.fails(BAD_INPUT, "run", "merge", "--device", "functional", "--input", falling, says=["number 3", "A = 2"])
        self.fails(BAD_INPUT, "run", "micro", "--device", "functional", "--input", falling, says=["takes no numbers of one's own", "gemm"])
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", falling, "--n", "5", says=["n is 5", "4 numbers"])
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", falling, "--input-type", "f2", says=["f2"])
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", "sorted", "--input-type", "u4", says=["names no file"])
        nan = self.write("nan", struct.pack("<2f", 1, float("nan")))
        self.fails(BAD_INPUT, "run", "sort", "--device", "functional", "--input", nan, "--input-type", "f4", says=["number 1", "NaN"])
        self.fails(BAD_INPUT, "run", "sort", "--variant", "mgpu", "--device", "functional", "--input", falling, "--input-type", "u8", "--key_bits", "32", says=["number 0", "does not fit in 32 bits"])


class Platforms(ProgramTest):
    def test_more_in_a_sub_core_than_is_modelled(self):
        for sm, says in (({"max_warps": 128, "subcores": 2}, ["a sub-core of 64 warps (max_warps 128 over subcores 2)", "at most 32", "/sm/max_warps"]),
                         ({"register_banks": 8}, ["a sub-core of 8 register banks", "at most 4", "/sm/register_banks"])):
            with self.subTest(sm=sm):
                platform = self.write("large.json", json.dumps({"name": "large", "base": "h200", "sm": sm}).encode())
                self.fails(NOT_MODELLED, "run", "merge", "--n", "64", "--platform", platform, says=["platform large", *says])

    def platform(self, text):
        return self.write("p.json", text.encode())

    def test_unknown_name(self):
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--platform", "h2000", says=["h2000", 'did you mean "h200"?', "h200-half"])

    def test_missing_file(self):
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--platform", self.path("no.json"), says=["no.json"])

    def test_no_json(self):
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--platform", self.platform("{"), says=["p.json"])

    def test_unknown_key_is_named_by_its_pointer(self):
        path = self.platform('{"base": "h200", "name": "x", "gpu": {"sm_cuont": {"value": 66, "provenance": "assumed", "source": "test"}}}')
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--platform", path, says=["/gpu/sm_cuont"])

    def test_value_out_of_range(self):
        path = self.platform('{"base": "h200", "name": "x", "gpu": {"sm_count": {"value": 0, "provenance": "assumed", "source": "test"}}}')
        self.fails(BAD_INPUT, "run", "gemm", "--device", "functional", "--platform", path, says=["/gpu/sm_count"])


class Cubins(ProgramTest):
    def both(self, status, path, says=()):
        self.fails(status, "disasm", path, says=says)
        self.fails(status, *launch("saxpy", cubin=path), says=says)

    def test_missing_file(self):
        self.both(BAD_INPUT, self.path("missing.cubin"), ["missing.cubin"])

    def test_folder(self):
        self.both(BAD_INPUT, self.folder.name)

    def test_empty_file(self):
        self.both(BAD_INPUT, self.write("empty.cubin", b""), ["empty.cubin"])

    def test_no_elf(self):
        self.both(BAD_INPUT, self.write("text.cubin", b"hello" * 100), ["text.cubin"])

    def test_other_architecture(self):
        path = fixture("faults_sm80.cubin")
        self.assertIn("EF_CUDA_SM80", self.succeeds("disasm", path))
        self.fails(BAD_INPUT, *launch("saxpy", cubin=path), says=["platform h200", "sm_80", "faults_sm80.cubin"])
        arguments = ["--arg", "buffer:64", "--arg", "buffer:64", "--arg", "f32:2", "--arg", "f32:1", "--arg", "i32:1"]
        self.succeeds(*launch("saxpy", *arguments, cubin=path), "--platform", "a100")
        self.fails(BAD_INPUT, *launch("saxpy", cubin=path), "--platform", "t4", says=["compute capability 7.5", "sm_80"])
        self.fails(BAD_INPUT, *launch("saxpy"), "--platform", "a100", says=["compute capability 8.0", "sm_90", "-arch=sm_80"])

    def test_unknown_architecture(self):
        self.both(BAD_INPUT, os.path.join(os.path.dirname(fixture("x")), "..", "sm_100.cubin"), ["sm_100", "75, 80, 86, 89, 90"])

    def test_truncated_everywhere(self):
        with open(fixture("faults.cubin"), "rb") as file:
            whole = file.read()
        for size in range(1, len(whole), len(whole) // 40):
            path = self.write("cut.cubin", whole[:size])
            done = self.run_program("disasm", path)
            self.assertIn(done.returncode, (BAD_INPUT, NOT_MODELLED), f"{size} bytes of {len(whole)}: {done.stderr}")
            self.assertTrue(done.stderr.startswith("sassafras: error: "))

    def test_unknown_kernel_lists_those_that_there_are(self):
        self.fails(BAD_INPUT, *launch("nope"), says=["nope", "saxpy", "faults.cubin"])
        self.fails(BAD_INPUT, "disasm", fixture("faults.cubin"), "--kernel", "nope", says=["nope", "saxpy"])


class Launches(ProgramTest):
    def test_extents(self):
        self.fails(BAD_INPUT, *launch("bounded", "--grid", "0,1,1"), says=["--grid"])
        self.fails(BAD_INPUT, *launch("bounded", "--block", "1,2,3,4"), says=["--block"])

    def test_too_many_threads(self):
        self.fails(BAD_INPUT, *launch("much_shared", "--block", "1025", "--arg", "buffer:64"), says=["too many threads", "much_shared"])
        self.fails(BAD_INPUT, *launch("bounded", "--block", "256", "--arg", "buffer:64"), says=["too many threads", "128", "launch bound"])

    def test_too_much_shared_memory(self):
        self.fails(BAD_INPUT, *launch("much_shared", "--shared", "200000", "--arg", "buffer:64"), says=["shared memory", "40960", "200000"])

    def test_arguments(self):
        self.fails(BAD_INPUT, *launch("bounded"), says=["takes 1 argument", "0 given"])
        self.fails(BAD_INPUT, *launch("bounded", "--arg", "i32:1"), says=["argument 0", "4 bytes", "8"])
        self.fails(BAD_INPUT, *launch("bounded", "--arg", "u64:0", "--arg", "u64:0"), says=["2 given"])
        self.fails(BAD_INPUT, *launch("bounded", "--arg", "int:1"), says=["int"])
        self.fails(BAD_INPUT, *launch("bounded", "--arg", "i32:99999999999"), says=["i32:99999999999"])
        self.fails(BAD_INPUT, *launch("bounded", "--arg", "buffer:lots"), says=["buffer:lots"])

    def test_json_that_cannot_be_written(self):
        path = os.path.join(self.folder.name, "no", "such", "folder.json")
        self.fails(BAD_INPUT, *launch("bounded", "--arg", "buffer:512", "--json", path), says=["folder.json"])

    def test_cuda_where_there_is_none(self):
        done = self.run_program("run", "gemm", "--n", "64", "--device", "cuda")
        if done.returncode == 0:
            self.skipTest("this machine has a GPU")
        self.fails(BAD_INPUT, "run", "gemm", "--n", "64", "--device", "cuda", says=["CUDA"])


if __name__ == "__main__":
    unittest.main()
