// A graph of a game with one or two values per ply; a click selects the ply.
"use strict";

const GRAPH = { width: 400, height: 110, left: 34, top: 16, bottom: 96 };

// `lines`: { class, points: [[ply, value]] }; `marks`: { ply, title }; `onPick(ply)`.
class Graph {
  constructor({ title, lines, marks, plies, low, high, text, onPick }) {
    this.plies = Math.max(1, plies);
    const { width, height, left, top, bottom } = GRAPH;
    const y = (value) => bottom - (bottom - top) * (Math.min(high, Math.max(low, value)) - low) / (high - low || 1);
    this.root = drawn("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
    this.root.append(drawn("text", { class: "title", x: left, y: 11 }, title));
    for (const level of low < 0 ? [low, 0, high] : [low, high]) {
      this.root.append(drawn("line", { class: "grid", x1: left, x2: width, y1: y(level), y2: y(level) }),
        drawn("text", { class: "tick", x: left - 4, y: y(level) + 4, "text-anchor": "end" }, text(level)));
    }
    for (const line of lines) {
      const points = line.points.map(([ply, value]) => `${this.x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      this.root.append(drawn("polyline", { class: "line " + line.class, points }));
    }
    for (const mark of marks || []) {
      const dot = drawn("circle", { class: "mistake", cx: this.x(mark.ply), cy: y(mark.value), r: 4 });
      dot.append(drawn("title", {}, mark.title));
      this.root.append(dot);
    }
    this.cursor = drawn("line", { class: "place", y1: top, y2: bottom });
    this.root.append(this.cursor);
    this.root.addEventListener("click", (event) => {
      const { left: edge, width: shown } = this.root.getBoundingClientRect();
      const at = (event.clientX - edge) / shown * width;
      onPick(Math.round(Math.min(1, Math.max(0, (at - left) / (width - left))) * this.plies));
    });
  }

  x(ply) {
    return GRAPH.left + (GRAPH.width - GRAPH.left) * ply / this.plies;
  }

  moveTo(ply) {
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.x(ply));
  }
}
