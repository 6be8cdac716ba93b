"""Small robots as text, in the formats that are read."""

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper-arm">
    <inertial>
      <origin xyz="0.1 0.02 0" rpy="0 0 0.4"/>
      <mass value="2"/>
      <inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.02" iyz="0" izz="0.025"/>
    </inertial>
    <visual><geometry>
      <mesh filename="package://arm/meshes/upper.stl" scale="1 1 2"/></geometry></visual>
  </link>
  <link name="fore-arm">
    <inertial>
      <origin xyz="0 0 0.15"/>
      <mass value="1.5"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.002"/>
    </inertial>
  </link>
  <link name="flange"/>
  <link name="finger">
    <inertial>
      <mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
    </inertial>
  </link>
  <link name="thumb">
    <inertial>
      <mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.3" rpy="1.5707963 0 0.2"/>
    <parent link="base"/><child link="upper-arm"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2.5" effort="80" velocity="3"/>
    <dynamics damping="0.4" friction="0.1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0.4 0 0" rpy="0.3 -0.2 0.1"/>
    <parent link="upper-arm"/><child link="fore-arm"/><axis xyz="0.6 0 0.8"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="0 0 0.3"/><parent link="fore-arm"/><child link="flange"/>
  </joint>
  <joint name="finger-slide" type="prismatic">
    <origin xyz="0 0.02 0"/><parent link="flange"/><child link="finger"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.1"/>
  </joint>
  <joint name="thumb-slide" type="prismatic">
    <origin xyz="0 -0.02 0"/><parent link="flange"/><child link="thumb"/><axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.1"/>
    <mimic joint="finger-slide" multiplier="2" offset="0.01"/>
  </joint>
  <gazebo/>
</robot>
"""

FOUR_BAR = """<?xml version="1.0"?>
<sdf version="1.9"><world name="w"><gravity>0 -9.81 0</gravity><model name="four bar">
  <link name="crank"><pose>0 0 0 0 0 1.5707963267948966</pose>
    <inertial><pose>0.1 0 0 0 0 0</pose><mass>1</mass>
    <inertia><ixx>0.001</ixx><iyy>0.004</iyy><izz>0.004</izz></inertia></inertial></link>
  <link name="coupler"><pose>0 0.2 0 0 0 0</pose><inertial><pose>0.25 0 0 0 0 0</pose><mass>2</mass>
    <inertia><ixx>0.001</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>
  <link name="rocker"><pose>0.5 0 0 0 0 1.5707963267948966</pose>
    <inertial><pose>0.1 0 0 0 0 0</pose><mass>1.5</mass>
    <inertia><ixx>0.001</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>
  <joint name="A" type="revolute"><parent>world</parent><child>crank</child>
    <axis><xyz>0 0 1</xyz><dynamics><damping>0.1</damping></dynamics></axis></joint>
  <joint name="B" type="revolute"><parent>crank</parent><child>coupler</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="D" type="revolute"><parent>world</parent><child>rocker</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="C" type="revolute"><parent>coupler</parent><child>rocker</child>
    <pose>0.2 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis></joint>
</model></world></sdf>
"""

SAME_FOUR_BAR = {
    "gravity": [0, -9.81, 0],
    "bodies": {
        "crank": {"mass": 1, "centre": [0, 0.1, 0], "inertia": [0.004, 0.001, 0.004]},
        "coupler": {"mass": 2, "centre": [0.25, 0, 0], "inertia": [0.001, 0.02, 0.02]},
        "rocker": {"mass": 1.5, "centre": [0, 0.1, 0], "inertia": [0.01, 0.001, 0.01]},
    },
    "joints": {
        "A": {"type": "revolute", "bodies": ["ground", "crank"], "axis": "z"},
        "B": {"type": "revolute", "bodies": ["crank", "coupler"], "axis": "z",
              "point": [[0, 0.2, 0], [0, 0, 0]]},
        "D": {"type": "revolute", "bodies": ["ground", "rocker"], "axis": "z",
              "point": [[0.5, 0, 0], [0, 0, 0]]},
        "C": {"type": "revolute", "bodies": ["coupler", "rocker"], "axis": "z",
              "point": [[0.5, 0, 0], [0, 0.2, 0]]},
    },
    "motors": {"A": {"joint": "A", "ratio": 1, "viscous": {"output": 0.1}}},
}  # fmt: skip

HAND = """<mujoco model="hand">
  <compiler angle="radian"/>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="palm" pos="0 0 1" euler="0.1 0.2 0.3">
      <joint name="yaw" axis="0 0 1" pos="0.05 0 0" armature="0.02" damping="0.3"/>
      <joint name="lift" type="slide" axis="0 0.6 0.8" stiffness="30"/>
      <geom type="box" size="0.1 0.05 0.02" pos="0.02 0 0.1" euler="0.3 0.2 0"/>
      <body name="finger" pos="0.2 0 0">
        <joint name="curl" axis="0 1 0" range="-1 1.5"/>
        <geom type="capsule" size="0.01 0.04" pos="0 0 0.05"/>
      </body>
      <body name="thumb" pos="0 0.2 0">
        <joint name="bend" axis="1 0 0"/>
        <geom type="capsule" size="0.01 0.04" pos="0 0 0.05"/>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="cord">
    <joint joint="curl" coef="2"/><joint joint="bend" coef="-1"/></fixed></tendon>
  <equality><tendon tendon1="cord" polycoef="0 0 0 0 0"/></equality>
</mujoco>
"""
