// A standalone page: unpacks the games or the positions that it contains.
"use strict";

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

addEventListener("DOMContentLoaded", async () => {
  const packed = document.getElementById("packed-suite");
  if (!packed) return;
  const root = document.getElementById("positions");
  try {
    new Positions(root, await unpack(packed));
  } catch (error) {
    root.replaceChildren(element("p", `The positions cannot be shown: ${error.message}`, { class: "warning" }));
  }
});

addEventListener("DOMContentLoaded", async () => {
  const packed = document.getElementById("packed-games");
  if (!packed) return;
  const root = document.getElementById("games");
  try {
    const games = await unpack(packed);
    const byNumber = new Map(games.map((game) => [game.entry.number, game]));
    const list = new Games(root, {
      entries: games.map((game) => game.entry),
      note: packed.dataset.note,
      name: packed.dataset.name,
      game: async (entry) => byNumber.get(entry.number).replay,
      pgn: async (entries) => (entries === null ? games : entries.map((entry) => byNumber.get(entry.number)))
        .map((game) => pgnOf({ ...game.entry, ...game.replay, start_text: game.entry.start })).join(""),
    }, (number, ply) => history.replaceState(null, "", `#game=${number}&ply=${ply}`));
    linkPairings(document, (players) => list.findPlayers(players));
    const place = new URLSearchParams(location.hash.slice(1));
    if (place.has("game")) await list.showNumber(Number(place.get("game")), Number(place.get("ply")));
  } catch (error) {
    root.replaceChildren(element("p", `The games cannot be shown: ${error.message}`, { class: "warning" }));
  }
});
