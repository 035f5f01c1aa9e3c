// Token ids back to text, with the places where one token ends and the next begins.

/** A run's bytes of each token by its id; null where they are not known. */
async function vocabularyOf(task, run) {
  const part = task.vocabularies[run];
  return part === null ? null : PARTS.get(part);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes) {
  try {
    return UTF8.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** Stretches of text with the ids of their tokens: one each, or several where a character is divided
    between them. */
function stretchesOf(ids, vocabulary) {
  const stretches = [];
  let bytes = "", pending = [], first = 0;
  ids.forEach((id, i) => {
    bytes += vocabulary[id] ?? "";
    pending.push(id);
    const text = decoded(bytes);
    if (text === null && pending.length < 8) return;
    stretches.push({ text: text ?? "\ufffd", ids: pending, first });
    bytes = "";
    pending = [];
    first = i + 1;
  });
  if (pending.length > 0) stretches.push({ text: "\ufffd", ids: pending, first });
  return stretches;
}

const MANY_TOKENS = 4000;

/** The tokens as elements; those from `scored` on are marked, with their log-probabilities if known. */
function tokenBox(ids, vocabulary, scored, logProbabilities, label) {
  const box = el("div", { class: "text tokens", dir: "auto", tabindex: "0", role: "region", "aria-label": label });
  const draw = (some) => box.replaceChildren(...stretchesOf(some, vocabulary).map((stretch) => tokenElement(stretch, scored, logProbabilities)));
  draw(ids.slice(0, MANY_TOKENS));
  if (ids.length > MANY_TOKENS) {
    const more = el("button", { type: "button", onclick: () => draw(ids) }, `show all ${count(ids.length)} tokens`);
    box.append(el("br"), more);
  }
  return box;
}

function tokenElement({ text, ids, first }, scored, logProbabilities) {
  const special = text === "" || /^<[^<>\s]*>$/.test(text);
  const kinds = ["token", special ? "special" : "", first >= scored ? "scored" : ""].filter(Boolean);
  const known = first >= scored && logProbabilities ? logProbabilities.slice(first - scored, first - scored + ids.length) : [];
  const title = `token ${ids.join(" + ")}` + (known.length > 0 ? `, log-probability ${known.map(nats).join(" + ")}` : "");
  return el("span", { class: kinds.join(" "), title }, text === "" ? `⟨${ids.join(",")}⟩` : text);
}
