"""Errors as exceptions, and nothing on standard output or standard error."""

import pytest

import sassafras


@pytest.mark.parametrize(
    "wrong, kind",
    [
        (lambda: sassafras.run("sorts"), sassafras.BadInput),
        (lambda: sassafras.run("sort", n=-1), sassafras.BadInput),
        (lambda: sassafras.run("sort", no_such_option=1), sassafras.BadInput),
        (lambda: sassafras.run("sort", platform="h300"), sassafras.BadInput),
        (lambda: sassafras.conflicts("sort", by="moon"), sassafras.BadInput),
        (lambda: sassafras.exec([]), sassafras.BadInput),
        (lambda: sassafras.estimate("sort", counts="measured", beta1=2), sassafras.BadInput),
        (lambda: sassafras.worst_case("gemm"), sassafras.BadInput),
        (lambda: sassafras.launch("/no/such.cubin", "k"), sassafras.BadInput),
        (lambda: sassafras.Module.from_cubin("/no/such.cubin"), sassafras.BadInput),
        (lambda: sassafras.Module.from_cubin(b"no cubin"), sassafras.BadInput),
        (lambda: sassafras.Gpu("h300"), sassafras.BadInput),
        (lambda: sassafras.Gpu(device="cuda"), sassafras.BadInput),
    ],
)
def test_what_is_wrong_is_an_exception(wrong, kind, capfd):
    with pytest.raises(kind) as raised:
        wrong()
    error = raised.value
    assert isinstance(error, sassafras.Error) and error.what and error.what in str(error)
    assert error.exit_status == {sassafras.CheckFailed: 1, sassafras.BadInput: 2, sassafras.NotModelled: 3}[kind]
    assert capfd.readouterr() == ("", "")


def test_kinds_are_pythons_too():
    assert issubclass(sassafras.BadInput, ValueError) and issubclass(sassafras.NotModelled, NotImplementedError)


def test_a_fault_of_a_command_keeps_what_was_found(fixtures):
    with pytest.raises(sassafras.CheckFailed) as raised:
        sassafras.launch(fixtures / "faults" / "faults.cubin", "out_of_bounds", args=["buffer:128", "i32:64"], check=True)
    error = raised.value
    assert error.fault == "illegal_address" and error.result["checks"]
    assert "sassafras-" not in str(error)
