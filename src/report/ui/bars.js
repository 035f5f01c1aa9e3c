// A bar from 0 to a score, with its interval as a whisker.

const BAR_WIDTH = 1000;

/** The scale that scores of a metric share: 0 to 1 where all fit, else 0 to the largest reach. */
function scaleOf(scores) {
  const reaches = scores.flatMap((one) => [one.value, one.interval?.high ?? 0]).filter(Number.isFinite);
  const largest = Math.max(0, ...reaches);
  return largest <= 1 ? 1 : largest * 1.05;
}

function bar(scored, scale, run) {
  const x = (value) => (Math.max(0, Math.min(scale, value)) / scale) * BAR_WIDTH;
  const picture = svg("svg", { class: `bars run-${run % 8}`, viewBox: `0 0 ${BAR_WIDTH} 20`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", x: 0, y: 3, width: BAR_WIDTH, height: 14, rx: 2 }));
  if (!Number.isFinite(scored.value)) return picture;
  picture.append(svg("rect", { class: "fill", x: 0, y: 3, width: x(scored.value), height: 14, rx: 2 }));
  if (scored.interval === null) return picture;
  const low = x(scored.interval.low), high = x(scored.interval.high);
  for (const [x1, y1, x2, y2] of [[low, 10, high, 10], [low, 5, low, 15], [high, 5, high, 15]])
    picture.append(svg("line", { class: "whisker", x1, y1, x2, y2 }));
  return picture;
}

function intervalText(scored) {
  if (scored.interval === null) return "no interval";
  const { low, high, method } = scored.interval;
  return `${score(low)} to ${score(high)}${method === "standard error" ? " (SE)" : ""}`;
}
