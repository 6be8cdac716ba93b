"""Robots to be spoilt: files of every format with their bombs, and tables of Denavit-Hartenberg."""

import random
from importlib.util import find_spec
from typing import Any

from fuzz_inputs import EXTREMES, PIECES, VALUES, Call, Input, mostly_spoilt
from robot_texts import ARM, FOUR_BAR, HAND

XACRO = """<?xml version="1.0"?>
<robot name="chain" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="l" value="0.4"/>
  <xacro:macro name="bar" params="name parent mass *origin">
    <link name="${name}"><inertial><origin xyz="0 0 ${-l/2}"/><mass value="${mass}"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="${mass*l**2/12}" iyz="0" izz="0.01"/>
    </inertial></link>
    <joint name="${name}_joint" type="continuous"><xacro:insert_block name="origin"/>
      <parent link="${parent}"/><child link="${name}"/><axis xyz="0 1 0"/></joint>
  </xacro:macro>
  <link name="base"/>
  <xacro:bar name="upper" parent="base" mass="2"><origin xyz="0 0 0.1"/></xacro:bar>
  <xacro:if value="${1 == 1}">
    <xacro:bar name="fore" parent="upper" mass="${2*0.5}"><origin xyz="0 0 ${-l}"/></xacro:bar>
  </xacro:if>
</robot>
"""
TEXTS = {"m.urdf": ARM, "m.sdf": FOUR_BAR, "m.xml": HAND}
XML_PIECES = ["<", ">", "/>", "</link>", "<!--", "-->", "&amp;", "&x;", "&#0;", "<![CDATA[", "]]>",
              "<?x?>", '="', "<include file='m.xml'/>", "<include><uri>m.sdf</uri></include>",
              "<mimic joint='elbow'/>", "<joint name='x'/>", " xmlns='x'", "1e308 1e308 1e308",
              "nan nan nan", *PIECES]  # fmt: skip
LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 30))
BOMBS = {
    "m.urdf": [
        f'<!DOCTYPE robot [<!ENTITY l0 "ha">{LAUGHS}]><robot name="&l29;"/>',
        '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///dev/zero">]><robot name="x">&e;</robot>',
        "<robot name='x'>" + "<link>" * 5000,
        "<robot name='x'>" + "".join(f"<link name='a{k}'/>" for k in range(30_000)) + "</robot>",
        "<robot " + " ".join(f"a{k}=''" for k in range(100_000)) + "/>",
        "<robot name='" + "x" * 4_000_000 + "'/>",
        "<robot name='x'><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent "
        "link='a'/><child link='b'/></joint><joint name='k' type='revolute'><parent link='b'/>"
        "<child link='a'/></joint></robot>",
        "<robot name='x'><link name='a'><visual><geometry><mesh filename='file:///dev/zero'/>"
        "</geometry></visual></link></robot>",
        "", "\ufeff", "\x00", "<robot/>", "<robot name=''/>", "PK\x03\x04",
    ],
    "m.sdf": [
        "<sdf><model name='m'>" + "<model name='m'>" * 99,
        "<sdf><include><uri>m.sdf</uri></include></sdf>",
        "<sdf><model name='m'><frame name='a' attached_to='b'/><frame name='b' attached_to='a'/>"
        "<link name='l'><pose relative_to='a'/></link></model></sdf>",
        "<sdf><world/></sdf>",
    ],
    "m.xml": [
        "<mujoco><include file='m.xml'/></mujoco>",
        "<mujoco><default><default class='a'/></default><worldbody><body childclass='b'/>"
        "</worldbody></mujoco>",
        "<mujoco><worldbody>" + "<body><joint/><geom size='1'/>" * 90,
        "<mujoco><worldbody><body><freejoint/><joint type='ball'/><geom type='mesh' mesh='x'/>"
        "</body></worldbody></mujoco>",
        "<mujoco><worldbody><replicate count='1000000000'><body/></replicate></worldbody></mujoco>",
    ],
    "m.xacro": ["<robot xmlns:xacro='x'><xacro:include filename='m.xacro'/></robot>"],
}  # fmt: skip
RUNS = "simulate|--duration|0.02"
COMMANDS = ["check", "check|--json", "mobility", RUNS, f"{RUNS}|--coordinates|absolute",
            f"{RUNS}|-o|r.nc", "graph", "view|-o|p.html", "linearise", "equilibria",
            "export|--to|c", "derive|--json", "identify",
            "excite|--searches|1|--harmonics|2|--period|1",
            "inertia"]  # fmt: skip
LOOPS = ("identify", "excite")  # what a robot with loops has no regressor for
ROW = {"a": 0.4, "alpha": "90 deg", "d": 0.1, "theta": "-90 deg", "joint": "revolute",
       "coordinate": "q1", "limits": [-1, "90 deg"], "mass": 2, "centre": [-0.2, 0, 0],
       "inertia": [0.1, 0.1, 0.1]}  # fmt: skip
ENTRIES = [*VALUES, *EXTREMES, "prismatic", "screw", "L1", "q1", "sin(q1)", [1, 2], [None] * 3,
           ["1e308", 1e308, 0], {"x": 1}, "2*L1)", "t", "L1*", "'"]  # fmt: skip


def robots(rng: random.Random) -> Input:
    """A changed file of a robot, or one that is made to grow."""
    if rng.random() < 0.2:
        name = rng.choice(list(BOMBS))
        content = rng.choice(BOMBS[name]).encode("utf-8", errors="replace")
    else:
        texts = TEXTS | {"m.xacro": XACRO}
        name = rng.choice(list(texts))
        content = mostly_spoilt(texts[name], rng, XML_PIECES)
    if rng.random() < 0.25:
        asked = {"free_base": rng.choice([True, False, *VALUES]), "packages": ["."],
                 "mesh_density": rng.choice([*VALUES, 2700.0]),
                 "accept": rng.choice([(), ("negative moment",), "x", None])}  # fmt: skip
        kept = {key: x for key, x in asked.items() if rng.random() < 0.5}
        return Input([], {name: content}, call=Call("robots.load", name, kept))
    command, *options = rng.choice(COMMANDS).split("|")
    return Input([command, name, *options], {name: content})


def dh_tables(rng: random.Random) -> Input:
    """Tables of Denavit and Hartenberg with any entry, and what is asked of such robots."""
    rows: Any = [dict(rng.sample(sorted(ROW.items()), rng.randint(1, len(ROW)))) for _ in range(3)]
    for row, k in zip(rows, range(1, 4), strict=True):
        row["coordinate"] = f"q{k}"
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        rng.choice(rows)[rng.choice([*ROW, "x", 3])] = rng.choice(ENTRIES)
    if rng.random() < 0.1:
        rows = rng.choice([[], {}, None, "a", [None], [[1, 2, 3, 4]], 3, [{}] * 300])
    asked = {"modified": rng.choice([True, False, 3]), "name": rng.choice(["r", "../r", "", None]),
             "gravity": rng.choice([(0, 0, -9.81), (1e308, 0, 0), (1,), "z", None]),
             "parameters": rng.choice([{"L1": 0.3}, {"L1": rng.choice(ENTRIES)}, None,
                                       3])}  # fmt: skip
    kept = {key: x for key, x in asked.items() if rng.random() < 0.3}
    table = Call("robots.from_dh", rows, kept)
    function, more = rng.choice([
        ("mobility", {}), ("simulate", {"duration": 0.02}), ("derive", {}), ("linearise", {}),
        ("robots.workspace", {"place": "tool", "steps": 3}), ("robots.base_parameters", {}),
        ("robots.inverse_kinematics", {"frame": "tool", "target": rng.choice([[0.3, 0.1, 0.2],
                                       [1e308, 0, 0], [float("nan")] * 3, 3, "x", [1, 2]])}),
        ("export", {"to": "c"}),
    ])  # fmt: skip
    return Input([], call=Call(function, table, more))


def whole_robots() -> list[Input]:
    """A robot of every format, and every command on it."""
    lines = [x.split("|") for x in COMMANDS]
    needed = {"m.xml": "mujoco", "m.xacro": "xacrodoc"}
    texts = {name: text for name, text in (TEXTS | {"m.xacro": XACRO}).items()
             if name not in needed or find_spec(needed[name])}  # fmt: skip
    return [
        Input([word, name, *more], {name: text.encode()})
        for name, text in texts.items()
        for word, *more in lines
        if name == "m.xacro" or word not in LOOPS
    ]


def whole_dh_tables() -> list[Input]:
    """A table of Denavit and Hartenberg, and what is asked of its robot."""
    rows = [ROW | {"coordinate": f"q{k}", "limits": [-3, 3]} for k in range(1, 4)]
    table = Call("robots.from_dh", rows, {"gravity": (0, 0, -9.81)})
    asked: list[tuple[str, dict[str, Any]]] = [
        ("mobility", {}), ("simulate", {"duration": 0.02}), ("derive", {}),
        ("robots.workspace", {"place": "tool", "steps": 3}), ("robots.base_parameters", {}),
        ("robots.inverse_kinematics", {"frame": "tool", "target": [0.3, -0.5, 0.2]}),
        ("export", {"to": "c"}),
    ]  # fmt: skip
    return [Input([], call=Call(function, table, more)) for function, more in asked]
