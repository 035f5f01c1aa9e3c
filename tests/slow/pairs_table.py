"""What two backends have in common on the same items, and the Markdown table of all pairs. Nothing is run here."""

import itertools
from dataclasses import dataclass, field

NEAR_TIE = 2e-3  # nats between two choices or tokens: below, their order is rounding
NO_SCORES = "does not score"


@dataclass
class Answer:
    text: str  # before a stop string
    tokens: list | None  # ids of the new tokens; None where a server does not tell them
    ended: bool  # by the model


@dataclass
class Side:
    """What one backend gave, by document."""

    name: str
    version: str
    answers: dict
    sums: dict | None = None  # log-likelihoods of the choices; None: it does not score


@dataclass
class Prompts:
    """As `tare show RUN --against RUN2` counts them."""

    compared: int = 0
    by_tokens: int = 0
    equal: int = 0

    def add(self, report):
        self.compared += report["compared"]
        self.by_tokens += report["by_tokens"]
        self.equal += report["equal"]

    @property
    def same(self):
        return 0 < self.compared == self.equal == self.by_tokens


@dataclass
class Choices:
    compared: int = 0
    same: int = 0
    near_ties: list = field(default_factory=list)  # (document, nats by which the left side's choice leads there)
    others: list = field(default_factory=list)
    largest: float = 0.0  # nats between two log-likelihoods


@dataclass
class Parting:
    """The first new token at which two answers part."""

    document: int
    place: int | None = None  # from 0; None: one of them does not tell its tokens
    margin: float | None = None  # nats between the two tokens there, by the embedded backend

    @property
    def near_tie(self):
        return self.margin is not None and abs(self.margin) <= NEAR_TIE


@dataclass
class Texts:
    compared: int = 0
    same: int = 0
    same_tokens: int | None = 0  # None: one of them does not tell its tokens
    cut_characters: list = field(default_factory=list)  # documents whose answers end inside a character
    partings: list = field(default_factory=list)


@dataclass
class Pair:
    left: Side
    right: Side
    prompts: Prompts
    choices: Choices | None
    texts: Texts


def argmax(values):
    return max(range(len(values)), key=lambda i: values[i])


def compare_choices(left, right):
    if left.sums is None or right.sums is None:
        return None
    found = Choices()
    for document, ours in left.sums.items():
        theirs = right.sums[document]
        found.compared += 1
        found.largest = max(found.largest, *(abs(a - b) for a, b in zip(ours, theirs, strict=True)))
        chosen, other = argmax(ours), argmax(theirs)
        if chosen == other:
            found.same += 1
        else:
            lead = ours[chosen] - ours[other]
            (found.near_ties if lead <= NEAR_TIE else found.others).append((document, lead))
    return found


def first_difference(left, right):
    """Where two lists part; one may be the beginning of the other."""
    return next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))


def whole_characters(text):
    """Without what stands for the bytes of a character that the limit of new tokens cut: some libraries show it."""
    return text.rstrip("\ufffd")


def compare_texts(left, right):
    found = Texts()
    for document, ours in left.answers.items():
        theirs = right.answers[document]
        told = ours.tokens is not None and theirs.tokens is not None
        found.compared += 1
        found.same += ours.text == theirs.text
        if not told:
            found.same_tokens = None
        elif found.same_tokens is not None:
            found.same_tokens += ours.tokens == theirs.tokens
        if ours.text == theirs.text:
            continue
        if whole_characters(ours.text) == whole_characters(theirs.text) and (not told or ours.tokens == theirs.tokens):
            found.cut_characters.append(document)
        else:
            place = first_difference(ours.tokens, theirs.tokens) if told else None
            found.partings.append(Parting(document, place))
    return found


def pairs_of(sides, prompts):
    """All pairs, in the order of the sides; `prompts` compares those of two sides by their names."""
    return [Pair(left, right, prompts(left.name, right.name), compare_choices(left, right), compare_texts(left, right))
            for left, right in itertools.combinations(sides, 2)]


def prompts_cell(prompts):
    text = f"{prompts.equal} of {prompts.compared}"
    return text if prompts.by_tokens == prompts.compared else f"{text}, {prompts.by_tokens} by token ids"


def choices_cells(choices):
    if choices is None:
        return [NO_SCORES, ""]
    return [f"{choices.same} of {choices.compared}", f"{choices.largest:.1e}"]


def counted(what, found):
    """One text for near ties: where, and how near at most."""
    if not found:
        return []
    places = ", ".join(str(document) for document, _ in found)
    return [f"near tie at {what} {places} (up to {max(abs(nats) for _, nats in found):.1e} nats)"]


def parting_text(parting):
    if parting.place is None:
        return f"prompt {parting.document}: tokens are not told"
    where = f"prompt {parting.document}, new token {parting.place}"
    if parting.margin is None:
        return f"{where}: the margin could not be measured"
    return f"{where}: NO near tie, {abs(parting.margin):.1e} nats"


def explanation(pair):
    said = []
    if pair.choices is not None:
        said += counted("question", pair.choices.near_ties)
        said += [f"question {document}: NO near tie, {lead:.1e} nats" for document, lead in pair.choices.others]
    said += [f"prompt {document}: the same but for a character that the limit cut, which one of them does not show"
             for document in pair.texts.cut_characters]
    near = [(parting.document, parting.margin) for parting in pair.texts.partings if parting.near_tie]
    said += counted("prompt", near)
    return "; ".join(said + [parting_text(parting) for parting in pair.texts.partings if not parting.near_tie])


def markdown(pairs):
    heads = ["pair", "prompts with the same token ids", "same best choice", "greatest difference, nats", "same text",
             "what differs"]
    rows = [[f"`{pair.left.name}`, `{pair.right.name}`", prompts_cell(pair.prompts), *choices_cells(pair.choices),
             f"{pair.texts.same} of {pair.texts.compared}", explanation(pair)] for pair in pairs]
    return "".join(f"| {' | '.join(row)} |\n" for row in [heads, ["---"] * len(heads), *rows])
