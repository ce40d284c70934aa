"""What the measurements of a MoE layer say about the decoder model: plain Python, no GPU needed.

The model of one layer of a decode step is  t = a * (layerExperts + U + requestExperts * B)  with U distinct experts and B
requests. A least-squares fit of  t = c0 + c1 * U + c2 * B  gives a = c1, layerExperts = c0 / c1, requestExperts = c2 / c1.
"""

import json
import math
import random

FORMAT = "eldr-model-constants-v1"


class BadInput(Exception):
    """Input that cannot be measured or fitted; the message says which."""


def routing(batch, top_k, active, seed):
    """For each of `batch` tokens `top_k` different experts below `active`, which together are all of them.

    Experts are dealt in rounds of a shuffled deck, so that every one is used about equally often.
    """
    if not 1 <= top_k <= active:
        raise BadInput(f"{active} active experts are fewer than the {top_k} of one token")
    if batch * top_k < active:
        raise BadInput(f"{batch} tokens x {top_k} experts cannot reach {active} different experts")
    rng = random.Random(seed)
    deck, rows = [], []
    for _ in range(batch):
        row = []
        while len(row) < top_k:
            if not deck:
                deck = list(range(active))
                rng.shuffle(deck)
            place = next((i for i, expert in enumerate(deck) if expert not in row), None)
            if place is None:
                # What is left of the deck is in this row already: the next round begins.
                fresh = list(range(active))
                rng.shuffle(fresh)
                deck.extend(fresh)
                continue
            row.append(deck.pop(place))
        rows.append(row)
    return rows


def points(batches, actives, top_k):
    """The pairs (batch, active experts) that can be measured."""
    return [(b, u) for b in batches for u in actives if top_k <= u <= b * top_k]


def fit(measured):
    """c0, c1, c2 of t = c0 + c1 * U + c2 * B over rows {batch, active, micros}, and the R2 of it."""
    if len({(row["batch"], row["active"]) for row in measured}) < 4:
        raise BadInput("at least 4 different points are needed for 3 constants")
    rows = [(1.0, float(row["active"]), float(row["batch"])) for row in measured]
    times = [float(row["micros"]) for row in measured]
    if not all(math.isfinite(t) and t > 0 for t in times):
        raise BadInput("every time must be finite and above 0")
    solution = solve(
        [[sum(r[i] * r[j] for r in rows) for j in range(3)] for i in range(3)],
        [sum(r[i] * t for r, t in zip(rows, times)) for i in range(3)],
    )
    mean = sum(times) / len(times)
    total = sum((t - mean) ** 2 for t in times)
    rest = sum((t - sum(c * x for c, x in zip(solution, r))) ** 2 for r, t in zip(rows, times))
    return solution, 1 - rest / total if total > 0 else 1.0


def solve(matrix, right):
    """Gauss with pivots."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        if abs(rows[pivot][i]) < 1e-12 * max(1.0, max(abs(x) for row in matrix for x in row)):
            raise BadInput("the points do not tell U and B apart: vary both")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    solution = [0.0] * n
    for i in reversed(range(n)):
        solution[i] = (rows[i][n] - sum(rows[i][j] * solution[j] for j in range(i + 1, n))) / rows[i][i]
    return solution


def to_json(name, layers, experts, top_k, measured, how):
    """The file that `./eldr simulate --constants` reads: what it does not name stays the simulator's own."""
    (c0, c1, c2), r2 = fit(measured)
    if c1 <= 0:
        raise BadInput(f"an active expert costs {c1:.3f} us: these times do not grow with the active experts")
    return json.dumps(
        {
            "format": FORMAT,
            "name": name,
            "layers": layers,
            "experts": experts,
            "topK": top_k,
            "expertMicros": c1,
            "layerExperts": max(0.0, c0 / c1),
            "requestExperts": max(0.0, c2 / c1),
            "fit": {"r2": r2, "intercept": c0, "perExpert": c1, "perRequest": c2},
            "how": how,
            "measured": measured,
        },
        indent=2,
    )
