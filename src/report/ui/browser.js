// The items of a task: which are listed, which one is looked at.

class Browser {
  #indexes = new Map();
  #view = null;
  #filter = "all";
  #search = new Search();
  #showTokens = false;
  #turn = 0;

  constructor(tasks) {
    this.tasks = tasks;
    this.list = new RowList(byId("list"), {
      draw: (row) => this.#option(row),
      select: (row) => this.#show(row),
      open: () => this.#open(),
    });
    byId("task").append(...tasks.map((task, i) => el("option", { value: i }, `${task.name} (${count(task.items)})`)));
    byId("task").addEventListener("change", () => this.#change());
    this.#runSelects();
    let typing = 0;
    byId("search").addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.#list(), 120);
    });
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); byId("list").focus(); }
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows a task under a filter, with an item if its number is given. */
  async browse(task, filter = "all", second = null, id = null) {
    byId("task").value = String(this.tasks.indexOf(task));
    if (second !== null) { byId("first-run").value = "0"; byId("second-run").value = String(second); }
    byId("search").value = "";
    await this.#change(filter, id);
  }

  #runSelects() {
    const many = SUMMARY.runs.length > 2;
    for (const [name, run] of [["first", 0], ["second", 1]]) {
      byId(`${name}-label`).hidden = !many;
      byId(`${name}-run`).append(...SUMMARY.runs.map((one, i) => el("option", { value: i }, `${one.letter}: ${one.model_name || one.model}`)));
      if (run < SUMMARY.runs.length) byId(`${name}-run`).value = String(run);
      byId(`${name}-run`).addEventListener("change", () => this.#change(this.#filter));
    }
  }

  async #change(filter = "all", id = null) {
    const turn = ++this.#turn;
    const task = this.tasks[Number(byId("task").value)];
    byId("status").textContent = "Reading the items…";
    if (!this.#indexes.has(task)) this.#indexes.set(task, PARTS.get(task.index));
    const index = await this.#indexes.get(task);
    if (turn !== this.#turn) return;
    const first = Number(byId("first-run").value);
    const second = SUMMARY.runs.length > 1 ? Number(byId("second-run").value) : null;
    this.#view = new TaskView(task, index, first, second === first ? null : second);
    this.#filter = this.#view.rows[filter]?.length > 0 ? filter : "all";
    this.list.show([]);
    this.#chips();
    const row = id === null ? -1 : index.ids.indexOf(id);
    this.list.show(this.#view.rows[this.#filter]);
    if (row >= 0) this.list.choose(row);
    this.#list();
  }

  #chips() {
    const chips = this.#view.filters.filter((filter) => filter.name === "all" || this.#view.rows[filter.name].length > 0);
    byId("filters").replaceChildren(...chips.map((filter) =>
      el("button", { type: "button", "data-filter": filter.name, "aria-pressed": String(filter.name === this.#filter), onclick: () => this.#choose(filter.name) },
        filter.label, el("span", { class: "count" }, count(this.#view.rows[filter.name].length)))));
  }

  #choose(name) {
    this.#filter = name;
    for (const chip of byId("filters").children) chip.setAttribute("aria-pressed", String(chip.dataset.filter === name));
    this.list.scrollToTop();
    this.#list();
  }

  #list() {
    const text = byId("search").value;
    this.#search.find(this.#view, this.#view.rows[this.#filter], text, (rows, share) => {
      this.list.show(rows);
      this.#tell(rows.length, text, share);
      if (share === 1 && this.list.selectedRow === null && rows.length > 0) this.list.choose(rows[0]);
    });
  }

  #tell(number, text, share) {
    const items = `${count(number)} ${number === 1 ? "item" : "items"}`;
    const found = text.trim() === "" ? items : `${items} with “${text.trim()}”`;
    byId("status").textContent = share < 1 ? `${found} so far, ${Math.floor(share * 100)} % searched…` : found;
  }

  #option(row) {
    const view = this.#view;
    const runs = view.second === null ? [view.first] : [view.first, view.second];
    const answers = runs.flatMap((run) => {
      const verdict = VERDICTS[view.verdict(run, row)];
      const answer = view.value(run, row) === null ? view.answer(run, row) : score(view.value(run, row));
      return [el("span", { class: `mark ${verdict.kind}` }, verdict.sign, el("span", { class: "visually-hidden" }, ` ${verdict.text}`)),
        el("span", { class: "answer" }, answer ?? "")];
    });
    return [el("div", { class: "line" }, el("span", { class: "id" }, `#${view.index.ids[row]}`), ...answers),
      el("div", { class: "preview" }, view.index.previews[row])];
  }

  async #show(row) {
    const view = this.#view, turn = ++this.#turn;
    const runs = view.second === null ? [view.first] : [view.first, view.second];
    const [details, ...vocabularies] = await Promise.all([detailsOf(view.task, row), ...runs.map((run) => vocabularyOf(view.task, run))]);
    if (turn !== this.#turn) return;
    const head = el("div", { class: "detail-head" },
      el("button", { type: "button", class: "back", onclick: () => this.#back() }, "← Items"),
      el("h3", { id: "detail-heading" }, `${view.task.name} #${view.index.ids[row]}`),
      ...runs.map((run) => verdictBadge(view, run, row)),
      el("button", { type: "button", class: "toggle", "aria-pressed": String(this.#showTokens), onclick: () => this.#toggleTokens(row) }, "Tokens"));
    const sides = runs.map((run) => details[run]);
    const detail = byId("detail");
    detail.replaceChildren(head, ...itemElements(view, row, sides, vocabularies, this.#showTokens));
    detail.scrollTop = 0;
    history.replaceState(null, "", `#${new URLSearchParams({ task: view.task.name, item: view.index.ids[row], show: this.#filter })}`);
  }

  async #toggleTokens(row) {
    this.#showTokens = !this.#showTokens;
    await this.#show(row);
    byId("detail").querySelector(".toggle").focus();
  }

  #open() {
    byId("browser").classList.add("showing-detail");
    byId("detail").focus({ preventScroll: true });
  }

  #back() {
    byId("browser").classList.remove("showing-detail");
    byId("list").focus();
  }

  #key(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing) { event.preventDefault(); byId("search").focus(); }
    if (event.key === "Escape" && byId("browser").contains(event.target)) this.#back();
  }
}
