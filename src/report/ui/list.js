// A list of any length, of which the rows in sight alone are elements. It is a listbox: the keys move
// the selection, and what is selected is the active descendant.

class RowList {
  #rows = [];
  #selected = -1;
  #drawn = new Map();
  #frame = 0;

  /** `draw` makes the content of the option of a row; `select` hears of each new selection. */
  constructor(box, { draw, select, open }) {
    this.box = box;
    this.draw = draw;
    this.select = select;
    this.open = open;
    this.sizer = el("div", { class: "sizer", role: "presentation" });
    box.replaceChildren(this.sizer);
    box.addEventListener("scroll", () => this.#later(), { passive: true });
    box.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#later()).observe(box);
    this.height = parseFloat(getComputedStyle(box).getPropertyValue("--row"));
  }

  get length() { return this.#rows.length; }
  get selectedRow() { return this.#rows[this.#selected] ?? null; }

  /** Shows other rows; the selected one stays selected if it is among them. */
  show(rows) {
    const kept = this.selectedRow;
    this.#rows = rows;
    this.sizer.style.height = `${rows.length * this.height}px`;
    for (const option of this.#drawn.values()) option.remove();
    this.#drawn.clear();
    this.#selected = kept === null ? -1 : rows.indexOf(kept);
    this.#render();
  }

  /** True if the row is in the list. */
  choose(row, { quiet = false } = {}) {
    const place = this.#rows.indexOf(row);
    if (place >= 0) this.#move(place, quiet);
    return place >= 0;
  }

  scrollToTop() { this.box.scrollTop = 0; }

  #later() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => { this.#frame = 0; this.#render(); });
  }

  #render() {
    const spare = 6;
    const top = Math.max(0, Math.floor(this.box.scrollTop / this.height) - spare);
    const bottom = Math.min(this.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + spare);
    for (const [place, option] of this.#drawn)
      if ((place < top || place >= bottom) && place !== this.#selected) {
        option.remove();
        this.#drawn.delete(place);
      }
    const fresh = [];
    for (let place = top; place < bottom; ++place)
      if (!this.#drawn.has(place)) fresh.push(this.#option(place));
    if (this.#selected >= 0 && !this.#drawn.has(this.#selected)) fresh.push(this.#option(this.#selected));
    this.sizer.append(...fresh);
    this.#mark();
  }

  #option(place) {
    const option = el("div", {
      class: "option", role: "option", id: `option-${place}`, "aria-posinset": place + 1, "aria-setsize": this.length,
      "aria-selected": String(place === this.#selected),
    }, ...this.draw(this.#rows[place]));
    option.style.top = `${place * this.height}px`;
    option.addEventListener("click", () => { this.#move(place, false); this.open(); });
    this.#drawn.set(place, option);
    return option;
  }

  #mark() {
    for (const [place, option] of this.#drawn) option.setAttribute("aria-selected", String(place === this.#selected));
    if (this.#selected >= 0) this.box.setAttribute("aria-activedescendant", `option-${this.#selected}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  #move(place, quiet) {
    this.#selected = Math.max(0, Math.min(this.length - 1, place));
    const top = this.#selected * this.height;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.height > this.box.scrollTop + this.box.clientHeight)
      this.box.scrollTop = top + this.height - this.box.clientHeight;
    this.#render();
    if (!quiet) this.select(this.selectedRow);
  }

  #key(event) {
    if (this.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
    const targets = {
      ArrowDown: this.#selected + 1, ArrowUp: this.#selected - 1, j: this.#selected + 1, k: this.#selected - 1,
      PageDown: this.#selected + page, PageUp: this.#selected - page, Home: 0, End: this.length - 1,
    };
    if (event.key in targets) this.#move(targets[event.key], false);
    else if (event.key === "Enter") this.open();
    else return;
    event.preventDefault();
  }
}
