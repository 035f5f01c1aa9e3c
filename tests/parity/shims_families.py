"""Arguments for helper functions whose parts must fit together: labels and log-likelihoods of one length, answers that
name a document's choices. Each maker gets (function, use, rng) and gives the list of arguments, or None."""

SENTENCES = [
    "The cat sat on the mat.", "the cat sat on a mat", "A dog barked loudly at 3:30 p.m.", "I have no comment.", "Nothing happens",
    "It's the sun, of course.", "No - it isn't.", "Watermelon seeds pass through you . They do .", "日本語 の 文。", "", "naïve café €5",
    "You grow 1,000 watermelons!\nSecond line", "yes", "nobody knows (really)",
]
NUMBERS = [
    "twenty five", "one hundred and four", "two thousand, three hundred and five", "the answer is 42", "-7 apples", "no idea",
    "nine million", "eighteen", "There are sixty-one.", "fourteen", "forty two", "hundred", "million five", "seven eight nine",
    "one billion two million three thousand and four", "thousand two million", "three trillion", "I count Five fruits", "", "zero",
    "seventeen hundred", "five thousand thousand", "fifty\ntwo", "fiveteen", "fiftyteen", "eight", "eighty eight",
]


def sentence(rng):
    return " ".join(rng.choice(SENTENCES) for _ in range(rng.choice([1, 1, 2])))


def truthfulqa(function, use, rng):
    if function == "process_results_mc2":
        labels = [rng.choice([0, 1]) for _ in range(rng.choice([1, 2, 5, 9, 20]))]
        if rng.random() < 0.5:
            labels.sort(reverse=True)
        scores = [(-40 * rng.random(), rng.random() < 0.5) for _ in labels]
        return [{"mc2_targets": {"labels": labels, "choices": [sentence(rng) for _ in labels]}}, scores]
    if function == "process_results_gen":
        answers = lambda: [sentence(rng) for _ in range(rng.choice([1, 2, 4]))]
        document = {"question": sentence(rng), "correct_answers": answers(), "incorrect_answers": answers()}
        some = rng.choice(document["correct_answers"] + document["incorrect_answers"])
        return [document, [rng.choice([sentence(rng), some, some.upper(), some + " " + sentence(rng)])]]
    return None


def commitment(function, use, rng):
    size = rng.choice([1, 3, 8, 40])
    if function == "cb_multi_fi":
        return [[(rng.randrange(3), rng.randrange(3)) for _ in range(size)]]
    if use == "metric":
        return [[rng.choice(["entailment", "contradiction", "neutral"])], [rng.choice(["entailment", "neutral", "odd"])], {}]
    return None


PEOPLE = [
    ("the old man", ["old", "old"]), ("The young man", ["nonOld", "nonOld"]), ("Sarah", ["F", "F-Black"]), ("The African man", ["M-Black", "African"]),
    ("Latina woman", []), ("Maria Garcia", ["F-Latino"]), ("the poor boy", ["lowSES", "low SES"]), ("a nonTrans girl", ["nonTrans", "trans_girl"]),
    ("Robert", ["M", "M-White"]), ("The lowSES-Asian parent", ["lowSES-Asian"]), ("Greek woman", ["Greek", "Europe"]),
]
UNKNOWN = ["Unknown", "Cannot answer", "Can't be determined", "Not known", "Not enough info", "Undetermined"]


def biases(function, use, rng):
    if use == "aggregation":
        parts = 2 if "accuracy" in function else 4
        nan = float("nan")
        rate = rng.choice([0, 0.3, 1])

        def item():
            known = rng.random() >= rate
            values = [float(rng.randrange(2)), float(rng.randrange(2)) if known else nan, float(rng.randrange(2)) if known else nan]
            return tuple(values[: parts - 1] + [rng.random() < 0.5 if known or parts == 2 else nan])

        return [[item() for _ in range(rng.choice([1, 2, 5, 30]))]]
    people = rng.sample(PEOPLE, 2) + [(rng.choice(UNKNOWN), ["unknown", "unknown"])]
    rng.shuffle(people)
    document = {
        "category": rng.choice(["Age", "SES", "Religion", "Race_x_gender", "Race_x_SES"]), "context": sentence(rng), "question": sentence(rng),
        "context_condition": rng.choice(["ambig", "disambig"]), "question_polarity": rng.choice(["neg", "nonneg"]), "label": rng.randrange(3),
        "answer_info": {f"ans{i}": info for i, (_, info) in enumerate(people)},
        "additional_metadata": {"stereotyped_groups": rng.choice([["old"], ["Black", "African American"], ["F", "M_man"], ["low SES", "poor"]])},
        **{f"ans{i}": name for i, (name, _) in enumerate(people)},
    }
    if use == "documents":
        return [[document] + [dict(document, question_polarity=p, context_condition=c) for p in ("neg", "nonneg") for c in ("ambig", "disambig")]]
    document["biased_answers"] = [people[0][0]] if rng.random() < 0.5 else []
    for i, (_, info) in enumerate(people):
        document[f"ans{i}_groups"] = "_".join(info).lower().split("_")
    if use != "results":
        return [document]
    if "multiple_choice" in function:
        return [document, [(-9 * rng.random(), False) for _ in range(12)]]
    return [document, [rng.choice([sentence(rng), rng.choice(people)[0], "It is " + rng.choice(people)[0].lower() + ".", "don't know",
                                   "the man", "a black person", "F", "I cannot answer"])]]


def flawed(rng, text):
    """An answer around a text, in the ways that models give one."""
    return rng.choice([text, f"The answer is {text}.", f"Let's think. {text}, so {text.lower()}", f"answer: {text}", text.upper(), f"({text})", "",
                       f"**{text}**!", "none of these", f"so the answer: {text}\n"])


def hard(function, use, rng):
    """BIG-bench hard without examples."""
    words = ["syndrome", "therefrom", "a", "b.c", "grape", "Ape", "x", "the", "plum"]
    documents, responses, arguments = [], [], {}
    for _ in range(rng.choice([1, 3])):
        if function == "WordSortFilter":
            chosen = rng.sample(words, 4)
            documents.append({"input": f"Sort the following words alphabetically: List: {' '.join(chosen)}", "target": ""})
            responses.append([" ".join(rng.choices(chosen + ["and", "then"], k=6)) for _ in range(rng.choice([1, 2]))])
        elif function == "NumberParseRegexFilter":
            documents.append({"input": "How many?", "target": "3"})
            responses.append([rng.choice(NUMBERS) for _ in range(2)])
        elif function == "MapRegexFilter":
            documents.append({"input": "", "target": ""})
            responses.append([flawed(rng, rng.choice(["yes", "No", "plausible", "not plausible", "True", "tells the truth", "is valid", "invalid"]))])
        else:
            options = rng.sample(["a red ball", "green", "the U.S.", "12/24/1929", "Blue-ish (dark)", "the red", "naïve", "it's: odd", ""], 3)
            listed = "\n".join(f"({letter}) {option}" for letter, option in zip("ABC", options))
            documents.append({"input": f"Which?\nOptions:\n{listed}", "target": "(A)"})
            responses.append([flawed(rng, rng.choice(options + ["A", "(B)", "C", ": B", ":C"])) for _ in range(rng.choice([1, 2]))])
    if function == "NumberParseRegexFilter":
        arguments = {"regex_pattern": "([-0-9]+)", "group_select": rng.choice([0, -1])}
    elif function == "MapRegexFilter":
        arguments = {"group_select": rng.choice([0, -1]), "ignore_case": rng.random() < 0.7, "regex_pattern_to_value":
                     rng.choice([{r"\b(no|not plausible)\b": "no", r"\b(yes|plausible)\b": "yes"},
                                 {r"\b(no|is not telling the truth)\b": "no", r"\b(yes|tells the truth)\b": "yes"}, {"true": "True", "false": "False"}])}
    elif function == "MultiChoiceRegexFilter":
        arguments = {"regex_pattern": r"(\([A-Z]\))", "group_select": rng.choice([0, -1])}
        arguments.update({name: True for name in ("ignore_case", "ignore_punctuation") if rng.random() < 0.6})
        if rng.random() < 0.3:
            arguments["regexes_to_ignore"] = [r"\bthe\b", r"\s+"]
    return [responses, documents, arguments]


def toxigen(function, use, rng):
    return [{"toxicity_ai": rng.choice([None, 1.0, 2.5, 5, 3.2]), "toxicity_human": rng.choice([1.0, 2.5, 5, 4.6, 3.0]), "text": sentence(rng)}]


def spanish_biases(function, use, rng):
    if use != "aggregation":
        return None
    parts = {"bias_score_ambig_agg": 3, "bias_score_disambig_agg": 4}.get(function, 2)
    return [[tuple(rng.randrange(2) for _ in range(parts)) for _ in range(rng.choice([1, 3, 20]))]]


def indic(function, use, rng):
    subjects = ["Bodo", "Dogri", "Gujarati_surya", "Konkani", "Maithili", "Marathi", "Nepali", "Oriya", "Rajasthani", "Sanskrit", "Sanskrit Mix", "Santali"]
    row = lambda subject: {"subject": subject, "question_text": sentence(rng), "correct_answer": rng.choice("abcd"),
                           **{f"option_{letter}": sentence(rng) for letter in "abcd"}}
    return [[row(subject) for subject in subjects]] if use == "documents" else [row(rng.choice(subjects))]


FAMILIES = {
    "cabbq/utils.py": spanish_biases, "esbbq/utils.py": spanish_biases, "indicparam/utils.py": indic,
    "cb/aggregate.py": commitment, "cb/t5_utils.py": commitment,
    "bbq/utils.py": biases, "bbh/zeroshot/utils.py": hard, "bbh/cot_zeroshot/utils.py": hard, "toxigen/utils.py": toxigen,
}


def arguments_for(file, function, use, rng):
    """Fitting arguments, or None when any will do."""
    make = truthfulqa if "truthful" in str(file) else next((make for path, make in FAMILIES.items() if str(file).endswith("/" + path)), None)
    return make(function, use, rng) if make is not None else None
