"""The counter of crossings, on drawings small enough to count by eye, and beside brute force."""

import itertools
import random

import pytest
import routes


def edge(number: int, *route: tuple[float, float]) -> routes.Edge:
    return routes.Edge(2 * number, 2 * number + 1, number, route)


def crossings_of(*lines: list[tuple[float, float]]) -> int:
    return routes.measure([edge(i, *line) for i, line in enumerate(lines)]).crossings


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        pytest.param([(0, 0), (10, 10)], [(0, 10), (10, 0)], 1, id="an X"),
        pytest.param([(0, 0), (0, 10)], [(-5, 5), (5, 5)], 1, id="a plus"),
        pytest.param([(0, 0), (0, 10)], [(0, 5), (5, 5)], 0, id="a T touches"),
        pytest.param([(0, 0), (0, 10)], [(1, 0), (1, 10)], 0, id="parallel"),
        pytest.param([(0, 0), (0, 10)], [(5, 0), (0, 5), (5, 10)], 0, id="a corner touches"),
        pytest.param([(0, 0), (0, 10)], [(-5, 0), (0, 5), (5, 10)], 1, id="through a corner"),
        pytest.param(
            [(0, 0), (5, 5), (0, 10)], [(10, 0), (5, 5), (10, 10)], 0, id="two corners touch"
        ),
        pytest.param(
            [(0, 0), (5, 5), (10, 0)], [(0, 10), (5, 5), (5, -5)], 1, id="corners that cross"
        ),
        pytest.param(
            [(0, 0), (0, 30)],
            [(5, 0), (5, 10), (0, 10), (0, 20), (5, 20), (5, 30)],
            0,
            id="a line shared for a while, left on the same side",
        ),
        pytest.param(
            [(0, 0), (0, 30)],
            [(-5, 0), (-5, 10), (0, 10), (0, 20), (5, 20), (5, 30)],
            1,
            id="a line shared for a while, left on the other side",
        ),
        pytest.param(
            [(0, 0), (0, 40)],
            [(-5, 5), (5, 5), (5, 15), (-5, 15), (-5, 25), (5, 25)],
            3,
            id="back and forth",
        ),
        pytest.param([(0, 0), (0, 100000)], [(-9, 77777), (9, 77777)], 1, id="a long line"),
        pytest.param([(0, 0), (0, 0), (0, 10)], [(-5, 5), (5, 5)], 1, id="a point twice"),
    ],
)
def test_two_routes(first, second, count):
    assert crossings_of(first, second) == count
    assert crossings_of(second, first) == count
    assert crossings_of(first[::-1], second) == count
    assert crossings_of([(y, x) for x, y in first], [(y, x) for x, y in second]) == count


def test_edges_with_a_common_box_are_counted_apart():
    one = routes.Edge(0, 1, "a", [(0, 0), (10, 10)])
    other = routes.Edge(0, 2, "b", [(5, 0), (5, 10)])
    quality = routes.measure([one, other])
    assert (quality.crossings, quality.crossings_at_ends) == (0, 1)


def test_edges_of_one_tensor_do_not_cross():
    one = routes.Edge(0, 1, "a", [(0, 0), (10, 10)])
    other = routes.Edge(2, 3, "a", [(5, 0), (5, 10)])
    quality = routes.measure([one, other])
    assert (quality.crossings, quality.crossings_at_ends) == (0, 0)


def test_a_shared_line_is_crossed_once():
    trunk = [
        routes.Edge(0, reader, "a", [(0, 0), (0, 50), (9 * reader, 50)]) for reader in (1, 2, 3)
    ]
    other = routes.Edge(4, 5, "b", [(-9, 20), (9, 20)])
    assert routes.measure([*trunk, other]).crossings == 1
    apart = [routes.Edge(0, reader, "a", [(reader, 0), (reader, 50)]) for reader in (1, 2, 3)]
    assert routes.measure([*apart, other]).crossings == 3


def test_bends_and_length():
    quality = routes.measure([edge(0, (0, 0), (0, 5), (0, 10), (10, 10), (10, 20))])
    assert quality.bends == 2
    assert quality.length == 30


def test_an_edge_does_not_cross_itself():
    loop = [(0, 0), (10, 0), (10, 10), (5, 10), (5, -5)]
    assert crossings_of(loop) == 0


def test_no_edges():
    assert routes.measure([]) == routes.Quality()


def test_routes_without_points():
    assert routes.measure([edge(0), edge(1, (3, 4))]) == routes.Quality()


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("step", [0.37, 10.0])
def test_the_grid_misses_nothing(seed, step):
    """Random routes, in any direction and right-angled on a coarse raster that makes them touch."""
    chance = random.Random(seed)  # noqa: S311
    lines = []
    for _ in range(25):
        x, y = chance.randrange(40) * step, chance.randrange(40) * step
        line = [(x, y)]
        for piece in range(chance.randrange(1, 6)):
            if step == 10.0:
                if piece % 2 == 0:
                    y += chance.randrange(-9, 10) * step
                else:
                    x += chance.randrange(-9, 10) * step
            else:
                x, y = chance.uniform(0, 20), chance.uniform(0, 20)
            line.append((x, y))
        lines.append(routes.cleaned(line))
    expected = sum(len(routes.min_crossings(a, b)) for a, b in itertools.combinations(lines, 2))
    assert crossings_of(*lines) == expected
    assert expected > 0
