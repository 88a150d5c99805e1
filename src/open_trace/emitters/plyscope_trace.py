"""Lets a Python program that searches a game tree show its search to plyscope. One file, Python 3.8 or newer, no dependency.

SPDX-License-Identifier: 0BSD
Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.
THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE.

    T = Trace(engine="toy 1.0", game="toy", value={"unit": "points"}, reasons=[
        ("futility", "skip", "static:value margin:difference", "static {static} + {margin} does not beat alpha")])
    T.search(root="three moves")
    def search(move, alpha, beta, depth):          # wrap the search function; `move` led here, None at the root
        if T.on: T.enter(move, alpha, beta, depth)
        value = search_inner(...)
        if T.on: T.leave(value)
        return value
    if T.on: T.prune(move, "futility", static, margin)
    if T.on: T.why("draw")                         # before the `return` that it explains
    T.end(nodes, best, value)

Best-first: T.expand(node, first, moves, priors), T.visit(node, value) and T.update(node, visits, value). Nothing is written unless the
environment variable PLYSCOPE_TRACE names a destination: `fd:3`, `fd:3,4`, `unix:PATH`, `tcp:127.0.0.1:PORT/TOKEN` or a file.
A reason is (name, class, "number:unit ...", text). Values are numbers; the header's `step` is the smallest difference that matters.
"""
import atexit, json, math, os, select, signal, socket, threading, time

MARK, DEEPEST = 4096, 1023  # events between two marks; open nodes, of which deeper ones are only counted
NO_VALUE, NO_DEPTH = -(1 << 31), -(1 << 15)
BOUNDS, SIDES = ("", "lower", "upper", "exact"), ("", "first", "second", "chance")


class _Numbers(dict):  # in base 128, lowest group first
    def __missing__(self, v):
        rest, out = v & (1 << 64) - 1, bytearray()
        while rest > 127:
            out.append(rest & 127 | 128)
            rest >>= 7
        out.append(rest)
        if len(self) > 100_000:
            self.clear()
        self[v] = bytes(out)
        return self[v]


U = _Numbers()


def S(v):  # signed numbers alternate around 0
    return U[v << 1 if v >= 0 else ~(v << 1)]


def mark_after(n):  # when to write next: a program that is killed loses an eighth of its trace at most, and no more than MARK events
    step = max(1, min(MARK, 1 << n.bit_length() >> 4))
    return (n // step + 1) * step


def number(v):  # as JSON; what is not finite is missing
    return v if type(v) is int else None if v is None or not math.isfinite(v) else repr(float(v))


class _Thread:
    def __init__(self, number, search):
        self.number, self.t, self.out, self.search = number, f',"t":{number}' if number else "", [], search
        self.n = self.nodes = self.told = self.told_nodes = 0  # events and nodes; up to where the stream accounts for them
        self.passed = self.sent = self.keep = 0  # open nodes that pass the filters; in the stream; the level of the key
        self.iteration, self.hash, self.mark, self.next, self.written, self.open = 0, 14695981039346656037, 0, 0, time.monotonic(), []  # open: (ply, n, nodes, line)


class _Off:  # without PLYSCOPE_TRACE every call does nothing
    def __getattr__(self, name):
        return lambda *arguments, **fields: None


class Trace:
    def __init__(self, engine=None, game=None, value=None, reasons=(), **header):
        where, limit, trap = (os.environ.get("PLYSCOPE_TRACE" + x, "") for x in ("", "_LIMIT", "_TRAP"))
        self.on = bool(where)
        if not self.on:
            self.__class__ = _Off
            return
        self.writing, self.reading, self.local = threading.Lock(), threading.Lock(), threading.local()
        self.threads, self.searches, self.moves, self.texts, self.writers, self.process = 0, 0, {}, {}, [], os.getpid()
        self.most, self.first, self.deepest, self.wanted, self.path, self.filtered = math.inf, 0, math.inf, None, [], False
        self.socket, self.input, self.pending = None, None, b""
        if where.startswith(("unix:", "tcp:127.0.0.1:")):
            port, _, token = where[14:].partition("/")
            self.socket = socket.socket(socket.AF_UNIX if where[0] == "u" else socket.AF_INET)
            self.socket.connect(where[5:] if where[0] == "u" else ("127.0.0.1", int(port)))
            self.input = self.socket.fileno()
            if where[0] == "t":
                self.socket.sendall(token.encode() + b"\n")
        elif where.startswith("fd:"):
            self.output, self.input = (where[3:].split(",") + [None])[:2]
            self.output, self.input = int(self.output), int(self.input) if self.input else None
        else:
            self.output = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        self.limit = math.inf if self.input is None else 0  # somebody steers: wait for the first word
        for line in limit.split(";"):
            self._control(line.split())
        search, _, k = trap.rpartition(":")
        self.trap_search, self.trap = int(search or 0), int(k or 0)
        value = dict(value or {})
        if value.get("unit") in ("win", "expected"):
            value.setdefault("step", 0.0001)
        self.step, self.infinite = value.get("step", 1), value.get("infinite", 2147483647)
        self.widest = round(self.infinite / self.step)
        self.reasons = {r[0]: (n, [(f + ":number").split(":")[:2] for f in r[2].split()]) for n, r in enumerate(reasons, 1)}
        declared = [{"n": self.reasons[r[0]][0], "name": r[0], "class": r[1], "numbers": self.reasons[r[0]][1], "text": "".join(r[3:])} for r in reasons]
        header = {"plyscope-trace": 1, "engine": engine, "game": game, "value": value, "reasons": declared, "control": self.input is not None, **header}
        self._write([json.dumps({k: v for k, v in header.items() if v is not None})])
        atexit.register(self._at_exit)

    def _at_exit(self):  # the program may end inside the search; a child that was forked leaves its parent's words alone
        for s in self.writers if self.process == os.getpid() else ():
            if s.out:
                self._send(s)

    # Writing and waiting.
    def _write(self, lines):
        if not lines:
            return
        data = memoryview(("\n".join(lines) + "\n").encode())
        with self.writing:
            while data and self.on:
                try:
                    data = data[self.socket.send(data) if self.socket else os.write(self.output, data):]
                except OSError:
                    self.on = False  # nobody reads any more: the search goes on untraced

    def _skip(self, s, n, nodes):  # accounts for the events up to `n` that were not sent
        if s.told != n:
            s.out.append(f'{{"kind":"skip","events":{n - s.told},"nodes":{nodes - s.told_nodes}{s.t}}}')
            s.told, s.told_nodes = n, nodes

    def _spine(self, s):  # with a filter by key, nodes are sent when one below them is, or when a mark is due
        for _, n, nodes, line in s.open[s.sent:s.passed]:
            self._skip(s, n - 1, nodes - 1)
            s.out.append(line)
            s.told, s.told_nodes, s.sent = n, nodes, s.sent + 1

    def _account(self, s):
        if s.told != s.n:
            self._spine(s)
            self._skip(s, s.n, s.nodes)

    def _send(self, s, waiting=""):
        self._account(s)
        s.out.append(f'{{"kind":"mark","n":{s.n},"hash":"{s.hash:016x}"{s.t}{waiting}}}')
        self._write(s.out)
        s.out, s.written = [], time.monotonic()

    def _send_waiting(self, s):
        self._spine(s)
        self._send(s, ',"waiting":true')

    def _control(self, words):  # such as `ply 3 from 2 path e2e4 e7e5`; a path takes all that follows. A filter without a number ends.
        words = words[::-1]

        def count(otherwise, base=10):
            try:
                n = int(words[-1], base)
            except (IndexError, ValueError):
                return otherwise
            words.pop()
            return n

        while words:
            word = words.pop()
            if word == "go":
                self.limit = count(math.inf)
            elif word == "stop":
                self.limit = 0
            elif word == "quit":
                os._exit(0)
            elif word == "nodes":
                self.most = count(math.inf)
            elif word == "from":
                self.first = count(0)
            elif word == "ply":
                self.deepest = count(math.inf)
            elif word == "key":
                self.wanted = count(None, 16)
            elif word == "path":
                self.path, words = words[::-1], []
        self.filtered = self.most < math.inf or self.first or self.deepest < math.inf or self.path or self.wanted is not None

    def _look(self, s):  # every mark, and where the program has to wait or to stop in a debugger
        trap = 0 < self.trap == s.n and self.trap_search in (0, self.searches)
        if trap or s.n >= s.mark:
            self._spine(s)
            if trap or s.n % MARK == 0:
                self._send(s)
            else:  # without a mark, which people who read the lines need not see so often
                self._account(s)
                self._write(s.out)
                s.out, s.written = [], time.monotonic()
        s.mark = mark_after(s.n)
        if trap:
            signal.raise_signal(getattr(signal, "SIGTRAP", signal.SIGABRT))
        waits = self.input is not None and s.n >= self.limit
        if waits:
            self._send_waiting(s)
        if self.input is not None and self.reading.acquire(blocking=waits):  # another thread may wait for words
            while self.input is not None:
                line, found, rest = self.pending.partition(b"\n")
                if found:
                    self.pending = rest
                    self._control(line.decode(errors="replace").split())
                elif s.n < self.limit and not select.select([self.input], [], [], 0)[0]:
                    break
                else:
                    if s.n >= self.limit and not waits:  # it was told to just now
                        waits = True
                        self._send_waiting(s)
                    try:
                        got = self.socket.recv(4096) if self.socket else os.read(self.input, 4096)
                    except OSError:
                        got = b""
                    self.pending = (self.pending + got)[-65536:]
                    if not got:
                        self.input, self.limit = None, math.inf  # nobody to wait for
            self.reading.release()
        s.next = min(s.mark, self.limit, self.trap if self.trap > s.n else math.inf)

    # Events: each counts and goes into the hash, in its binary form, whether it is sent or not.
    def _thread(self):
        s = getattr(self.local, "s", None)
        if s is None or s.search != self.searches:
            with self.writing:
                mine, self.threads = (s.number, self.threads) if s else (self.threads, self.threads + 1)
            if s and s.told != s.n:
                self._send(s)
            s = self.local.s = _Thread(mine, self.searches)
            with self.writing:
                self.writers = [other for other in self.writers if other.search == s.search and other.number != mine] + [s]
            self._look(s)
        return s

    def _inside(self, s):  # whether what happens in the innermost node is sent
        if s.sent != len(s.open):
            return False
        if not self.filtered or s.open and (self.wanted is None or s.keep):
            return True
        return not s.open and (not s.iteration or s.iteration >= self.first) and s.nodes <= self.most

    def _event(self, s, canonical, line, send):
        h = s.hash
        for b in canonical:
            h = (h ^ b) * 1099511628211 & 18446744073709551615
        s.hash = h
        if send:
            self._account(s)
            s.out.append(line)
            s.told, s.told_nodes = s.n + 1, s.nodes
        s.n += 1
        if s.n >= s.next:
            self._look(s)

    def _move(self, move):  # its number, by order of appearance, and its JSON text
        found = self.texts.get(move)
        if found is None:
            text = str(move).encode()[:64].decode(errors="ignore")
            found = self.texts[move] = (0, None) if move is None else (self.moves.setdefault(text, len(self.moves) + 1), json.dumps(text))
        return found

    def _units(self, value):  # a value in units of the step, and its JSON text
        if type(value) is int and self.step == 1:
            return value, value
        text = number(value)
        return (NO_VALUE if text is None else round(value / self.step)), text

    def _end(self, value, outside):  # an end of a window, which is open at `outside` and beyond; infinity may be at the wrong end
        k, text = self._units(value)
        if text is None:
            k = outside if value is None or value != value else int(math.copysign(self.widest, value))
        if abs(k) >= self.widest:
            k = int(math.copysign(self.widest, k))
            text = "null" if k == outside else number(math.copysign(self.infinite, k))
        return k, text

    def _window(self, alpha, beta):  # as it is told, even if beta is not above alpha
        low, high = self._end(alpha, -self.widest), self._end(beta, self.widest)
        return S(low[0]) + U[high[0] - low[0]], f',"alpha":{low[1]},"beta":{high[1]}'

    def _reason(self, name, numbers):
        n, declared = self.reasons[name]
        canonical, line = U[n] + U[len(numbers)], f',"why":"{name}"'
        for (field, unit), v in zip(declared, numbers):
            if unit == "bound":  # its name, or its number: 1 lower, 2 upper, 3 exact
                k = BOUNDS.index(v) if v in BOUNDS else int(v or 0)
                k, text = (k, f'"{BOUNDS[k]}"') if 0 < k < 4 else (0, None)
            else:
                k, text = self._move(v) if unit == "move" else self._units(v) if unit in ("value", "difference") else (None, number(v))
            if k is None:
                k = NO_VALUE if text is None else round(v * 65535 if unit == "share" else v)
            canonical += S(k)
            line += f',"{field}":{"null" if text is None else text}'
        return canonical, line

    def _record(self, code, kind, forms, *head, **fields):
        """Forms: m a move, v a value, s signed, u unsigned, j JSON that is not in the binary form. `head`: bytes and JSON before them."""
        s = self._thread()
        canonical, line = bytes((code,)), f'{{"kind":"{kind}"'
        if head:
            canonical, line = canonical + head[0], line + head[1]
        for form, (name, v) in zip(forms, fields.items()):
            if form in "mv":
                k, v = self._move(v) if form == "m" else self._units(v)
                canonical += U[k] if form == "m" else S(k)
            elif form != "j":
                canonical += U[v or 0] if form == "u" else S(NO_DEPTH if v is None else v)
            elif v is not None:
                v = json.dumps(v)
            if v is not None:
                line += f',"{name}":{v}'
        if code in (8, 9, 27, 29):
            send = True
        else:
            send = s.nodes <= self.most if 22 <= code <= 26 or code == 30 else self._inside(s)
        self._event(s, canonical, line + s.t + "}", send)
        if code in (9, 29) or code > 21 and self.input is not None and time.monotonic() > s.written + 0.1:
            self._send(s)

    def _value(self, code, kind, value):  # the same for what has a value alone
        s, (k, v) = self._thread(), self._units(value)
        field = "" if v is None else f',"value":{v}'
        self._event(s, code + S(k), f'{{"kind":"{kind}"{field}{s.t}}}', self._inside(s))

    def _close(self, s, opened, canonical, line):
        if not 0 <= opened < len(s.open):
            return
        send = opened < s.sent
        if send:
            s.sent = opened
        if opened < s.passed:
            s.passed = opened
        if opened < s.keep:
            s.keep = 0
        del s.open[opened:]
        self._event(s, canonical, line + s.t + "}", send)
        if not opened and s.number and s.out:
            self._send(s)  # a helper's last words must come before the next search

    # The search.
    def search(self, **fields):
        """A search begins: `fen` or `root` names the position; `moves` played before, `side`, `limits`, `options`, `seed`, `threads`."""
        if getattr(self.local, "s", None):
            self.unwind(0)
            self.flush()
        self._write([json.dumps({"kind": "search", **fields})])
        self.searches += 1
        self._thread()

    def iteration(self, depth):
        self.unwind(0)
        self._thread().iteration = depth
        self._record(8, "iteration", "s", depth=depth)

    def iteration_done(self, best=None, value=None):
        self.unwind(0)
        self._record(9, "iteration-done", "mv", best=best, value=value)

    def aspiration(self, alpha=None, beta=None, depth=None):
        """One window over the root: `pass` in the format."""
        self._record(10, "pass", "s", *self._window(alpha, beta), depth=depth)

    def aspiration_done(self, value):
        self._value(b"\x0b", "pass-done", value)

    def best_change(self, move):
        self._record(27, "best-change", "m", to=move)

    def end(self, nodes=None, best=None, value=None, stopped_by=None):
        """The search is over: the program's own figures, which plyscope shows beside those that it counted."""
        self.unwind(0)
        self._record(29, "end", "umvj", nodes=nodes, best=best, value=value, **{"stopped-by": stopped_by})

    def flush(self):
        self._send(self._thread())

    # Nodes. With `ply`, the same position entered again and nodes left by an exception are recognised.
    def enter(self, move=None, alpha=None, beta=None, depth=None, ply=None, side=None):
        s = self._thread()
        same = s.open[-1][0] if s.open else -1
        if ply is None:
            ply = same + (move is not None or not s.open)
        elif ply < same:
            self.unwind(sum(level[0] < ply for level in s.open))
        elif ply == same:
            move = None
        k, text = self._move(move)
        canonical, line = U[k], f'{{"kind":"enter","move":{text or "null"}'
        if alpha is None and beta is None:
            canonical = b"\x13" + canonical if depth is None else b"\x22" + canonical + S(depth)
        else:
            window, fields = self._window(alpha, beta)
            canonical, line = b"\x01" + canonical + window + S(NO_DEPTH if depth is None else depth), line + fields
        line += ("" if depth is None else f',"depth":{depth}') + (f',"side":"{side}"' if side else "") + s.t + "}"
        if side:
            canonical = b"\x1f" + U[SIDES.index(side)] + canonical
        send = s.passed == len(s.open) < DEEPEST
        if send and self.filtered:
            send = s.nodes < self.most and ply <= self.deepest and (not s.iteration or s.iteration >= self.first)
            send = send and (move is None or not 0 < ply <= len(self.path) or self.path[ply - 1] == str(move))
        passes, send = send, send and (self.wanted is None or s.keep > 0)
        if send:
            self._account(s)
        s.passed += passes
        if send:
            s.sent = s.passed
        s.nodes += 1
        s.open.append((ply if len(s.open) < DEEPEST else s.open[-1][0], s.n + 1, s.nodes, line))
        self._event(s, canonical, line, send)

    def leave(self, value=None, bound=None, best=None, nodes=None):
        s, (k, v) = self._thread(), self._units(value)
        if bound is None and best is None and nodes is None:
            canonical, line = (b"\x14", '{"kind":"leave"') if v is None else (b"\x02" + S(k), f'{{"kind":"leave","value":{v}')
        else:
            m, text = self._move(best)
            canonical = b"\x15" + S(k) + U[BOUNDS.index(bound or "")] + U[m] + U[nodes or 0]
            parts = ("value", v), ("bound", bound and f'"{bound}"'), ("best", text), ("nodes", nodes)
            line = '{"kind":"leave"' + "".join(f',"{name}":{v}' for name, v in parts if v is not None)
        self._close(s, len(s.open) - 1, canonical, line)

    def unwind(self, open=0):
        self._close(self._thread(), open, b"\x11" + U[open], f'{{"kind":"unwind","open":{open}')

    def evaluate(self, value, sd=None):
        if sd is None:
            self._value(b"\x03", "evaluate", value)
        else:
            self._record(3, "evaluate", "vj", value=value, sd=sd)

    def stand(self, value):
        self._value(b"\x04", "stand", value)

    def legal(self, moves):
        """The number of legal moves, or their names: `moves` in the format."""
        names = None if isinstance(moves, int) else [str(move) for move in moves]
        count = moves if names is None else len(names)
        self._record(14, "moves", "j", U[count], f',"count":{count}', names=names)

    def back_up(self, move, worth):
        self._record(15, "back-up", "mv", move=move, worth=worth)

    def key(self, key):
        s = self._thread()
        if key == self.wanted and not s.keep and s.passed == len(s.open):
            s.keep = len(s.open)
            self._spine(s)
        self._say(f'"kind":"key","key":"{key:016x}"')

    def _say(self, fields):
        s = self._thread()
        if self._inside(s):
            self._account(s)
            s.out.append(f"{{{fields}{s.t}}}")

    def note(self, text):
        self._say(f'"kind":"note","text":{json.dumps(text)}')

    def render(self, text):
        self._say(f'"kind":"render","text":{json.dumps(text)}')

    # Reasons: the name, then its numbers in the order of the declaration. A move of None in `prune`: all later moves.
    def why(self, reason, *numbers):
        self._record(6, "why", "", *self._reason(reason, numbers))

    def prune(self, move, reason, *numbers):
        (k, text), (canonical, line) = self._move(move), self._reason(reason, numbers)
        self._record(5, "prune", "", U[k] + canonical, (f',"move":{text}' if text else "") + line)

    def attempt(self, reason, *numbers):
        """A rule searches below this node: `try` in the format."""
        self._record(7, "try", "", *self._reason(reason, numbers))

    def attempted(self, value):
        self._value(b"\x0d", "tried", value)

    def depth_change(self, plies, reason=None):
        self._record(12, "depth-change", "j", S(plies) + U[self.reasons[reason][0] if reason else 0], f',"plies":{plies}', why=reason)

    # Best-first: the ids of nodes are the program's own numbers.
    def expand(self, node, first, moves, priors=None):
        s, moves = self._thread(), [self._move(move) for move in moves]
        canonical, line = U[node] + U[first] + U[len(moves)], f',"node":{node},"first":{first},"moves":[{",".join(m[1] for m in moves)}]'
        shares = [65536] * len(moves) if priors is None else [int(p * 65535 + 0.5) if 0 <= p <= 1 else 65536 for p in priors]
        for (k, _), share in zip(moves, shares):
            canonical += U[k] + U[share]
        if s.told != s.n and s.nodes + len(moves) <= self.most:
            self._account(s)
        s.nodes += len(moves)
        self._record(23, "expand", "j", canonical, line, priors=None if priors is None else [float(p) for p in priors])

    def visit(self, node, value, weight=1):
        self._record(24, "visit", "uvu", node=node, value=value, weight=weight)

    def update(self, node, visits, value=None, sd=0, prior=None):
        (k, v), (spread, w) = self._units(value), self._units(sd or 0)
        parts = ("value", v), ("sd", w if sd else None), ("prior", number(prior))
        line = f',"node":{node},"visits":{visits}' + "".join(f',"{name}":{v}' for name, v in parts if v is not None)
        self._record(25, "update", "", U[node] + U[visits] + S(k) + U[spread], line)

    def prove(self, node, lower=None, upper=None, plies=None):
        self._record(26, "prove", "uvvj", node=node, lower=lower, upper=upper, plies=plies)

    def at(self, node):
        self._record(22, "at", "u", node=node)

    def edge(self, node, move, to):
        self._record(30, "edge", "umu", node=node, move=move, to=to)
