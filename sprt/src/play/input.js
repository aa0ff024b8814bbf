// How a person's move is put together: step by step, from the legal moves alone. It knows no game.
"use strict";

// A move is a row of steps: squares, and a letter that turns or promotes. `g4L` is g4, L; `d5e4f5` is d5, e4, f5.
const steps = (text) => text.match(/[a-z]\d|[A-Za-z]/g) || [];
const LETTERS = { L: "turn left", R: "turn right", U: "turn around", q: "queen", r: "rook", b: "bishop", n: "knight" };

class Input {
  // `legal`: { text, danger } of all moves.
  constructor(legal) {
    this.legal = legal.map((move) => ({ ...move, steps: steps(move.text) }));
    this.picked = [];
  }

  // The moves that begin with what was picked.
  open() {
    return this.legal.filter((move) => this.picked.every((step, place) => move.steps[place] === step));
  }

  next() {
    return [...new Set(this.open().map((move) => move.steps[this.picked.length]).filter(Boolean))];
  }

  squares() {
    return this.next().filter((step) => step.length === 2);
  }

  letters() {
    return this.next().filter((step) => step.length === 1);
  }

  // The move that is complete now, if it is.
  move() {
    return this.open().find((move) => move.steps.length === this.picked.length) || null;
  }

  // Picks a square or a letter; a square that leads nowhere begins anew where that is possible.
  pick(step) {
    if (this.next().includes(step)) {
      this.picked.push(step);
      return true;
    }
    if (this.picked[this.picked.length - 1] === step && this.picked.length === 1) {
      this.picked = [];
      return true;
    }
    const isUnfinished = this.picked.length > 1;
    if (!isUnfinished && this.legal.some((move) => move.steps[0] === step)) {
      this.picked = [step];
      return true;
    }
    return false;
  }

  back() {
    return this.picked.pop() !== undefined;
  }

  // A position in which an unfinished move is shown: the second square is entered already, and where pieces
  // change places, the other one stands on the first.
  preview(picture) {
    const [from, to] = this.picked;
    if (to === undefined || to.length !== 2) return picture;
    const pieces = { ...picture.pieces };
    const swaps = this.letters().some((letter) => letter === "L");
    const taken = pieces[to];
    pieces[to] = pieces[from];
    if (swaps && taken) pieces[from] = taken;
    else delete pieces[from];
    return { ...picture, pieces, shot: undefined };
  }
}
