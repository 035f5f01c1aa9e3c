// Finding rows by a text: what the list shows at once, then the whole items, a part at a time so that
// the page stays awake.

function nextTurn() {
  return new Promise((resolve) => setTimeout(resolve));
}

class Search {
  #current = 0;

  /** True of rows whose number, question or answers hold the text. */
  static inIndex(view, row, needle) {
    const { index } = view;
    if (String(index.ids[row]) === needle || index.previews[row].toLowerCase().includes(needle)) return true;
    return index.runs.some((run) => (run.answers[row] ?? "").toLowerCase().includes(needle));
  }

  static inDetails(details, needle) {
    const holds = (value) => {
      if (typeof value === "string") return value.toLowerCase().includes(needle);
      if (typeof value !== "object" || value === null) return false;
      return Object.values(value).some(holds);
    };
    return details.some(holds);
  }

  /** Hands over the rows among `rows` that hold the text, more of them each time, with the share of
      the items that has been looked at. A later call ends this one. */
  async find(view, rows, text, show) {
    const turn = ++this.#current;
    const needle = text.trim().toLowerCase();
    if (needle === "") return show(rows, 1);
    const found = new Set(rows.filter((row) => Search.inIndex(view, row, needle)));
    const inOrder = () => rows.filter((row) => found.has(row));
    show(inOrder(), 0);
    const missing = rows.filter((row) => !found.has(row));
    let told = performance.now();
    for (let i = 0; i < missing.length; ) {
      const stretch = stretchOf(view.task, missing[i]);
      const text = await unpackedText(stretch.part);
      if (turn !== this.#current) return;
      i = this.#findInPart(text, stretch, missing, i, needle, found);
      if (performance.now() - told > 150) {
        show(inOrder(), i / missing.length);
        told = performance.now();
        await nextTurn();
      }
      if (turn !== this.#current) return;
    }
    show(inOrder(), 1);
  }

  stop() { ++this.#current; }

  /** Looks at the rows of one part from missing[i] on; gives back where the next part begins. */
  #findInPart(text, stretch, missing, i, needle, found) {
    // The JSON of a text holds it as it is unless a character is escaped there.
    const plain = !/["\\\u0000-\u001f]/.test(needle);
    const items = plain && !text.toLowerCase().includes(needle) ? null : JSON.parse(text);
    for (; i < missing.length && missing[i] < stretch.end; ++i)
      if (items !== null && Search.inDetails(items[missing[i] - stretch.first], needle)) found.add(missing[i]);
    return i;
  }
}
