"""Robots of MJCF without their actuators."""

import pytest

import torseur as ts

ARM = """<mujoco><worldbody><body><joint name="hip" axis="0 1 0"/><geom size="0.1" mass="1"/></body>
</worldbody><actuator><position name="hip" joint="hip" kp="100"/></actuator></mujoco>"""


def test_actuators_are_left_out_on_request(tmp_path):
    pytest.importorskip("mujoco")
    path = tmp_path / "arm.xml"
    path.write_text(ARM, "utf-8")
    assert list(ts.load(path).actuators) == ["hip"]
    for model in (ts.load(path, actuators=False), ts.robots.load(path, actuators=False)):
        assert not model.actuators and not model.loads


def test_actuators_of_other_descriptions_are_not_left_out(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text("bodies: {b: {mass: 1}}", "utf-8")
    with pytest.raises(ts.ModelError, match="files of robots only"):
        ts.load(path, actuators=False)
