"""Pairs to ratios, and the table as Markdown and JSON."""

import statistics


def spread(values):
    """Median, least and greatest; None for an empty list."""
    if not values:
        return None
    return {"median": statistics.median(values), "least": min(values), "greatest": max(values)}


def row_result(row):
    """Adds to a measured row what follows from its pairs."""
    pairs = row.get("pairs", [])
    row["ratio"] = spread([pair["ratio"] for pair in pairs])
    model_time = [pair["model_seconds_ratio"] for pair in pairs if "model_seconds_ratio" in pair]
    row["model_seconds_ratio"] = spread(model_time)
    row["met"] = None
    if row["ratio"] and row.get("target") is not None:
        row["met"] = row["ratio"]["median"] >= row["target"]
    return row


def number(value):
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def span(values):
    if values is None:
        return ""
    return f"{number(values['median'])} ({number(values['least'])} to {number(values['greatest'])})"


def agreement_text(agreement):
    if agreement is None:
        return "computes no answers"
    text = f"{agreement['same']} of {agreement['compared']}"
    for key, word in (("near_ties", "near ties"), ("different", "DIFFERENT")):
        if agreement[key]:
            text += f", {word}: {', '.join(str(item) for item in agreement[key])}"
    if agreement["not_comparable"]:
        text += f"; {agreement['not_comparable']} cannot be compared"
    return text


def middle(row, side):
    return number(statistics.median(pair[side] for pair in row["pairs"])) if row["pairs"] else ""


def cells(row):
    if row.get("skipped"):
        return [row["work"], row["model"], row["peer"], f"SKIPPED: {row['skipped']}", "", "", "", "", "", ""]
    wanted = "" if row["target"] is None else f"{row['target']:g} {'met' if row['met'] else 'NOT MET'}"
    if row.get("failed"):
        return [row["work"], row["model"], row["peer"], f"FAILED: {row['failed']}", "", "", "", "", "",
                agreement_text(row.get("agreement"))]
    return [row["work"], row["model"], row["peer"], row["metric"], middle(row, "tare"), middle(row, "peer"),
            span(row["ratio"]), wanted, span(row["model_seconds_ratio"]), agreement_text(row["agreement"])]


HEAD = ["work", "model", "peer", "measured", "tare", "peer's", "ratio (least to greatest)", "wanted",
        "ratio of model time", "same answers"]


def markdown_table(rows):
    lines = [HEAD, ["---"] * len(HEAD)] + [cells(row) for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine_lines(machine):
    names = {"cpu": "CPU", "cores": "cores", "memory_gib": "memory, GiB", "kernel": "kernel", "tier": "CPU tier",
             "threads": "threads", "load_average_at_start": "load average at the start", "tare": "tare",
             "commit": "commit"}
    return [f"- {text}: {machine[key]}" for key, text in names.items() if machine.get(key) is not None]


def markdown(document):
    others = [pair["others"] for row in document["rows"] for pair in row.get("pairs", [])]
    lines = ["# tare and its peers", "", *machine_lines(document["machine"])]
    if others:
        lines.append(f"- processor time of other processes meanwhile: {100 * statistics.median(others):.1f} % "
                     f"(median of the pairs), {100 * max(others):.1f} % at most")
    lines += [f"- model {name}: SHA-256 {digest}" for name, digest in document["models"].items()]
    lines += ["", "A ratio above 1 means that tare is faster. Each is the median of "
              f"{document['pairs']} pairs, run in turns.", "", markdown_table(document["rows"]), ""]
    for row in document["rows"]:
        if row.get("peer_settings"):
            lines.append(f"- {row['work']}, {row['model']}, {row['peer']}: {row['peer_settings']}")
    if document.get("whole"):
        lines += ["", *whole_lines(document["whole"])]
    return "\n".join(lines).rstrip("\n") + "\n"


def whole_lines(whole):
    if whole.get("skipped"):
        return [f"Whole benchmark: SKIPPED: {whole['skipped']}"]
    lines = [f"## A whole benchmark: {whole['contexts']} contexts planned, {whole['scored']} scored", "",
             "| share | seconds | unique tokens/s | resident, MiB |", "| --- | --- | --- | --- |"]
    lines += [f"| {part['share']:.0%} | {part['seconds']:.1f} | {part['rate']:.0f} | {part['resident_mib']:.0f} |"
              for part in whole["parts"]]
    return lines
