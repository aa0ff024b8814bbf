// A board of any game, drawn from a picture: pieces by square, and the beam of the last shot. No rules are needed.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

function drawn(kind, attributes, content) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  if (content !== undefined) made.textContent = content;
  return made;
}

// Marks that reverse the direction of all text after them are replaced.
const plain = (text) => String(text).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function element(kind, content, attributes) {
  const made = document.createElement(kind);
  if (content !== undefined && content !== null) made.textContent = plain(content);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  return made;
}

const ROLES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
const SIDES = { w: "White", b: "Black", lw: "Tangerine", lb: "Lavender" };
const KING_HEADINGS = ["north", "east", "south", "west"];
const PAWN_HEADINGS = ["north-west", "north-east", "south-east", "south-west"];

// A piece's code: side, role, and quarter turns in games that turn pieces.
function readPiece(code) {
  const [, side, role, turns] = /^(l?[wb])([A-Z])(\d?)$/.exec(code) || [];
  return { shape: side + role, side, role, turns };
}

function pieceName(code) {
  const { side, role, turns } = readPiece(code);
  const headings = role === "K" ? KING_HEADINGS : PAWN_HEADINGS;
  return `${SIDES[side]} ${ROLES[role]}` + (turns ? ` facing ${headings[turns]}` : "");
}

// The picture after a move, from the one before it and the squares that changed.
function pictureAfter(picture, move) {
  const pieces = { ...picture.pieces };
  for (const [square, piece] of Object.entries(move.changes)) {
    if (piece === null) delete pieces[square];
    else pieces[square] = piece;
  }
  return { ...picture, pieces, shot: move.shot };
}

class Board {
  constructor() {
    this.root = drawn("svg", { class: "board", viewBox: "0 0 8 8", role: "img" });
    this.isFlipped = false;
  }

  // `signs`: touched, targets, picked, cursor: squares; badge: { square, text }.
  show(picture, signs = {}) {
    this.picture = picture;
    const { files, ranks } = picture;
    this.root.setAttribute("viewBox", `0 0 ${files.length} ${ranks.length}`);
    this.root.setAttribute("aria-label", this.describe());
    const layers = [];
    for (const rank of ranks) for (const file of files) layers.push(...this.square(file + rank, signs));
    for (const [square, piece] of Object.entries(picture.pieces)) layers.push(this.piece(square, piece));
    if (picture.shot) layers.push(...this.shot(picture.shot));
    for (const square of signs.targets || []) {
      const [x, y] = this.centre(square);
      const isTaken = picture.pieces[square] !== undefined;
      layers.push(drawn("circle", { class: isTaken ? "target taken" : "target", cx: x, cy: y, r: isTaken ? 0.44 : 0.16 }));
    }
    if (signs.cursor) layers.push(this.frame(signs.cursor, "cursor"));
    if (signs.badge) layers.push(this.badge(signs.badge));
    this.root.replaceChildren(...layers);
  }

  place(square) {
    const { files, ranks } = this.picture;
    const x = files.indexOf(square[0]), y = ranks.indexOf(square[1]);
    return this.isFlipped ? [files.length - 1 - x, ranks.length - 1 - y] : [x, y];
  }

  centre(square) {
    return this.place(square).map((at) => at + 0.5);
  }

  square(name, signs) {
    const { files, ranks } = this.picture;
    const [x, y] = this.place(name);
    const kind = (files.indexOf(name[0]) + ranks.indexOf(name[1])) % 2 ? "dark" : "light";
    const marks = ["touched", "picked"].filter((mark) => (signs[mark] || []).includes(name));
    const made = [drawn("rect", { class: ["square", kind, ...marks].join(" "), x, y, width: 1.01, height: 1.01, "data-square": name })];
    if (x === 0) made.push(drawn("text", { class: "coordinate", x: x + 0.04, y: y + 0.22 }, name[1]));
    if (y === ranks.length - 1) made.push(drawn("text", { class: "coordinate", x: x + 0.96, y: y + 0.95, "text-anchor": "end" }, name[0]));
    return made;
  }

  piece(square, code) {
    const { shape, turns } = readPiece(code);
    const [x, y] = this.place(square);
    const quarter = Number(turns || 0) + (turns && this.isFlipped ? 2 : 0);
    const piece = drawn("use", { class: "piece", href: "#" + shape, x, y, width: 1, height: 1, "data-piece": square });
    if (quarter) piece.setAttribute("transform", `rotate(${90 * quarter} ${x + 0.5} ${y + 0.5})`);
    return piece;
  }

  // The beam, beyond the edge if it hits nothing, and the piece that it took, crossed out.
  shot({ beam, victim }) {
    const points = beam.map((square) => this.centre(square));
    const last = points[points.length - 1], before = points[points.length - 2];
    if (!victim && before) points.push([last[0] + (last[0] - before[0]) / 2, last[1] + (last[1] - before[1]) / 2]);
    const made = [drawn("polyline", { class: "beam", points: points.map((point) => point.join(",")).join(" ") })];
    if (victim) {
      const taken = this.piece(beam[beam.length - 1], victim);
      taken.classList.add("victim");
      const [x, y] = last;
      made.unshift(taken);
      made.push(drawn("path", { class: "struck", d: `M${x - 0.35} ${y - 0.35}l.7 .7m0 -.7l-.7 .7` }));
    }
    return made;
  }

  frame(square, kind) {
    const [x, y] = this.place(square);
    return drawn("rect", { class: kind, x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92 });
  }

  badge({ square, text }) {
    const [x, y] = this.place(square);
    const badge = drawn("g", { class: "badge" });
    badge.append(drawn("circle", { cx: x + 0.82, cy: y + 0.18, r: 0.2 }),
      drawn("text", { x: x + 0.82, y: y + 0.27, "text-anchor": "middle" }, text));
    return badge;
  }

  describe() {
    const said = {};
    for (const [square, piece] of Object.entries(this.picture.pieces)) {
      const [side, ...rest] = pieceName(piece).split(" ");
      (said[side] = said[side] || []).push(`${rest.join(" ")} ${square}`);
    }
    const { shot } = this.picture;
    const sides = Object.entries(said).map(([side, pieces]) => `${side}: ${pieces.join(", ")}`);
    if (shot && shot.victim) sides.push(`The laser hit ${pieceName(shot.victim)} on ${shot.beam[shot.beam.length - 1]}`);
    return sides.join(". ");
  }

  // The square under a pointer.
  squareAt(event) {
    const { files, ranks } = this.picture;
    const { left, top, width, height } = this.root.getBoundingClientRect();
    const x = Math.floor((event.clientX - left) / width * files.length);
    const y = Math.floor((event.clientY - top) / height * ranks.length);
    return this.named(x, y);
  }

  named(x, y) {
    const { files, ranks } = this.picture;
    if (x < 0 || y < 0 || x >= files.length || y >= ranks.length) return null;
    return this.isFlipped ? files[files.length - 1 - x] + ranks[ranks.length - 1 - y] : files[x] + ranks[y];
  }

  // The square some steps to the right and down of another, as the board is shown.
  beside(square, right, down) {
    const [x, y] = this.place(square);
    return this.named(x + right, y + down) || square;
  }
}
