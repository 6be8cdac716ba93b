"""Poses of SDF, each relative to another one by name, in the frame of the world."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import final

import numpy as np

from torseur.errors import unknown
from torseur.language.robot.numbers import rpy_matrix, several
from torseur.language.robot.parts import Array
from torseur.language.robot.xml_tree import Element
from torseur.spatial import quaternion
from torseur.words.sentence import say

MODEL = "__model__"


def own_pose(element: Element) -> Array:
    """The pose that an element gives, relative to what it names (4 × 4)."""
    pose = element.first("pose")
    X = np.eye(4)
    if pose is None or not pose.text:
        return X
    if pose.get("rotation_format") == "quat_xyzw":
        values = [float(x) for x in several(pose, "pose", pose.text, 7)]
        x, y, z, w = np.array(values[3:]) / np.linalg.norm(values[3:])
        X[:3, :3] = quaternion.matrix(np.array([w, x, y, z]))
    else:
        values = [float(x) for x in several(pose, "pose", pose.text, 6)]
        degrees = pose.get("degrees") in ("true", "1")
        X[:3, :3] = rpy_matrix([math.radians(x) if degrees else x for x in values[3:]])
    X[:3, 3] = values[:3]
    return X


@final
class Poses:
    """The frames of a model: links, joints and named frames, found when they are asked for."""

    def __init__(self, model: Element) -> None:
        self.model = model
        self.elements = {
            child.get("name"): child
            for tag in ("link", "joint", "frame")
            for child in model.all(tag)
        }
        self.found: dict[str, Array] = {"world": np.eye(4), MODEL: own_pose(model)}
        self.open: list[str] = []

    def of(self, name: str, at: Element) -> Array:
        """The pose of a frame in the world."""
        if name in self.found:
            return self.found[name]
        element = self.elements.get(name)
        if element is None:
            raise unknown(at.place, "frame", name, {*self.elements, MODEL, "world"})
        if name in self.open:
            names = " → ".join([*self.open[self.open.index(name) :], name])
            raise element.fault(
                say("poses are relative to each other in a circle: {names}.", names)
            )
        self.open.append(name)
        self.found[name] = self.of(self._base(element), element) @ own_pose(element)
        self.open.pop()
        return self.found[name]

    def _base(self, element: Element) -> str:
        """What a pose is relative to: what it says, what it is attached to, a child, the model."""
        pose = element.first("pose")
        if pose is not None and pose.get("relative_to"):
            return pose.get("relative_to")
        if element.tag == "joint":
            return text_of(element, "child")
        return element.get("attached_to") or MODEL


def text_of(element: Element, tag: str) -> str:
    """The text of a child that must be there."""
    child = element.first(tag)
    if child is None or not child.text:
        raise element.fault(
            say('<{element}> "{name}" has no <{tag}>.', element.tag, element.get("name"), tag)
        )
    return child.text


def relative(X_WA: Array, X_WB: Array) -> Mapping[str, Array]:
    """The position and rotation of B in A."""
    R = X_WA[:3, :3].T
    return {"p": R @ (X_WB[:3, 3] - X_WA[:3, 3]), "R": R @ X_WB[:3, :3]}
