// What a reader does with a report, in Chromium. Usage: browser.mjs FOLDER ITEMS [SHOTS], the folder with
// one.html, two.html and large.html of browser.sh.

import assert from "node:assert/strict";
import { join } from "node:path";

import { accessibility, browser, open } from "./page.mjs";
import { figures } from "./figures.mjs";

const [folder, items, shots] = process.argv.slice(2);
const one = join(folder, "one.html"), two = join(folder, "two.html");
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

const status = (page) => page.locator("#status").textContent();
const chip = (page, name) => page.locator(`#filters [data-filter=${name}]`);
const options = (page) => page.locator("#list .option");
const heading = (page) => page.locator("#detail h3").textContent();

async function settled(page, text) {
  await page.waitForFunction((wanted) => new RegExp(wanted).test(document.getElementById("status").textContent), text);
}

/** Nothing of the hostile texts ran, and the page said nothing on its console. */
async function assertCalm(page) {
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(page.faults, []);
}

const tests = {
  async "one run: verdicts, filter and details"() {
    const page = await open(one);
    assert.equal(await page.locator("h1").textContent().then((text) => text.includes("<img src=x")), true);
    assert.match(await status(page), /^300 items$/);
    assert.equal(await chip(page, "lost").count(), 0);
    await chip(page, "wrong").click();
    const wrong = Number((await status(page)).split(" ")[0]);
    assert.ok(wrong > 0 && wrong < 300);
    assert.equal(await chip(page, "right").locator(".count").textContent(), String(300 - wrong));
    assert.match(await page.locator("#detail .badge").first().textContent(), /wrong/);
    assert.equal(await page.locator("#detail .choices tbody tr").count(), 4);
    await assertCalm(page);
  },

  async "two runs: flips lead from the result to both sides of an item"() {
    const page = await open(two);
    await page.locator("#results button", { hasText: "right → wrong" }).first().click();
    await page.waitForFunction(() => document.querySelector("#filters [aria-pressed=true]").dataset.filter === "lost");
    const lost = Number(await chip(page, "lost").locator(".count").textContent());
    assert.equal(await status(page), lost === 1 ? "1 item" : `${lost} items`);
    assert.deepEqual(await page.locator("#detail .badge").allTextContents(), ["A✓ right", "B✗ wrong"]);
    assert.equal(await page.locator("#detail .choices thead th").count(), 3);
    await assertCalm(page);
  },

  async "search finds numbers, what the list shows, and what prompts alone hold"() {
    const page = await open(one);
    await page.locator("#search").fill("217");
    await settled(page, "^1 item with “217”$");
    const words = await page.evaluate(() => document.querySelector("#detail .text").textContent);
    await page.locator("#search").fill("");
    await settled(page, "^300 items$");
    // From the first example of the prompt of item 0, which no preview shows.
    const example = words.split("\n")[0].split(" ").slice(4, 10).join(" ").toUpperCase();
    await page.locator("#search").fill(example);
    await settled(page, "^[1-9]\\d* items? with “[^”]*”$");
    await page.locator("#search").fill("no such words anywhere");
    await settled(page, "^0 items with “[^”]*”$");
    await assertCalm(page);
  },

  async "the keyboard is enough"() {
    const page = await open(two);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.id), "list");
    const active = () => page.evaluate(() => {
      const option = document.getElementById(document.getElementById("list").getAttribute("aria-activedescendant"));
      return [option.getAttribute("aria-posinset"), option.getAttribute("aria-selected"), option.getAttribute("aria-setsize")];
    });
    await page.keyboard.press("j");
    assert.deepEqual(await active(), ["2", "true", "300"]);
    await page.keyboard.press("End");
    assert.deepEqual(await active(), ["300", "true", "300"]);
    await page.keyboard.press("PageUp");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    assert.deepEqual(await active(), ["1", "true", "300"]);
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "detail");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "list");
    await assertCalm(page);
  },

  async "hostile texts are shown and do nothing"() {
    const page = await open(two);
    await page.locator("#task").selectOption({ index: 1 });
    await settled(page, "^10 items$");
    const before = await page.evaluate(() => document.querySelectorAll("script, img, svg, iframe, object, link").length);
    for (let i = 0; i < 10; ++i) {
      await page.locator("#list").focus();
      await page.keyboard.press(i === 0 ? "Home" : "ArrowDown");
      await page.waitForFunction((id) => document.querySelector("#detail h3").textContent === `hostile #${id}`, i);
      await page.locator("#detail .toggle").click();
      await page.locator("#detail .toggle").click();
    }
    assert.equal(await page.evaluate(() => document.querySelectorAll("script, img, svg, iframe, object, link").length), before);
    await page.locator("#search").fill("<![cdata[");
    await settled(page, "^1 item with");
    await page.waitForFunction(() => document.querySelector("#detail h3").textContent === "hostile #1");
    assert.match(await page.locator("#detail").textContent(), /<!-- <!\[CDATA\[ \]\]>/);
    await assertCalm(page);
  },

  async "a megabyte of one word is cut until it is asked for"() {
    const page = await open(one, {}, "#task=hostile&item=8&show=all");
    assert.equal(await heading(page), "hostile #8");
    assert.ok((await page.locator("#detail").textContent()).length < 100000);
    await page.locator("#detail .text button").first().click();
    assert.ok((await page.locator("#detail .text").first().textContent()).length > 2 ** 20);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await assertCalm(page);
  },

  async "an address leads to an item, and follows it"() {
    const page = await open(two, {}, "#task=choices&item=42&show=all");
    assert.equal(await heading(page), "choices #42");
    await page.locator("#list").focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => location.hash.includes("item=43"));
    await assertCalm(page);
  },

  async "light, dark and the switch between them"() {
    const page = await open(one, { colorScheme: "dark" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.locator("#theme").click();
    assert.notEqual(await ground(), dark);
    await page.locator("#theme").click();
    assert.equal(await ground(), dark);
    await assertCalm(page);
  },

  async "a phone: list, item and back, nothing wider than the screen"() {
    const page = await open(two, PHONE);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal(await page.locator("#detail").isVisible(), false);
    await options(page).nth(2).tap();
    await page.locator("#detail .back").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.locator("#detail .back").tap();
    assert.equal(await page.locator("#detail").isVisible(), false);
    await assertCalm(page);
  },

  async "axe finds nothing, in any dress"() {
    for (const dress of [{ colorScheme: "light" }, { colorScheme: "dark" }, PHONE]) {
      const page = await open(two, dress);
      assert.deepEqual(await accessibility(page), []);
      await page.locator("#task").selectOption({ index: 1 });
      await settled(page, "^10 items$");
      if (dress === PHONE) await options(page).first().tap();
      await page.waitForTimeout(100);
      assert.deepEqual(await accessibility(page), []);
    }
  },

  async "many items: opened, scrolled and used without waiting"() {
    const found = await figures(join(folder, "large.html"));
    console.log(JSON.stringify(found));
    assert.deepEqual(found.faults, []);
    assert.ok(found.load.items_ready < 2000, `items after ${found.load.items_ready} ms, wanted 2000`);
    assert.ok(found.load.layout_shift < 0.1, `layout shift ${found.load.layout_shift}, wanted 0.1`);
    assert.ok(found.scroll.p95 < 50, `frames of ${found.scroll.p95} ms, wanted 50`);
    assert.equal(found.scroll.empty, 0);
    assert.ok(found.interaction.slowest < 200, `an input took ${found.interaction.slowest} ms, wanted 200`);
    assert.ok(found.memory.heap_mb < 200, `${found.memory.heap_mb} MB, wanted 200`);
    assert.ok(found.memory.elements < 5000, `${found.memory.elements} elements, wanted 5000`);
    assert.match(found.search.told, /item/);
    assert.equal(Number(items) > 0, true);
  },
};

async function takeShots() {
  for (const [name, dress] of [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["phone", PHONE]]) {
    const page = await open(two, dress);
    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    if (name === "phone") await options(page).nth(2).tap();
    await page.locator("#detail h3").waitFor();
    await page.screenshot({ path: join(shots, `${name}-item.png`) });
  }
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok: ${name}`);
  } catch (fault) {
    ++failed;
    console.log(`FAILED: ${name}: ${fault.message}`);
  }
  for (const context of browser.contexts()) await context.close();
}
if (shots) await takeShots();
await browser.close();
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
