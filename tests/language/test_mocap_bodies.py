"""Mocap bodies of MJCF, moved by laws of time as they are loaded."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import torseur as ts

pytest.importorskip("mujoco")

FREE = 'contype="0" conaffinity="0"'
HUNG = f"""<mujoco><worldbody>
<body name="target" mocap="true" pos="0 0 1" euler="0 0 90"><geom size="0.02" {FREE}/></body>
<body name="bob" pos="0 0 0.7"><freejoint name="bob"/>
<geom type="box" size="0.05 0.06 0.07" mass="1" {FREE}/></body></worldbody>
<equality><{{}} body1="target" body2="bob"/></equality></mujoco>"""
LAW = {"target": {"position": ["0.1*(1 - cos(5*t))", 0, 1]}}


@pytest.fixture
def hung(tmp_path):
    def written(equality='connect anchor="0 0 0"'):
        path = tmp_path / "hung.xml"
        path.write_text(HUNG.format(equality), encoding="utf-8")
        return path

    return written


def test_a_pendulum_hangs_on_a_mocap_body_that_moves(hung):
    """The equation of a physical pendulum whose pivot has the acceleration a(t)."""
    length, moment = 0.3, (0.05**2 + 0.07**2) / 3 + 0.3**2

    def rate(t, y):
        a = 2.5 * np.cos(5 * t)
        return [y[1], -(9.81 * np.sin(y[0]) + a * np.cos(y[0])) * length / moment]

    times = np.linspace(0, 1, 11)
    angle = solve_ivp(rate, (0, 1), [0, 0], t_eval=times, rtol=1e-11, atol=1e-12).y[0]
    for options in ({}, {"coordinates": "absolute"}):
        run = ts.simulate(ts.load(hung(), mocap=LAW), at=times, rtol=1e-10, **options)
        pivot = 0.1 * (1 - np.cos(5 * times))
        np.testing.assert_allclose(run["bob_x"], pivot + length * np.sin(angle), atol=1e-7)
        np.testing.assert_allclose(run["bob_z"], 1 - length * np.cos(angle), atol=1e-7)


def test_a_welded_body_follows_position_and_rotation(hung):
    """What the law leaves out stays as in the file."""
    path = hung("weld")
    turn = {"target": {"rotation": [{"z": "90 deg + 2*t"}]}}
    run = ts.simulate(ts.load(path, mocap=turn), at=[0.0, 0.4])
    assert run["bob_z"] == pytest.approx([0.7, 0.7])
    assert run["bob_qw"][-1] == pytest.approx(np.cos(0.4))
    assert run["bob_qz"][-1] == pytest.approx(np.sin(0.4))


def test_without_a_law_it_stays_and_a_notice_says_so(hung):
    robot = ts.load(hung())
    assert any("target" in x and "mocap=" in x for x in robot.notices)
    assert robot.motions == {}


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ({"bob": {"position": [0, 0, 1]}}, "Known mocap bodies: target."),
        ({"target": {"pos": [0, 0, 1]}}, "Known entries: position, rotation."),
        ({"target": {}}, 'mocap body "target": a position or a rotation is expected.'),
        ({"target": {"position": ["sn(t)", 0, 1]}}, 'Did you mean "sin"?'),
    ],
)
def test_mistakes_of_laws(hung, laws, message):
    with pytest.raises(ts.ModelError) as caught:
        ts.load(hung(), mocap=laws)
    assert message in str(caught.value)


def test_other_files_have_no_mocap_bodies(tmp_path):
    path = tmp_path / "one.urdf"
    path.write_text('<robot name="one"><link name="base"/></robot>', encoding="utf-8")
    with pytest.raises(ts.ModelError, match="no mocap bodies"):
        ts.load(path, mocap=LAW)
