// A page of a report in Chromium, and what went wrong there. The environment names Playwright's package,
// axe's script and the browser.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT);
const axeSource = readFileSync(process.env.AXE, "utf8");

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--js-flags=--expose-gc"],
});

/** Opens the file; `faults` collects what the console and the network should not have seen, and
    `before` runs in the page ahead of its own script. */
export async function open(file, options = {}, fragment = "", before = null) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  if (before !== null) await page.addInitScript(before);
  page.faults = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) page.faults.push(message.text()); });
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith("file:") && !request.url().startsWith("data:")) page.faults.push(`asked for ${request.url()}`); });
  page.on("dialog", (dialog) => { page.faults.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(pathToFileURL(file).href + fragment);
  await page.waitForSelector("#detail h3", { state: "attached" });
  return page;
}

/** The faults that axe finds, a line each. */
export async function accessibility(page) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll("\n", " ")}`));
}
