// The pages of `sprt serve`. Everything that comes from a run is set as text, never as HTML, except the report, in
// which the server has escaped names.
"use strict";

const byId = (id) => document.getElementById(id);
const GLYPHS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const OFTEN = 1000;
const SELDOM = 4000;
const MOST_GAMES = 1024;

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
    setLost(true);
    throw new Error("the server does not answer");
  }
  setLost(false);
  const isJson = (response.headers.get("content-type") || "").startsWith("application/json");
  const answer = isJson ? await response.json() : { error: `the server answers ${response.status}` };
  if (!response.ok || !isJson) throw new Error(answer.error || response.statusText);
  return answer;
}

// A server that is gone cannot be asked for anything.
function setLost(isLost) {
  byId("lost").hidden = !isLost;
  byId("controls").inert = byId("choose").inert = isLost;
}

const about = (run, more) => new URLSearchParams({ run, ...more }).toString();
const chosen = () => decodeURIComponent(location.hash.slice(1));

// Marks that turn the direction of all text after them are shown as what they are: no letters.
const plain = (text) => String(text).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

function element(kind, content, attributes) {
  const made = document.createElement(kind);
  if (content !== undefined && content !== null) made.textContent = plain(content);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  return made;
}

// The number in a field; anything else is an error that says what was expected.
function wholeNumber(input, what, most) {
  const number = Number(input.value);
  if (input.value.trim() !== "" && Number.isInteger(number) && number >= 1 && number <= most) return number;
  const got = input.value.trim() === "" ? "nothing that is a number" : input.value;
  throw new Error(`${what}: expected a whole number from 1 to ${most}, got ${got}`);
}

// ---- the list

function asked(run) {
  if (run.tournament) return `${run.tournament.kind.replace("-", " ")} of ${run.tournament.engines.length}`;
  return run.elo0 === null ? "no test" : `[${run.elo0}, ${run.elo1}]`;
}

function leader(run) {
  if (!run.tournament || !run.tournament.leader) return "";
  return `${run.tournament.leader} ${run.state === "finished" ? "is first" : "leads"}`;
}

async function showList() {
  const { runs, unreadable } = await ask("/api/runs");
  if (chosen()) return;
  byId("title").textContent = document.title = "Runs";
  const table = element("table");
  const head = table.createTHead().insertRow();
  const names = ["limit", "bounds", "games", "Elo", "LLR", "state"];
  for (const name of ["run", ...names]) head.append(element("th", name));
  const body = table.createTBody();
  for (const run of runs) {
    const row = body.insertRow();
    const name = element("th");
    name.append(element("a", run.name, { href: "#" + encodeURIComponent(run.name) }));
    if (run.difference) name.append(element("span", run.difference, { class: "note" }));
    row.append(name);
    const elo = run.elo && run.elo.value !== null ? run.elo.value.toFixed(1) : "";
    const games = run.max_games === null ? run.games : `${run.games}/${run.max_games}`;
    const llr = run.llr === null ? "" : run.llr.toFixed(2);
    [run.limit, asked(run), games, elo || leader(run), llr, run.words].forEach((text, index) => {
      row.append(element("td", text, { "data-name": names[index] }));
    });
    row.lastChild.className = run.is_being_played ? "state-running" : "";
  }
  for (const { name, error } of unreadable) {
    const row = body.insertRow();
    row.append(element("th", name), element("td", `cannot be read: ${error}`, { colspan: names.length }));
  }
  byId("list").replaceChildren(body.rows.length ? table : element("p", "No runs yet. Start one with `sprt BASE NEW`."));
}

// ---- a run

let shown = null;
let told = null;
let run = null;

async function showRun() {
  const name = chosen();
  const answer = await ask("/api/run?" + about(name));
  if (chosen() !== name) return;
  run = answer;
  byId("title").textContent = document.title = plain(run.title);
  byId("controls").hidden = !run.is_being_played;
  byId("pause").textContent = run.paused ? "Continue" : "Pause";
  for (const id of ["pause", "stop", "apply"]) byId(id).disabled = run.stop;
  if (told !== run.state) byId("answer").textContent = "";
  told = run.state;
  if (document.activeElement !== byId("concurrency")) byId("concurrency").value = run.concurrency;
  byId("replay").hidden = run.pairs === 0;
  byId("pair").max = run.pairs;
  byId("which").hidden = run.games_per_opening === 1;
  byId("unit").textContent = run.games_per_opening === 1 ? "Game" : "Pair";
  byId("summary").innerHTML = run.summary;
  const state = [name, run.pairs, run.is_being_played, run.paused, run.stop].join(" ");
  if (shown !== state) {
    shown = state;
    showReport(run.content);
  }
}

// What was unfolded stays so, and pairs that are named can be played back.
function showReport(content) {
  const report = byId("report");
  const isOpen = [...report.querySelectorAll("details")].map((details) => details.open);
  report.innerHTML = content;
  report.querySelectorAll("details").forEach((details, index) => { details.open = isOpen[index]; });
  for (const cell of report.querySelectorAll("[data-pair]")) {
    const button = element("button", cell.textContent, { type: "button", title: "play it back" });
    button.addEventListener("click", () => {
      byId("pair").value = cell.dataset.pair;
      byId("game").value = "0";
      showGame();
    });
    cell.replaceChildren(button);
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
    section.replaceChildren(element("h2"), element("div", undefined, { class: "tables" }),
      element("p", "Scores are in pawns, as the engine that moves sees itself.", { class: "note" }));
  }
  section.querySelector("h2").textContent = run && run.paused ? "The latest games" : "Games being played";
  section.querySelector(".tables").replaceChildren(...boards.map(drawGame));
}

function drawGame(game) {
  const table = element("article", undefined, { class: "table" });
  const seat = (side) => {
    const row = element("div", undefined, { class: "seat" });
    const name = side === 0 ? game.white : game.black;
    row.append(element("b", `${side === 0 ? "White" : "Black"}: ${name}`, { title: name }));
    if (game.clocks) row.append(element("span", clock(game.clocks[side]), { class: "clock" }));
    row.append(element("span", game.said[side] || ""));
    return row;
  };
  const moves = element("p", undefined, { class: "moves" });
  moves.append(element("span", numbered(game.moves.slice(0, game.book_moves), 0, game) + " ", { class: "book" }));
  moves.append(numbered(game.moves.slice(game.book_moves), game.book_moves, game));
  const board = element("div", undefined, { class: "game" });
  board.append(seat(1), drawBoard(game.position, game.last_move), seat(0));
  const place = run && run.games_per_opening === 1 ? `game ${game.pair + 1}` : `pair ${game.pair + 1}, game ${game.game + 1}`;
  table.append(element("p", place + (game.end ? `: ${game.end}` : ""), { class: "note" }), board, moves);
  requestAnimationFrame(() => { moves.scrollTop = moves.scrollHeight; });
  return table;
}

// The number before a move: before each of White's, and before the first of a row.
function number(ply, game, isFirst) {
  const place = ply + (game.first_is_black ? 1 : 0);
  const text = game.first_number + Math.floor(place / 2);
  if (place % 2 === 0) return `${text}. `;
  return isFirst ? `${text}... ` : "";
}

function numbered(moves, offset, game) {
  return moves.map((move, index) => number(offset + index, game, index === 0) + move).join(" ");
}

const clock = (ms) => `${Math.floor(ms / 60000)}:${(ms / 1000 % 60).toFixed(1).padStart(4, "0")}`;

// A position of chess as a board, any other as text.
function drawBoard(position, lastMove) {
  const ranks = position.split(" ")[0].split("/");
  const rows = ranks.map((rank) => rank.replace(/\d/g, (digit) => ".".repeat(Number(digit))));
  if (rows.length !== 8 || rows.some((row) => !/^[.kqrbnpKQRBNP]{8}$/.test(row))) {
    return element("pre", position, { class: "position" });
  }
  const board = element("div", undefined, { class: "board", role: "img", "aria-label": describe(rows) });
  const moved = /^([a-h][1-8])([a-h][1-8])/.exec(lastMove || "");
  rows.forEach((row, line) => [...row].forEach((piece, file) => {
    const name = "abcdefgh"[file] + (8 - line);
    const square = element("div", piece === "." ? "" : GLYPHS[piece.toLowerCase()] + "\ufe0e");
    square.className = "square " + ((line + file) % 2 ? "dark" : "light");
    if (file === 0) square.dataset.rank = name[1];
    if (line === 7) square.dataset.file = name[0];
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
    const { message } = await ask("/api/control?" + about(chosen(), more()), { method: "POST", headers: { "x-token": token } });
    hurry = 20;
    await showRun();
    answer.textContent = message;
  } catch (error) {
    answer.textContent = error.message;
  }
}

byId("pause").addEventListener("click", () => control(() => ({ paused: byId("pause").textContent === "Pause" })));
byId("stop").addEventListener("click", () => {
  if (confirm("Stop this run? It can be resumed with `sprt resume`.")) control(() => ({ stop: true }));
});
byId("pace").addEventListener("submit", (event) => {
  event.preventDefault();
  control(() => ({ concurrency: wholeNumber(byId("concurrency"), "games at a time", MOST_GAMES) }));
});

// ---- playing back

const SHAPES = {
  first: "M2 2h2v12H2z M14 2v12L5 8z", back: "M12 2v12L3 8z", on: "M4 2v12l9-6z", last: "M2 2v12l9-6z M12 2h2v12h-2z",
};
let played = null;
let place = 0;

byId("choose").addEventListener("submit", (event) => {
  event.preventDefault();
  showGame();
});

async function showGame() {
  try {
    const pair = wholeNumber(byId("pair"), run.games_per_opening === 1 ? "game" : "pair", run.pairs) - 1;
    const game = run.games_per_opening === 1 ? 0 : byId("game").value;
    played = await ask("/api/game?" + about(chosen(), { pair, game }));
    place = 0;
    drawReplay();
    byId("replay").scrollIntoView({ block: "nearest" });
    byId("stage").querySelector(".board, .position").focus({ preventScroll: true });
  } catch (error) {
    played = null;
    byId("stage").replaceChildren(element("p", error.message, { class: "warning" }));
  }
}

function drawReplay() {
  const left = element("div");
  const steps = element("div", undefined, { class: "steps" });
  const step = (shape, title, to) => {
    const button = element("button", undefined, { type: "button", title, "aria-label": title });
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", "0 0 16 16");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", SHAPES[shape]);
    picture.append(path);
    button.append(picture);
    button.addEventListener("click", () => go(to()));
    return button;
  };
  steps.append(step("first", "first position", () => 0), step("back", "one move back", () => place - 1),
    step("on", "one move on", () => place + 1), step("last", "last position", () => played.moves.length));
  left.append(element("p", `White: ${played.white}. Black: ${played.black}. Result: ${played.result.replace("-", "\u2011")}`),
    element("div", undefined, { class: "game" }), steps,
    element("p", "", { class: "note", id: "said", "aria-live": "polite" }),
    element("p", "Keys: left and right for a move, Home and End for the first and the last position.", { class: "note" }));
  const list = element("p", undefined, { class: "moves" });
  played.moves.forEach((move, index) => {
    const before = number(index, played, index === 0);
    const together = element("span", undefined, { class: "together" });
    if (before) together.append(element("span", before, { class: "number" }));
    const button = element("button", move.text, { type: "button" });
    if (move.is_book) button.classList.add("book");
    button.addEventListener("click", () => go(index + 1));
    together.append(button);
    list.append(together, " ");
  });
  byId("stage").replaceChildren(left, list);
  drawPlace();
}

// What changes from move to move; buttons and focus stay.
function drawPlace() {
  const stage = byId("stage");
  const last = place > 0 ? played.moves[place - 1] : null;
  const before = stage.querySelector(".game > *");
  const board = drawBoard(played.positions[Math.min(place, played.positions.length - 1)], last && last.engine_text);
  board.tabIndex = 0;
  const hadFocus = before && before === document.activeElement;
  stage.querySelector(".game").replaceChildren(board);
  if (hadFocus) board.focus({ preventScroll: true });
  byId("said").textContent = last ? said(last, place - 1) : "before the first move";
  const list = stage.querySelector(".moves");
  list.querySelectorAll("button").forEach((button, index) => button.setAttribute("aria-current", index + 1 === place));
  const current = list.querySelector("[aria-current=true]");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - 100;
}

function said(move, ply) {
  const side = (ply + (played.first_is_black ? 1 : 0)) % 2 === 0 ? "White" : "Black";
  const parts = [`${side} plays ${move.text}`];
  if (move.is_book) parts.push("from the book");
  if (move.score) parts.push(`sees itself at ${move.score} pawns at depth ${move.depth}`);
  if (move.seconds !== null) parts.push(`${move.seconds.toFixed(3)} s`);
  if (move.note) parts.push(move.note);
  return parts.join(", ");
}

function go(to) {
  place = Math.max(0, Math.min(played.moves.length, to));
  drawPlace();
}

document.addEventListener("keydown", (event) => {
  if (!played || event.target.closest("input, select") || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: played.moves.length }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});

// ---- again and again

function turnTo() {
  const isRun = chosen() !== "";
  byId("list").hidden = isRun;
  for (const id of ["report", "summary"]) byId(id).hidden = !isRun;
  for (const id of ["controls", "boards", "replay"]) byId(id).hidden = true;
  for (const id of ["stage", "report", "summary"]) byId(id).replaceChildren();
  byId("answer").textContent = "";
  played = run = shown = told = null;
}

// After something was asked of a run, it is looked at every second for so many times.
let hurry = 0;

// One request of a kind at a time; a server that is gone is asked again until it is back.
async function repeat(work, pause) {
  for (;;) {
    try {
      await work();
    } catch (error) {
      if (byId("lost").hidden) byId("title").textContent = error.message;
    }
    const wait = hurry > 0 ? OFTEN : pause;
    await new Promise((done) => setTimeout(done, wait));
  }
}

let wake = () => {};
addEventListener("hashchange", () => { turnTo(); wake(); });
turnTo();
repeat(async () => {
  if (document.hidden) return;
  hurry = Math.max(0, hurry - 1);
  await (chosen() ? showRun() : showList());
}, SELDOM);
repeat(async () => {
  if (!document.hidden && chosen()) await showBoards();
}, OFTEN);
wake = () => (chosen() ? showRun() : showList()).catch(() => {});
