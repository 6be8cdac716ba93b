"""Robots: files, joint tables, workspaces, tasks, motors, identification.

Written by `make format` from `public_names.py`.
"""

from torseur.language.attaching import attach as attach
from torseur.language.dh import from_dh as from_dh
from torseur.language.load import load_robot as load
from torseur.robotics.identification.base_parameters import BaseParameters as BaseParameters
from torseur.robotics.identification.base_parameters import base_parameters as base_parameters
from torseur.robotics.identification.consistency import ConsistentEstimate as ConsistentEstimate
from torseur.robotics.identification.consistency import consistent_estimate as consistent_estimate
from torseur.robotics.identification.excitation import Excitation as Excitation
from torseur.robotics.identification.excitation import excite as excite
from torseur.robotics.identification.filtering import Filtering as Filtering
from torseur.robotics.identification.identification import Identification as Identification
from torseur.robotics.identification.identify import identify as identify
from torseur.robotics.identification.identify import validate as validate
from torseur.robotics.identification.logs import Log as Log
from torseur.robotics.identification.logs import read_log as read_log
from torseur.robotics.identification.payload import Payload as Payload
from torseur.robotics.identification.payload import identify_payload as identify_payload
from torseur.robotics.inverse import TaskEfforts as TaskEfforts
from torseur.robotics.inverse import inverse as inverse
from torseur.robotics.inverse_kinematics import inverse_kinematics as inverse_kinematics
from torseur.robotics.joint_paths import quintic as quintic
from torseur.robotics.joint_paths import spline as spline
from torseur.robotics.joint_paths import trapezoidal as trapezoidal
from torseur.robotics.motor_coordinates import motor_equations as motor_equations
from torseur.robotics.motor_sheet import MotorSheet as MotorSheet
from torseur.robotics.motor_sheet import motor_sheet as motor_sheet
from torseur.robotics.motor_sheet import shortest_time as shortest_time
from torseur.robotics.reduced_model import ReducedModel as ReducedModel
from torseur.robotics.reduced_model import reduced as reduced
from torseur.robotics.singular_places import singular_places as singular_places
from torseur.robotics.states import anywhere as anywhere
from torseur.robotics.task_paths import circle as circle
from torseur.robotics.task_paths import line as line
from torseur.robotics.term_sizes import term_sizes as term_sizes
from torseur.robotics.timing.blends import blended as blended
from torseur.robotics.timing.scaled_time import within_limits as within_limits
from torseur.robotics.timing.time_optimal import TimeOptimal as TimeOptimal
from torseur.robotics.timing.time_optimal import time_optimal as time_optimal
from torseur.robotics.trajectory import Trajectory as Trajectory
from torseur.robotics.trajectory import read_trajectory as read_trajectory
from torseur.robotics.workspace import workspace as workspace
