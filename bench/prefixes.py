"""How deep in their texts the tokens stand that a run computes."""


def common(a, b):
    n = 0
    for x, y in zip(a, b):
        if x != y:
            break
        n += 1
    return n


def unique_runs(sequences):
    """(depth, tokens) of each run of tokens that is computed when common beginnings are computed once."""
    before = []
    for tokens in sorted(sequences):
        depth = common(before, tokens)
        if len(tokens) > depth:
            yield depth, len(tokens) - depth
        before = tokens


def unique_tokens(sequences):
    return sum(count for _, count in unique_runs(sequences))


def mean_depth(sequences):
    """Tokens that stand in the cache before a computed run, averaged over the computed tokens."""
    runs = list(unique_runs(sequences))
    total = sum(count for _, count in runs)
    return round(sum(depth * count for depth, count in runs) / total) if total else 0


def scored_places(sequences, counts):
    """Unique places whose next token is scored: of each sequence the last `count` ones."""
    places = set()
    for tokens, count in zip(sequences, counts):
        prefix = 0
        for i, token in enumerate(tokens):
            prefix = hash((prefix, token))
            if i >= len(tokens) - count:
                places.add(prefix)
    return len(places)
