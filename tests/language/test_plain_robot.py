"""Robots of plain numbers: read without the reader of the YAML form, they are the same."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from torseur.errors import ModelError
from torseur.language.imported import robot_form, robot_mechanism
from torseur.language.robot.plain_robot import plain_mechanism
from torseur.language.robot.robot_parts import Reading
from torseur.language.yaml.form import imported_mechanism
from torseur.model.description import Mechanism

INERTIA = '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="-0.001" ixz="0" iyz="2e-4"/>'
INERTIAL = (
    f'<inertial><origin xyz="0 0.01 -0.2" rpy="0 0 0.3"/><mass value="1.5"/>{INERTIA}</inertial>'
)
SOLID = '<geometry><box size="0.1 0.2 3"/></geometry>'
BOX = f'<visual><origin xyz="0 0 0.1" rpy="0.1 0 0"/>{SOLID}</visual>'
MESH = '<visual><geometry><mesh filename="a.stl" scale="0.001 0.001 0.001"/></geometry></visual>'
LIMIT = '<limit lower="-1.5" upper="2" effort="80" velocity="3"/>'
JOINTS = {
    "turn about x": '<axis xyz="1 0 0"/>',
    "turn about -z, placed": '<origin xyz="0.1 0 0.02"/><axis xyz="0 0 -1"/>' + LIMIT,
    "turned by a quarter": '<origin xyz="0 0 1" rpy="1.5707963 0 0"/><axis xyz="0 0 1"/>',
    "turned anyhow": '<origin rpy="0.3 -0.7 1.1"/><axis xyz="0 1 0"/>',
    "skew axis": '<axis xyz="0.6 0 0.8"/>',
    "skew axis, turned": '<origin rpy="0.3 0 0"/><axis xyz="1 2 3"/>',
    "friction": '<axis xyz="0 0 1"/><dynamics damping="0.1" friction="0.2"/>',
    "far away": '<origin xyz="500 0 0"/><axis xyz="0 0 1"/>',
    "limits in degrees": '<axis xyz="0 0 1"/><limit lower="-90" upper="90" effort="0"/>',
    "negative friction": '<axis xyz="0 0 1"/><dynamics damping="-0.1"/>',
}


def urdf(*joints: str, kind: str = "revolute", inertial: str = INERTIAL) -> str:
    """A chain of links."""
    links = [f'<link name="l{k}">{inertial}{BOX}{MESH}</link>' for k in range(len(joints) + 1)]
    parts = [
        f'<joint name="j{k}" type="{kind}"><parent link="l{k}"/>'
        f'<child link="l{k + 1}"/>{text}</joint>'
        for k, text in enumerate(joints)
    ]
    return f'<robot name="chain">{"".join([*links, *parts])}</robot>'


def both(folder: Path, text: str, **reading: bool) -> list[Mechanism | str]:
    """A robot read by its plain numbers, and by the reader of the YAML form; or their errors."""
    path = folder / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    document, source = robot_form(path, Reading(**reading))
    results: list[Mechanism | str] = []
    for read in (
        lambda: plain_mechanism(document, source),
        lambda: imported_mechanism(document.data, source, document.lines),
    ):
        try:
            mechanism = read()
        except ModelError as error:
            results.append(str(error))
        else:
            assert mechanism is not None, "its numbers are plain"
            results.append(mechanism)
    return results


def contents(mechanism: Mechanism | str) -> str:
    """All that a mechanism holds, or the error."""
    if isinstance(mechanism, str):
        return mechanism
    return "\n".join(f"{x.name}: {getattr(mechanism, x.name)!r}" for x in fields(mechanism))


@pytest.mark.parametrize("name", JOINTS)
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "continuous", "fixed"])
def test_numbers_alone_give_the_mechanism_of_the_form(tmp_path: Path, name: str, kind: str) -> None:
    plain, formed = both(tmp_path, urdf(JOINTS[name], '<axis xyz="0 1 0"/>', kind=kind))
    assert contents(plain) == contents(formed)
    assert plain == formed


def test_a_free_base_is_the_same(tmp_path: Path) -> None:
    plain, formed = both(tmp_path, urdf(*list(JOINTS.values())[:6]), free_base=True)
    assert contents(plain) == contents(formed)


def test_followers_are_the_same(tmp_path: Path) -> None:
    mimic = '<axis xyz="0 0 1"/><mimic joint="j0" multiplier="-0.5" offset="0.1"/>'
    plain, formed = both(tmp_path, urdf('<axis xyz="0 0 1"/>', mimic))
    assert contents(plain) == contents(formed)


def test_impossible_masses_are_refused_alike(tmp_path: Path) -> None:
    inertial = INERTIAL.replace('value="1.5"', 'value="-1"')
    plain, formed = both(tmp_path, urdf('<axis xyz="0 0 1"/>', inertial=inertial))
    assert "negative" in str(formed)
    assert plain == formed


def test_contents_that_are_not_plain_are_left_to_the_reader_of_the_form(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(urdf('<axis xyz="0 0 1"/>'), encoding="utf-8")
    document, source = robot_form(path, Reading())
    document.data["forces"] = {"pull": {"type": "gravity"}}
    assert plain_mechanism(document, source) is None
    assert robot_mechanism(path).joints.keys() == {"l0_base", "j0"}
