// A task as it is browsed: which rows a filter shows.

/** Verdicts and answers of one run, or of two side by side. */
class TaskView {
  constructor(task, index, first, second) {
    this.task = task;
    this.index = index;
    this.first = first;
    this.second = second;
    this.size = index.ids.length;
    this.filters = second === null ? singleFilters(this) : pairFilters(this);
    this.rows = {};
    for (const filter of this.filters) this.rows[filter.name] = [];
    for (let row = 0; row < this.size; ++row)
      for (const filter of this.filters) if (filter.holds(row)) this.rows[filter.name].push(row);
  }
  verdict(run, row) { return this.index.runs[run].verdicts[row]; }
  answer(run, row) { return this.index.runs[run].answers[row]; }
  value(run, row) { return this.index.runs[run].values?.[row] ?? null; }
  asked(run, row) { return this.verdict(run, row) !== "."; }
  #differs(column, row) {
    return this.index.runs[this.first][column][row] !== this.index.runs[this.second][column][row];
  }
  bothAsked(row) { return this.asked(this.first, row) && this.asked(this.second, row); }
  sameDocument(row) {
    const a = this.index.runs[this.first].same[row], b = this.index.runs[this.second].same[row];
    return this.bothAsked(row) && (a === "d") === (b === "d");
  }
  otherPrompt(row) { return this.bothAsked(row) && this.#differs("same", row); }
  otherAnswer(row) { return this.sameDocument(row) && this.#differs("answer_classes", row); }
  otherOutput(row) { return this.sameDocument(row) && this.#differs("output_classes", row); }
  moved(row, from, to) {
    return this.sameDocument(row) && this.verdict(this.first, row) === from && this.verdict(this.second, row) === to;
  }
  lost(row) { return this.moved(row, "1", "0"); }
  won(row) { return this.moved(row, "0", "1"); }
  flipped(row) { return this.lost(row) || this.won(row); }
}

function singleFilters(view) {
  const is = (letter) => (row) => view.verdict(view.first, row) === letter;
  return [
    { name: "all", label: "All", holds: (row) => view.asked(view.first, row) },
    { name: "right", label: "Right", holds: is("1") },
    { name: "wrong", label: "Wrong", holds: is("0") },
    { name: "unjudged", label: "No verdict", holds: is("?") },
    { name: "failed", label: "Failed", holds: is("f") },
  ];
}

function pairFilters(view) {
  const failed = (row) => view.verdict(view.first, row) === "f" || view.verdict(view.second, row) === "f";
  return [
    { name: "all", label: "All", holds: (row) => view.asked(view.first, row) || view.asked(view.second, row) },
    { name: "flips", label: "Flips", holds: (row) => view.flipped(row) },
    { name: "lost", label: "Right → wrong", holds: (row) => view.lost(row) },
    { name: "won", label: "Wrong → right", holds: (row) => view.won(row) },
    { name: "answer", label: "Other answer", holds: (row) => view.otherAnswer(row) && !view.flipped(row) },
    { name: "output", label: "Other output, same answer", holds: (row) => view.otherOutput(row) && !view.otherAnswer(row) },
    { name: "right", label: "Both right", holds: (row) => view.moved(row, "1", "1") },
    { name: "wrong", label: "Both wrong", holds: (row) => view.moved(row, "0", "0") },
    { name: "failed", label: "Failed", holds: failed },
    { name: "prompt", label: "Other prompt", holds: (row) => view.otherPrompt(row) },
    { name: "one", label: "In one run alone", holds: (row) => view.asked(view.first, row) !== view.asked(view.second, row) },
  ];
}

const VERDICTS = {
  1: { text: "right", sign: "✓", kind: "right" },
  0: { text: "wrong", sign: "✗", kind: "wrong" },
  "?": { text: "no verdict", sign: "–", kind: "other" },
  f: { text: "failed", sign: "!", kind: "wrong" },
  ".": { text: "not asked", sign: "·", kind: "other" },
};
