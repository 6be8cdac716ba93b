"""Parts of a mechanism that stand still: rows that hold leave them no freedom."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.negligible import RANK, RESTING
from torseur.machine.runtime.long_vectors import dot
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def write_still(model, v):
    """still ← 1 for speeds of parts at rest that the rows which hold leave no freedom; v ← 0 there.

    Speeds belong to one part where inertia or a row that acts joins them, at whatever place the
    mechanism is. What time moves is not at rest. Parts that sticking holds stay exactly.
    """
    for island in range(whole(model.islands[0])):
        if _rests(model, island, v):
            rows, columns = _write_rows(model, island)
            if columns <= rows and _rank(model.held_columns, rows, columns, model.rows) == columns:
                for k in range(model.speeds):
                    if whole(model.part[k]) == island:
                        model.still[k], v[k] = 1.0, 0.0


@apart
def _rests(model, island, v):
    """Whether no speed of an island is one, and nothing that time moves holds it."""
    for k in range(model.speeds):
        fast = abs(v[k]) * model.reach[k] > RESTING * model.pace
        if whole(model.part[k]) == island and fast:
            return False
    for k in range(whole(model.first[island]), whole(model.first[island + 1])):
        i = whole(model.order[k])
        if model.role[i] == at.HELD and model.driven[i] == 1.0:
            return False
    return True


@apart
def _write_rows(model, island):
    """Write J of the rows that hold an island, dimensionless, by columns; return both counts."""
    n, count, columns = model.speeds, 0, 0
    for k in range(n):
        if whole(model.part[k]) == island:
            count = 0
            for m in range(whole(model.first[island]), whole(model.first[island + 1])):
                i = whole(model.order[m])
                if model.role[i] == at.HELD and model.path_count[i] > 0.0:
                    entry = model.J[i * n + k] * model.fineness[i] / model.reach[k]
                    model.held_columns[columns * model.rows + count] = entry
                    count += 1
            columns += 1
    return count, columns


@apart
def _rank(X, rows, columns, stride):
    """Rank of the columns of a matrix; the largest that is left is taken first."""
    for k in range(columns):
        best, size = k, -1.0
        for j in range(k, columns):
            column = address(X, j * stride)
            square = dot(rows, column, column)
            if square > size:
                best, size = j, square
        if not size > RANK * RANK:
            return k
        column, other = address(X, k * stride), address(X, best * stride)
        for i in range(rows):
            column[i], other[i] = other[i], column[i]
        for j in range(k + 1, columns):
            rest = address(X, j * stride)
            part = dot(rows, column, rest) / size
            for i in range(rows):
                rest[i] -= part * column[i]
    return columns
