"""Exercises: the problems of the bank, their answers, hints and marks.

Written by `make format` from `public_names.py`.
"""

from torseur.report.dossier.exercise_sheet import handout as handout
from torseur.teach.exercises.answer_checking import Reply as Reply
from torseur.teach.exercises.answer_checking import check as check
from torseur.teach.exercises.answer_checking import solution as solution
from torseur.teach.exercises.cases import data as data
from torseur.teach.exercises.cases import hints as hints
from torseur.teach.exercises.class_grades import ClassGrades as ClassGrades
from torseur.teach.exercises.class_grades import grade as grade
from torseur.teach.exercises.exercise_entries import Exercise as Exercise
from torseur.teach.exercises.exercise_reading import folder as folder
from torseur.teach.exercises.exercise_reading import load as load
from torseur.teach.exercises.exercise_reading import names as names
from torseur.teach.exercises.marks import MarkSheet as MarkSheet
from torseur.teach.exercises.marks import goals as goals
from torseur.teach.exercises.marks import marks as marks
from torseur.teach.exercises.what_if import WhatIf as WhatIf
from torseur.teach.exercises.what_if import what_if as what_if
