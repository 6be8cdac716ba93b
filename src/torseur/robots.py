"""Robots: files and tables of joints read, trajectories, motors of a task, smaller models."""

from torseur.door import open_namespace
from torseur.language.dh import from_dh as from_dh
from torseur.language.load import load_robot as load
from torseur.robotics.inverse import TaskEfforts as TaskEfforts
from torseur.robotics.inverse import inverse as inverse
from torseur.robotics.inverse_kinematics import inverse_kinematics as inverse_kinematics
from torseur.robotics.joint_paths import quintic as quintic
from torseur.robotics.joint_paths import spline as spline
from torseur.robotics.joint_paths import trapezoidal as trapezoidal
from torseur.robotics.joint_paths import within_limits as within_limits
from torseur.robotics.motor_coordinates import motor_equations as motor_equations
from torseur.robotics.motor_sheet import MotorSheet as MotorSheet
from torseur.robotics.motor_sheet import motor_sheet as motor_sheet
from torseur.robotics.reduced import ReducedModel as ReducedModel
from torseur.robotics.reduced import reduced as reduced
from torseur.robotics.shortest_time import shortest_time as shortest_time
from torseur.robotics.states import workspace as workspace
from torseur.robotics.task_paths import circle as circle
from torseur.robotics.task_paths import line as line
from torseur.robotics.term_sizes import term_sizes as term_sizes
from torseur.robotics.trajectory import Trajectory as Trajectory
from torseur.robotics.trajectory import read_trajectory as read_trajectory

__all__ = open_namespace(globals())
