// Elements and numbers. Texts of a run reach the page as text nodes alone.

const byId = (id) => document.getElementById(id);

/** An element; `children` are elements or texts, null is left out. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "onclick") element.addEventListener("click", value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const grouped = new Intl.NumberFormat("en");

const count = (number) => grouped.format(number);

/** A score with four digits behind the point, or what stands for it. */
function score(value) {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return "unknown";
  return Math.abs(value) >= 1000 ? value.toPrecision(6) : value.toFixed(4);
}

function signed(value) {
  return (value > 0 ? "+" : value < 0 ? "−" : "±") + Math.abs(value).toFixed(4);
}

function probability(p) {
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}

/** Log-probabilities in nats. */
function nats(value) {
  return typeof value === "number" ? value.toFixed(3).replace("-", "−") : "unknown";
}

function letterBadge(run) {
  return el("span", { class: `letter run-${run % 8}` }, SUMMARY.runs[run].letter);
}

const LONG_TEXT = 20000;

/** Fills `box` with a text; of a long one the beginning, and a button for the rest. */
function fillText(box, text) {
  box.textContent = text.slice(0, LONG_TEXT);
  if (text.length <= LONG_TEXT) return;
  const more = el("button", { type: "button" }, `show all ${count(text.length)} characters`);
  more.addEventListener("click", () => { box.textContent = text; });
  box.append(el("br"), more);
}

/** A box that shows a text as it is and can be scrolled by keys. */
function textBox(text, label) {
  const box = el("div", { class: "text", dir: "auto", tabindex: "0", role: "region", "aria-label": label });
  fillText(box, text);
  return box;
}
