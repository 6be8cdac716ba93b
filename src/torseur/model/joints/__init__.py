"""The joints (liaisons): what each lets move and what each can carry.

A joint type is one file. It answers seven questions: the pose X_FM of its second frame in its
first, the subspace S of free motions, the apparent derivative of S, the subspace T of reactions,
the gap between a pose and those it allows, the rates of its coordinates, and its names.
"""

from torseur.model.joints.catalogue import JOINTS as JOINTS
from torseur.model.joints.catalogue import joint_class as joint_class
from torseur.model.joints.protocol import JointType as JointType
