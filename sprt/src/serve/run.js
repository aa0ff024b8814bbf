// The page of a run: how it stands, control, games being played, and games that were.
"use strict";

const MOST_GAMES = 1024;
let run = null;
let shown = null;
let told = null;
let games = null;
// The positions of a suite, and the answers that they were last shown with.
let positions = null;
let answered = 0;
// After something was asked of a run, it is looked at every second for so many times.
let hurry = 0;

const about = (name, more) => new URLSearchParams({ run: name, ...more }).toString();

// The run that the address names, and the game and ply after it.
const chosen = () => decodeURIComponent(location.hash.slice(1).split("&")[0]);
const place = () => new URLSearchParams(location.hash.split("&").slice(1).join("&"));

function leaveRun() {
  run = shown = told = games = positions = null;
  for (const id of ["controls", "boards"]) byId(id).hidden = true;
  for (const id of ["report", "summary", "games", "positions"]) byId(id).replaceChildren();
  byId("answer").textContent = "";
}

async function showRun() {
  const name = chosen();
  const answer = await ask("/api/run?" + about(name));
  if (chosen() !== name) return;
  run = answer;
  byId("title").textContent = document.title = plain(run.title);
  byId("controls").hidden = !run.is_being_played || run.answers !== undefined;
  byId("pause").textContent = run.paused ? "Continue" : "Pause";
  for (const id of ["pause", "stop", "apply"]) byId(id).disabled = run.stop;
  if (told !== run.state) byId("answer").textContent = "";
  told = run.state;
  if (document.activeElement !== byId("concurrency")) byId("concurrency").value = run.concurrency;
  byId("summary").innerHTML = run.summary;
  const state = [name, run.pairs, run.answers, run.is_being_played, run.paused, run.stop].join(" ");
  if (shown !== state) {
    shown = state;
    showReport(run.content);
  }
  if (run.answers !== undefined) {
    await showPositions(name);
  } else if (games === null && run.pairs > 0) {
    const awaited = games = {};
    try {
      await showGames();
    } finally {
      // The next look asks again.
      if (games === awaited) games = null;
    }
    await showPlace();
  } else if (games && games.to !== undefined && games.to !== run.pairs) {
    byId("newer").hidden = false;
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
    button.addEventListener("click", () => showPair(Number(cell.dataset.pair) - 1));
    cell.replaceChildren(button);
  }
  linkPairings(report, (players) => games && games.findPlayers && games.findPlayers(players));
}

// ---- positions of a suite

async function showPositions(name) {
  if (positions && answered === run.answers) return;
  const { answers } = run;
  const result = await ask("/api/suite?" + about(name));
  if (chosen() !== name) return;
  if (positions) positions.refresh(result);
  else positions = new Positions(byId("positions"), result);
  answered = answers;
}

// ---- games that were played

async function showGames(from) {
  const name = chosen();
  const list = await ask("/api/games?" + about(name, from === undefined ? {} : { from }));
  if (chosen() !== name) return;
  const isAll = list.from === 0 && list.to === list.pairs;
  games = new Games(byId("games"), {
    entries: list.entries,
    note: isAll ? "" : `Pairs ${list.from + 1} to ${list.to} of ${list.pairs}.`,
    name,
    game: async ({ pair, game }) => (await ask("/api/game?" + about(name, { pair, game }))).replay,
    pgn: async (entries) => (await send("/api/pgn?" + about(name), {
      method: "POST", body: entries === null ? "" : entries.map((entry) => entry.number).join(" "),
    })).text(),
  }, (number, ply) => history.replaceState(null, "", `#${encodeURIComponent(name)}&game=${number}&ply=${ply}`));
  games.from = list.from;
  games.to = list.to;
  const turn = (id, text, to) => {
    const button = element("button", text, { type: "button", id });
    button.addEventListener("click", () => showGames(to).catch((error) => games.complain(error)));
    return button;
  };
  const stretch = element("div", undefined, { class: "steps" });
  const size = list.to - list.from;
  if (list.from > 0) stretch.append(turn("older", "Older games", Math.max(0, list.from - size)));
  const newer = turn("newer", "Newer games", list.to < list.pairs ? list.to : undefined);
  newer.hidden = list.to >= list.pairs;
  stretch.append(newer);
  byId("games").append(stretch);
}

// The game and ply that the address names.
async function showPlace() {
  if (!games || !games.showNumber || !place().has("game")) return;
  const number = Number(place().get("game"));
  const pair = Math.floor((number - 1) / run.games_per_opening);
  const isListed = games.from <= pair && pair < games.to;
  if (!isListed && pair >= 0 && pair < run.pairs) await showGames(pair);
  const ply = place().get("ply");
  await games.showNumber(number, ply === null ? undefined : Number(ply));
}

async function showPair(pair) {
  if (!games || games.from > pair || games.to <= pair) await showGames(pair);
  const entry = games.source.entries.find((it) => it.pair === pair);
  if (entry) await games.show(entry, 0);
}

// ---- games being played

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
    row.append(element("b", `${side === 0 ? "White" : "Black"}: ${name}`, { title: plain(name) }));
    if (game.clocks) row.append(element("span", clock(game.clocks[side]), { class: "clock" }));
    row.append(element("span", game.said[side] || ""));
    return row;
  };
  const moves = element("p", undefined, { class: "moves", tabindex: "0", role: "region", "aria-label": "Moves" });
  moves.append(element("span", numbered(game.moves.slice(0, game.book_moves), 0, game) + " ", { class: "book" }));
  moves.append(numbered(game.moves.slice(game.book_moves), game.book_moves, game));
  const board = element("div", undefined, { class: "game" });
  board.append(seat(1), drawPosition(game), seat(0));
  const where = run && run.games_per_opening === 1 ? `game ${game.pair + 1}` : `pair ${game.pair + 1}, game ${game.game + 1}`;
  table.append(element("p", where + (game.end ? `: ${game.end}` : ""), { class: "note" }), board, moves);
  requestAnimationFrame(() => { moves.scrollTop = moves.scrollHeight; });
  return table;
}

function drawPosition({ picture, last, position }) {
  if (!picture) return element("pre", position, { class: "position" });
  const board = new Board();
  board.show(picture, { touched: last ? Object.keys(last.changes) : [] });
  return board.root;
}

const numbered = (moves, offset, game) =>
  moves.map((move, index) => moveNumber(offset + index, game, index === 0) + move).join(" ");

const clock = (ms) => `${Math.floor(ms / 60000)}:${(ms / 1000 % 60).toFixed(1).padStart(4, "0")}`;

// ---- control

async function control(more) {
  const answer = byId("answer");
  try {
    const { message } = await ask("/api/control?" + about(chosen(), more()), { method: "POST" });
    hurry = 20;
    await showRun();
    answer.textContent = message;
  } catch (error) {
    answer.textContent = error.message;
  }
}

byId("pause").addEventListener("click", () => control(() => ({ paused: byId("pause").textContent === "Pause" })));
byId("stop").addEventListener("click", () => {
  if (confirm("Stop this run? The command that plays it says what continues it.")) control(() => ({ stop: true }));
});
byId("slots").addEventListener("submit", (event) => {
  event.preventDefault();
  control(() => ({ concurrency: wholeNumber(byId("concurrency"), "games at a time", MOST_GAMES) }));
});
