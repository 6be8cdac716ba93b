"""Roles of rows by the modes of elements, and the islands of the rows that act.

Speeds are joined by inertia, by rows that act and by loads of friction, at whatever place the
mechanism is. Rows of different islands have nothing to do with each other.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def write_roles(model, role):
    """role ← what rows do in the modes of the table; normals that give impulses back give them."""
    for i in range(model.rows):
        role[i] = model.every_role[i] if model.own[i] == 1.0 else at.OFF
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        mode, normal = element[at.MODE], whole(element[at.NORMAL])
        if normal >= 0 and mode != at.OPEN:
            role[normal] = at.HELD
        if mode != at.OPEN:
            for k in range(whole(element[at.COUNT])):
                role[row_of(element, k)] = at.HELD if mode == at.STICK else at.RESISTED
    write_lawful(model, role)


@apart
def write_lawful(model, role):
    """role ← of the rows whose forces laws give."""
    for law in range(model.laws):
        row = whole(model.law_row[law])
        if row >= 0:
            role[row] = at.LAWFUL if model.laws_act[0] == 1.0 else at.OFF


@apart
def adopt_modes(model):
    """Rows have the roles of the modes of the table, and islands follow; no speed is still."""
    write_roles(model, model.role)
    part_rows(model)
    for e in range(model.elements):
        if model.gives[e] == 1.0:
            model.role[whole(model.element[e * at.WIDTH + at.NORMAL])] = at.RETURNED
    for k in range(model.speeds):
        model.still[k] = 0.0


@apart
def adopt_all(model):
    """Every row that is not idle acts, and islands follow."""
    copy(model.rows, model.every_role, model.role)
    write_lawful(model, model.role)
    part_rows(model)


@apart
def part_rows(model):
    """islands, order, first and part ← of the rows that act."""
    part, role, first, count = model.part, model.role, model.first, 0
    join_speeds(model, role, model.island)
    for k in range(model.speeds):
        least = whole(model.island[k])
        part[k] = count if least == k else part[least]
        count += least == k
    model.islands[0] = count
    for c in range(count + 1):
        first[c] = 0.0
    for i in range(model.rows):
        if role[i] != at.OFF:
            first[_part_of(model, i)] += 1.0
    for c in range(count):  # where each ends, then where each starts
        first[c + 1] += first[c]
    for i in range(model.rows - 1, -1, -1):
        if role[i] != at.OFF:
            row_part = _part_of(model, i)
            first[row_part] -= 1.0
            model.order[whole(first[row_part])] = i


@apart
def _part_of(model, row):
    """The island of a row; one that moves nothing, though joints may feel it, is in the first."""
    if model.path_count[row] == 0.0:
        return 0
    return whole(model.part[whole(model.path[row * model.speeds])])


@apart
def join_acting(model):
    """island ← of each speed, if the elements that act stick, as rows of the mechanism itself do.

    tried_role ← roles of all rows then.
    """
    role = model.tried_role
    for i in range(model.rows):
        role[i] = model.every_role[i] if model.own[i] == 1.0 else at.OFF
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if model.acts[e] == 1.0:
            for k in range(-1, whole(element[at.COUNT])):
                row = whole(element[at.NORMAL]) if k < 0 else row_of(element, k)
                if row >= 0:
                    role[row] = at.HELD
    write_lawful(model, role)
    join_speeds(model, role, model.island)


@apart
def first_row(element):
    """The first row of an element."""
    return whole(element[at.NORMAL] if element[at.NORMAL] >= 0.0 else element[at.FIRST])


@apart
def joined_island(model, row):
    """The island of a row; one that moves nothing is in the first."""
    if model.path_count[row] == 0.0:
        return 0
    return whole(model.island[whole(model.path[row * model.speeds])])


@apart
def join_speeds(model, role, island):
    """island ← the first of the speeds that inertia, rows with a role or loads join to each."""
    n, acts, unmoved, parted = model.speeds, False, False, False
    copy(n, model.start, island)
    for k in range(n):
        parted = parted or island[k] > 0.0
    if not parted:
        return
    for i in range(model.rows):
        if role[i] != at.OFF:
            nodes = address(model.path, i * n)
            acts, unmoved = True, unmoved or model.path_count[i] == 0.0
            for m in range(1, whole(model.path_count[i])):
                _unite(n, island, island[whole(nodes[0])], island[whole(nodes[m])])
    if not acts:
        return
    for e in range(model.described):
        _tie(model, role, island, e)
    if model.tied_all[0] == 1.0 or (unmoved and model.loads > 0):
        for k in range(n):
            island[k] = 0.0


@apart
def _unite(n, island, one, other):
    """Two labels of islands become the smaller one."""
    if one != other:
        least, most = min(one, other), max(one, other)
        for k in range(n):
            if island[k] == most:
                island[k] = least


@apart
def _tie(model, role, island, e):
    """The rows that act of one element and of its load, and the speeds of that, are joined."""
    n, label = model.speeds, -1.0
    for i in range(model.rows):
        acts = model.tied[e * model.rows + i] == 1.0 and role[i] != at.OFF
        if acts and model.path_count[i] > 0.0:
            root = island[whole(model.path[i * n])]
            _unite(n, island, root, label if label >= 0.0 else root)
            label = min(root, label) if label >= 0.0 else root
    for k in range(n):
        if model.tied_speed[e * n + k] == 1.0:
            root = island[k]
            _unite(n, island, root, label if label >= 0.0 else root)
            label = min(root, label) if label >= 0.0 else root
