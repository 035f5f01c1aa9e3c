// From the summary to the page.

const THEMES = ["system", "light", "dark"];

function setTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
}

/** Where the browser lets a file keep something, the choice stays. */
function kept(theme) {
  try {
    if (theme !== undefined) localStorage.setItem("tare-theme", theme);
    return localStorage.getItem("tare-theme");
  } catch {
    return null;
  }
}

function startTheme() {
  let theme = THEMES.includes(kept()) ? kept() : "system";
  setTheme(theme);
  byId("theme").addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    kept(theme);
    setTheme(theme);
  });
}

function startBrowser() {
  const tasks = SUMMARY.tasks.filter((task) => task.index !== null);
  if (tasks.length === 0) {
    byId("browser").hidden = byId("controls").hidden = true;
    byId("status").textContent = "These runs hold no samples, so there are no items to show.";
    return () => {};
  }
  const browser = new Browser(tasks);
  const asked = new URLSearchParams(location.hash.slice(1));
  const task = tasks.find((one) => one.name === asked.get("task")) ?? tasks[0];
  browser.browse(task, asked.get("show") ?? "all", null, asked.has("item") ? Number(asked.get("item")) : null);
  return (...chosen) => {
    browser.browse(...chosen);
    byId("items").scrollIntoView();
    byId("items").focus({ preventScroll: true });
  };
}

function start() {
  document.title = `${SUMMARY.title}: tare report`;
  // Each name by itself, so that none can turn the direction of the others.
  byId("title").replaceChildren(...SUMMARY.runs.map((run, i) =>
    el("span", { class: "name" }, SUMMARY.runs.length > 1 ? letterBadge(i) : null, el("bdi", {}, run.model_name || run.model || run.folder))));
  const items = SUMMARY.tasks.reduce((sum, task) => sum + task.items, 0);
  byId("subtitle").textContent = `${count(SUMMARY.runs.length)} ${SUMMARY.runs.length === 1 ? "run" : "runs"}, ${count(SUMMARY.tasks.length)} tasks, ${count(items)} items`;
  byId("footer").textContent = `Written by ${SUMMARY.made_by}. This file needs nothing but itself.`;
  startTheme();
  showWarnings();
  showSettings();
  let browse = () => {};
  showResults((...chosen) => browse(...chosen));
  // The parts stand behind this script.
  addEventListener("DOMContentLoaded", () => { browse = startBrowser(); });
}

start();
