#!/usr/bin/env python3
"""Matches between chess engines: strength as Elo with its interval. Needs python-chess (pip install chess).

    benches/match.py --engine 'plyscope uci -a alpha-beta' --against glaurung --games 200 --movetime 0.1
    benches/match.py --engine 'plyscope uci' --engine 'plyscope uci -a mcts' --tc 1+0.01 --concurrency 2

With --against each --engine meets each of these (a gauntlet), without it the --engine meet each other (a round robin).
An engine is a command that speaks UCI, or xboard: and a command that speaks CECP; options of it stand behind bars:
'glaurung | Hash=128'. Unless told otherwise every engine gets Hash 64, Threads 1 and no book of its own.

Each opening is played twice, with both colours. The interval comes from the pairs of games (pentanomial variance), so an
uneven opening does not widen it. Nothing is adjudicated unless it is asked for: a game ends by mate, stalemate, the third
repetition, fifty moves or too little material (and after --max-moves as a draw, counted apart). Who oversteps his time,
breaks off or sends a move that is not legal loses; these games are counted apart too.
"""

import argparse
import asyncio
import csv
import datetime
import io
import itertools
import json
import logging
import math
import pathlib
import random
import shlex
import shutil
import signal
import sys
import time

import chess
import chess.engine
import chess.pgn
import chess.polyglot

HERE = pathlib.Path(__file__).parent
USUAL = {"hash": 64, "threads": 1, "ownbook": False, "own book": False, "usebook": False, "book": False}
# What a search may overrun before the engine is taken for dead, in seconds.
# Seconds within which any number of nodes is searched.
NODES_TAKE = 600.0
PATIENCE = 20.0


class Entrant:
    """An engine as the command line names it."""

    def __init__(self, text):
        command, *options = [part.strip() for part in text.split("|")]
        self.text = text
        self.xboard = command.startswith("xboard:")
        self.command = shlex.split(command.removeprefix("xboard:"))
        if not self.command:
            raise SystemExit(f"match.py: found {text!r}, expected the command of an engine")
        program = shutil.which(self.command[0]) or shutil.which(self.command[0], path="/usr/games")
        if program is None:
            raise SystemExit(f"match.py: {self.command[0]!r} is not found, expected a program")
        self.command[0] = program
        self.options = {}
        for option in options:
            key, mark, value = option.partition("=")
            if not mark:
                raise SystemExit(f"match.py: found {option!r} in {text!r}, expected NAME=VALUE")
            self.options[key.strip()] = value.strip()
        self.name = " ".join([pathlib.Path(program).name, *self.command[1:], *options])

    async def start(self):
        opener = chess.engine.popen_xboard if self.xboard else chess.engine.popen_uci
        _, engine = await asyncio.wait_for(opener(self.command), PATIENCE)
        wished = dict(self.options)
        taken = {name.lower() for name in wished}
        for name, option in engine.options.items():
            usual = USUAL.get(name.lower())
            fits = usual is not None and (option.type == "check") == isinstance(usual, bool)
            if fits and name.lower() not in taken and not option.is_managed():
                wished[name] = usual
        if self.xboard and "memory" in engine.options and "memory" not in wished:
            wished["memory"] = USUAL["hash"]
        await engine.configure(wished)
        return engine


class TimeControl:
    """Fixed nodes or a fixed time for each move, or a clock with an increment; seconds."""

    def __init__(self, movetime, tc, nodes):
        self.movetime, self.nodes = movetime, nodes
        if tc:
            base, _, increment = tc.partition("+")
            self.base, self.increment = float(base), float(increment or 0)

    def __str__(self):
        if self.nodes:
            return f"{self.nodes} nodes a move"
        return f"{self.movetime} s a move" if self.movetime else f"{self.base:g}+{self.increment:g}"

    def clocks(self):
        return None if self.movetime or self.nodes else {chess.WHITE: self.base, chess.BLACK: self.base}

    def limit(self, clocks):
        if self.nodes:
            return chess.engine.Limit(nodes=self.nodes)
        if clocks is None:
            return chess.engine.Limit(time=self.movetime)
        return chess.engine.Limit(
            white_clock=max(clocks[chess.WHITE], 0.001),
            black_clock=max(clocks[chess.BLACK], 0.001),
            white_inc=self.increment,
            black_inc=self.increment,
        )


class Adjudicator:
    """Ends a game when both engines have agreed on it for long enough, if that is wished for."""

    def __init__(self, draw, resign):
        self.draw, self.resign = draw, resign
        self.scores = []

    def note(self, info, turn):
        score = info.get("score")
        cp = score.pov(chess.WHITE).score(mate_score=30_000) if score else None
        self.scores.append(cp)

    def verdict(self, board):
        def last(plies):
            seen = self.scores[-plies:]
            return seen if len(seen) == plies and None not in seen else None

        if self.draw:
            move, plies, cp = self.draw
            seen = last(plies)
            if board.fullmove_number >= move and seen and all(abs(s) <= cp for s in seen):
                return "1/2-1/2"
        if self.resign:
            plies, cp = self.resign
            seen = last(plies)
            if seen and all(s >= cp for s in seen):
                return "1-0"
            if seen and all(s <= -cp for s in seen):
                return "0-1"
        return None


def by_rule(board):
    """The result by the rules of chess, draws claimed at once; None while the game goes on."""
    if board.is_checkmate():
        return ("0-1" if board.turn == chess.WHITE else "1-0"), "mate"
    if board.is_stalemate():
        return "1/2-1/2", "stalemate"
    if board.is_insufficient_material():
        return "1/2-1/2", "material"
    if board.halfmove_clock >= 100:
        return "1/2-1/2", "fifty moves"
    if board.is_repetition(3):
        return "1/2-1/2", "repetition"
    return None


class Game:
    """One game: two entrants, an opening."""

    def __init__(self, number, white, black, opening):
        self.number, self.white, self.black, self.opening = number, white, black, opening
        self.board = opening["board"].copy()
        self.result, self.how, self.slowest = None, None, [-math.inf, -math.inf]
        self.spent, self.moves = [0.0, 0.0], [0, 0]

    def lost_by(self, colour, how):
        self.result, self.how = ("0-1" if colour == chess.WHITE else "1-0"), how

    async def play(self, engines, settings):
        clocks = settings.control.clocks()
        judge = Adjudicator(settings.draw, settings.resign)
        key = object()
        while self.result is None:
            end = by_rule(self.board)
            if end is None and self.board.fullmove_number > settings.max_moves:
                end = "1/2-1/2", "length"
            if end is None and (adjudged := judge.verdict(self.board)):
                end = adjudged, "adjudication"
            if end is not None:
                self.result, self.how = end
                return
            await self.move(engines, settings, clocks, judge, key)

    async def move(self, engines, settings, clocks, judge, key):
        turn = self.board.turn
        engine = engines[self.white if turn == chess.WHITE else self.black]
        limit = settings.control.limit(clocks)
        # Nodes may take as long as they take.
        allowed = clocks[turn] if clocks else settings.control.movetime or NODES_TAKE
        since = time.perf_counter()
        try:
            play = engine.play(self.board, limit, game=key, info=chess.engine.INFO_SCORE)
            played = await asyncio.wait_for(play, allowed + PATIENCE)
        except asyncio.TimeoutError:
            return self.lost_by(turn, "no answer")
        except chess.engine.EngineTerminatedError:
            return self.lost_by(turn, "broke off")
        except chess.engine.EngineError as error:
            print(f"game {self.number}: {error}", file=sys.stderr)
            return self.lost_by(turn, "illegal move")
        took = time.perf_counter() - since
        side = int(turn == chess.BLACK)
        # Beyond what it had; by nodes, all of it.
        over = took if allowed == NODES_TAKE else took - allowed
        self.slowest[side] = max(self.slowest[side], over)
        self.spent[side] += took
        self.moves[side] += 1
        if clocks:
            clocks[turn] -= took
            if clocks[turn] < -settings.margin:
                return self.lost_by(turn, "time")
            clocks[turn] = max(clocks[turn], 0.0) + settings.control.increment
        elif took > allowed + settings.overrun:
            return self.lost_by(turn, "time")
        if played.move is None or played.resigned:
            return self.lost_by(turn, "resigned" if played.resigned else "illegal move")
        judge.note(played.info, turn)
        self.board.push(played.move)

    def pgn(self):
        game = chess.pgn.Game.from_board(self.board)
        game.headers["Event"] = "match.py"
        game.headers["Date"] = datetime.date.today().strftime("%Y.%m.%d")
        game.headers["Round"] = str(self.number)
        game.headers["White"], game.headers["Black"] = self.white, self.black
        game.headers["Result"] = self.result
        game.headers["Opening"] = self.opening["name"]
        game.headers["Termination"] = self.how
        return f"{game}\n\n"


def book_openings(path, plies, wanted, seed):
    """A list of {name, board} from a Polyglot book: different lines of so many plies, each move drawn by its weight; a line
    ends where the book does."""
    generator = random.Random(seed)
    lines = {}
    with chess.polyglot.open_reader(path) as book:
        for _ in range(20 * wanted):
            board = chess.Board()
            while board.ply() < plies:
                entries = [entry for entry in book.find_all(board) if entry.weight > 0]
                if not entries:
                    break
                weights = [entry.weight for entry in entries]
                board.push(generator.choices(entries, weights)[0].move)
            if board.ply() and not board.is_game_over():
                lines.setdefault(board.epd(), board)
            if len(lines) >= wanted:
                break
    if not lines:
        raise SystemExit(f"match.py: {path}: found no move for the start position, expected a Polyglot book")
    names = (chess.Board().variation_san(board.move_stack) for board in lines.values())
    return [{"name": name, "board": board} for name, board in zip(names, lines.values())]


def read_openings(path):
    """A list of {name, board}: TSV with a pgn column, PGN, or one FEN or EPD a line."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if lines and "\tpgn" in lines[0]:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        games = ((row["name"], chess.pgn.read_game(io.StringIO(row["pgn"]))) for row in rows)
        found = [{"name": name, "board": game.end().board()} for name, game in games]
    elif text.lstrip().startswith("["):
        stream = io.StringIO(text)
        games = iter(lambda: chess.pgn.read_game(stream), None)
        found = [{"name": g.headers.get("Opening", "?"), "board": g.end().board()} for g in games]
    else:
        found = [{"name": line, "board": chess.Board.from_epd(line)[0]} for line in lines]
    if not found:
        raise SystemExit(f"match.py: no opening is found in {path}")
    return found


def elo(score):
    """Elo of an expected share of the points; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    return math.inf if score >= 1.0 else -400.0 * math.log10(1.0 / score - 1.0)


def statistics(points):
    """From the points of the first entrant in pairs of games: counts, Elo and its 95 % interval (pentanomial)."""
    pairs = [sum(pair) for pair in points if len(pair) == 2]
    games = [p for pair in points for p in pair]
    wins, draws, losses = (games.count(p) for p in (1.0, 0.5, 0.0))
    found = {"games": len(games), "wins": wins, "draws": draws, "losses": losses}
    found["pentanomial"] = [pairs.count(p) for p in (0.0, 0.5, 1.0, 1.5, 2.0)]
    if not games:
        return found
    score = sum(games) / len(games)
    found["score"] = score
    found["elo"] = finite(elo(score))
    if len(pairs) > 1:
        mean = sum(pairs) / len(pairs) / 2
        variance = sum((p / 2 - mean) ** 2 for p in pairs) / (len(pairs) - 1)
        margin = 1.959964 * math.sqrt(variance / len(pairs))
        found["elo_95"] = [finite(elo(mean - margin)), finite(elo(mean + margin))]
    return found


def finite(value):
    return round(value, 1) if math.isfinite(value) else None


def shown(found):
    def number(value):
        return "?" if value is None else f"{value:+.0f}"

    interval = found.get("elo_95", [None, None])
    return (
        f"+{found['wins']} ={found['draws']} -{found['losses']}  "
        f"Elo {number(found.get('elo'))} [{number(interval[0])}, {number(interval[1])}]"
    )


class Match:
    """All games of one call."""

    def __init__(self, settings):
        self.settings = settings
        self.games = []
        self.done = []
        if settings.book:
            openings = book_openings(settings.book, settings.book_plies, settings.games // 2, settings.seed)
        else:
            openings = read_openings(settings.openings)
        random.Random(settings.seed).shuffle(openings)
        number = itertools.count(1)
        # Round by round, so that a match that is broken off has about as many games of each pairing.
        for first in range(0, settings.games, 2):
            opening = openings[first // 2 % len(openings)]
            for one, other in settings.pairings:
                for white, black in ((one, other), (other, one)):
                    self.games.append(Game(next(number), white.name, black.name, opening))

    async def run(self):
        queue = iter(self.games)
        workers = [self.work(queue) for _ in range(self.settings.concurrency)]
        await asyncio.gather(*workers)

    async def work(self, queue):
        engines = {}
        entrants = {e.name: e for pairing in self.settings.pairings for e in pairing}
        try:
            for game in queue:
                for name in (game.white, game.black):
                    if name not in engines:
                        engines[name] = await entrants[name].start()
                await game.play(engines, self.settings)
                if game.how in ("no answer", "broke off", "illegal move"):
                    # It begins afresh.
                    await self.close(engines.pop(game.white)), await self.close(engines.pop(game.black))
                self.done.append(game)
                self.tell(game)
        finally:
            for engine in engines.values():
                await self.close(engine)

    async def close(self, engine):
        try:
            await asyncio.wait_for(engine.quit(), 5)
        except (asyncio.TimeoutError, chess.engine.EngineError):
            engine.transport.close()

    def tell(self, game):
        if self.settings.pgn:
            with open(self.settings.pgn, "a", encoding="utf-8") as file:
                file.write(game.pgn())
        if not self.settings.quiet:
            plies = game.board.ply()
            line = f"{len(self.done)}/{len(self.games)}  {game.white} - {game.black}  {game.result} ({game.how}, {plies} plies)"
            print(line, file=sys.stderr)

    def results(self):
        found = []
        for one, other in self.settings.pairings:
            mine = [g for g in self.done if {g.white, g.black} == {one.name, other.name}]
            mine.sort(key=lambda g: g.number)
            value = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
            by_pair = {}
            for game in mine:
                points = value[game.result]
                points = points if game.white == one.name else 1.0 - points
                by_pair.setdefault((game.number - 1) // 2, []).append(points)
            ends = {}
            for game in mine:
                ends[game.how] = ends.get(game.how, 0) + 1
            found.append(
                {
                    "engine": one.name,
                    "against": other.name,
                    **statistics(list(by_pair.values())),
                    "ends": ends,
                    "time_losses": {e.name: self.faults(mine, e.name, ("time", "no answer")) for e in (one, other)},
                    "illegal_moves": {e.name: self.faults(mine, e.name, ("illegal move",)) for e in (one, other)},
                    "broke_off": {e.name: self.faults(mine, e.name, ("broke off",)) for e in (one, other)},
                    "slowest_ms": {e.name: self.slowest(mine, e.name) for e in (one, other)},
                    "mean_ms": {e.name: self.mean(mine, e.name) for e in (one, other)},
                }
            )
        return found

    @staticmethod
    def faults(games, name, kinds):
        lost = {"1-0": "black", "0-1": "white"}
        return sum(g.how in kinds and getattr(g, lost[g.result]) == name for g in games)

    @staticmethod
    def slowest(games, name):
        """The most by which a move overran its time (negative: what was left of the clock at the closest)."""
        seen = [g.slowest[0] for g in games if g.white == name] + [g.slowest[1] for g in games if g.black == name]
        worst = max(seen, default=-math.inf)
        return round(worst * 1e3, 1) if math.isfinite(worst) else None

    @staticmethod
    def mean(games, name):
        """What a move took by our clock: some engines look at theirs too rarely to keep a short time."""
        sides = [(g, side) for g in games for side, who in enumerate((g.white, g.black)) if who == name]
        moves = sum(g.moves[side] for g, side in sides)
        return round(sum(g.spent[side] for g, side in sides) / moves * 1e3, 1) if moves else None


def numbers(count):
    def parse(text):
        parts = text.split(",")
        if len(parts) != count or not all(part.isdigit() for part in parts):
            raise argparse.ArgumentTypeError(f"found {text!r}, expected {count} whole numbers with commas between")
        return tuple(int(part) for part in parts)

    return parse


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="append", required=True, metavar="COMMAND")
    parser.add_argument("--against", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--games", type=int, default=200, help="for each pairing, an even number [200]")
    time_control = parser.add_mutually_exclusive_group(required=True)
    time_control.add_argument("--movetime", type=float, metavar="SECONDS")
    time_control.add_argument("--tc", metavar="SECONDS+INCREMENT")
    time_control.add_argument("--nodes", type=int, metavar="NODES")
    parser.add_argument("--openings", default=HERE / "openings.tsv", metavar="FILE")
    parser.add_argument("--book", metavar="FILE.bin", help="openings drawn from a Polyglot book instead")
    parser.add_argument("--book-plies", type=int, default=8, help="plies of each [8]")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the order of the openings [1]")
    parser.add_argument("--margin", type=float, default=0.0, help="seconds a clock may be overstepped by [0]")
    parser.add_argument("--overrun", type=float, default=1.0, help="seconds a --movetime may be overstepped by [1]")
    parser.add_argument("--max-moves", type=int, default=300)
    parser.add_argument("--draw", type=numbers(3), metavar="MOVE,PLIES,CP", help="draw from MOVE on after PLIES within CP")
    parser.add_argument("--resign", type=numbers(2), metavar="PLIES,CP", help="lost after PLIES beyond CP, by both engines")
    parser.add_argument("--out", metavar="FILE.json")
    parser.add_argument("--pgn", metavar="FILE.pgn")
    parser.add_argument("--quiet", action="store_true")
    settings = parser.parse_args()
    if settings.games < 2 or settings.games % 2:
        parser.error(f"--games: found {settings.games}, expected an even number: each opening is played with both colours")
    engines, against = ([Entrant(text) for text in texts] for texts in (settings.engine, settings.against))
    settings.pairings = list(itertools.product(engines, against) if against else itertools.combinations(engines, 2))
    if not settings.pairings or any(one.name == other.name for one, other in settings.pairings):
        parser.error("expected two different engines at least (the same one twice: set an option, as in 'plyscope uci | Hash=64')")
    settings.control = TimeControl(settings.movetime, settings.tc, settings.nodes)
    return settings


def main():
    settings = arguments()
    # Remarks that python-chess does not know are no faults.
    logging.getLogger("chess.engine").setLevel(logging.ERROR)
    match = Match(settings)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        asyncio.run(match.run())
    except KeyboardInterrupt:
        print("match.py: interrupted; these are the games played", file=sys.stderr)
    results = match.results()
    for row in results:
        print(f"{row['engine']} - {row['against']}: {shown(row)}")
        print(f"  time losses {row['time_losses']}, illegal moves {row['illegal_moves']}, broke off {row['broke_off']}")
        print(f"  ends {row['ends']}, slowest {row['slowest_ms']} ms, mean {row['mean_ms']} ms")
    if settings.out:
        report = {
            "time_control": str(settings.control),
            "openings": str(settings.book or settings.openings),
            "seed": settings.seed,
            "concurrency": settings.concurrency,
            "interval": "95 %, pentanomial variance",
            "results": results,
        }
        pathlib.Path(settings.out).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
