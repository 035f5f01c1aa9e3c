"""Random pairs of scores through scipy, statsmodels and scikit-learn, and through tare.

    stats_fuzz.py STATS_CAT [COUNT [SEED]]     (default: 1000 inputs, seed 1)

Each value must agree to 1e-10, relative above 1. Degenerate inputs are among them: none, one item, all
equal, all tied, all zero, NaN. Where the packages give nothing or a warning, tare's documented convention
is what is wanted: it stands here as the expected value.
"""

import itertools
import json
import math
import random
import subprocess
import sys
import warnings

import numpy
from scipy.cluster import hierarchy
from scipy.stats import wilcoxon
from sklearn.metrics import cohen_kappa_score, jaccard_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

TOLERANCE = 1e-10
KINDS = ["binary", "equal", "ties", "zeros", "one", "none", "nan", "real", "real", "few"]


def scores(rng, kind):
    n = {"none": 0, "one": 1, "few": rng.randint(2, 12)}.get(kind, rng.randint(2, 60))
    if kind == "binary":
        return [[float(rng.random() < share) for _ in range(n)] for share in (0.6, 0.5)]
    if kind == "equal":
        return [[0.25] * n, [0.75] * n]
    if kind == "ties":
        return [[rng.choice([0.0, 0.5, 1.0]) for _ in range(n)] for _ in range(2)]
    if kind == "zeros":
        x = [rng.random() for _ in range(n)]
        return [x, list(x)]
    pair = [[rng.gauss(0, 1) for _ in range(n)] for _ in range(2)]
    if kind == "nan":
        pair[rng.randrange(2)][rng.randrange(n)] = math.nan
    return pair


def make_input(rng, kind):
    x, y = scores(rng, kind)
    p = [rng.choice([rng.random(), rng.random() ** 4, 0.0, 1.0, 0.01]) for _ in range(rng.randint(1, 33))]
    points = [[rng.random() for _ in range(4)] for _ in range(rng.randint(2, 8))]
    return {"kind": kind, "x": x, "y": y, "p": p, "points": points, "cluster": [rng.randrange(4) for _ in x]}


def verdicts(x, y):
    first, second = numpy.array(x) > 0, numpy.array(y) > 0
    n, table = len(x), [[int(sum((first == a) & (second == b))) for b in (True, False)] for a in (True, False)]
    changed, wanted = table[0][1] + table[1][0], {"exact": 1.0, "worse": 1.0, "chi_square": None, "chi_square_p": None}
    if changed:
        asymptotic = mcnemar(table, exact=False, correction=True)
        uneven = abs(table[0][1] - table[1][0])
        # statsmodels' correction stops at 0; with as many each way (0 - 1)^2 is what the formula says.
        statistic = asymptotic.statistic if uneven else 1 / changed
        wanted = {"exact": mcnemar(table, exact=True).pvalue, "chi_square": statistic,
                  "chi_square_p": math.erfc(math.sqrt(statistic / 2)),
                  "worse": sum(math.comb(changed, k) for k in range(table[0][1], changed + 1)) / 2**changed}
    wanted["divergence"] = (table[1][0] - table[0][1]) / n if n else None
    wanted["disagreement"] = changed / n if n else None
    same = n and (all(first) and all(second) or not any(first) and not any(second))
    wanted["kappa"] = None if not n else 1.0 if same else cohen_kappa_score(first, second)
    wanted["overlap"] = None if n == table[0][0] else jaccard_score(~first, ~second)
    return wanted


def signed_rank(d, zeros, correction=False, method="approx"):
    if not len(d) or numpy.isnan(d).any():
        return None
    if not numpy.any(d):
        return {"statistic": 0.0, "z": None, "p": 1.0}
    found = wilcoxon(d, zero_method=zeros, correction=correction, method=method)
    z = getattr(found, "zstatistic", None)
    return {"statistic": found.statistic, "z": -abs(z) if z is not None else None, "p": found.pvalue}


def flipped(d):
    """Every choice of signs, one by one."""
    moved = [abs(value) for value in d if value]
    if not len(d) or numpy.isnan(d).any() or len(moved) > 12:
        return None
    least = abs(math.fsum(d)) - 1e-12 * math.fsum(moved)
    sums = [abs(math.fsum(s * v for s, v in zip(signs, moved)))
            for signs in itertools.product((-1, 1), repeat=len(moved))]
    return sum(total >= least for total in sums) / len(sums)


def differences(x, y, cluster):
    d = numpy.array(y, dtype=float) - numpy.array(x, dtype=float)
    distinct = len(set(abs(d))) == len(d) and numpy.all(d != 0) if len(d) else False
    exact = distinct and len(d) <= 25 and not numpy.isnan(d).any()
    centred = d - d.mean() if len(d) else d
    groups = [centred[numpy.array(cluster) == c].sum() for c in sorted(set(cluster))]
    wanted = {"pratt": signed_rank(d, "pratt"), "wilcox": signed_rank(d, "wilcox"),
              "corrected": signed_rank(d, "pratt", correction=True),
              "exact": signed_rank(d, "wilcox", method="exact") if exact else signed_rank(d, "pratt"),
              "flip": flipped(d), "clustered": math.sqrt(sum(g * g for g in groups)) / len(d) if len(d) else None,
              "floor": abs(d).mean() if len(d) and not numpy.isnan(d).any() else None,
              "unseen": proportion_confint(0, len(d), alpha=0.1, method="beta")[1] if len(d) else None,
              "variance": d.var(ddof=1) if len(d) > 1 and not numpy.isnan(d).any() else None}
    if exact and wanted["exact"]:
        wanted["exact"]["z"] = None
    return wanted


def expected(given):
    x, y = given["x"], given["y"]
    right = sum(value > 0 for value in x)
    return {"verdicts": verdicts(x, y), "differences": differences(x, y, given["cluster"]),
            "holm": multipletests(given["p"], method="holm")[1].tolist(),
            "bh": multipletests(given["p"], method="fdr_bh")[1].tolist(),
            "wilson": list(proportion_confint(right, len(x), method="wilson")) if x else None,
            "joins": [[int(a), int(b), d, int(n)] for a, b, d, n in hierarchy.average(numpy.array(given["points"]))]}


def close(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if a is None or b is None:
        return a is b
    return math.isnan(a) and math.isnan(b) or abs(a - b) <= TOLERANCE * max(1, abs(b))


def main(cat, count=1000, seed=1):
    warnings.simplefilter("ignore")
    rng = random.Random(int(seed))
    program = subprocess.Popen([cat], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    bad = 0
    for i in range(int(count)):
        given = make_input(rng, KINDS[i % len(KINDS)])
        program.stdin.write(json.dumps(given) + "\n")
        program.stdin.flush()
        found, wanted = json.loads(program.stdout.readline()), expected(given)
        for key, value in wanted.items():
            if not close(found[key], value):
                bad += 1
                print(f"{given['kind']} {key}: {found[key]}, wanted {value}; x {given['x']} y {given['y']}")
    print(f"{count} inputs, {bad} differences")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
