"""Do two programs give the same answers? Asked before anything is timed."""

from dataclasses import dataclass, field

# Nats by which the best choice leads where another program may choose differently: twice what two
# float32 programs may differ by in a sum of log-probabilities.
NEAR_TIE = 4e-3


@dataclass
class Agreement:
    """`near_ties` and `different` name the items that do not agree."""
    compared: int = 0
    same: int = 0
    near_ties: list = field(default_factory=list)
    different: list = field(default_factory=list)
    not_comparable: int = 0
    largest_difference: float | None = None  # nats, between log-likelihoods

    @property
    def holds(self):
        return self.compared > 0 and not self.different

    def note(self, item, same, lead):
        """`lead`: nats by which tare's choice leads the other one, or its runner-up."""
        self.compared += 1
        if same:
            self.same += 1
        elif lead <= NEAR_TIE:
            self.near_ties.append(item)
        else:
            self.different.append(item)


def argmax(values):
    return max(range(len(values)), key=lambda i: values[i])


def lead(values):
    """By how much the largest value exceeds the next."""
    first, second = sorted(values, reverse=True)[:2]
    return first - second


def compare_sums(ours, theirs):
    """`ours`, `theirs`: item -> log-likelihoods of its choices."""
    result = Agreement(largest_difference=0.0)
    if ours.keys() != theirs.keys():
        result.different = sorted(ours.keys() ^ theirs.keys())
        return result
    for item, sums in ours.items():
        chosen, other = argmax(sums), argmax(theirs[item])
        result.note(item, chosen == other, sums[chosen] - sums[other])
        differences = [abs(a - b) for a, b in zip(sums, theirs[item])]
        result.largest_difference = max(result.largest_difference, *differences)
    return result


def means_per_token(sums, lengths, shared, shared_sum):
    """Means over the tokens behind the first `shared` ones of each choice, whose log-probabilities sum
    to `shared_sum`."""
    return [(s - shared_sum) / (n - shared) for s, n in zip(sums, lengths)]


def best_by_mean(sums, lengths, shared):
    """(choice, lead) by mean log-probability per token, as llama-perplexity ranks; None where what the
    choices have in common, which tare's sums do not tell apart, could decide."""
    if any(n <= shared for n in lengths):
        return None
    # shared_sum lies between the largest sum and 0, and each mean is linear in it.
    ends = [means_per_token(sums, lengths, shared, edge) for edge in ((max(sums), 0.0) if shared else (0.0,))]
    choices = {argmax(means) for means in ends}
    if len(choices) > 1:
        return None
    return choices.pop(), min(lead(means) for means in ends)


def compare_texts(ours, theirs):
    """Generated answers, item -> text."""
    result = Agreement()
    for item in sorted(ours.keys() | theirs.keys()):
        result.note(item, ours.get(item) == theirs.get(item), float("inf"))
    return result
