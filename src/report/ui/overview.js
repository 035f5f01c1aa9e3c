// What stands before the items: warnings, scores; and behind them, the settings.

/** Warnings of the report, then those of each run; a text that several runs share stands once. */
function allWarnings() {
  const all = SUMMARY.warnings.map((warning) => ({ ...warning, runs: [] }));
  SUMMARY.runs.forEach((run, i) => {
    for (const warning of run.warnings) {
      const same = all.find((one) => one.text === warning.text && one.count === warning.count);
      if (same) same.runs.push(i);
      else all.push({ ...warning, runs: [i] });
    }
    for (const [reason, requests] of Object.entries(run.failures))
      all.push({ text: `${count(requests)} requests have no answer: ${reason}`, count: requests, runs: [i] });
  });
  return all;
}

function showWarnings() {
  const warnings = allWarnings();
  const several = SUMMARY.runs.length > 1;
  if (warnings.length === 0) {
    byId("warnings-body").replaceChildren(el("p", { class: "calm" }, "None: every request was answered and nothing was cut."));
    return;
  }
  byId("warnings-body").replaceChildren(el("ul", { class: "warning-list" }, ...warnings.map((warning) =>
    el("li", {},
      el("span", { "aria-hidden": "true" }, "⚠"),
      el("span", { class: "grow", dir: "auto" }, warning.text),
      several && warning.runs.length > 0 ? el("span", {}, ...warning.runs.map(letterBadge)) : null))));
}

const scoreKey = (one) => `${one.metric},${one.filter}`;

/** The score that a task is known by: the one whose verdicts the items show. */
function mainScore(task, run) {
  const scores = task.scores[run] ?? [];
  return scores.find((one) => one.metric === task.metric && one.filter === task.filter) ?? scores[0] ?? null;
}

function scoreRow(scored, scale, run) {
  const name = SUMMARY.runs[run].model_name || SUMMARY.runs[run].model;
  const who = el("th", { scope: "row", class: "who" }, letterBadge(run), name);
  if (scored === null) return el("tr", {}, who, el("td", { colspan: "3", class: "muted" }, "not part of this run"));
  return el("tr", {}, who,
    el("td", { class: "number value" }, score(scored.value)),
    el("td", { class: "bar" }, bar(scored, scale, run)),
    el("td", { class: "number muted interval" }, intervalText(scored)));
}

function scoreTable(caption, scores) {
  const scale = scaleOf(scores.filter((one) => one !== null));
  const known = scores.map((one, run) => [one, run]);
  return el("table", { class: "scores", "aria-label": caption },
    el("thead", {}, el("tr", {},
      el("th", { scope: "col", class: "muted" }, "run"), el("th", { scope: "col", class: "muted" }, "score"),
      el("th", { scope: "col", class: "muted" }, `0 to ${scale === 1 ? 1 : scale.toPrecision(3)}`),
      el("th", { scope: "col", class: "muted" }, "95 % interval"))),
    el("tbody", {}, ...known.map(([one, run]) => scoreRow(one, scale, run))));
}

/** A sentence about how two runs differ on a task, with the way to the items behind it. */
function pairLine(task, run, browse) {
  const pair = task.pairs[run];
  if (pair === null || pair.pairs === 0) return null;
  const names = `${SUMMARY.runs[run].letter} against A`;
  const test = pair.lost + pair.won === 0
    ? "no verdict changed"
    : `McNemar's exact p ${probability(pair.p)}` + (SUMMARY.tasks.length > 1 ? `, ${probability(pair.adjusted_p)} after Holm over the tasks` : "");
  const flips = (filter, number, text) =>
    number === 0 ? `${number} ${text}` : el("button", { type: "button", class: "link", onclick: () => browse(task, filter, run) }, `${count(number)} ${text}`);
  return el("p", { class: "verdict muted" }, el("strong", {}, `${names}: ${signed(pair.difference)}`),
    el("span", {}, `95 % from ${signed(pair.interval.low)} to ${signed(pair.interval.high)}`),
    flips("lost", pair.lost, "right → wrong"), flips("won", pair.won, "wrong → right"),
    el("span", {}, `of ${count(pair.pairs)} pairs; ${test}`));
}

/** All scores of a task beside its first one. */
function otherScores(task) {
  const first = task.scores.map((_, run) => mainScore(task, run)).find((one) => one !== null);
  const keys = [...new Set(task.scores.flatMap((scores) => (scores ?? []).map(scoreKey)))].filter((key) => key !== scoreKey(first));
  if (keys.length === 0) return null;
  return el("details", { class: "more" }, el("summary", {}, `${keys.length} other ${keys.length === 1 ? "metric" : "metrics"}`),
    ...keys.map((key) => {
      const scores = task.scores.map((all) => (all ?? []).find((one) => scoreKey(one) === key) ?? null);
      const found = scores.find((one) => one !== null);
      return el("div", { class: "block" }, el("h4", {}, metricName(found)), scoreTable(`${task.name}: ${metricName(found)}`, scores));
    }));
}

function metricName(scored) {
  const filter = scored.filter === "none" ? "" : `, ${scored.filter}`;
  return `${scored.metric}${filter} ${scored.higher_is_better ? "(higher is better)" : "(lower is better)"}`;
}

function taskCard(task, browse) {
  const scores = SUMMARY.runs.map((_, run) => mainScore(task, run));
  const found = scores.find((one) => one !== null);
  const shots = task.num_fewshot.find((number) => number !== null);
  return el("div", { class: "card" },
    el("div", { class: "task-head" }, el("h3", {}, task.name),
      el("span", { class: "muted" }, `${count(task.items)} items, ${shots ?? "?"}-shot` + (found ? `; ${metricName(found)}` : "")),
      task.index === null ? null : el("button", { type: "button", class: "link", onclick: () => browse(task, "all", null) }, "browse")),
    found ? scoreTable(task.name, scores) : el("p", { class: "muted" }, "no score"),
    ...task.pairs.map((_, run) => (run === 0 ? null : pairLine(task, run, browse))),
    found ? otherScores(task) : null);
}

function groupCards() {
  const names = [...new Set(SUMMARY.groups.flatMap((groups) => groups.map((group) => group.name)))];
  return names.map((name) => {
    const groups = SUMMARY.groups.map((all) => all.find((group) => group.name === name) ?? null);
    const scores = groups.map((group) => group?.scores[0] ?? null);
    const found = scores.find((one) => one !== null);
    if (!found) return null;
    const members = groups.find((group) => group !== null).children.length;
    return el("div", { class: "card" },
      el("div", { class: "task-head" }, el("h3", {}, name), el("span", { class: "muted" }, `group of ${members}; ${metricName(found)}`)),
      scoreTable(name, scores));
  });
}

function showResults(browse) {
  byId("results-body").replaceChildren(
    el("div", { class: "tasks" }, ...groupCards().filter((card) => card !== null), ...SUMMARY.tasks.map((task) => taskCard(task, browse))),
    el("p", { class: "muted block" }, "Intervals: Wilson's for a share of items, from the results where the samples are not whole; else (SE) 1.96 standard errors to each side, cut at 0 and 1 where no value lies beyond. They are of each run by itself; whether two runs differ is told by their pairs, with Tango's interval of the difference."));
}

/** Nested settings as rows of "a.b.c" and a text. */
function flat(value, name = "", rows = new Map()) {
  if (value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0)
    for (const [key, one] of Object.entries(value)) flat(one, name ? `${name}.${key}` : key, rows);
  else rows.set(name, typeof value === "string" ? value : JSON.stringify(value));
  return rows;
}

const SETTINGS = ["folder", "model", "model_arguments", "weights_sha256", "backend", "backend_version", "written_by", "backend_settings",
  "generation_defaults", "settings", "machine", "score_seconds"];

function settingsTable(keys, columns) {
  const unknown = el("span", { class: "muted" }, "not known");
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Settings" }, el("table", { class: "plain" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "setting"), ...SUMMARY.runs.map((_, run) => el("th", { scope: "col" }, "run ", letterBadge(run))))),
    el("tbody", {}, ...keys.map((key) =>
      el("tr", {}, el("th", { scope: "row" }, key),
        ...columns.map((column) => el("td", { dir: "auto" }, [undefined, "", "null"].includes(column.get(key)) ? unknown.cloneNode(true) : column.get(key))))))));
}

function showSettings() {
  const columns = SUMMARY.runs.map((run) => flat(Object.fromEntries(SETTINGS.map((key) => [key, run[key]]))));
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const differing = keys.filter((key) => new Set(columns.map((column) => column.get(key))).size > 1);
  const equal = keys.filter((key) => !differing.includes(key));
  const parts = [];
  if (SUMMARY.runs.length > 1) parts.push(el("h3", {}, "What differs"), settingsTable(differing, columns));
  const rest = settingsTable(SUMMARY.runs.length > 1 ? equal : keys, columns);
  parts.push(SUMMARY.runs.length > 1 ? el("details", { class: "more" }, el("summary", {}, `${equal.length} settings that are equal`), rest) : rest);
  byId("settings-body").replaceChildren(el("div", { class: "card" }, ...parts));
}
