"""Pictures of a map in which colors say numbers: every space, the ends of the scale, what is not known."""

import math
import random
import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from arena import catalog
from arena.boards.colors import ABOVE, BELOW, MORE, STEPS, ColorScale, scale_of, ticks
from arena.boards.drawing import NOT_KNOWN, Heat, draw
from arena.boards.marks import COLORS, LIGHT, PAPER
from arena.boards.spec import City, MapSpec, Route

SVG = "{http://www.w3.org/2000/svg}"
NAN, INF = math.nan, math.inf


@pytest.fixture(params=catalog.map_names())
def spec(request: pytest.FixtureRequest) -> MapSpec:
    return catalog.load_map(request.param)


@pytest.fixture
def usa() -> MapSpec:
    return catalog.load_map("usa")


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def routes(spec: MapSpec, values: list[float] | None = None, middle: float | None = None) -> Heat:
    """Numbers from 0 to 1, some of them given."""
    chance = random.Random(1)
    found = [0.1 + 0.8 * chance.random() for _ in spec.routes]
    found[: len(values or [])] = values or []
    return Heat("How often", found, None, percent, middle)


def parsed(spec: MapSpec, heat: Heat, small: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(draw(spec, heat, small))


def tracks(root: ElementTree.Element) -> list[tuple[str, list[str]]]:
    """The tooltip of each track, and the colors of its spaces."""
    return [
        (title, colors_on(group))
        for group in root.iter(f"{SVG}g")
        if (title := group.findtext(f"{SVG}title")) is not None
    ]


def colors_on(track: ElementTree.Element) -> list[str]:
    """Of the spaces, which one path goes around after that of their bed."""
    _, boxes = [path for path in track.iter(f"{SVG}path") if path.get("fill")]
    assert boxes.get("d", "").count("M") == boxes.get("d", "").count("z")
    return [boxes.get("fill", "")] * boxes.get("d", "").count("M")


def colors_of(root: ElementTree.Element) -> set[str]:
    return {color for _, colors in tracks(root) for color in colors}


def texts(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def legend_has_unknown(root: ElementTree.Element) -> bool:
    return NOT_KNOWN in texts(root)


def lightness(color: str) -> float:
    """CIE L* of a color: 0 to 100."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(color[digit : digit + 2], 16) / 255 for digit in (1, 3, 5))
    ]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * math.cbrt(luminance) - 16


@pytest.mark.parametrize("small", [False, True])
def test_every_space_has_the_color_of_its_route(spec: MapSpec, small: bool) -> None:
    """One box a space; tracks beside each other each have their own number; two places never coincide."""
    chance = random.Random(2)
    values = [chance.random() for _ in spec.routes]
    heat = Heat("How often", values, None, repr)
    root = parsed(spec, heat, small)
    found = dict(tracks(root))
    scale = scale_of(values)
    assert scale is not None
    for route, value in zip(spec.routes, values, strict=True):
        kind = "bullet" if route.bullet else route.color
        assert found.pop(f"{route}: {route.length} {kind}\n{value!r}") == route.length * [scale.color(value)]
    assert found == {}
    places = [group.get("transform") for group in root.iter(f"{SVG}g") if group.findtext(f"{SVG}title") is not None]
    assert len(places) == len(set(places)) == len(spec.routes)
    for path in root.iter(f"{SVG}path"):
        starts = re.findall(r"M(\S+) ", path.get("d", ""))
        assert len(starts) == len(set(starts))
    assert ("bullet route" in texts(root)) == any(route.bullet for route in spec.routes)
    dots = [dot.get("fill") for dot in root.iter(f"{SVG}circle")]
    assert dots == sum(1 + len(city.also) for city in spec.cities) * [LIGHT]


def test_a_plain_picture_has_every_space_in_its_color(spec: MapSpec) -> None:
    """The same painter without numbers: one box a space, no two tracks on each other, cities, the province mat."""
    root = ElementTree.fromstring(draw(spec))
    found, places = {}, set()
    for group in root.iter(f"{SVG}g"):
        if title := group.findtext(f"{SVG}title"):
            places.add(group.get("transform"))
            (boxes,) = [path for path in group.iter(f"{SVG}path") if path.get("fill")]
            found[title] = (boxes.get("fill"), boxes.get("d", "").count("M"))
    assert len(found) == len({(*route[:2], route.color, route.bullet) for route in spec.routes})
    for route in spec.routes:
        kind = "bullet" if route.bullet else route.color
        assert found[f"{route}: {route.length} {kind}"] == (COLORS[route.color], route.length)
    assert sum(city.name in texts(root) for city in spec.cities) == len(spec.cities)
    assert len(places) == len(spec.routes)
    assert len(list(root.iter(f"{SVG}circle"))) == sum(1 + len(city.also) for city in spec.cities)
    assert root.findtext(f"{SVG}title") == spec.title
    assert spec.title in texts(root)
    assert ("bullet route" in texts(root)) == any(route.bullet for route in spec.routes)
    assert [text for text in texts(root) if text.isdigit()] == [
        str(position + 1) for line in spec.provinces for position in range(line.positions)
    ]


@pytest.mark.parametrize("small", [False, True])
def test_what_must_be_said_of_a_map_is_said(spec: MapSpec, small: bool) -> None:
    """The map's name, its label, and the names of the cities where there is room."""
    root = parsed(spec, routes(spec), small)
    assert spec.title in str(root.findtext(f"{SVG}title"))
    assert spec.label in " ".join(texts(root))
    assert spec.title in " ".join(texts(root))
    assert set(texts(root)).isdisjoint(city.name for city in spec.cities) == small
    if not small:
        assert {city.name for city in spec.cities} <= set(texts(root))


def test_a_label_that_is_too_long_for_a_line_is_said_whole(usa: MapSpec) -> None:
    label = " ".join(f"word{number}" for number in range(60))
    for small in (False, True):
        assert label in " ".join(texts(parsed(replace(usa, label=label), routes(usa), small)))


def test_same_numbers_same_bytes_and_no_ids(spec: MapSpec) -> None:
    """A page may hold several: nothing in them has a name that could stand there twice, nothing runs."""
    heat = routes(spec, [NAN], middle=0.3)
    first = draw(spec, heat)
    assert first == draw(spec, heat)
    root = ElementTree.fromstring(first)
    tags = ("svg", "title", "rect", "text", "g", "path", "circle")
    assert {tag.tag for tag in root.iter()} <= {SVG + tag for tag in tags}
    assert not {name for tag in root.iter() for name in tag.attrib} & {"id", "class", "href", "style", "onload"}
    assert not re.search(r"nan|inf", re.sub(r">[^<]*<", "><", first))


@pytest.mark.parametrize("small", [False, True])
def test_it_scales(usa: MapSpec, small: bool) -> None:
    root = parsed(usa, routes(usa), small)
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    zoom = 1 / 3 if small else 1
    assert float(root.get("width", "")) == pytest.approx(width * zoom, abs=1)
    assert float(root.get("height", "")) == pytest.approx(height * zoom, abs=1)


def test_ends_of_the_scale_have_its_ends_colors(usa: MapSpec) -> None:
    found = [colors[0] for _, colors in tracks(parsed(usa, routes(usa, [0.0, 1.0])))]
    assert [color for color in found if color in (MORE[0], MORE[-1])] == [MORE[0], MORE[-1]]


def test_middle_is_neutral_and_the_farther_side_is_full() -> None:
    """Blue below, orange above; equal distances have equal strength."""
    scale = scale_of([-1.0, 3.0], 0.0)
    assert scale is not None
    assert (scale.color(0.0), scale.color(3.0)) == (ABOVE[0], ABOVE[-1])
    assert scale.color(-1.0) == BELOW[1]
    assert scale_of([-3.0, 1.0], 0.0).color(-3.0) == BELOW[-1]  # type: ignore[union-attr]
    assert scale.strength(-1.0) == scale.strength(1.0)
    red, _, blue = (int(scale.color(2.0)[digit : digit + 2], 16) for digit in (1, 3, 5))
    assert red > blue
    red, _, blue = (int(scale.color(-1.0)[digit : digit + 2], 16) for digit in (1, 3, 5))
    assert red < blue


@pytest.mark.parametrize("colors", [MORE, BELOW, ABOVE])
def test_lightness_falls_evenly(colors: tuple[str, ...]) -> None:
    """So the order is seen in gray, and with any color vision; the lightest is still darker than paper."""
    scale = ColorScale(0.0, 1.0)
    seen = [lightness(color) for color in colors]
    steps = [first - second for first, second in pairwise(seen)]
    assert min(steps) > 0
    assert max(steps) < 1.6 * min(steps)
    assert seen[0] < lightness(PAPER) - 4
    fine = [lightness(scale.color(number / 50)) for number in range(51)]
    assert fine == sorted(fine, reverse=True)


def test_sides_of_a_middle_are_equally_dark() -> None:
    for below, above in zip(BELOW, ABOVE, strict=True):
        assert lightness(below) == pytest.approx(lightness(above), abs=3)


def test_what_is_not_known_looks_like_no_number(usa: MapSpec) -> None:
    """Ties across the spaces, in the legend too, and in words; the scale does without."""
    root = parsed(usa, routes(usa, [NAN, 0.0, 1.0]))
    (colors,) = (colors for title, colors in tracks(root) if title.endswith(f"\n{NOT_KNOWN}"))
    assert colors == usa.routes[0].length * [PAPER]
    ties = [path for path in root.iter(f"{SVG}path") if path.get("stroke-dasharray")]
    assert [path.get("d", "").count("M") for path in ties] == [usa.routes[0].length, 2]
    assert legend_has_unknown(root)
    assert not legend_has_unknown(parsed(usa, routes(usa)))
    assert colors_of(root) >= {MORE[0], MORE[-1]}


def test_cities_say_their_numbers_in_color_and_size(spec: MapSpec) -> None:
    """A city that stands in two places says it twice; without numbers of routes the tracks step back."""
    values = [number / (len(spec.cities) - 1) for number in range(len(spec.cities))]
    values[3] = NAN
    root = parsed(spec, Heat("How often", None, values, percent))
    found: dict[str | None, list[ElementTree.Element]] = {}
    for dot in root.iter(f"{SVG}circle"):
        if dot.find(f"{SVG}title") is not None:
            found.setdefault(dot.findtext(f"{SVG}title"), []).append(dot)
    for city, value in zip(spec.cities, values, strict=True):
        written = NOT_KNOWN if math.isnan(value) else percent(value)
        assert len(found[f"{city.name}\n{written}"]) == 1 + len(city.also)
    known = [dots[0] for title, dots in found.items() if NOT_KNOWN not in str(title)]
    assert len(known) == len(spec.cities) - 1
    by_size = sorted(known, key=lambda dot: float(dot.get("r", "")))
    assert (by_size[0].get("fill"), by_size[-1].get("fill")) == (MORE[0], MORE[-1])
    assert all(dot.get("stroke-dasharray") for dot in found[f"{spec.cities[3].name}\n{NOT_KNOWN}"])
    (pale,) = (group for group in root.iter(f"{SVG}g") if group.get("opacity"))
    assert len(tracks(pale)) == len(spec.routes)
    assert legend_has_unknown(root)


def test_routes_and_cities_share_a_scale(usa: MapSpec) -> None:
    heat = Heat("How often", [0.2] * len(usa.routes), [0.4] * len(usa.cities), percent)
    root = parsed(usa, heat)
    assert colors_of(root) == {MORE[0]}
    named = [dot for dot in root.iter(f"{SVG}circle") if dot.find(f"{SVG}title") is not None]
    assert {dot.get("fill") for dot in named} == {MORE[-1]}


@pytest.mark.parametrize("middle", [None, 0.4, 0.1])
def test_equal_numbers_have_one_color_and_one_tick(usa: MapSpec, middle: float | None) -> None:
    """Also if they differ by an error of rounding; from another middle they are as far as can be."""
    values = [0.4 if number % 2 else 0.1 + 0.3 for number in range(len(usa.routes))]
    values[0] = math.nextafter(0.4, 1)
    root = parsed(usa, Heat("All equal", values, None, percent, middle))
    colors = colors_of(root)
    assert len(colors) == 1
    if middle == 0.4:
        assert colors == {BELOW[0]}
    if middle == 0.1:
        assert colors == {ABOVE[-1]}
    assert texts(root).count("40.0 %") == 1


def test_errors_of_rounding_around_zero_are_no_numbers() -> None:
    scale = scale_of([1e-17, -3e-17, 0.0], 0.0)
    assert scale is not None
    assert {scale.color(value) for value in (1e-17, -3e-17, 0.0)} == {BELOW[0]}


@pytest.mark.parametrize("small", [False, True])
def test_nothing_is_known(spec: MapSpec, small: bool) -> None:
    """No bar, no number."""
    heat = Heat("Nothing", [NAN] * len(spec.routes), [NAN] * len(spec.cities), percent, 0.5)
    root = parsed(spec, heat, small)
    assert legend_has_unknown(root)
    assert not any("%" in text for text in texts(root))
    assert colors_of(root) == {PAPER}


@pytest.mark.parametrize("value", [INF, -INF])
def test_infinite_numbers_are_refused(usa: MapSpec, value: float) -> None:
    with pytest.raises(ValueError, match="infinite"):
        draw(usa, routes(usa, [value]))
    with pytest.raises(ValueError, match="infinite"):
        draw(usa, routes(usa, [value, -value]))
    with pytest.raises(ValueError, match="infinite"):
        draw(usa, routes(usa, middle=value))


def test_wrong_number_of_values_is_refused(usa: MapSpec) -> None:
    with pytest.raises(ValueError, match="3 numbers for 100 routes"):
        draw(usa, Heat("x", [1.0, 2.0, 3.0], None, percent))
    with pytest.raises(ValueError, match="0 numbers for 36 cities"):
        draw(usa, Heat("x", None, [], percent))


def test_texts_are_escaped(usa: MapSpec) -> None:
    """Of the map, of the heat and of its numbers; a sign that no document may hold is told."""
    bad = '<A&B> "\x00\ud800'
    named = {usa.cities[0].name: "<A&B>"}
    spec = replace(
        usa,
        name="<Map&>",
        label="<Label>",
        cities=tuple(city._replace(name=named.get(city.name, city.name)) for city in usa.cities),
        routes=tuple(
            route._replace(a=named.get(route.a, route.a), b=named.get(route.b, route.b)) for route in usa.routes
        ),
    )
    ElementTree.fromstring(draw(replace(spec, name=bad)))
    heat = Heat(bad, [0.1] * 50 + [0.2] * 50, [0.3] * 36, lambda value: f"<{value:.2f}&>")
    for small in (False, True):
        root = parsed(spec, heat, small)
        assert any("<A&B>" in title and title.endswith("<0.10&>") for title, _ in tracks(root))
        assert ("<A&B>" in texts(root)) != small
        assert '<A&B> "\\x00\\ud800' in texts(root)
        assert "<Map&> (<Label>)" in texts(root)
        assert "<0.20&>" in texts(root)


def test_a_scale_holds_what_is_wanted() -> None:
    """So that one number has one color in all pictures beside each other, if there is nothing else in one of them."""
    alone = scale_of([1.0, 1.0], None, (0.0, 1.0))
    both = scale_of([0.2, 0.6], None, (0.0, 1.0))
    assert alone == both == ColorScale(0.0, 1.0)
    assert scale_of([1.0, 1.0]) == ColorScale(1.0, 1.0)


@pytest.mark.parametrize("middle", [None, 0.0, 0.333])
def test_ticks_are_round_and_on_the_scale(middle: float | None) -> None:
    """A few of them, multiples of 1, 2, 4 or 5 times a power of ten, but for the middle."""
    chance = random.Random(3)
    for _ in range(500):
        ends = sorted(chance.gauss(0, 1) * 10 ** chance.randint(-9, 9) for _ in range(2))
        scale = scale_of(ends, middle)
        assert scale is not None
        found = list(ticks(scale, repr, lambda numbers: True))
        assert 2 <= len(found) <= 6
        assert found == sorted(set(found))
        slack = 1e-9 * (scale.high - scale.low)
        assert scale.low - slack <= found[0] < found[-1] <= scale.high + slack
        if middle is None:
            step = min(second - first for first, second in pairwise(found))
            digits = step / 10 ** math.floor(math.log10(step) + 1e-6)
            assert min(abs(digits - good) for good in STEPS) < 1e-3
        else:
            assert middle in found


def test_numbers_that_cannot_be_told_apart_are_written_once(usa: MapSpec) -> None:
    """Where the texts of the ticks are coarser than the scale, or longer than the bar."""

    def narrow(write: object) -> list[str]:
        heat = Heat("x", [0.5001 + 0.0001 * number / 99 for number in range(100)], None, write, None)  # type: ignore[arg-type]
        root = parsed(usa, heat, small=True)
        return [text.text or "" for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "middle"]

    assert narrow(lambda value: f"{value:.0%}") == ["50%"]
    assert narrow(lambda value: f"{value:.4f}") == ["0.5001", "0.5002"]  # not the tick at 0.50014 as 0.5001
    assert len(narrow(lambda value: f"{value:.4f} of all the games that were played")) == 1
    assert len(narrow(lambda value: f"{value:.6f}")) >= 2


def test_smallest_map_has_room_for_its_legend(usa: MapSpec) -> None:
    """Two cities above each other: the map is narrower than what stands around it."""
    spec = replace(usa, cities=(City("A", 0, 0), City("B", 0, 1)), routes=(Route("A", "B", 1, "red"),), tickets=())
    for small in (False, True):
        root = parsed(spec, Heat("A title that is longer than the map is wide", [0.5], [0.1, NAN], percent), small)
        width = float(str(root.get("viewBox")).split()[2])
        for rect in root.iter(f"{SVG}rect"):
            if not rect.get("transform"):
                assert float(rect.get("x", "0")) + float(rect.get("width", "0")) <= width
