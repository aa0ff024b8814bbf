// The page of a game that a person plays.
"use strict";

const board = new Board();
byId("board").append(board.root);
let table = null;
let input = new Input([]);
let cursor = null;
let picture = null;
let daring = null;
let drag = null;
// When the clocks were reported, to let the mover's run on.
let toldAt = 0;

// ---- what the table looks like

function show(answer) {
  const isNew = table === null || answer.version !== table.version;
  const isFirst = table === null;
  table = answer;
  toldAt = performance.now();
  if (isNew) {
    input = new Input(table.legal);
    daring = null;
    picture = table.start;
    for (const move of table.moves) picture = picture && move.changes ? pictureAfter(picture, move) : null;
    drawMoves();
    drawSeats(isFirst);
    byId("title").textContent = document.title = plain(`${table.white} – ${table.black}`);
    byId("position").textContent = table.position;
    byId("history").textContent = table.history;
    byId("result").textContent = table.result ? `${table.result.replace("-", "\u2011")} ${table.reason}` : "";
    byId("undo").disabled = table.moves.every((move) => move.is_book);
    byId("resign").disabled = table.result !== null || !table.seats.includes("person");
    complain(table.trouble);
    draw();
  }
  drawThoughts();
  drawClocks();
}

function complain(words) {
  byId("trouble").textContent = words ? plain(words) : "";
  byId("trouble").hidden = !words;
}

// The board with what was picked; a move that is complete is played, or asked about first.
function draw() {
  const last = table.moves[table.moves.length - 1];
  const touched = last && last.changes && input.picked.length === 0 ? Object.keys(last.changes) : [];
  if (picture) {
    const shown = input.preview(picture);
    const isShotOver = input.picked.length > 0;
    board.show(isShotOver ? { ...shown, shot: undefined } : shown, {
      touched, picked: input.picked, targets: input.picked.length ? input.squares() : [], cursor,
    });
  }
  byId("board").hidden = !picture;
  drawLetters();
  byId("back").disabled = input.picked.length === 0;
  byId("warning").hidden = daring === null;
  if (daring) byId("danger").textContent = `${daring.text}: ${daring.danger}.`;
  byId("said").textContent = situation();
}

// A side by the name that its pieces have.
function sideName(color) {
  const usual = SIDES[color[0]];
  const codes = table.start ? Object.values(table.start.pieces) : [];
  const own = codes.map((code) => readPiece(code).side).find((side) => side.endsWith(color[0]));
  return own && SIDES[own] !== usual ? `${SIDES[own]} (${usual})` : usual;
}

function situation() {
  const side = sideName(table.to_move);
  if (table.result) return "The game is over.";
  if (!table.is_persons_turn) return `${side}, an engine, is thinking.`;
  if (daring) return "";
  const [from, ...rest] = input.picked;
  if (from === undefined) return `${side} to move.` + (cursor ? ` ${standsOn(cursor)}` : "");
  if (rest.length === 0) return `${standsOn(from)} picked; ${input.squares().length} squares to go to` + (input.letters().length ? ", or turn it." : ".");
  return `Unfinished: ${input.picked.join(" ")}. Choose how it ends, or undo the pick.`;
}

const standsOn = (square) => `${square}: ${picture.pieces[square] ? pieceName(picture.pieces[square]) : "empty"}`;

function drawLetters() {
  const letters = input.picked.length ? input.letters() : [];
  const isWithoutBoard = !picture && table.is_persons_turn;
  const buttons = isWithoutBoard
    ? table.legal.map((move) => [move.text, () => send1({ action: "move", text: move.text, version: table.version })])
    : letters.map((letter) => [LETTERS[letter] || letter, () => pick(letter)]);
  byId("letters").hidden = buttons.length === 0;
  byId("letters").replaceChildren(...buttons.map(([text, act]) => {
    const button = element("button", text, { type: "button" });
    button.addEventListener("click", act);
    return button;
  }));
}

function drawMoves() {
  const parts = table.moves.flatMap((move, ply) => [
    element("span", moveNumber(ply, table, ply === 0), { class: "number" }),
    element("span", move.text, move.is_book ? { class: "book" } : {}),
    element("span", (move.score ? ` (${move.score}/${move.depth})` : "") + " ", { class: "number" }),
  ]);
  byId("moves").replaceChildren(...parts);
  byId("moves").scrollTop = byId("moves").scrollHeight;
}

// A seat as the server calls it: `person`, or the number of an engine.
const seatName = (seat) => (seat === "person" ? "person" : String(seat.engine + 1));

let drawnSeats;

// What was chosen for a new game stays until the seats themselves change.
function drawSeats(isFirst) {
  const seats = JSON.stringify(table.seats);
  if (seats === drawnSeats) return;
  drawnSeats = seats;
  for (const [place, id] of ["white", "black"].entries()) {
    const select = byId(id);
    const options = [["person", "a person"], ...table.engines.map((name, index) => [String(index + 1), name])];
    if (isFirst) select.replaceChildren(...options.map(([value, text]) => element("option", text, { value })));
    select.value = seatName(table.seats[place]);
  }
  if (isFirst) board.isFlipped = table.seats[1] === "person" && table.seats[0] !== "person";
}

function drawThoughts() {
  const body = element("table", undefined, { class: "figures" });
  const head = body.createTHead().insertRow();
  for (const name of ["depth", "score", "nodes", "nodes/s", "line"]) head.append(element("th", name, { scope: "col" }));
  const rows = body.createTBody();
  for (const thought of table.thoughts) {
    const row = rows.insertRow();
    for (const text of [thought.depth, thought.score, thought.nodes, thought.nps, thought.line]) row.append(element("td", text));
  }
  byId("thoughts").replaceChildren(table.thoughts.length ? body : element("p", "Nothing at the moment.", { class: "note" }));
}

function drawClocks() {
  const sides = board.isFlipped ? [["far", 0], ["near", 1]] : [["far", 1], ["near", 0]];
  for (const [id, side] of sides) {
    const isMover = (table.to_move === "black") === (side === 1) && !table.result;
    const row = byId(id);
    row.className = "seat" + (isMover ? " turn" : "");
    const name = side === 0 ? table.white : table.black;
    const parts = [element("b", `${sideName(side === 0 ? "white" : "black")}: ${name}`, { title: plain(name) })];
    if (table.clocks) {
      const ran = isMover && table.is_clock_running ? performance.now() - toldAt : 0;
      const left = Math.max(0, table.clocks[side] - ran);
      parts.push(element("span", `${Math.floor(left / 60000)}:${(left / 1000 % 60).toFixed(1).padStart(4, "0")}`, { class: "clock" }));
    }
    row.replaceChildren(...parts);
  }
}

// ---- what the person does

async function send1(wanted) {
  try {
    show(await ask("/api/play?" + new URLSearchParams(wanted), { method: "POST" }));
  } catch (error) {
    input.picked = [];
    complain(error.message);
    draw();
  }
}

function pick(step) {
  if (!table.is_persons_turn || daring) return;
  input.pick(step);
  const move = input.move();
  if (move && move.danger) daring = move;
  draw();
  if (daring) byId("refrain").focus();
  else if (move) send1({ action: "move", text: move.text, version: table.version });
}

function unpick() {
  if (daring) {
    daring = null;
    input.back();
  } else {
    input.back();
  }
  draw();
  byId("board").focus({ preventScroll: true });
}

byId("dare").addEventListener("click", () => {
  const { text } = daring;
  daring = null;
  send1({ action: "move", text, version: table.version });
  byId("board").focus({ preventScroll: true });
});
byId("refrain").addEventListener("click", unpick);
byId("back").addEventListener("click", unpick);
byId("undo").addEventListener("click", () => send1({ action: "undo" }));
byId("resign").addEventListener("click", () => { if (confirm("Resign this game?")) send1({ action: "resign" }); });
byId("turn").addEventListener("click", () => {
  board.isFlipped = !board.isFlipped;
  draw();
  drawClocks();
});
byId("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("typed").value.trim();
  if (!text || !table.is_persons_turn) return;
  byId("typed").value = "";
  const known = table.legal.find((move) => move.text === text);
  if (known && known.danger) {
    input.picked = steps(text);
    daring = known;
    draw();
    byId("refrain").focus();
  } else {
    send1({ action: "move", text, version: table.version });
  }
});
const seatsNow = () => ({ white: byId("white").value, black: byId("black").value });
byId("new").addEventListener("submit", async (event) => {
  event.preventDefault();
  await send1({ action: "new", ...seatsNow(), text: byId("from").value });
  board.isFlipped = byId("black").value === "person" && byId("white").value !== "person";
  draw();
  drawClocks();
});
byId("seats").addEventListener("click", () => send1({ action: "seats", ...seatsNow() }));
byId("pgn").addEventListener("click", async () => {
  try {
    saveText(await (await send("/api/play/pgn")).text(), "game.pgn");
  } catch (error) {
    complain(error.message);
  }
});

// ---- pointer: a drag from square to square is two picks, a tap is one

const surface = byId("board");
surface.addEventListener("pointerdown", (event) => {
  if (!picture || !table.is_persons_turn || daring || event.button) return;
  const square = board.squareAt(event);
  if (!square) return;
  event.preventDefault();
  surface.focus({ preventScroll: true });
  const before = input.picked.join();
  cursor = null;
  if (input.next().includes(square) || input.picked.length < 2) pick(square);
  const isPicked = input.picked[input.picked.length - 1] === square && input.picked.join() !== before;
  drag = isPicked && input.picked.length ? { from: square } : null;
  surface.setPointerCapture(event.pointerId);
});
surface.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const piece = board.root.querySelector(`[data-piece="${drag.from}"]`);
  if (!piece) return;
  const { left, top, width } = board.root.getBoundingClientRect();
  const size = width / picture.files.length;
  const [x, y] = board.place(drag.from);
  const right = (event.clientX - left) / size - x - 0.5, down = (event.clientY - top) / size - y - 0.5;
  if (drag.transform === undefined) drag.transform = piece.getAttribute("transform") || "";
  piece.setAttribute("transform", `translate(${right} ${down}) ${drag.transform}`);
  piece.classList.add("drag");
});
surface.addEventListener("pointerup", (event) => {
  if (!drag) return;
  const square = board.squareAt(event);
  const { from } = drag;
  drag = null;
  if (square && square !== from && input.next().includes(square)) pick(square);
  else draw();
});
surface.addEventListener("pointercancel", () => { drag = null; draw(); });

// ---- keys on the board

surface.addEventListener("keydown", (event) => {
  if (!picture || event.altKey || event.ctrlKey || event.metaKey) return;
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const letter = input.picked.length ? input.letters().find((it) => it.toLowerCase() === event.key.toLowerCase()) : undefined;
  if (way) {
    cursor = cursor ? board.beside(cursor, ...way) : board.named(board.isFlipped ? 3 : 4, picture.ranks.length - 2);
    draw();
  } else if ((event.key === "Enter" || event.key === " ") && cursor) {
    pick(cursor);
  } else if (event.key === "Escape" || event.key === "Backspace") {
    unpick();
  } else if (letter) {
    pick(letter);
  } else {
    return;
  }
  event.preventDefault();
});
addEventListener("keydown", (event) => { if (event.key === "Escape" && daring) unpick(); });

// ---- again and again

async function watch() {
  for (;;) {
    try {
      const wasThinking = table && !table.is_persons_turn && !table.result;
      const known = table && !wasThinking ? "?" + new URLSearchParams({ version: table.version }) : "";
      show(await ask("/api/play" + known));
    } catch (error) {
      if (byId("lost").hidden) complain(error.message);
      await new Promise((done) => setTimeout(done, 1000));
    }
    await new Promise((done) => setTimeout(done, table && !table.is_persons_turn ? 250 : 50));
  }
}
watch();
setInterval(() => { if (table && table.clocks) drawClocks(); }, 100);
