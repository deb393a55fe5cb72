#!/usr/bin/env python3
"""Converts public collections of platformer levels to maps, solves and verifies them, and prints a table.

    python3 examples/solving/public_levels.py FOLDER... --maps OUT [--tool target/release/surefoot] [--most 100]

FOLDER is a clone of one of these, or a folder of it:

- https://github.com/amidos2006/Mario-AI-Framework   levels/*/lvl-*.txt
- https://github.com/TheVGLC/TheVGLC                 */Processed/*.txt
- https://github.com/DeltaResero/SuperTux-Wii        data/levels/*/*.stl

The maps and the found runs are written to OUT. Nothing of the collections belongs to this project.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

# Symbols of the texts of the first two collections; all others are air. Invisible blocks are air until they are hit.
SOLID = set("X#?@QS!DCUL<>[]*BbtT")
SOLID_OF = {"Kid Icarus": set("#DH")}
ONE_WAY = set("%")
ONE_WAY_OF = {"Kid Icarus": set("TM")}
# Levels from the bottom to the top.
UPWARDS = {"Kid Icarus"}
# The games of the second collection whose symbols these are.
GAMES = {"Kid Icarus", "Super Mario Bros", "Super Mario Bros 2 (Japan)", "Super Mario Land"}
# A hero that jumps as high and as far as those of the games.
CHARACTER = "(walk_speed: 9.0, jump_height: 4.6)"


def read_rows(path, game):
    """Returns rows of '.', '#', '=', '@' and '*' of a text of symbols."""
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
    width = max(map(len, lines))
    solid, one_way = SOLID_OF.get(game, SOLID), ONE_WAY_OF.get(game, ONE_WAY)
    signs = {"M": "@", "F": "*"} if game not in UPWARDS else {}
    row = lambda line: [
        signs.get(c, "#" if c in solid else "=" if c in one_way else ".") for c in line.ljust(width, "-")
    ]
    return [row(line) for line in lines]


def solid_tiles(folder):
    """Returns the numbers of solid tiles and of tiles that end a level, of a SuperTux clone."""
    text = next(folder.rglob("supertux.stgt")).read_text(errors="replace")
    entries = re.split(r"\(tile \(id (\d+)\)", text)[1:]
    of = lambda flag: {int(i) for i, entry in zip(entries[::2], entries[1::2]) if f"({flag} #t)" in entry}
    return of("solid"), of("goal")


def read_stl(path, solid, goal):
    text = path.read_text(errors="replace")

    def number(name, default):
        found = re.search(rf"\({name}\s+(\d+)", text)
        return int(found[1]) if found else default

    width = number("width", 0)
    tiles = [int(n) for n in re.search(r"\(interactive-tm([\s\d]*)", text)[1].split()]
    rows = [tiles[at : at + width] for at in range(0, len(tiles), width)]
    first = next((x for x in range(width) for row in rows if row[x] in goal), None)
    rows = [["#" if tile in solid else "." for tile in row] for row in rows]
    # The hero starts in the air, and the level ends in any row of a column.
    x, y = number("start_pos_x", 100) // 32, number("start_pos_y", 170) // 32
    put(rows, "@", [(x, y)])
    if first is not None:
        put(rows, "*", standing(rows, range(first, max(first - 8, 0), -1)))
    return rows


def standing(rows, columns):
    """Yields cells with floor below, column by column, from the lowest."""
    for x in columns:
        for y in range(len(rows) - 2, -1, -1):
            if rows[y][x] == "." and rows[y + 1][x] in "#=":
                yield x, y


def put(rows, sign, places):
    for x, y in places:
        if 0 <= y < len(rows) and rows[y][x] == ".":
            rows[y][x] = sign
            return


def complete(rows, upwards):
    """Adds a start and a goal where the level has none."""
    signs = {sign for row in rows for sign in row}
    columns = range(len(rows[0]))
    if upwards:
        cells = sorted(standing(rows, columns), key=lambda cell: -cell[1])
        forwards, backwards = cells, cells[::-1]
    else:
        forwards, backwards = standing(rows, columns), standing(rows, reversed(columns))
    if "@" not in signs:
        put(rows, "@", forwards)
    if "*" not in signs:
        put(rows, "*", backwards)
    return {"@", "*"} <= {sign for row in rows for sign in row}


def write(rows, source, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(f'        r"{"".join(row)}",' for row in rows)
    border = "(left: Solid, right: Solid)"
    path.write_text(f"// From {source}\nMap(\n    format: 1,\n    border: {border},\n    tiles: [\n{lines}\n    ],\n)\n")


def convert(folders, out, most):
    """Returns the maps of each set of levels."""
    sets = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.txt"), key=lambda path: (path.parent, len(path.name), path.name)):
            if path.parent.parent.name == "levels":
                name, game = f"Mario AI: {path.parent.name}", "Mario"
            elif "Processed" in path.parts:
                game = path.parts[path.parts.index("Processed") - 1]
                name = f"VGLC: {game}"
                if game not in GAMES:
                    continue
            else:
                continue
            add(sets, name, path, out, most, lambda: read_rows(path, game), game in UPWARDS)
        levels = sorted(folder.rglob("*.stl"))
        tiles = solid_tiles(folder) if levels else None
        for path in levels:
            add(sets, f"SuperTux: {path.parent.name}", path, out, most, lambda: read_stl(path, *tiles), False)
    return sets


def add(sets, name, path, out, most, read, upwards):
    maps = sets.setdefault(name, [])
    if len(maps) >= most:
        return
    rows = read()
    if complete(rows, upwards):
        target = out / name.replace(": ", "-").replace(" ", "_") / (path.stem.replace(" ", "_") + ".ron")
        write(rows, path.name, target)
        maps.append(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--maps", required=True, type=pathlib.Path)
    parser.add_argument("--tool", default="target/release/surefoot")
    parser.add_argument("--most", type=int, default=100, help="levels of each set")
    parser.add_argument("--states", default="100000", help="limit of states for each level")
    options = parser.parse_args()
    sets = convert(options.folders, options.maps, options.most)
    character = options.maps / "character.ron"
    character.write_text(CHARACTER + "\n")
    print("| levels | number | found and verified | proven unreachable | not found | median CPU s | longest CPU s |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    with open(options.maps / "answers.jsonl", "w") as answers:
        for name, maps in sets.items():
            lines = solve(options, character, maps)
            answers.writelines(json.dumps(line) + "\n" for line in lines)
            answers.flush()
            print(table_row(name, lines), flush=True)


def solve(options, character, maps):
    """Returns the answers for the maps of a set, which are in one folder. Plays each found run again."""
    runs = maps[0].parent / "runs"
    limits = ["--max-states", options.states, "--threads", "1"]
    call = [options.tool, "solve", "--json", *limits, "--character", character, "--inline", *maps]
    # With a single map, the output is a file.
    call += ["-o", runs if len(maps) > 1 else run_of(maps[0])]
    runs.mkdir(exist_ok=True)
    lines, before = [], 0.0
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as tool:
        for text in tool.stdout:
            used = cpu_seconds(tool.pid)
            lines.append({**json.loads(text), "cpu_seconds": used - before})
            before = used
    for line in lines:
        if line["answer"] == "reachable":
            replay = [options.tool, "replay", run_of(pathlib.Path(line["map"]))]
            line["verified"] = subprocess.run(replay, stdout=subprocess.DEVNULL).returncode == 0
    return lines


def cpu_seconds(process):
    """Returns the time that a process has spent on a processor: other programs do not change it. Linux only."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_of(level):
    return level.parent / "runs" / (level.stem + ".replay.ron")


def table_row(name, lines):
    found = [line for line in lines if line["answer"] == "reachable"]
    verified = sum(line["verified"] for line in found)
    counts = [sum(line["answer"] == answer for line in lines) for answer in ("unreachable", "not found")]
    seconds = [line["cpu_seconds"] for line in found] or [0.0]
    columns = [name, len(lines), verified, *counts, f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}"]
    return f"| {' | '.join(map(str, columns))} |"


if __name__ == "__main__":
    main()
