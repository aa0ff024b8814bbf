// Which page is shown, and when it is brought up to date.
"use strict";

const OFTEN = 1000;
const SELDOM = 4000;

function turnTo() {
  const isRun = chosen() !== "";
  byId("list").hidden = isRun;
  byId("run").hidden = !isRun;
  byId("title").textContent = plain(chosen());
  leaveRun();
}

async function showPage() {
  await (chosen() ? showRun() : showList());
  byId("trouble").hidden = true;
}

// One request of a kind at a time; a server that is gone is asked again until it is back.
async function repeat(work, pause) {
  for (;;) {
    try {
      if (!document.hidden) await work();
    } catch (error) {
      byId("trouble").hidden = !byId("lost").hidden;
      byId("trouble").textContent = error.message;
    }
    const wait = hurry > 0 ? OFTEN : pause;
    await new Promise((done) => setTimeout(done, wait));
  }
}

let before = chosen();
addEventListener("hashchange", () => {
  if (chosen() === before) return showPlace();
  before = chosen();
  turnTo();
  showPage().catch(() => {});
});
turnTo();
repeat(async () => {
  hurry = Math.max(0, hurry - 1);
  await showPage();
}, SELDOM);
repeat(async () => {
  if (chosen()) await showBoards();
}, OFTEN);
