// One game: board, moves, graphs, keys.
"use strict";

const STEPS = {
  first: "M2 2h2v12H2z M14 2v12L5 8z", back: "M12 2v12L3 8z", on: "M4 2v12l9-6z", last: "M2 2v12l9-6z M12 2h2v12h-2z",
  turn: "M8 1l5 4H9v6h4l-5 4-5-4h4V5H3z",
};
// Evaluations beyond this are drawn like this one.
const MOST_PAWNS = 10;

function stepButton(shape, title, act) {
  const button = element("button", undefined, { type: "button", title, "aria-label": title });
  const picture = drawn("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
  picture.append(drawn("path", { d: STEPS[shape] }));
  button.append(picture);
  button.addEventListener("click", act);
  return button;
}

// The number before a move of White and before the first move of a row.
function moveNumber(ply, game, isFirst) {
  const place = ply + (game.first_is_black ? 1 : 0);
  const text = game.first_number + Math.floor(place / 2);
  if (place % 2 === 0) return `${text}. `;
  return isFirst ? `${text}... ` : "";
}

const isBlacks = (ply, game) => (ply + (game.first_is_black ? 1 : 0)) % 2 === 1;

// Pawns from the mover's point of view; a mate counts as the maximum.
function pawns(score) {
  const mate = /^([+-]?)M/.exec(score);
  const value = mate ? (mate[1] === "-" ? -MOST_PAWNS : MOST_PAWNS) : Number(score);
  return Number.isFinite(value) ? value : null;
}

// Seconds on the clock after each ply, where the limit is a base time with an increment.
function clocksOf(game) {
  const control = /^([\d.]+)(?:\+([\d.]+))?$/.exec(game.time_control || "");
  if (!control) return null;
  const increment = Number(control[2] || 0);
  // The increment precedes the first move, too.
  const left = [0, 1].map(() => Number(control[1]) + increment);
  return game.moves.map((move, ply) => {
    const side = isBlacks(ply, game) ? 1 : 0;
    if (move.seconds !== null && !move.is_book) {
      left[side] = Math.max(left[side] - move.seconds, 0) + increment;
    }
    return left[side];
  });
}

class Viewer {
  // `onPlace(ply)` gets the ply that is shown, `tools` are buttons below the board.
  constructor(root, { onPlace, tools } = {}) {
    this.root = root;
    this.onPlace = onPlace || (() => {});
    this.tools = tools || [];
    this.board = new Board();
    this.board.root.setAttribute("tabindex", "0");
    root.addEventListener("keydown", (event) => this.key(event));
  }

  open(game, ply) {
    this.game = game;
    this.pictures = game.start ? [game.start] : [];
    for (const move of game.moves) {
      if (!game.start || !move.changes) break;
      this.pictures.push(pictureAfter(this.pictures[this.pictures.length - 1], move));
    }
    this.layOut();
    this.go(ply === undefined ? game.moves.length : ply);
  }

  layOut() {
    const { game } = this;
    const left = element("div", undefined, { class: "game" });
    const steps = element("div", undefined, { class: "steps" });
    steps.append(stepButton("first", "first position", () => this.go(0)), stepButton("back", "one move back", () => this.go(this.ply - 1)),
      stepButton("on", "one move on", () => this.go(this.ply + 1)), stepButton("last", "last position", () => this.go(game.moves.length)),
      stepButton("turn", "turn the board", () => this.flip()), ...this.tools);
    this.said = element("p", "", { class: "note", "aria-live": "polite" });
    this.text = element("pre", "", { class: "position" });
    this.text.hidden = this.pictures.length > 0;
    this.board.root.style.display = this.pictures.length ? "" : "none";
    left.append(this.seat(1), this.board.root, this.text, this.seat(0), steps, this.said);
    const right = element("div", undefined, { class: "beside-board" });
    right.append(element("p", `${game.result.replace("-", "\u2011")} ${game.reason}`, { class: "result" }), this.moveList());
    this.graphs = this.makeGraphs();
    const legend = element("p", undefined, { class: "legend" });
    legend.append(element("span", "White", { class: "key new" }), element("span", "Black", { class: "key base" }));
    right.append(...this.graphs.map((graph) => graph.root), legend,
      element("p", "Keys on the board and the moves: left and right for a move, Home and End for the first and the last position, F turns the board.", { class: "note" }));
    this.root.replaceChildren(left, right);
  }

  seat(side) {
    const row = element("div", undefined, { class: "seat" });
    const name = side === 0 ? this.game.white : this.game.black;
    row.append(element("b", `${side === 0 ? "White" : "Black"}: ${name}`, { title: plain(name) }));
    return row;
  }

  moveList() {
    const list = element("p", undefined, { class: "moves" });
    this.buttons = this.game.moves.map((move, ply) => {
      const together = element("span", undefined, { class: "together" });
      const number = moveNumber(ply, this.game, ply === 0);
      if (number) together.append(element("span", number, { class: "number" }));
      const button = element("button", move.text + (move.mistake ? "??" : ""), { type: "button" });
      if (move.is_book) button.classList.add("book");
      if (move.mistake) {
        button.classList.add("mistake");
        button.title = move.mistake;
      }
      button.addEventListener("click", () => this.go(ply + 1));
      together.append(button);
      list.append(together, " ");
      return button;
    });
    this.list = list;
    return list;
  }

  makeGraphs() {
    const { game } = this;
    const plies = game.moves.length;
    const onPick = (ply) => this.go(ply);
    const both = (value) => ["new", "base"].map((kind, side) => ({
      class: kind,
      points: game.moves.map((move, ply) => [ply + 1, value(move, ply)])
        .filter(([ply, it]) => it !== null && isBlacks(ply - 1, game) === (side === 1)),
    }));
    const graphs = [];
    const evaluation = (move, ply) => {
      const value = move.score === null ? null : pawns(move.score);
      return value === null ? null : (isBlacks(ply, game) ? -value : value);
    };
    const lines = both(evaluation);
    const marks = game.moves.map((move, ply) => ({ ply: ply + 1, value: evaluation(move, ply) || 0, title: `${move.text}: ${move.mistake}`, is: move.mistake }))
      .filter((mark) => mark.is);
    if (lines.some((line) => line.points.length) || marks.length) {
      graphs.push(new Graph({ title: "Evaluation in pawns, from White's view", lines, marks, plies,
        low: -MOST_PAWNS, high: MOST_PAWNS, text: (level) => (level > 0 ? "+" : "") + level, onPick }));
    }
    const clocks = clocksOf(game);
    const time = clocks ? both((move, ply) => clocks[ply]) : both((move) => move.seconds);
    const high = Math.max(...time.flatMap((line) => line.points.map((point) => point[1])), 0);
    if (high > 0) {
      graphs.push(new Graph({ title: clocks ? "Seconds on the clock" : "Seconds a move", lines: time, plies, low: 0, high,
        text: (level) => level < 10 ? String(Number(level.toPrecision(2))) : level.toFixed(0), onPick }));
    }
    return graphs;
  }

  flip() {
    this.board.isFlipped = !this.board.isFlipped;
    this.go(this.ply);
  }

  go(to) {
    const { game } = this;
    this.ply = Math.max(0, Math.min(game.moves.length, to || 0));
    const last = this.ply > 0 ? game.moves[this.ply - 1] : null;
    const picture = this.pictures[Math.min(this.ply, this.pictures.length - 1)];
    if (picture) {
      const touched = last && last.changes ? Object.keys(last.changes) : [];
      const badge = last && last.mistake && touched.length
        ? { square: touched.find((square) => last.changes[square]) || touched[0], text: "?" } : null;
      this.board.show(picture, { touched, badge });
    }
    this.text.textContent = (game.positions || [])[this.ply] || "";
    this.said.textContent = last ? this.words(last) : "before the first move";
    this.buttons.forEach((button, index) => button.setAttribute("aria-current", index + 1 === this.ply));
    const current = this.buttons[this.ply - 1];
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - 100;
    for (const graph of this.graphs) graph.moveTo(this.ply);
    this.onPlace(this.ply);
  }

  words(move) {
    const side = isBlacks(this.ply - 1, this.game) ? "Black" : "White";
    const parts = [`${side} plays ${move.text}`];
    if (move.is_book) parts.push("from the book");
    if (move.score) parts.push(`sees itself at ${move.score} pawns at depth ${move.depth}`);
    if (move.seconds !== null) parts.push(`${move.seconds.toFixed(3)} s`);
    if (move.note) parts.push(move.note);
    if (move.mistake) parts.push(move.mistake);
    return parts.join(", ");
  }

  key(event) {
    if (!this.game || event.target.closest("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "f" || event.key === "F") return this.flip();
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.game.moves.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }
}
