"""Platforms and their parameters."""

import copy
import json
import pickle

import numpy
import pytest

import sassafras


def test_parameters_are_attributes_and_checked():
    platform = sassafras.Platform("h200")
    assert platform.gpu.sm_count == 132 and platform.l2.bytes == 62914560
    before = platform.hash
    platform.gpu.sm_count = 66
    platform.l2.bytes = numpy.int64(31457280)
    assert platform.gpu.sm_count == 66 and platform.hash != before
    with pytest.raises(sassafras.BadInput, match="out of range") as raised:
        platform.gpu.sm_count = 0
    assert "/gpu/sm_count" in raised.value.where
    assert platform.gpu.sm_count == 66  # as it was
    for wrong in (lambda: setattr(platform.gpu, "sms", 1), lambda: setattr(platform, "sm_count", 1), lambda: platform.change({"l2": 3})):
        with pytest.raises(sassafras.BadInput):
            wrong()
    with pytest.raises(AttributeError):
        platform.gpu.sms


def test_several_parameters_change_at_once():
    half = sassafras.Platform("h200", name="half")
    with pytest.raises(sassafras.BadInput, match="more than /l2/slices"):
        half.l2.slices = 46
    half.change({"gpu.sm_count": 66, "l2.slices": 46, "l2.bytes": 31457280,
                 "dram.capacity_gb": 70.5, "dram.channels": 46, "dram.bandwidth_gb_per_s": 2407.15})
    assert half.hash == sassafras.Platform("h200-half").hash and half.name == "half"


def test_json_is_a_platform_again(tmp_path):
    platform = sassafras.Platform("h200-half")
    again = sassafras.Platform.from_json(platform.to_json())
    assert again == platform and again.hash == platform.hash and hash(again) == hash(platform)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"name": "mine", "base": "h200", "gpu": {"sm_count": 10}}))
    assert sassafras.Platform(path).gpu.sm_count == 10
    assert pickle.loads(pickle.dumps(platform)) == copy.copy(platform) == platform
    other = copy.deepcopy(platform)
    other.gpu.sm_count = 10
    assert platform.gpu.sm_count == 66


def test_a_platform_is_taken_wherever_one_is_named(fixtures):
    small = sassafras.Platform("h200", name="small").change({"gpu.sm_count": 8})
    result = sassafras.run("merge", n=65_536, platform=small)
    assert result.platform["name"] == "small" and result.platform["hash"] == small.hash
    assert "tmp" not in " ".join(result.command)
    assert result.cycles > sassafras.run("merge", n=65_536).cycles
    module = sassafras.Module.from_cubin(fixtures / "faults" / "faults.cubin", platform=small)
    assert module.gpu.platform.gpu.sm_count == 8
    assert sassafras.conflicts("sort", n=4096, platform=small).platform["name"] == "small"


def test_names_are_listed():
    assert {"h200", "a100", "t4"} <= set(sassafras.platform_names())
