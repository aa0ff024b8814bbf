"""Writes a suite of zugzwangs: zugzwang.py STOCKFISH SEED COUNT FILE. Needs the package `chess`.

Random pawn endgames with blocked pawns and kings nearby, in which the side to move also has a bishop that its own pawn shuts in,
so that a search with null moves believes that it may pass. If having to move costs it 20 points of winning chances at all limits,
it is a zugzwang. The suite has a position before it, from which a quiet move to the zugzwang is the only good one at two limits.
"""

import math
import random
import subprocess
import sys

import chess

COST, GAP = 20, 15
LIMITS, AGAIN = (300, 1_000, 20_000), (10_000, 100_000)


class Judge:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("setoption name Hash value 1")

    def send(self, line):
        print(line, file=self.process.stdin, flush=True)

    def lines(self, board, nodes, count=1):
        """The best moves with their winning chances in percent, as `sprt blunders` counts them."""
        self.send(f"setoption name MultiPV value {count}\nposition fen {board.fen()}\ngo nodes {nodes}")
        best = {}
        for line in self.process.stdout:
            words = line.split()
            if words[0] == "bestmove":
                return [best[rank] for rank in sorted(best)]
            if "pv" not in words or "lowerbound" in words or "upperbound" in words:
                continue
            kind, value = words[words.index("score") + 1 :][:2]
            score = int(value) if kind == "cp" else math.copysign(3000, int(value))
            chances = 100 / (1 + math.exp(-0.00368208 * max(-3000, min(3000, score))))
            best[int(words[words.index("multipv") + 1])] = (chances, words[words.index("pv") + 1])

    def chances(self, board, nodes):
        return self.lines(board, nodes)[0][0]


def passed(board):
    other = board.copy(stack=False)
    other.turn = not board.turn
    return other


def usable(board):
    pieces = board.occupied_co[board.turn] & ~(board.pawns | board.kings)
    boards = (board, passed(board))
    return bool(pieces) and all(b.is_valid() and not b.is_check() and any(b.legal_moves) for b in boards)


def cost(judge, board, nodes):
    """What having to move costs the side to move, in points of winning chances."""
    return 100 - judge.chances(passed(board), nodes) - judge.chances(board, nodes)


def shut_in(rng, board, color):
    """A bishop in its own corner behind a blocked pawn."""
    file, next_file = rng.choice([(0, 1), (7, 6)])
    ranks = (0, 1, 2) if color else (7, 6, 5)
    board.set_piece_at(chess.square(file, ranks[0]), chess.Piece(chess.BISHOP, color))
    board.set_piece_at(chess.square(next_file, ranks[1]), chess.Piece(chess.PAWN, color))
    board.set_piece_at(chess.square(next_file, ranks[2]), chess.Piece(chess.PAWN, not color))


def put(board, square, kind, color):
    if not board.piece_at(square):
        board.set_piece_at(square, chess.Piece(kind, color))


def endgame(rng):
    while True:
        board = chess.Board(None)
        board.turn = rng.choice(chess.COLORS)
        shut_in(rng, board, board.turn)
        if rng.random() < 0.4:
            shut_in(rng, board, not board.turn)
        for _ in range(rng.randint(1, 3)):
            center = rng.randint(8, 47)
            put(board, center, chess.PAWN, True)
            put(board, center + 8, chess.PAWN, False)
        for color in chess.COLORS:
            if rng.random() < 0.3:
                put(board, rng.randint(8, 55), chess.PAWN, color)
        near = [to for to in chess.SQUARES if chess.square_distance(to, center) <= 2 and not board.piece_at(to)]
        for color, square in zip(chess.COLORS, rng.sample(near, 2)):
            put(board, square, chess.KING, color)
        if usable(board):
            return board


def before(board):
    """Positions from which a quiet move of a piece leads to this one."""
    for square in chess.SquareSet(board.occupied_co[not board.turn] & ~board.pawns):
        for origin in chess.SquareSet(board.attacks_mask(square) & ~board.occupied):
            earlier = passed(board)
            earlier.set_piece_at(origin, earlier.remove_piece_at(square))
            if earlier.is_valid():
                yield earlier, chess.Move(origin, square)


def only_good(judge, board, move):
    for nodes in AGAIN:
        first, *rest = judge.lines(board, nodes, 2)
        if first[1] != move.uci() or not rest or first[0] - rest[0][0] < GAP:
            return False
    return True


def main(program, seed, count, path):
    judge, rng = Judge(program), random.Random(int(seed))
    tried = zugzwangs = 0
    written = set()
    with open(path, "w") as out:
        while len(written) < int(count):
            board = endgame(rng)
            tried += 1
            if any(cost(judge, board, nodes) < COST for nodes in LIMITS):
                continue
            zugzwangs += 1
            earlier = list(before(board))
            rng.shuffle(earlier)
            for position, move in earlier:
                if only_good(judge, position, move):
                    if position.epd() not in written:
                        written.add(position.epd())
                        line = f'{position.epd()} bm {position.san(move)}; id "zugzwang.{len(written):03}";'
                        print(line, file=out, flush=True)
                    break
    judge.send("quit")
    print(f"{tried} endgames, {zugzwangs} zugzwangs, {len(written)} positions")


main(*sys.argv[1:])
