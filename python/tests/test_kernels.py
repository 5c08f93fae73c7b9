"""Modules, kernels and their arguments."""

import array
import pickle
import re

import numpy
import pytest

import sassafras


def test_a_kernel_reads_and_writes_the_arrays_themselves(faults):
    x = numpy.arange(512, dtype="f4")
    y = numpy.zeros(600, "f4")
    launch = faults.saxpy(4, 128, y, x, 2.0, 1.0, 512)
    assert numpy.array_equal(y[:512], 2 * x + 1) and not y[512:].any()
    assert (launch.name, launch.grid, launch.block) == ("saxpy", (4, 1, 1), (128, 1, 1))
    # 16 warps of 32 threads, all of whose instructions are executed by whole warps
    assert launch.metrics["smsp__thread_inst_executed.sum"] == 32 * launch.metrics["smsp__inst_executed.sum"]
    assert launch.cycles is None  # a functional device has no time
    assert pickle.loads(pickle.dumps(launch)).metrics == launch.metrics


def test_cycles_are_those_of_the_command_line_wherever_arrays_lie(fixtures):
    cubin = fixtures / "faults" / "faults.cubin"
    module = sassafras.Module.from_cubin(cubin)
    keep = []
    cycles = set()
    for size in (0, 1000, 1_000_000):
        keep.append(numpy.zeros(size))  # moves what comes next
        x, y = numpy.arange(4096, dtype="f4"), numpy.zeros(4096, "f4")
        keep += [x, y]
        cycles.add(module.saxpy(32, 128, y, x, 2.0, 1.0, 4096).cycles)
    command = sassafras.launch(cubin, "saxpy", grid=32, block=128, args=["buffer:16384", "buffer:16384:iota", "f32:2", "f32:1", "i32:4096"])
    assert cycles == {command.cycles}


def test_every_size_of_parameter_arrives(faults):
    out = numpy.zeros(6, "u8")
    faults.echo(1, 1, out, 255, 65535, 7, 2**64 - 1, 1.5, -2.25)
    assert out[:4].tolist() == [255, 65535, 7, 2**64 - 1]
    assert out[4:5].astype("u4").view("f4")[0] == 1.5 and out[5:].view("f8")[0] == -2.25
    faults.echo(1, 1, out, numpy.uint8(1), numpy.int16(-1), b"\1\0\0\0", -1, numpy.float32(0.5), 3.0)
    assert out[:4].tolist() == [1, 65535, 1, 2**64 - 1]


def test_views_of_one_array_share_its_memory(faults):
    both = numpy.arange(128, dtype="f4")
    faults.saxpy(1, 64, both[64:], both[:64], 2.0, 0.0, 64)  # apart
    assert numpy.array_equal(both, numpy.r_[numpy.arange(64), 2 * numpy.arange(64)].astype("f4"))
    same = numpy.arange(64, dtype="f4")
    faults.saxpy(1, 64, same, same, 3.0, 0.0, 64)
    assert numpy.array_equal(same, 3 * numpy.arange(64, dtype="f4"))
    shifted = numpy.arange(65, dtype="f4")
    faults.saxpy(1, 32, shifted[1:], shifted, 1.0, 100.0, 32)  # they overlap; a warp has read before it writes
    assert shifted[1:33].tolist() == [100 + i for i in range(32)]


def test_with_several_threads_the_same(fixtures):
    x = numpy.arange(100_000, dtype="f4")
    results = []
    for threads in (1, 3):
        module = sassafras.Module.from_cubin(fixtures / "faults" / "faults.cubin", gpu=sassafras.Gpu(threads=threads))
        y = numpy.zeros_like(x)
        results.append((module.saxpy(782, 128, y, x, 2.0, 1.0, x.size).metrics, y.tolist()))
    assert results[0] == results[1]


def test_arguments_that_do_not_fit_say_so(faults):
    x = numpy.zeros(64, "f4")
    read_only = x.copy()
    read_only.flags.writeable = False
    for values, said in (
        ((x, x, 1.0, 1.0), "5 parameters, and 4 arguments"),
        ((x, x, x, 1.0, 64), "argument 2 is an array"),
        ((x, x[::2], 1.0, 1.0, 64), "do not lie one behind the other"),
        ((x, read_only, 1.0, 1.0, 64), "may not be written to"),
        ((x, numpy.array([None]), 1.0, 1.0, 64), "Python's objects"),
        ((x.astype(">f4"), x, 1.0, 1.0, 64), "an order that the GPU does not read"),
        ((x, x, numpy.array(1, ">f4"), 1.0, 64), "an order that the GPU does not read"),
        ((numpy.zeros(64, [("a", ">f4")]), x, 1.0, 1.0, 64), "an order that the GPU does not read"),
        ((numpy.array(["ab"] * 64), x, 1.0, 1.0, 64), "is text"),
        ((numpy.str_("ab"), x, 1.0, 1.0, 64), "is text"),
        ((numpy.array([b"ab"] * 64), x, 1.0, 1.0, 64), "is text"),
        ((numpy.ma.masked_equal(x, 0), x, 1.0, 1.0, 64), "has a mask"),
        ((array.array("d", [1.0]), x, 1.0, 1.0, 64), "is a array"),
        ((array.array("f", [1.0] * 64), x, 1.0, 1.0, 64), "is a array"),
        ((memoryview(x[:2]), x, 1.0, 1.0, 64), "is a memoryview"),
        ((x, x, numpy.float64(1), 1.0, 64), "argument 2 has 8 bytes"),
        ((x, x, numpy.int64(1), 1.0, 64), "as numpy.int32(3)"),
        ((x, x, numpy.float64(1), 1.0, 64), "as numpy.float32(3)"),
        ((x, x, b"1", 1.0, 64), "give bytes of the parameter's size, 4"),
        ((x, x, 1e300, 1.0, 64), "too large"),
        ((x, x, 1.0, 1.0, 2**32), "does not fit"),
        ((x, x, 1.0, 1.0, "64"), "is a str"),
    ):
        with pytest.raises(sassafras.BadInput, match=re.escape(said)) as raised:
            faults.saxpy(1, 64, *values)
        assert raised.value.remedy
    for grid in (0, 64 / 256, 1.5, (1, 2.5), float("nan"), float("inf"), numpy.float32(0.5), "12", None, (1, 1, 1, 1)):
        for extents in ((grid, 64), (1, grid)):
            with pytest.raises(sassafras.BadInput, match="no size of a grid"):
                faults.saxpy(*extents, x, x, 1.0, 1.0, 64)
    assert faults.saxpy(numpy.float64(4.0), (numpy.int64(32), 2.0), x, x, 1.0, 1.0, 0).grid == (4, 1, 1)
    with pytest.raises(sassafras.BadInput, match="there is no kernel sax; choose one of .*saxpy|there is no kernel sax"):
        faults.get("sax")
    with pytest.raises(AttributeError):
        faults.sax


def test_a_fault_is_an_exception_and_the_next_launch_is_good(faults):
    x = numpy.zeros(64, "i4")
    with pytest.raises(sassafras.CheckFailed, match="out of bounds") as raised:
        faults.out_of_bounds(1, 1, x, 64)  # one past the end: nothing of the host's lies within reach
    assert raised.value.fault == "illegal_address" and "out_of_bounds" in raised.value.where
    faults.bounded(1, 64, x)
    assert x.tolist() == list(range(64))
    with pytest.raises(sassafras.CheckFailed) as raised:
        faults.barrier_deadlock(1, 64, numpy.zeros(64, "i4"))
    assert raised.value.fault == "runaway"


def test_a_check_says_what_it_found(fixtures):
    module = sassafras.Module.from_cubin(fixtures / "check" / "races.cubin", gpu=sassafras.Gpu(device="functional", check=True))
    a, b = numpy.arange(1024, dtype="i4"), numpy.zeros(1024, "i4")
    findings = module.read_after_write(1, 64, a, b, 0).findings
    assert "racecheck" in {finding["tool"] for finding in findings}
    assert module.clean_barrier(1, 64, a, b, 0).findings == []


def test_what_a_kernel_prints_is_kept(fixtures, functional):
    module = sassafras.Module.from_cubin(fixtures / "faults" / "not_modelled.cubin", gpu=functional)
    assert module.prints(1, 40).printed == "".join(f"{i}\n" for i in range(40))
    assert module.prints(1, 1).printed == "0\n"
    launched = sassafras.launch(fixtures / "faults" / "not_modelled.cubin", "prints", block=3)
    assert launched.printed == "0\n1\n2\n"


def test_an_empty_array_is_a_null_pointer_and_none_too(faults):
    for nothing in (numpy.zeros(0, "f4"), None):
        faults.saxpy(1, 32, nothing, nothing, 1.0, 1.0, 0)


def test_sources_are_compiled_where_a_compiler_is(functional):
    source = 'extern "C" __global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= FACTOR; }'
    try:
        module = sassafras.Module.from_source(source, options=["-DFACTOR=2"], gpu=functional)
    except sassafras.NotModelled as error:
        pytest.skip(str(error))
    x = numpy.arange(100, dtype="f4")
    module.twice(1, 128, x, x.size)
    assert numpy.array_equal(x, 2 * numpy.arange(100, dtype="f4"))
    with pytest.raises(sassafras.BadInput, match="FACTOR"):
        sassafras.Module.from_source(source, gpu=functional)
    mangled = sassafras.Module.from_source("template <class T> __global__ void one(T* x) { *x = 1; } template __global__ void one<int>(int*);", gpu=functional)
    out = numpy.zeros(1, "i4")
    mangled.one(1, 1, out)
    assert out[0] == 1


def test_sources_are_compiled_for_the_gpu():
    gpu = sassafras.Gpu("a100", device="functional")
    try:
        module = sassafras.Module.from_source('extern "C" __global__ void arch(int* x) { *x = __CUDA_ARCH__; }', gpu=gpu)
    except sassafras.NotModelled as error:
        pytest.skip(str(error))
    out = numpy.zeros(1, "i4")
    module.arch(1, 1, out)
    assert out[0] == 800


def test_without_a_compiler_the_remedy_is_said(monkeypatch):
    from sassafras import compiler

    monkeypatch.setattr(compiler, "find_nvrtc", lambda: None)
    monkeypatch.setattr(compiler, "_toolkits", lambda: iter(()))
    with pytest.raises(sassafras.NotModelled, match="install NVIDIA's CUDA toolkit"):
        sassafras.compile_source("")


def test_nvcc_stands_in_for_nvrtc(monkeypatch):
    from sassafras import compiler

    monkeypatch.setattr(compiler, "find_nvrtc", lambda: None)
    try:
        cubin = sassafras.compile_source('extern "C" __global__ void nothing() {}')
    except sassafras.NotModelled as error:
        pytest.skip(str(error))
    assert sassafras.Module.from_cubin(cubin).nothing(1, 1).cycles > 0
