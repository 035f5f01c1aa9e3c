// Lighthouse's figures of a page, and those of its items: how fast it opens, how much memory it takes, how
// soon it answers. All times in milliseconds since the navigation or the input.

import { browser, open } from "./page.mjs";

const observe = () => {
  window.seen = { longest: 0, blocked: 0, shift: 0, delays: [], paints: {} };
  const watch = (type, use, more = {}) => new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true, ...more });
  watch("paint", (entry) => { window.seen.paints[entry.name] = entry.startTime; });
  watch("largest-contentful-paint", (entry) => { window.seen.paints.largest = entry.startTime; });
  watch("longtask", ({ duration }) => {
    window.seen.longest = Math.max(window.seen.longest, duration);
    window.seen.blocked += duration - 50;
  });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) window.seen.shift += entry.value; });
  watch("event", (entry) => { if (entry.interactionId) window.seen.delays.push(entry.duration); }, { durationThreshold: 16 });
  const ready = setInterval(() => {
    if (document.querySelector("#detail h3") === null) return;
    window.seen.ready = performance.now();
    clearInterval(ready);
  }, 5);
};

/** Milliseconds between frames while the list is scrolled from end to end. */
const scroll = async () => {
  const list = document.getElementById("list"), steps = 240, frames = [];
  let empty = 0, last = await new Promise(requestAnimationFrame);
  for (let i = 1; i <= steps; ++i) {
    list.scrollTop = ((list.scrollHeight - list.clientHeight) * i) / steps;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
    const box = list.getBoundingClientRect();
    if (document.elementFromPoint(box.left + 40, box.top + box.height / 2)?.closest(".option") === null) ++empty;
  }
  frames.sort((a, b) => a - b);
  return { median: frames[steps / 2], p95: frames[Math.floor(steps * 0.95)], worst: frames[steps - 1], empty };
};

export async function figures(file) {
  const page = await open(file, {}, "", observe);
  await page.waitForTimeout(300);
  const load = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    return { first_paint: window.seen.paints["first-contentful-paint"], largest_paint: window.seen.paints.largest,
      loaded: navigation.loadEventEnd, items_ready: window.seen.ready, blocked: window.seen.blocked, longest_task: window.seen.longest, layout_shift: window.seen.shift };
  });
  const scrolled = await page.evaluate(scroll);
  await interact(page);
  const delays = await page.evaluate(() => window.seen.delays);
  const search = await timeSearch(page);
  const memory = await page.evaluate(() => {
    window.gc();
    return { heap_mb: performance.memory.usedJSHeapSize / 1e6, elements: document.querySelectorAll("*").length };
  });
  const faults = page.faults;
  await page.context().close();
  return { load, scroll: scrolled, interaction: { slowest: Math.max(0, ...delays), inputs: delays.length }, search, memory, faults };
}

/** Filters, keys and clicks of a reader. */
async function interact(page) {
  for (const chip of await page.locator("#filters button").all()) await chip.click();
  await page.locator("#filters button").first().click();
  await page.locator("#list").focus();
  for (const key of ["ArrowDown", "ArrowDown", "PageDown", "End", "ArrowUp", "Home"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(40);
  }
  await page.locator("#list .option").nth(3).click();
  await page.locator(".toggle").click();
  await page.waitForTimeout(200);
}

/** Of a text that one item alone has in its prompt, beyond what the list shows. */
async function timeSearch(page) {
  const begin = Date.now();
  await page.locator("#search").fill("lantern copper window");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("with"));
  const first = Date.now() - begin;
  await page.waitForFunction(() => !document.getElementById("status").textContent.includes("searched"), null, { timeout: 60000 });
  return { first, whole: Date.now() - begin, told: await page.locator("#status").textContent() };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  console.log(JSON.stringify(await figures(process.argv[2]), null, 2));
  await browser.close();
}
