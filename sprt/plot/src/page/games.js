// The games of a run: a searchable list, an opening tree, and a viewer of the selected game.
"use strict";

const ROWS_AT_ONCE = 100;

function choice(name, label, options) {
  const made = element("label", label + " ");
  const select = element("select", undefined, { name });
  for (const [value, text] of options) select.append(element("option", text, { value }));
  made.append(select);
  return made;
}

function field(name, label, attributes) {
  const made = element("label", label + " ");
  made.append(element("input", undefined, { name, ...attributes }));
  return made;
}

function saveText(text, name) {
  const link = element("a", undefined, { href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const duration = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// A game as PGN, from its entry in a packed page.
function pgnOf(game) {
  const quoted = (text) => text.replace(/[\\"]/g, "\\$&");
  const tags = { Event: "?", White: game.white, Black: game.black, Result: game.result, Termination: game.reason, ...Object.fromEntries(game.tags || []) };
  if (game.time_control) tags.TimeControl = game.time_control;
  if (game.start_text) Object.assign(tags, { SetUp: "1", FEN: game.start_text });
  const lines = Object.entries(tags).map(([name, value]) => `[${name} "${quoted(value)}"]`);
  const moves = game.moves.map((move, ply) => {
    const judged = `${move.score || ""}/${move.depth || 0} ${(move.seconds || 0).toFixed(3)}s`;
    const said = move.is_book ? "book" : move.score || move.seconds !== null ? judged : "";
    const nodes = move.is_book || move.nodes === null ? "" : `n=${move.nodes}`;
    const parts = [said, nodes, move.note].filter(Boolean).join(", ").replace(/[{}]/g, "");
    return moveNumber(ply, game, ply === 0) + move.text + (parts ? ` {${parts}}` : "");
  });
  return `${lines.join("\n")}\n\n${moves.join(" ")} ${game.result}\n\n`;
}

// The two players of a game, regardless of colour.
const pairingOf = (entry) => JSON.stringify([entry.white, entry.black].sort());

// Cells of a cross table link to the games of their two players.
function linkPairings(root, find) {
  for (const cell of root.querySelectorAll("[data-players]")) {
    const players = JSON.parse(cell.dataset.players);
    const button = element("button", undefined, { type: "button", title: plain(`games of ${players.join(" and ")}`) });
    button.append(...cell.childNodes);
    button.addEventListener("click", () => find(JSON.stringify(players.sort())));
    cell.replaceChildren(button);
  }
}

class Games {
  // `source`: { entries, note, name, game(entry), pgn(entries or null for all) }; `onPlace(number, ply)`.
  constructor(root, source, onPlace) {
    Object.assign(this, { root, source, onPlace: onPlace || (() => {}) });
    this.path = [];
    this.shown = ROWS_AT_ONCE;
    this.one = element("button", "PGN", { type: "button", title: "download this game" });
    this.one.addEventListener("click", () => this.download([this.open]));
    this.stage = element("div", undefined, { class: "stage" });
    this.viewer = new Viewer(this.stage, {
      tools: [this.one],
      onPlace: (ply) => this.open && this.onPlace(this.open.number, ply),
    });
    this.layOut();
    this.update();
  }

  layOut() {
    const { entries } = this.source;
    const pairings = [...new Set(entries.map(pairingOf))].sort();
    const reasons = [...new Set(entries.map((entry) => entry.reason))].sort();
    this.form = element("form", undefined, { class: "filters", "aria-label": "Filter the games" });
    this.form.append(
      field("text", "Search", { type: "search", placeholder: "engine, moves, position, ending" }),
      choice("result", "Result", [["", "all"], ["1-0", "White won"], ["0-1", "Black won"], ["1/2-1/2", "drawn"]]),
      ...(pairings.length > 1 ? [choice("players", "Players", [["", "all"], ...pairings.map((it) => [it, JSON.parse(it).join(" – ")])])] : []),
      choice("reason", "Ending", [["", "all"], ...reasons.map((reason) => [reason, reason])]),
      field("least", "Plies from", { type: "number", min: 0 }), field("most", "to", { type: "number", min: 0 }),
      choice("mark", "Marked", [["", "all"], ["is_fault", "faults"], ["is_upset", "upsets"]]),
    );
    this.form.addEventListener("input", () => { this.shown = ROWS_AT_ONCE; this.update(); });
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.count = element("p", "", { class: "note", "aria-live": "polite" });
    this.tree = element("details", undefined, { class: "tree" });
    this.tree.append(element("summary", "Opening tree"), element("div"));
    this.table = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": "List of games" });
    this.more = element("button", "Show more", { type: "button" });
    this.more.addEventListener("click", () => { this.shown += ROWS_AT_ONCE; this.update(); });
    const these = element("button", "PGN of these", { type: "button" });
    these.addEventListener("click", () => this.download(this.found));
    const all = element("button", "PGN of all", { type: "button" });
    all.addEventListener("click", () => this.download(null));
    const buttons = element("div", undefined, { class: "steps" });
    buttons.append(this.more, these, all);
    this.trouble = element("p", "", { class: "warning", role: "alert" });
    this.trouble.hidden = true;
    this.root.replaceChildren(element("h2", "Games"), ...(this.source.note ? [element("p", this.source.note, { class: "note" })] : []),
      this.stage, this.trouble, this.form, this.tree, this.count, this.table, buttons);
  }

  matches(entry) {
    const { text, result, reason, least, most, mark, players } = Object.fromEntries(new FormData(this.form));
    const words = `${entry.white} ${entry.black} ${entry.reason} ${entry.start || ""} ${entry.line}`.toLowerCase();
    return words.includes(text.trim().toLowerCase()) && (!result || entry.result === result) && (!reason || entry.reason === reason)
      && (least === "" || entry.plies >= Number(least)) && (most === "" || entry.plies <= Number(most))
      && (!players || pairingOf(entry) === players) && (!mark || entry[mark]) && this.path.every((step, place) => stepsOf(entry)[place] === step);
  }

  update() {
    this.found = this.source.entries.filter((entry) => this.matches(entry));
    this.count.textContent = `${this.found.length} of ${counted(this.source.entries.length, "game")}`;
    this.drawTree();
    this.drawTable();
  }

  drawTable() {
    const table = element("table", undefined, { class: "figures list" });
    const head = table.createTHead().insertRow();
    for (const name of ["game", "White", "Black", "result", "ending", "plies", "time", "mark", "opening"]) head.append(element("th", name, { scope: "col" }));
    const body = table.createTBody();
    for (const entry of this.found.slice(0, this.shown)) {
      const row = body.insertRow();
      const number = element("th", undefined, { scope: "row" });
      const button = element("button", entry.number, { type: "button", "aria-label": `show game ${entry.number}` });
      button.addEventListener("click", () => this.show(entry));
      number.append(button);
      const mark = entry.is_fault ? "fault" : entry.is_upset ? "upset" : "";
      const opening = [entry.start, entry.line.split(" ").slice(0, 8).join(" ")].filter(Boolean).join(": ");
      row.append(number, element("td", entry.white, { class: "name", title: plain(entry.white) }),
        element("td", entry.black, { class: "name", title: plain(entry.black) }), element("td", entry.result.replace("1/2-1/2", "½")),
        element("td", entry.reason), element("td", entry.plies), element("td", duration(entry.seconds)),
        element("td", mark, { class: mark }), element("td", opening, { class: "opening", title: plain(opening) }));
    }
    this.more.hidden = this.found.length <= this.shown;
    this.table.replaceChildren(table);
  }

  // The moves played from here, each with its games and results from White's point of view.
  drawTree() {
    const moves = new Map();
    for (const entry of this.found) {
      const step = stepsOf(entry)[this.path.length];
      if (step === undefined) continue;
      const counts = moves.get(step) || { games: 0, white: 0, drawn: 0, black: 0 };
      counts.games += 1;
      counts[{ "1-0": "white", "0-1": "black", "1/2-1/2": "drawn" }[entry.result]] += 1;
      moves.set(step, counts);
    }
    const way = element("p", undefined, { class: "steps" });
    ["start", ...this.path].forEach((step, place) => {
      const button = element("button", step, { type: "button" });
      button.addEventListener("click", () => this.walk(this.path.slice(0, place)));
      way.append(button);
    });
    const table = element("table", undefined, { class: "figures" });
    const head = table.createTHead().insertRow();
    for (const name of ["move", "games", "White won", "drawn", "Black won", "White's score"]) head.append(element("th", name, { scope: "col" }));
    const body = table.createTBody();
    for (const [step, { games, white, drawn, black }] of [...moves].sort((a, b) => b[1].games - a[1].games).slice(0, 30)) {
      const row = body.insertRow();
      const name = element("th", undefined, { scope: "row" });
      const button = element("button", step, { type: "button" });
      button.addEventListener("click", () => this.walk([...this.path, step]));
      name.append(button);
      row.append(name);
      for (const figure of [games, white, drawn, black, `${(100 * (white + drawn / 2) / games).toFixed(1)}%`]) row.append(element("td", figure));
    }
    const scroll = element("div", undefined, { class: "scroll" });
    scroll.append(table);
    this.tree.lastChild.replaceChildren(way, scroll);
  }

  // Filters the list for the games of two players.
  findPlayers(players) {
    this.form.reset();
    this.path = [];
    const select = this.form.elements.players;
    if (select) select.value = players;
    this.update();
    this.form.scrollIntoView();
    (select || this.form.elements.text).focus({ preventScroll: true });
  }

  walk(path) {
    this.path = path;
    this.shown = ROWS_AT_ONCE;
    this.update();
    this.tree.querySelector(".steps button:last-child").focus();
  }

  // Shows a game; one from the list at its end, with the board focused for keys.
  async show(entry, ply) {
    this.trouble.hidden = true;
    try {
      const game = await this.source.game(entry);
      this.open = entry;
      this.viewer.open({ ...entry, ...game }, ply);
      this.viewer.board.root.focus({ preventScroll: true });
      this.stage.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.complain(error);
    }
  }

  async showNumber(number, ply) {
    const entry = this.source.entries.find((it) => it.number === number);
    if (entry) await this.show(entry, ply);
    else this.complain(new Error(`game ${number} is not on this page`));
  }

  async download(entries) {
    this.trouble.hidden = true;
    try {
      const part = entries === null ? "" : entries.length === 1 ? `-${entries[0].number}` : "-filtered";
      saveText(await this.source.pgn(entries), `${this.source.name.replace(/[^\w.-]+/g, "_")}${part}.pgn`);
    } catch (error) {
      this.complain(error);
    }
  }

  complain(error) {
    this.trouble.textContent = error.message;
    this.trouble.hidden = false;
  }
}

// The path of a game in the tree: its start position, if it is not the usual one, and its first moves.
function stepsOf(entry) {
  if (!entry.steps) entry.steps = [...(entry.start ? [entry.start] : []), ...entry.line.split(" ").filter(Boolean)];
  return entry.steps;
}
