// A standalone page: unpacks the games or the positions that it contains.
"use strict";

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// Unpacks what the page holds under this name into the section that shows it.
function shows(packedName, section, show) {
  addEventListener("DOMContentLoaded", async () => {
    const packed = document.getElementById(packedName);
    if (!packed) return;
    const root = document.getElementById(section);
    try {
      await show(root, await unpack(packed), packed.dataset);
    } catch (error) {
      root.replaceChildren(element("p", `The ${section} cannot be shown: ${error.message}`, { class: "warning" }));
    }
  });
}

shows("packed-suite", "positions", (root, suite) => new Positions(root, suite));

shows("packed-games", "games", async (root, games, { note, name }) => {
  const byNumber = new Map(games.map((game) => [game.entry.number, game]));
  const list = new Games(root, {
    entries: games.map((game) => game.entry),
    note,
    name,
    game: async (entry) => byNumber.get(entry.number).replay,
    pgn: async (entries) => (entries === null ? games : entries.map((entry) => byNumber.get(entry.number)))
      .map((game) => pgnOf({ ...game.entry, ...game.replay, start_text: game.entry.start })).join(""),
  }, (number, ply) => history.replaceState(null, "", `#game=${number}&ply=${ply}`));
  linkPairings(document, (players) => list.findPlayers(players));
  const place = new URLSearchParams(location.hash.slice(1));
  if (place.has("game")) await list.showNumber(Number(place.get("game")), Number(place.get("ply")));
});
