"""Lets a Python program that searches a game tree show its search to plyscope. One file, Python 3.8 or newer, no dependency.

SPDX-License-Identifier: 0BSD
Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.
THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE.

    T = Trace(engine="toy 1.0", game="toy", value={"unit": "points"}, reasons=[("futility", "skip", "static:value margin:difference")])
    T.search(root="three moves")
    def search(move, alpha, beta, depth):          # wrap the search function; `move` led here, None at the root
        if T.on: T.enter(move, alpha, beta, depth)
        value = search_inner(...)
        if T.on: T.leave(value)
        return value
    if T.on: T.prune(move, "futility", static, margin)
    if T.on: T.why("draw")                         # before the `return` it explains
    T.end(nodes, best, value)

Best-first: T.expand(node, first, moves, priors), T.visit(node, value), T.update(node, visits, value). Nothing is written unless the
environment variable PLYSCOPE_TRACE names a destination: `fd:3`, `fd:3,4`, `unix:PATH`, `tcp:127.0.0.1:PORT/TOKEN` or a file.
"""
import json, math, os, select, signal, socket, sys, threading

MARK = 4096


class _Numbers(dict):  # base 128, lowest group first; signed numbers alternate around 0
    def __missing__(self, v):
        rest, out = max(0, v) & (1 << 64) - 1, bytearray()
        while rest > 127:
            out.append(rest & 127 | 128)
            rest >>= 7
        out.append(rest)
        if len(self) > 100_000:
            self.clear()
        self[v] = bytes(out)
        return self[v]


U = _Numbers()


def S(v):
    return U[v << 1 if v >= 0 else ~(v << 1)]


class _Thread:
    def __init__(self, number, searches):
        self.number, self.t, self.out, self.searches = number, f',"t":{number}' if number else "", [], searches
        self.n = self.nodes = self.told = self.told_nodes = self.passed = self.sent = self.keep = self.iteration = 0
        self.hash, self.mark, self.next, self.open = 14695981039346656037, MARK, 0, []  # open: (ply, n, nodes, line) of each node


class _Off:  # without PLYSCOPE_TRACE every call does nothing
    def __getattr__(self, name):
        return lambda *arguments, **fields: None


class Trace:
    def __init__(self, engine=None, game=None, value=None, reasons=(), **header):
        self.on = False
        where, limit, trap = (os.environ.get("PLYSCOPE_TRACE" + x) for x in ("", "_LIMIT", "_TRAP"))
        if not where:
            self.__class__ = _Off
            return
        self.lock, self.local, self.threads, self.searches, self.moves, self.quoted = threading.RLock(), threading.local(), 0, 0, {}, {}
        self.most, self.first, self.deepest, self.key_wanted, self.path, self.filtered = math.inf, 0, math.inf, None, [], False
        self.limit, self.input, self.pending = math.inf, None, b""
        if where.startswith("fd:"):
            out, *control = where[3:].split(",")
            self.output = int(out)
            self.input = int(control[0]) if control else None
        elif where.startswith(("unix:", "tcp:127.0.0.1:")):
            self.socket = socket.socket(socket.AF_UNIX if where[0] == "u" else socket.AF_INET)
            address, _, token = where[14:].partition("/")
            self.socket.connect(where[5:] if where[0] == "u" else ("127.0.0.1", int(address)))
            self.output = self.input = self.socket.fileno()
            if token:
                self.socket.sendall(token.encode() + b"\n")
        else:
            self.output = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        self.on = True
        if self.input is not None:
            self.limit = 0  # somebody steers: wait for the first word
        for line in (limit or "").replace("\n", ";").split(";"):
            self._control(line.split())
        search, _, k = (trap or "").rpartition(":")
        self.trap = (int(search or 0), int(k or 0))
        value = dict(value or {})
        if value.get("unit") in ("win", "expected"):
            value.setdefault("step", 0.0001)
        self.step, self.infinite = value.get("step", 1), value.get("infinite", 1_000_000)
        self.reasons, declared = {}, []
        for n, (name, kind, numbers, *text) in enumerate(reasons, 1):
            numbers = [(f + ":number").split(":")[:2] for f in numbers.split()]
            self.reasons[name] = n, numbers
            declared.append({"n": n, "name": name, "class": kind, "numbers": numbers, **({"text": text[0]} if text else {})})
        header = {"plyscope-trace": 1, "engine": engine, "game": game, "value": value, "reasons": declared, **header}
        if self.input is not None:
            header["control"] = True
        self._write([json.dumps({k: v for k, v in header.items() if v is not None})])

    # Writing and waiting.
    def _write(self, lines):
        data = memoryview(("\n".join(lines) + "\n").encode())
        with self.lock:
            while data and self.on:
                try:
                    data = data[self.socket.send(data) if hasattr(self, "socket") else os.write(self.output, data):]
                except OSError:
                    self.on = False  # nobody reads any more: the search goes on untraced

    def _flush(self, s, waiting=False):
        for level in s.open[s.sent:s.passed]:  # with a filter by key, nodes are sent when one below them is, or when a mark is due
            self._skip(s, level[1] - 1, level[2] - 1)
            s.out.append(level[3])
            s.told, s.told_nodes, s.sent = level[1], level[2], s.sent + 1
        self._skip(s, s.n, s.nodes)
        s.out.append(f'{{"kind":"mark","n":{s.n},"hash":"{s.hash:016x}"{s.t}{",%swaiting%s:true" % (chr(34), chr(34)) if waiting else ""}}}')
        self._write(s.out)
        s.out, s.mark = [], s.n + MARK

    def _skip(self, s, n, nodes):
        if s.told != n:
            s.out.append(f'{{"kind":"skip","events":{n - s.told},"nodes":{nodes - s.told_nodes}{s.t}}}')
            s.told, s.told_nodes = n, nodes

    def _control(self, words):
        word, number = (words + ["", ""])[0], words[1] if len(words) > 1 else None
        if word in ("go", "stop"):
            self.limit = 0 if word == "stop" else int(number) if number else math.inf
        elif word == "quit":
            os._exit(0)
        elif word == "nodes":
            self.most = int(number) if number else math.inf
        elif word == "from":
            self.first = int(number or 0)
        elif word == "ply":
            self.deepest = int(number) if number else math.inf
        elif word == "path":
            self.path = words[1:]
        elif word == "key":
            self.key_wanted = int(number, 16) if number else None
        self.filtered = self.most < math.inf or self.first or self.deepest < math.inf or self.path or self.key_wanted is not None

    def _look(self, s):  # every mark, and where the program has to wait or to stop in a debugger
        wait, trap = s.n >= self.limit, s.n and self.trap[1] == s.n and self.trap[0] in (0, self.searches)
        if wait or trap or s.n >= s.mark:
            self._flush(s, wait and self.input is not None)
        if trap:
            signal.raise_signal(signal.SIGTRAP)
        with self.lock if self.input is None else self._reading:
            while self.input is not None:
                line, found, rest = self.pending.partition(b"\n")
                if found:
                    self.pending = rest
                    self._control(line.decode(errors="replace").split())
                    continue
                if s.n < self.limit and not select.select([self.input], [], [], 0)[0]:
                    break
                got = self.socket.recv(4096) if hasattr(self, "socket") else os.read(self.input, 4096)
                if not got:
                    self.input, self.limit = None, math.inf  # nobody to wait for
                self.pending = (self.pending + got)[-65536:]
        s.next = min(s.mark, self.limit, self.trap[1] if self.trap[1] > s.n else math.inf)

    _reading = threading.Lock()

    # Events: each counts and goes into the hash, in its binary form, whether it is sent or not.
    def _thread(self):
        s = getattr(self.local, "s", None)
        if s is None or s.searches != self.searches:
            if s is None:
                with self.lock:
                    number, self.threads = self.threads, self.threads + 1
            else:
                number = s.number
                self._flush(s)
            s = self.local.s = _Thread(number, self.searches)
            self._look(s)
        return s

    def _inside(self, s):  # whether what happens in the innermost node is sent
        if not self.filtered:
            return True
        if s.open:
            return s.sent == len(s.open) and (self.key_wanted is None or s.keep > 0)
        return (not s.iteration or s.iteration >= self.first) and s.nodes <= self.most

    def _event(self, s, canonical, line, send):
        h = s.hash
        for b in canonical:
            h = (h ^ b) * 1099511628211 & 18446744073709551615
        s.hash = h
        if send:
            if s.told != s.n:
                self._skip(s, s.n, s.nodes)
            s.out.append(line)
            s.told, s.told_nodes = s.n + 1, s.nodes
        s.n += 1
        if s.n >= s.next:
            self._look(s)

    def _move(self, move):  # its number, by order of appearance, and its JSON text
        if move is None:
            return 0
        if move not in self.quoted:
            text = str(move).encode()[:64].decode(errors="ignore")
            self.moves.setdefault(text, len(self.moves) + 1)
            self.quoted[move] = self.moves[text], json.dumps(text)
        return self.quoted[move][0]

    def _text(self, move):
        return "null" if move is None else self.quoted[move][1]

    def _units(self, value):  # a value in units of the step, and its JSON text; what is not finite is missing
        if type(value) is int and self.step == 1:
            return value, value
        if value is None or not math.isfinite(value):
            return 0, "null"
        return round(value / self.step), value if type(value) is int else repr(float(value))

    def _bound(self, value, infinite):
        if value is None or not -self.infinite < value < self.infinite:
            return round(infinite / self.step), "null"
        return self._units(value)

    def _numbers(self, name, numbers):
        n, declared = self.reasons[name]
        canonical, line = U[n] + U[len(numbers)], f',"why":"{name}"'
        for (field, unit), v in zip(declared, numbers):
            if unit == "move":
                k, text = self._move(v), self._text(v)
            elif unit in ("value", "difference"):
                k, text = self._units(v)
            else:
                text = v if type(v) is int else "null" if v is None or not math.isfinite(v) else repr(float(v))
                k = 0 if text == "null" else round(v * 65535 if unit == "share" else v)
            canonical += S(k)
            line += f',"{field}":{text}'
        return canonical, line

    def _plain(self, canonical, fields, send=None):
        s = self._thread()
        self._event(s, canonical, f"{{{fields}{s.t}}}", self._inside(s) if send is None else send)

    # The search.
    def search(self, **fields):
        """A search begins: `fen` or `root` names the position; `moves` played before, `side`, `limits`, `options`, `seed`, `threads`."""
        s = getattr(self.local, "s", None)
        if s is not None:
            self.unwind(0)
            self._flush(s)
            s.n = s.told = s.nodes = s.told_nodes = 0
        self._write([json.dumps({"kind": "search", **fields})])
        if self.limit < math.inf:
            self.limit = 0  # a limit is one within a search
        self.searches += 1
        self._thread()

    def iteration(self, depth):
        self.unwind(0)
        self._thread().iteration = depth
        self._plain(b"\x08" + S(depth), f'"kind":"iteration","depth":{depth}', True)

    def iteration_done(self, best=None, value=None):
        self.unwind(0)
        k, v = self._units(value)
        self._plain(b"\x09" + U[self._move(best)] + S(k), f'"kind":"iteration-done","best":{self._text(best)},"value":{v}', True)

    def aspiration(self, alpha, beta, depth):
        """One window over the root: `pass` in the format."""
        (a, x), (b, y) = self._bound(alpha, -self.infinite), self._bound(beta, self.infinite)
        self._plain(b"\x0a" + S(a) + U[b - a] + S(depth), f'"kind":"pass","alpha":{x},"beta":{y},"depth":{depth}')

    def aspiration_done(self, value):
        k, v = self._units(value)
        self._plain(b"\x0b" + S(k), f'"kind":"pass-done","value":{v}')

    def best_change(self, move):
        self._plain(b"\x1b" + U[self._move(move)], f'"kind":"best-change","to":{self._text(move)}', True)

    def end(self, nodes=0, best=None, value=None, **fields):
        """The search is over: the program's own figures, which plyscope shows beside those that it counted."""
        self.unwind(0)
        k, v = self._units(value)
        more = "".join(f",{json.dumps(name)}:{json.dumps(field)}" for name, field in fields.items())
        canonical = b"\x1d" + U[nodes] + U[self._move(best)] + S(k)
        self._plain(canonical, f'"kind":"end","nodes":{nodes},"best":{self._text(best)},"value":{v}{more}', True)
        self._flush(self._thread())

    def flush(self):
        self._flush(self._thread())

    # Nodes. With `ply`, the same position entered again and nodes left by an exception are recognised.
    def enter(self, move=None, alpha=None, beta=None, depth=None, ply=None):
        s = self._thread()
        same, opened = s.open[-1][0] if s.open else -1, len(s.open)
        if ply is not None:
            if ply < same:
                self.unwind(sum(level[0] < ply for level in s.open))
                same, opened = ply - 1, len(s.open)
            if ply == same:
                move = None
        else:
            ply = same + (move is not None or not opened)
        s.nodes += 1
        number = self._move(move)
        if alpha is None and beta is None and depth is None:
            canonical, line = b"\x13" + U[number], f'{{"kind":"enter","move":{self._text(move)}{s.t}}}'
        else:
            (a, x), (b, y) = self._bound(alpha, -self.infinite), self._bound(beta, self.infinite)
            canonical = b"\x01" + U[number] + S(a) + U[b - a] + S(depth or 0)
            line = f'{{"kind":"enter","move":{self._text(move)},"alpha":{x},"beta":{y},"depth":{depth or 0}{s.t}}}'
        passes = s.passed == opened and (not self.filtered or s.nodes <= self.most and ply <= self.deepest
            and (not s.iteration or s.iteration >= self.first)
            and (move is None or not 0 < ply <= len(self.path) or self.path[ply - 1] == str(move)))
        s.open.append((ply, s.n + 1, s.nodes, line))
        if passes:
            s.passed += 1
            if self.key_wanted is not None and not s.keep:
                passes = False
            else:
                s.nodes -= 1
                self._skip(s, s.n, s.nodes)
                s.nodes += 1
                s.sent = s.passed
        self._event(s, canonical, line, passes)

    def _close(self, canonical, fields, opened):
        s = self._thread()
        if opened >= len(s.open):
            return
        send = opened < s.sent
        s.sent, s.passed, s.keep = min(s.sent, opened), min(s.passed, opened), s.keep if s.keep <= opened else 0
        del s.open[opened:]
        self._event(s, canonical, f"{{{fields}{s.t}}}", send)
        if not opened and s.number:
            self._flush(s)

    def leave(self, value=None, bound=None, best=None, nodes=None):
        k, v = self._units(value)
        if bound is None and best is None and nodes is None:
            if v == "null":
                return self._close(b"\x14", '"kind":"leave"', len(self._thread().open) - 1)
            return self._close(b"\x02" + S(k), f'"kind":"leave","value":{v}', len(self._thread().open) - 1)
        number = (None, "lower", "upper", "exact").index(bound)
        fields = f'"kind":"leave","value":{v}' + (f',"bound":"{bound}"' if bound else "")
        fields += (f',"best":{self._text(best)}' if self._move(best) else "") + (f',"nodes":{nodes}' if nodes is not None else "")
        self._close(b"\x15" + S(k) + U[number] + U[self._move(best)] + U[nodes or 0], fields, len(self._thread().open) - 1)

    def unwind(self, opened=0):
        self._close(b"\x11" + U[opened], f'"kind":"unwind","open":{opened}', opened)

    def evaluate(self, value):
        k, v = self._units(value)
        self._plain(b"\x03" + S(k), f'"kind":"evaluate","value":{v}')

    def stand(self, value):
        k, v = self._units(value)
        self._plain(b"\x04" + S(k), f'"kind":"stand","value":{v}')

    def legal(self, moves):
        """The number of legal moves, or their names: `moves` in the format."""
        count = moves if isinstance(moves, int) else len(moves)
        fields = f'"count":{count}' if isinstance(moves, int) else f'"names":{json.dumps([str(m) for m in moves])}'
        self._plain(b"\x0e" + U[count], f'"kind":"moves",{fields}')

    def back_up(self, move, worth):
        k, v = self._units(worth)
        self._plain(b"\x0f" + U[self._move(move)] + S(k), f'"kind":"back-up","move":{self._text(move)},"worth":{v}')

    def key(self, key):
        s = self._thread()
        if key == self.key_wanted and not s.keep and s.passed == len(s.open):
            s.keep = len(s.open)
            self._flush(s)
        if self._inside(s):
            self._skip(s, s.n, s.nodes)
            s.out.append(f'{{"kind":"key","key":"{key:016x}"{s.t}}}')

    def note(self, text, kind="note"):
        s = self._thread()
        if self._inside(s):
            self._skip(s, s.n, s.nodes)
            s.out.append(f'{{"kind":"{kind}","text":{json.dumps(text)}{s.t}}}')

    def render(self, text):
        self.note(text, "render")

    # Reasons: the name, then its numbers in the order of the declaration. A move of None in prune: all later moves.
    def why(self, reason, *numbers):
        canonical, fields = self._numbers(reason, numbers)
        self._plain(b"\x06" + canonical, '"kind":"why"' + fields)

    def prune(self, move, reason, *numbers):
        head = b"\x05" + U[self._move(move)]
        canonical, fields = self._numbers(reason, numbers)
        self._plain(head + canonical, f'"kind":"prune","move":{self._text(move)}{fields}')

    def attempt(self, reason, *numbers):
        """A rule searches below this node: `try` in the format."""
        canonical, fields = self._numbers(reason, numbers)
        self._plain(b"\x07" + canonical, '"kind":"try"' + fields)

    def attempted(self, value):
        k, v = self._units(value)
        self._plain(b"\x0d" + S(k), f'"kind":"tried","value":{v}')

    def depth_change(self, plies, reason=None):
        why = f',"why":"{reason}"' if reason else ""
        self._plain(b"\x0c" + S(plies) + U[self.reasons[reason][0] if reason else 0], f'"kind":"depth-change","plies":{plies}{why}')

    # Best-first: ids of nodes are the program's own numbers.
    def expand(self, node, first, moves, priors=None):
        s = self._thread()
        s.nodes += len(moves)
        canonical = b"\x17" + U[node] + U[first] + U[len(moves)]
        for i, move in enumerate(moves):
            prior = priors[i] if priors is not None else 0
            canonical += U[self._move(move)] + U[int(prior * 65535 + 0.5) if 0 < prior <= 1 else 0]
        more = f',"priors":{json.dumps([float(p) for p in priors])}' if priors is not None else ""
        names = ",".join(self._text(move) for move in moves)
        self._best_first(canonical, f'"kind":"expand","node":{node},"first":{first},"moves":[{names}]{more}', len(moves))

    def _best_first(self, canonical, fields, new=0):
        s = self._thread()
        if s.nodes <= self.most and s.told != s.n:
            s.nodes -= new
            self._skip(s, s.n, s.nodes)
            s.nodes += new
        self._event(s, canonical, f"{{{fields}{s.t}}}", s.nodes <= self.most)

    def visit(self, node, value, weight=1):
        k, v = self._units(value)
        self._best_first(b"\x18" + U[node] + S(k) + U[weight], f'"kind":"visit","node":{node},"value":{v},"weight":{weight}')

    def update(self, node, visits, value=None, sd=None, prior=None):
        (k, v), (d, w) = self._units(value), self._units(sd)
        more = (f',"sd":{w}' if sd is not None else "") + (f',"prior":{float(prior)!r}' if prior is not None else "")
        self._best_first(b"\x19" + U[node] + U[visits] + S(k) + U[d], f'"kind":"update","node":{node},"visits":{visits},"value":{v}{more}')

    def prove(self, node, lower=None, upper=None, plies=0):
        (k, v), (d, w) = self._units(lower), self._units(upper)
        self._best_first(b"\x1a" + U[node] + S(k) + S(d) + U[plies], f'"kind":"prove","node":{node},"lower":{v},"upper":{w},"plies":{plies}')

    def at(self, node):
        self._best_first(b"\x16" + U[node], f'"kind":"at","node":{node}')

    def edge(self, node, move, to):
        self._best_first(b"\x1e" + U[node] + U[self._move(move)] + U[to], f'"kind":"edge","node":{node},"move":{self._text(move)},"to":{to}')
