"""Outlines and rows of pictures, which pages without SciPy draw too, agree with SciPy."""

import numpy as np
import pytest
from scipy.optimize import isotonic_regression
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from torseur.report.drawing.layers import _rising
from torseur.report.viewer.embedded import poses
from torseur.spatial.hulls import outline


@pytest.mark.parametrize("count", [3, 4, 7, 50])
@pytest.mark.parametrize("decimals", [1, 12])
def test_an_outline_has_the_corners_of_the_convex_hull_in_order(count, decimals):
    rng = np.random.default_rng(count)
    for _ in range(20):
        points = rng.normal(size=(count, 2)).round(decimals)
        expected = points[ConvexHull(points).vertices]
        corners = outline(points)
        start = np.flatnonzero((corners == expected[0]).all(axis=1))[0]
        np.testing.assert_array_equal(np.roll(corners, -start, axis=0), expected)


def test_points_on_one_line_stay_as_they_are():
    line = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]])
    np.testing.assert_array_equal(outline(line), line)


def test_rising_numbers_are_the_isotonic_regression():
    rng = np.random.default_rng(2)
    for count in (1, 2, 9, 40):
        numbers = rng.normal(size=count).round(1)
        np.testing.assert_allclose(_rising(numbers), isotonic_regression(numbers).x, atol=1e-12)


def test_poses_of_a_page_have_the_attitudes_of_the_frames_without_jumps():
    turns = Rotation.from_rotvec(np.linspace(0, 9, 60)[:, None] * [0.3, -0.5, 0.8])
    frames = {"a": (turns.as_matrix(), np.zeros((60, 3)))}
    quaternions = poses(frames)[:, 0, 3:]
    np.testing.assert_allclose(
        Rotation.from_quat(quaternions).as_matrix(), turns.as_matrix(), atol=1e-12
    )
    assert (np.abs(np.diff(quaternions, axis=0)) < 0.2).all()
