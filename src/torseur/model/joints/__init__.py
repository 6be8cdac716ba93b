"""The joints (liaisons): what each lets move and what each can carry.

A joint is one declaration: its fields, names, words, keys and elementary freedoms (`library`). All
else follows from them (`composed`). A rod, a joint of the user's own and a joint crossed backwards
answer the same questions (`protocol`) by methods.
"""

from torseur.model.joints.catalogue import JOINTS as JOINTS
from torseur.model.joints.catalogue import add_joint as add_joint
from torseur.model.joints.catalogue import joint_class as joint_class
from torseur.model.joints.catalogue import remove_joint as remove_joint
from torseur.model.joints.protocol import JointType as JointType
