// One item: what was asked, what each run answered.

function verdictBadge(view, run, row) {
  const verdict = VERDICTS[view.verdict(run, row)];
  const value = view.value(run, row);
  return el("span", { class: `badge ${verdict.kind}` }, letterBadge(run), `${verdict.sign} ${value === null ? verdict.text : `${view.task.metric} ${score(value)}`}`);
}

function block(heading, ...children) {
  return el("div", { class: "block" }, el("h4", {}, ...[heading].flat()), ...children);
}

/** A chat prompt reads as its messages. */
function promptText(context) {
  if (!context.startsWith('[{"role"')) return context;
  try {
    return JSON.parse(context).map(({ role, content }) => `${role}:\n${content}`).join("\n\n");
  } catch {
    return context;
  }
}

function contextOf(side) {
  return side.context ?? side.requests[0]?.context ?? "";
}

/** The tokens of an answer's whole sequence. */
function sequenceOf(side, answer) {
  return [...(side.shared_tokens ?? []), ...(answer.tokens ?? [])];
}

/** Of a long prompt the end is seen first, where the question stands. */
function atEnd(box) {
  requestAnimationFrame(() => { box.scrollTop = box.scrollHeight; });
  return box;
}

function promptBlock(side, heading, vocabulary, showTokens, note) {
  const answer = side.requests[0]?.answers[0];
  const ids = answer ? sequenceOf(side, answer) : [];
  const prompt = () => atEnd(textBox(promptText(contextOf(side)), "Prompt"));
  if (!showTokens) return block(heading, prompt());
  if (vocabulary === null || ids.length === 0)
    return block(heading, prompt(), el("p", { class: "muted" }, `Token boundaries are not known: ${note ?? "the samples hold no tokens"}.`));
  const context = ids.length - (answer.scored ?? 0);
  const cut = answer.truncated ? `, ${count(answer.truncated)} cut off before them` : "";
  return block([...[heading].flat(), el("span", { class: "muted" }, `${count(context)} tokens${cut}`)],
    atEnd(tokenBox(ids.slice(0, context), vocabulary, context, null, "Prompt in tokens")));
}

function choiceCell(side, i, best) {
  const request = side?.requests[i];
  const answer = request?.answers[0];
  if (!answer) return el("td", { class: "number muted" }, "–");
  if (answer.failure) return el("td", { class: "muted" }, answer.failure);
  const marks = [i === best && side.requests.length > 1 ? "likeliest" : "", answer.greedy ? "argmax" : ""].filter(Boolean).join(", ");
  return el("td", { class: `number ${marks ? "chosen" : ""}` }, nats(answer.log_likelihood), marks ? el("small", {}, marks) : null);
}

function likeliest(side) {
  if (!side) return -1;
  const values = side.requests.map((request) => request.answers[0]?.log_likelihood ?? -Infinity);
  return values.indexOf(Math.max(...values));
}

function continuationCell(side, i, vocabulary, showTokens) {
  const request = side.requests[i], answer = request.answers[0];
  const ids = answer ? sequenceOf(side, answer) : [];
  if (!showTokens || vocabulary === null || !answer?.scored || ids.length < answer.scored)
    return el("td", {}, el("span", { class: "inline-text", dir: "auto" }, request.continuation));
  const from = ids.length - answer.scored;
  const stretches = stretchesOf(ids.slice(from), vocabulary);
  return el("td", {}, el("span", { class: "inline-text", dir: "auto" }, ...stretches.map((one) => tokenElement(one, 0, answer.log_probabilities))));
}

/** Scored continuations: a row each, log-likelihoods of the runs next to each other. */
function choicesBlock(sides, runs, vocabularies, showTokens) {
  const known = sides.find((side) => side !== null);
  const best = sides.map(likeliest);
  const target = known.target;
  const isGold = (i) => known.requests.length > 1 && (String(i) === target || known.requests[i].continuation.trim() === target.trim());
  const head = el("tr", {}, el("th", { scope: "col" }, "continuation"),
    ...runs.map((run) => el("th", { scope: "col", class: "number" }, "nats ", letterBadge(run))));
  const vocabulary = vocabularies[sides.indexOf(known)];
  const rows = known.requests.map((_, i) => el("tr", { class: isGold(i) ? "gold" : "" }, continuationCell(known, i, vocabulary, showTokens),
    ...sides.map((side, k) => choiceCell(side, i, best[k]))));
  return block(known.requests.length > 1 ? "Log-likelihood of each choice" : "Log-likelihood of the text",
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Log-likelihoods" }, el("table", { class: "choices" }, el("thead", {}, head), el("tbody", {}, ...rows))),
    showTokens && known.requests.some((request) => request.answers[0] && !request.answers[0].log_probabilities)
      ? el("p", { class: "muted" }, "Samples hold the sums alone; tare report --token-logprobs asks the model for the log-probability of each token.") : null);
}

/** Where two texts first differ, at a character. */
function firstDifference(a, b) {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i] === b[i]) ++i;
  return i > 0 && /[\udc00-\udfff]/.test(a[i] ?? b[i] ?? "") ? i - 1 : i;
}

function outputBox(text, other, label) {
  if (other === null || other === text || text.length > LONG_TEXT) return textBox(text, label);
  const box = textBox("", label);
  const at = firstDifference(text, other);
  const rest = [...text.slice(at, at + 24)].slice(0, 12).join("");
  box.append(el("span", { class: "same" }, text.slice(0, at)), el("mark", { class: "first-difference" }, rest === "" ? "⏹" : rest), text.slice(at + rest.length));
  return box;
}

const FINISHES = { end_of_sequence: "ended by the model", stop_string: "ended at a stop string", length: "cut at the limit of new tokens" };

function generatedAnswer(answer, i, side, other, vocabulary, showTokens, label) {
  if (answer.failure) return el("p", { class: "badge wrong" }, answer.failure);
  const finish = [FINISHES[answer.finish] ?? "", answer.new_tokens ? `${count(answer.new_tokens.length)} tokens` : ""].filter(Boolean).join(", ");
  const left = i === 0 ? side.filters.filter((filter) => filter.left?.length > 0 && filter.left[0] !== answer.text) : [];
  const tokens = showTokens && vocabulary !== null && answer.new_tokens;
  return el("div", {}, tokens ? tokenBox(answer.new_tokens, vocabulary, Infinity, null, label) : outputBox(answer.text ?? "", other, label),
    el("p", { class: "muted" }, finish),
    ...left.map((filter) => el("p", {}, el("span", { class: "muted" }, `${filter.name === "none" ? "answer" : filter.name}: `), el("bdi", { class: "inline-text" }, filter.left[0]))));
}

function outputsBlock(sides, runs, vocabularies, showTokens) {
  const texts = sides.map((side) => side?.requests[0]?.answers[0]?.text ?? null);
  return block("Output", el("div", { class: "sides" }, ...sides.map((side, k) => el("div", {},
    el("h4", {}, letterBadge(runs[k])),
    ...(side === null ? [el("p", { class: "muted" }, "not asked")] : side.requests[0].answers.map((answer, i) =>
      generatedAnswer(answer, i, side, i === 0 && sides.length > 1 ? texts[1 - k] : null, vocabularies[k], showTokens, `Output of run ${SUMMARY.runs[runs[k]].letter}`)))))));
}

function metricsBlock(sides, runs) {
  const rows = new Map();
  sides.forEach((side, k) => {
    for (const filter of side?.filters ?? [])
      for (const [name, value] of Object.entries(filter.metrics)) {
        const key = filter.name === "none" ? name : `${name}, ${filter.name}`;
        if (!rows.has(key)) rows.set(key, sides.map(() => "–"));
        rows.get(key)[k] = typeof value === "object" ? JSON.stringify(value) : String(value);
      }
  });
  if (rows.size === 0) return null;
  const short = (text) => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
  return block("Metrics of this item", el("table", { class: "plain" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "metric"), ...runs.map((run) => el("th", { scope: "col" }, letterBadge(run))))),
    el("tbody", {}, ...[...rows].map(([key, values]) => el("tr", {}, el("th", { scope: "row" }, key), ...values.map((value) => el("td", {}, short(value))))))));
}

/** A target that is the number of a choice is told by its text too. */
function targetText(side) {
  const chosen = side.requests.length > 1 && /^\d+$/.test(side.target) ? side.requests[Number(side.target)] : undefined;
  return side.target.slice(0, 2000) + (chosen ? ` (${chosen.continuation.trim()})` : "");
}

/** The whole of an item as elements. */
function itemElements(view, row, sides, vocabularies, showTokens) {
  const runs = view.second === null ? [view.first] : [view.first, view.second];
  const asked = sides.filter((side) => side !== null);
  const known = asked[0];
  const notes = runs.map((run) => SUMMARY.runs[run].tokens_note);
  const samePrompt = asked.length < 2 || contextOf(asked[0]) === contextOf(asked[1]);
  const prompts = samePrompt
    ? [promptBlock(known, "Prompt", vocabularies[sides.indexOf(known)], showTokens, notes[sides.indexOf(known)])]
    : [el("div", { class: "sides" }, ...sides.map((side, k) => (side === null ? null
        : el("div", {}, promptBlock(side, ["Prompt", letterBadge(runs[k])], vocabularies[k], showTokens, notes[k])))).filter(Boolean))];
  return [
    ...asked.filter((side) => side.failure).map((side) => el("p", { class: "badge wrong" }, side.failure)),
    el("p", {}, el("span", { class: "muted" }, "Target: "), el("bdi", { class: "inline-text" }, targetText(known)),
      known.subtask ? el("span", { class: "muted" }, ` · ${known.subtask}`) : null),
    ...prompts,
    known.generated ? outputsBlock(sides, runs, vocabularies, showTokens) : choicesBlock(sides, runs, vocabularies, showTokens),
    metricsBlock(sides, runs),
  ].filter((element) => element !== null);
}
