// The list of runs: filter, search, sorting, and runs of the same engines under each other.
"use strict";

const HEADS = [
  ["name", "run"], ["limit", "limit"], ["date", "begun"], ["bounds", "bounds"], ["games", "games"], ["elo", "Elo"],
  ["llr", "LLR"], ["words", "state"],
];
// Rows at once: a browser shows as many without delay.
const MOST_RUNS = 300;
let listed = null;
let sorting = { by: "date", isUp: false };

const playersOf = (run) => run.tournament ? run.tournament.title || run.tournament.engines.join(", ")
  : run.engines ? (run.engines.length === 2 ? `${run.engines[1]} against ${run.engines[0]}` : run.engines.join(", "))
  : !run.new ? "" : `${run.new} against ${run.base}`;

function boundsOf(run) {
  if (run.engines) return `suite of ${counted(run.positions, "position")}`;
  if (run.tournament) return `${run.tournament.kind.replace("-", " ")} of ${run.tournament.engines.length}`;
  return run.elo0 === null ? "no test" : `[${run.elo0}, ${run.elo1}]`;
}

function leaderOf(run) {
  if (!run.tournament || !run.tournament.leader) return "";
  return `${run.tournament.leader} ${run.state === "finished" ? "is first" : "leads"}`;
}

// A figure that is rounded to zero has no sign.
const rounded = (figure, digits) => (Number(figure.toFixed(digits)) + 0).toFixed(digits);

// Elo with its error bar, on a scale from -50 to 50.
function eloCell(run) {
  const cell = element("td", undefined, { "data-name": "Elo" });
  const { low, value, high } = run.elo || {};
  const isNumber = (it) => typeof it === "number";
  // Without an interval it says nothing.
  if (!isNumber(value) || (!isNumber(low) && !isNumber(high))) {
    cell.textContent = plain(leaderOf(run));
    return cell;
  }
  // A bound at a score of 0 or 1 is no number.
  const margin = isNumber(low) && isNumber(high) ? Math.max(high - value, value - low).toFixed(1) : "inf";
  cell.append(element("span", `${value >= 0.05 ? "+" : ""}${rounded(value, 1)} ± ${margin}`));
  const x = (elo) => 60 + Math.max(-58, Math.min(58, elo * 1.16));
  const bar = drawn("svg", { class: "bar", viewBox: "0 0 120 14", "aria-hidden": "true" });
  bar.append(drawn("line", { class: "start", x1: 60, x2: 60, y1: 0, y2: 14 }),
    drawn("line", { class: "span", x1: x(low ?? -1e9), x2: x(high ?? 1e9), y1: 7, y2: 7 }), drawn("circle", { cx: x(value), cy: 7, r: 3 }));
  cell.append(bar);
  return cell;
}

const KINDS = { H1: "good", H0: "bad", passed: "good", loss: "bad", running: "good", paused: "maybe", pausing: "maybe", stopping: "maybe", interrupted: "maybe",
  "no verdict": "bad", damaged: "bad", deleted: "maybe" };
const VERDICTS = { H1: "H1 accepted", H0: "H0 accepted" };

function rowOf(run) {
  const row = element("tr");
  const name = element("th", undefined, { scope: "row" });
  name.append(element("a", run.name, { href: addressOf(encodeURIComponent(run.name)) }));
  for (const words of [playersOf(run), run.difference]) if (words) name.append(element("span", words, { class: "note" }));
  row.append(name);
  if (run.error) {
    row.append(element("td", run.error, { colspan: HEADS.length - 2, class: "words" }));
  } else {
    const games = run.engines ? `${run.answers}/${run.searches} searches` : run.max_games === null ? run.games : `${run.games}/${run.max_games}`;
    const date = run.date ? run.date.replace("T", " ").slice(0, 16) : "";
    const cells = [["limit", run.limit], ["begun", date], ["bounds", boundsOf(run)], ["games", games]];
    for (const [head, text] of cells) row.append(element("td", text, { "data-name": head }));
    row.append(eloCell(run), element("td", (run.llr ?? null) === null ? "" : rounded(run.llr, 2), { "data-name": "LLR" }));
  }
  const state = element("td", undefined, { "data-name": "state" });
  state.append(element("span", VERDICTS[run.words] || run.words, { class: "state " + (KINDS[run.words] || "") }));
  row.append(state);
  return row;
}

function sortedRuns(runs) {
  const value = { name: (run) => run.name, limit: (run) => run.limit || "", date: (run) => run.date || "", bounds: (run) => run.elo0 ?? -1e9,
    games: (run) => run.games || 0, elo: (run) => (run.elo || {}).value ?? -1e9, llr: (run) => run.llr ?? -1e9, words: (run) => run.words }[sorting.by];
  const compare = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (sorting.isUp ? 1 : -1);
  const all = [...runs].sort(compare);
  if (!byId("together").checked) return all;
  // Each pair of engines where its first run stands.
  const groups = new Map();
  for (const run of all) {
    const key = (run.engines || [run.base, run.new]).filter(Boolean).sort().join("\n") || run.name;
    groups.set(key, [...(groups.get(key) || []), run]);
  }
  return [...groups.values()].flat();
}

function drawList() {
  if (!listed) return;
  const words = byId("search").value.trim().toLowerCase();
  const state = byId("state").value;
  const text = (run) => [run.name, playersOf(run), run.difference, run.limit, run.error].join(" ").toLowerCase();
  const found = listed.filter((run) => text(run).includes(words) && (!state || run.words === state));
  const table = element("table");
  const head = table.createTHead().insertRow();
  for (const [by, name] of HEADS) {
    const cell = element("th", undefined, { scope: "col" });
    if (sorting.by === by) cell.setAttribute("aria-sort", sorting.isUp ? "ascending" : "descending");
    const button = element("button", name, { type: "button", "data-by": by });
    button.addEventListener("click", () => {
      sorting = { by, isUp: sorting.by === by ? !sorting.isUp : by === "name" };
      drawList();
      byId("runs").querySelector(`[data-by=${by}]`).focus();
    });
    cell.append(button);
    head.append(cell);
  }
  table.createTBody().append(...sortedRuns(found).slice(0, MOST_RUNS).map(rowOf));
  byId("count").textContent = `${found.length} of ${counted(listed.length, "run")}` + (found.length > MOST_RUNS ? `, the first ${MOST_RUNS} are shown` : "");
  byId("runs").replaceChildren(listed.length ? table : element("p", "No runs yet. Start one with `sprt BASE NEW`."));
}

async function showList() {
  const { runs, unreadable } = await ask("/api/runs");
  if (chosen()) return;
  byId("title").textContent = document.title = "Runs";
  const now = [...runs, ...unreadable];
  if (JSON.stringify(now) === JSON.stringify(listed)) return;
  listed = now;
  const states = [...new Set(listed.map((run) => run.words))].sort();
  const chosenState = byId("state").value;
  byId("state").replaceChildren(element("option", "all", { value: "" }), ...states.map((state) => element("option", VERDICTS[state] || state, { value: state })));
  if (states.includes(chosenState)) byId("state").value = chosenState;
  // A row that is being read or that has the focus stays where it is.
  const focused = document.activeElement && document.activeElement.closest("#runs a");
  drawList();
  if (focused) [...byId("runs").querySelectorAll("a")].find((link) => link.textContent === focused.textContent)?.focus();
}

byId("find").addEventListener("input", drawList);
byId("find").addEventListener("submit", (event) => event.preventDefault());
// In this tab no page is loaded anew.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  location.hash = link.hash;
});
