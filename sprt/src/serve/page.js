// The pages of `sprt serve`. Everything that comes from a run is set as text, never as HTML, except the report, in
// which the server has escaped names.
"use strict";

const byId = (id) => document.getElementById(id);
const GLYPHS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const OFTEN = 1000;
const SELDOM = 4000;

// The token is in the address that the terminal shows; it is kept for this tab and taken out of the address bar.
const given = new URLSearchParams(location.search).get("token");
if (given) {
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname + location.hash);
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    byId("lost").hidden = false;
    throw error;
  }
  byId("lost").hidden = true;
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || response.statusText);
  return answer;
}

const about = (run, more) => new URLSearchParams({ run, ...more }).toString();
const chosen = () => decodeURIComponent(location.hash.slice(1));

function element(kind, content, attributes) {
  const made = document.createElement(kind);
  if (content !== undefined) made.textContent = content;
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  return made;
}

// ---- the list

function asked(run) {
  if (run.tournament) return `${run.tournament.kind.replace("-", " ")} of ${run.tournament.engines.length}`;
  return run.elo0 === null ? "no test" : `[${run.elo0}, ${run.elo1}]`;
}

const leader = (run) => (run.tournament && run.tournament.leader ? `${run.tournament.leader} leads` : "");

async function showList() {
  const { runs } = await ask("/api/runs");
  if (chosen()) return;
  byId("title").textContent = document.title = "Runs";
  const table = element("table");
  const head = table.createTHead().insertRow();
  for (const name of ["run", "limit", "bounds", "games", "Elo", "LLR", "state"]) head.append(element("th", name));
  const body = table.createTBody();
  for (const run of runs) {
    const row = body.insertRow();
    const name = element("th");
    name.append(element("a", run.name, { href: "#" + encodeURIComponent(run.name) }));
    row.append(name);
    const elo = run.elo && run.elo.value !== null ? run.elo.value.toFixed(1) : "";
    const state = run.is_being_played ? "running" : run.words;
    const llr = run.llr === null ? "" : run.llr.toFixed(2);
    for (const text of [run.limit, asked(run), run.games, elo || leader(run), llr]) {
      row.append(element("td", text));
    }
    row.append(element("td", state, { class: "state-" + state.replace(/\W/g, "-") }));
  }
  const list = byId("list");
  const scroll = element("div", undefined, { class: "scroll" });
  scroll.append(runs.length ? table : element("p", "No runs yet. Start one with `sprt BASE NEW`."));
  list.replaceChildren(scroll);
}

// ---- a run

let shownPairs = null;

async function showRun() {
  const name = chosen();
  const run = await ask("/api/run?" + about(name));
  if (chosen() !== name) return;
  byId("title").textContent = document.title = run.title;
  byId("controls").hidden = !run.is_being_played;
  byId("pause").textContent = run.paused ? "Continue" : "Pause";
  if (document.activeElement !== byId("concurrency")) byId("concurrency").value = run.concurrency;
  byId("replay").hidden = run.pairs === 0;
  byId("pair").max = run.pairs;
  const state = `${name} ${run.pairs} ${run.is_being_played}`;
  if (shownPairs !== state) {
    shownPairs = state;
    byId("report").innerHTML = run.content;
  }
}

async function showBoards() {
  const name = chosen();
  const { boards } = await ask("/api/boards?" + about(name));
  if (chosen() !== name) return;
  const section = byId("boards");
  section.hidden = boards.length === 0;
  if (boards.length === 0) return;
  if (!section.querySelector(".tables")) {
    section.replaceChildren(element("h2", "Games being played"), element("div", undefined, { class: "tables" }));
  }
  section.querySelector(".tables").replaceChildren(...boards.map(drawGame));
}

function drawGame(game) {
  const table = element("article", undefined, { class: "table" });
  const seat = (side) => {
    const row = element("div", undefined, { class: "seat" });
    row.append(element("b", side === 0 ? game.white : game.black));
    if (game.clocks) row.append(element("span", clock(game.clocks[side]), { class: "clock" }));
    row.append(element("span", game.said[side] || ""));
    return row;
  };
  const moves = element("p", undefined, { class: "moves" });
  moves.append(element("span", numbered(game.moves.slice(0, game.book_moves), 0, game) + " ", { class: "book" }));
  moves.append(numbered(game.moves.slice(game.book_moves), game.book_moves, game));
  table.append(
    element("p", `pair ${game.pair + 1}, game ${game.game + 1}` + (game.end ? `: ${game.end}` : ""), { class: "note" }),
    seat(1), drawBoard(game.position, game.last_move), seat(0), moves);
  requestAnimationFrame(() => { moves.scrollTop = moves.scrollHeight; });
  return table;
}

function numbered(moves, offset, game) {
  return moves.map((move, index) => {
    const ply = offset + index + (game.first_is_black ? 1 : 0);
    const number = game.first_number + Math.floor(ply / 2);
    if (ply % 2 === 0) return `${number}. ${move}`;
    return index === 0 ? `${number}... ${move}` : move;
  }).join(" ");
}

const clock = (ms) => `${Math.floor(ms / 60000)}:${(ms / 1000 % 60).toFixed(1).padStart(4, "0")}`;

// A position of chess as a board, any other as text.
function drawBoard(position, lastMove) {
  const ranks = position.split(" ")[0].split("/");
  const rows = ranks.map((rank) => rank.replace(/\d/g, (digit) => ".".repeat(Number(digit))));
  if (rows.length !== 8 || rows.some((row) => !/^[.kqrbnpKQRBNP]{8}$/.test(row))) {
    return element("pre", position, { class: "position" });
  }
  const board = element("div", undefined, { class: "board", role: "img", "aria-label": describe(rows), tabindex: "0" });
  const moved = /^([a-h][1-8])([a-h][1-8])/.exec(lastMove || "");
  rows.forEach((row, line) => [...row].forEach((piece, file) => {
    const name = "abcdefgh"[file] + (8 - line);
    const square = element("div", piece === "." ? "" : GLYPHS[piece.toLowerCase()] + "\ufe0e");
    square.className = "square " + ((line + file) % 2 ? "dark" : "light");
    if (moved && (moved[1] === name || moved[2] === name)) square.classList.add("moved");
    if (piece !== "." && piece !== piece.toLowerCase()) square.classList.add("white-piece");
    board.append(square);
  }));
  return board;
}

function describe(rows) {
  const said = { White: [], Black: [] };
  rows.forEach((row, line) => [...row].forEach((piece, file) => {
    if (piece === ".") return;
    const side = piece === piece.toLowerCase() ? "Black" : "White";
    said[side].push(`${NAMES[piece.toLowerCase()]} ${"abcdefgh"[file]}${8 - line}`);
  }));
  return Object.entries(said).map(([side, pieces]) => `${side}: ${pieces.join(", ")}`).join(". ");
}

// ---- control

async function control(more) {
  const answer = byId("answer");
  try {
    const token = sessionStorage.getItem("token") || "";
    await ask("/api/control?" + about(chosen(), more), { method: "POST", headers: { "x-token": token } });
    answer.textContent = "asked of the run";
    await showRun();
  } catch (error) {
    answer.textContent = error.message;
  }
}

byId("pause").addEventListener("click", () => control({ paused: byId("pause").textContent === "Pause" }));
byId("stop").addEventListener("click", () => {
  if (confirm("Stop this run? It can be resumed with `sprt resume`.")) control({ stop: true });
});
byId("apply").addEventListener("click", () => control({ concurrency: byId("concurrency").value }));

// ---- playing back

let played = null;
let place = 0;

byId("choose").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const pair = Number(byId("pair").value) - 1;
    played = await ask("/api/game?" + about(chosen(), { pair, game: byId("game").value }));
    place = 0;
    drawReplay();
  } catch (error) {
    byId("stage").replaceChildren(element("p", error.message, { class: "warning" }));
  }
});

function drawReplay() {
  const left = element("div");
  const last = place > 0 ? played.moves[place - 1] : null;
  const steps = element("div", undefined, { class: "steps" });
  const step = (label, title, to) => {
    const button = element("button", label, { type: "button", title, "aria-label": title });
    button.addEventListener("click", () => go(to()));
    return button;
  };
  steps.append(step("⏮", "first position", () => 0), step("◀", "one move back", () => place - 1),
    step("▶", "one move on", () => place + 1), step("⏭", "last position", () => played.moves.length));
  left.append(element("p", `${played.white} – ${played.black}, ${played.result}`),
    drawBoard(played.positions[Math.min(place, played.positions.length - 1)], last && last.engine_text), steps,
    element("p", last ? said(last) : "before the first move", { class: "note", "aria-live": "polite" }));
  const list = element("p", undefined, { class: "moves" });
  played.moves.forEach((move, index) => {
    const button = element("button", move.text, { type: "button" });
    if (move.is_book) button.classList.add("book");
    button.setAttribute("aria-current", index + 1 === place);
    button.addEventListener("click", () => go(index + 1));
    list.append(button, " ");
  });
  byId("stage").replaceChildren(left, list);
  const current = list.querySelector("[aria-current=true]");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - 100;
}

function said(move) {
  const parts = [move.text];
  if (move.is_book) parts.push("from the book");
  if (move.score) parts.push(`${move.score} at depth ${move.depth}`);
  if (move.seconds !== null) parts.push(`${move.seconds.toFixed(3)} s`);
  if (move.note) parts.push(move.note);
  return parts.join(", ");
}

function go(to) {
  place = Math.max(0, Math.min(played.moves.length, to));
  drawReplay();
}

document.addEventListener("keydown", (event) => {
  if (!played || event.target.closest("input, select")) return;
  const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: played.moves.length }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});

// ---- again and again

function turnTo() {
  const isRun = chosen() !== "";
  byId("list").hidden = isRun;
  for (const id of ["report"]) byId(id).hidden = !isRun;
  for (const id of ["controls", "boards", "replay"]) byId(id).hidden = true;
  byId("stage").replaceChildren();
  byId("answer").textContent = "";
  played = null;
  shownPairs = null;
}

// One request of a kind at a time; a server that is gone is asked again until it is back.
async function repeat(work, pause) {
  for (;;) {
    try {
      await work();
    } catch (error) {
      if (byId("lost").hidden) byId("title").textContent = error.message;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

let wake = () => {};
addEventListener("hashchange", () => { turnTo(); wake(); });
turnTo();
repeat(async () => {
  if (document.hidden) return;
  await (chosen() ? showRun() : showList());
}, SELDOM);
repeat(async () => {
  if (!document.hidden && chosen()) await showBoards();
}, OFTEN);
wake = () => (chosen() ? showRun() : showList()).catch(() => {});
