"""What a drawing's edges are like: how often they cross, how often they bend, how long they are.

A route is a list of points; pieces between them are straight. Two routes cross where one gets to
the other side of the other. Touching is no crossing, and running on one line for a while is one
only where they leave it on different sides; that is what `min_crossings` is for. What is counted
are places: where edges of one tensor share a line, all of them cross another one at one place.
"""

import collections
import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence

Point = tuple[float, float]
Route = Sequence[Point]

# Pixels. Less than what anybody sees: what is nearer than this lies on one line.
NEAR = 1e-6
# Places are told apart by pixels. Coordinates are often whole or half ones; pixels don't begin
# there, so that a shift by next to nothing doesn't move a place into the next one.
OFF_RASTER = 0.27


@dataclasses.dataclass(frozen=True)
class Edge:
    """`flow` is the same for edges that may share a line: one tensor on its way to many readers."""

    source: int
    target: int
    flow: object
    route: Route


@dataclasses.dataclass
class Quality:
    crossings: int = 0
    # Between edges that share an end box: an order of ports that could be better.
    crossings_at_ends: int = 0
    bends: int = 0
    length: float = 0.0


def cleaned(route: Route) -> list[Point]:
    """Without points that are not needed: repeated ones, and those on a straight line."""
    result: list[Point] = []
    for point in route:
        if result and math.dist(result[-1], point) <= NEAR:
            continue
        if len(result) > 1 and is_straight(result[-2], result[-1], point):
            result.pop()
        result.append(tuple(point))
    return result


def is_straight(a: Point, b: Point, c: Point) -> bool:
    """Whether the way from a over b to c goes on in the same direction, to a tenth of a degree."""
    first, second = math.atan2(b[1] - a[1], b[0] - a[0]), math.atan2(c[1] - b[1], c[0] - b[0])
    turn = abs(first - second)
    return min(turn, 2 * math.pi - turn) < math.radians(0.1)


def pieces(route: Route) -> Iterator[tuple[Point, Point]]:
    return itertools.pairwise(route)


def measure(edges: list[Edge]) -> Quality:
    quality = Quality()
    routes = [cleaned(edge.route) for edge in edges]
    for route in routes:
        quality.bends += max(0, len(route) - 2)
        quality.length += sum(math.dist(a, b) for a, b in pieces(route))
    places: collections.Counter = collections.Counter()
    places_at_ends: collections.Counter = collections.Counter()
    for first, second in near_pairs(routes):
        a, b = edges[first], edges[second]
        if a.flow == b.flow:
            continue
        flows = frozenset((a.flow, b.flow))
        found = collections.Counter(
            (flows, math.floor(x + OFF_RASTER), math.floor(y + OFF_RASTER))
            for x, y in min_crossings(routes[first], routes[second])
        )
        has_common_box = {a.source, a.target} & {b.source, b.target}
        counts = places_at_ends if has_common_box else places
        for place, count in found.items():
            counts[place] = max(counts[place], count)
    quality.crossings, quality.crossings_at_ends = places.total(), places_at_ends.total()
    return quality


# --- Which routes come near each other -------------------------------------------------------


def near_pairs(routes: list[list[Point]]) -> list[tuple[int, int]]:
    """Pairs of routes of which two pieces meet, by a grid of cells about as large as a piece."""
    segments = [
        (index, a, b) for index, route in enumerate(routes) for a, b in pieces(route) if a != b
    ]
    if not segments:
        return []
    total = sum(math.dist(a, b) for _, a, b in segments)
    cell = max(total / len(segments), 1.0)
    grid: dict[tuple[int, int], list[int]] = collections.defaultdict(list)
    for number, (_, a, b) in enumerate(segments):
        for key in cells(a, b, cell):
            grid[key].append(number)
    found = set()
    for numbers in grid.values():
        for one, other in itertools.combinations(numbers, 2):
            first, second = segments[one], segments[other]
            pair = (first[0], second[0])
            if pair[0] != pair[1] and pair not in found and meet(first[1:], second[1:]):
                found.add(pair)
    return sorted(found)


def cells(a: Point, b: Point, cell: float) -> Iterator[tuple[int, int]]:
    """The cells that a piece goes through, row by row, those at their borders included."""
    (x0, y0), (x1, y1) = sorted((a, b), key=lambda point: point[1])
    for row in range(math.floor((y0 - NEAR) / cell), math.floor((y1 + NEAR) / cell) + 1):
        if y1 - y0 <= NEAR:
            left, right = x0, x1
        else:
            top, bottom = max(y0, row * cell), min(y1, (row + 1) * cell)
            left = x0 + (x1 - x0) * (top - y0) / (y1 - y0)
            right = x0 + (x1 - x0) * (bottom - y0) / (y1 - y0)
        left, right = min(left, right), max(left, right)
        for column in range(
            math.floor((left - NEAR) / cell), math.floor((right + NEAR) / cell) + 1
        ):
            yield column, row


def turn(a: Point, b: Point, c: Point) -> float:
    """Above 0 where c is to the left of the way from a to b; the distance from it, times |ab|."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def meet(first: tuple[Point, Point], second: tuple[Point, Point]) -> bool:
    """Whether two pieces have a point in common, their ends included."""
    (a, b), (c, d) = first, second
    if (
        max(a[0], b[0]) < min(c[0], d[0]) - NEAR
        or max(c[0], d[0]) < min(a[0], b[0]) - NEAR
        or max(a[1], b[1]) < min(c[1], d[1]) - NEAR
        or max(c[1], d[1]) < min(a[1], b[1]) - NEAR
    ):
        return False
    slack = NEAR * max(math.dist(a, b), math.dist(c, d))
    sides_of_first = turn(a, b, c), turn(a, b, d)
    sides_of_second = turn(c, d, a), turn(c, d, b)
    return all(
        min(sides) <= slack and max(sides) >= -slack for sides in (sides_of_first, sides_of_second)
    )


# --- How often two routes cross --------------------------------------------------------------

# A route is shifted by less than anything in the picture, so that none of its points lies on the
# other one. A touch becomes no crossing or two, a shared line one more or one less than it is; of
# the four directions the fewest are what a person sees.
SHIFTS = ((1.0, 0.61), (-1.0, 0.59), (0.57, -1.0), (-0.63, -1.0))
SHIFT = 1e-4


def min_crossings(first: Route, second: Route) -> list[Point]:
    return min(
        (
            crossings([(x + dx * SHIFT, y + dy * SHIFT) for x, y in first], second)
            for dx, dy in SHIFTS
        ),
        key=len,
    )


def crossings(first: Route, second: Route) -> list[Point]:
    """Where two routes cross none of whose points lies on the other."""
    found = []
    for a, b in pieces(first):
        for c, d in pieces(second):
            c_side, d_side = turn(a, b, c), turn(a, b, d)
            if (c_side > 0) != (d_side > 0) and ((turn(c, d, a) > 0) != (turn(c, d, b) > 0)):
                part = c_side / (c_side - d_side)
                found.append((c[0] + (d[0] - c[0]) * part, c[1] + (d[1] - c[1]) * part))
    return found
