// What the file carries: a summary as JSON, and parts in gzip and base64 that are unpacked when they
// are looked at.

const SUMMARY = JSON.parse(byId("summary").textContent);

async function unpackedText(number) {
  const packed = byId(`part-${number}`).textContent;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Parts by number, the last ones that were looked at kept. */
class Parts {
  #kept = new Map();

  get(number) {
    const kept = this.#kept.get(number) ?? unpackedText(number).then(JSON.parse);
    this.#kept.delete(number);
    this.#kept.set(number, kept);
    if (this.#kept.size > 24) this.#kept.delete(this.#kept.keys().next().value);
    return kept;
  }
}

const PARTS = new Parts();

for (const task of SUMMARY.tasks)
  task.details.forEach((stretch, i) => { stretch.end = task.details[i + 1]?.first ?? task.items; });

/** Where the details of row `row` of a task are. */
function stretchOf(task, row) {
  let low = 0, high = task.details.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (task.details[middle].first <= row) low = middle;
    else high = middle - 1;
  }
  return task.details[low];
}

/** All that is known of an item: an entry for each run, null where it was not asked. */
async function detailsOf(task, row) {
  const stretch = stretchOf(task, row);
  return (await PARTS.get(stretch.part))[row - stretch.first];
}
