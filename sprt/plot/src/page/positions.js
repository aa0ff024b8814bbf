// The positions of a suite: a list to search, and a board with the answers at one of them.
"use strict";

// A position of chess; those of other games come with a picture.
function pictureOf(fen) {
  const pieces = {};
  fen.split(" ")[0].split("/").forEach((rank, y) => {
    let x = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) x += Number(letter);
      else pieces["abcdefgh"[x++] + (8 - y)] = (/[A-Z]/.test(letter) ? "w" : "b") + letter.toUpperCase();
    }
  });
  return { files: "abcdefgh", ranks: "87654321", pieces };
}

// Moves in the engines' notation among some words, each as its squares.
const movesIn = (words) => words.split(" ").filter((word) => /^([a-z]\d){1,3}[A-Za-z]?$/.test(word)).map((word) => word.match(/[a-z]\d/g));

class Positions {
  // `result` is the object that `sprt suite --json` prints.
  constructor(root, result) {
    this.root = root;
    this.board = new Board();
    this.stage = element("div", undefined, { class: "stage", tabindex: "0", role: "region", "aria-label": "Position" });
    this.stage.hidden = true;
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.shown = ROWS_AT_ONCE;
    this.read(result);
    this.layOut();
    this.update();
  }

  // Reads a result, which may have more answers than the one before.
  read(result) {
    this.engines = result.engines.map((engine) => engine.name);
    this.isGate = result.comparison !== null;
    this.byPoints = this.isGate && result.comparison.measure === "points";
    this.all = result.positions.map((position, place) => ({ ...position, place }));
  }

  refresh(result) {
    this.read(result);
    this.update();
    if (this.open !== undefined) this.show(this.open);
  }

  layOut() {
    const themes = [...new Set(this.all.map((position) => position.theme))].sort();
    const answers = [["", "all"], ...(this.isGate ? [["worse", "NEW worse"], ["better", "NEW better"]] : []),
      ["every", "solved by all"], ["none", "solved by none"], ["fault", "faults"]];
    this.form = element("form", undefined, { class: "filters", "aria-label": "Filter the positions" });
    this.form.append(
      field("text", "Search", { type: "search", placeholder: "name, position, move" }),
      ...(themes.length > 1 ? [choice("theme", "Theme", [["", "all"], ...themes.map((theme) => [theme, theme])])] : []),
      choice("is", "Answers", answers),
    );
    this.form.addEventListener("input", () => { this.shown = ROWS_AT_ONCE; this.update(); });
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.count = element("p", "", { class: "note", "aria-live": "polite" });
    this.table = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": "List of positions" });
    this.more = element("button", "Show more", { type: "button" });
    this.more.addEventListener("click", () => { this.shown += ROWS_AT_ONCE; this.update(); });
    this.root.replaceChildren(element("h2", "Positions"), this.stage, this.form, this.count, this.table, this.more);
  }

  of(position, engine) {
    return position.answers.filter((answer) => answer.engine === engine);
  }

  // What NEW earned less what BASE did; the gate adds up the same.
  change(position) {
    const worth = (engine) => this.of(position, engine).reduce((sum, answer) => sum + (this.byPoints ? answer.points : Number(answer.solved)), 0);
    return worth(1) - worth(0);
  }

  matches(position) {
    const { text, theme, is } = Object.fromEntries(new FormData(this.form));
    const { answers } = position;
    const words = [position.id, position.fen, position.solution, ...answers.map((answer) => answer.best)].join(" ").toLowerCase();
    const passes = {
      worse: () => this.change(position) < 0, better: () => this.change(position) > 0,
      every: () => answers.length > 0 && answers.every((answer) => answer.solved), none: () => answers.length > 0 && !answers.some((answer) => answer.solved),
      fault: () => answers.some((answer) => answer.fault),
    }[is];
    return words.includes(text.trim().toLowerCase()) && (!theme || position.theme === theme) && (!passes || passes());
  }

  update() {
    this.found = this.all.filter((position) => this.matches(position));
    this.count.textContent = `${this.found.length} of ${counted(this.all.length, "position")}`;
    const table = element("table", undefined, { class: "figures list positions" });
    const head = table.createTHead().insertRow();
    for (const name of ["position", "theme", "solution", ...this.engines]) head.append(element("th", name, { scope: "col" }));
    const body = table.createTBody();
    for (const position of this.found.slice(0, this.shown)) {
      const row = body.insertRow();
      const name = element("th", undefined, { scope: "row" });
      const button = element("button", position.id || position.place + 1, { type: "button" });
      button.addEventListener("click", () => { this.show(position.place); this.stage.focus({ preventScroll: true }); this.stage.scrollIntoView(); });
      name.append(button);
      row.append(name, element("td", position.theme), element("td", position.solution),
        ...this.engines.map((_, engine) => element("td", this.inShort(position, engine))));
    }
    this.table.replaceChildren(table);
    this.more.hidden = this.found.length <= this.shown;
  }

  inShort(position, engine) {
    const answers = this.of(position, engine);
    if (answers.length === 0) return "";
    const points = answers.reduce((sum, answer) => sum + answer.points, 0);
    const solved = answers.filter((answer) => answer.solved).length;
    const moves = [...new Set(answers.map((answer) => answer.best || "fault"))].join(" ");
    return `${moves}: ${answers.length === 1 ? (solved ? "solved" : "not solved") : `solved ${solved} of ${answers.length}`}` + (points ? `, ${points} points` : "");
  }

  show(place) {
    this.open = place;
    const position = this.all[place];
    const toMove = /^w/i.test(position.fen.split(" ")[1]) ? "White" : "Black";
    const left = element("div", undefined, { class: "game" });
    const steps = element("div", undefined, { class: "steps" });
    steps.append(stepButton("back", "position before", () => this.step(-1)), stepButton("on", "next position", () => this.step(1)),
      stepButton("turn", "turn the board", () => { this.board.isFlipped = !this.board.isFlipped; this.show(place); }));
    left.append(this.board.root, steps);
    const right = element("div", undefined, { class: "beside-board" });
    const scroll = element("div", undefined, { class: "scroll" });
    scroll.append(this.answersOf(position));
    right.append(element("p", position.id || `position ${place + 1}`, { class: "result" }),
      element("p", `${toMove} to move. Solution: ${position.solution}`), scroll,
      element("p", position.fen, { class: "note" }),
      element("p", "Dots: where solutions lead. Yellow: the move of the answer that was picked. Keys: left and right for other positions of the list.", { class: "note" }));
    this.stage.hidden = false;
    this.stage.replaceChildren(left, right);
    const first = position.answers.find((answer) => !answer.solved) || position.answers[0];
    this.draw(position, first ? first.best : "");
  }

  // The board, with the squares of a move.
  draw(position, move) {
    const squares = movesIn(move).flat();
    const targets = position.solution.startsWith("not ") ? [] : movesIn(position.solution).map((it) => it[it.length - 1]);
    this.board.show(position.picture || pictureOf(position.fen), { touched: squares, targets });
  }

  answersOf(position) {
    const hasPoints = position.answers.some((answer) => answer.points);
    const table = element("table", undefined, { class: "figures answers" });
    const head = table.createTHead().insertRow();
    const names = ["engine", "move", "score", "solved", ...(hasPoints ? ["points"] : []), "nodes", "depth", "ms"];
    for (const name of names) head.append(element("th", name, { scope: "col" }));
    const body = table.createTBody();
    for (const answer of position.answers) {
      const row = body.insertRow();
      const move = element("td");
      if (answer.fault) {
        move.textContent = plain(answer.fault);
      } else {
        const button = element("button", answer.best, { type: "button" });
        button.addEventListener("click", () => this.draw(position, answer.best));
        move.append(button);
      }
      const from = answer.solution_nodes === null ? "" : `, from ${answer.solution_nodes} nodes on`;
      row.append(element("th", this.engines[answer.engine], { scope: "row" }), move, element("td", answer.score),
        element("td", (answer.solved ? "yes" : "no") + from), ...(hasPoints ? [element("td", answer.points)] : []), element("td", answer.nodes),
        element("td", answer.depth), element("td", answer.ms));
    }
    return table;
  }

  // Another position of the list.
  step(by) {
    const at = this.found.findIndex((position) => position.place === this.open);
    const next = this.found[at < 0 ? 0 : at + by];
    if (next) this.show(next.place);
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.step(by);
  }
}
