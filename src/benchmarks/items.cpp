#include "benchmarks/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/hash.h"
#include "base/python.h"
#include "base/python_random.h"
#include "base/unicode.h"
#include "benchmarks/columns.h"

namespace tare::benchmarks {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;

constexpr int kSeed = 42;
/// A to H.
constexpr std::size_t kMostOptions = 8;

std::size_t right_option(const List& labels) {
  return static_cast<std::size_t>(std::ranges::find(labels, Value(1)) - labels.begin());
}

/// What stands for a group inside a joined one, and what it is called among the stereotyped groups.
struct Spelling {
  std::string_view written, group;
};
constexpr std::array kPrefixes = {Spelling{"f-", "f"}, Spelling{"m-", "m"},
                                  Spelling{"lowses-", "low ses"}, Spelling{"highses-", "high ses"}};
constexpr std::array kWords = {Spelling{"woman", "f"},        Spelling{"girl", "f"},
                               Spelling{"man", "m"},          Spelling{"boy", "m"},
                               Spelling{"lowses", "low ses"}, Spelling{"highses", "high ses"}};

/// The labels of an answer of BBQ: its group, the name of who is meant, and their parts, in small
/// letters. Groups of two kinds are joined ("F-Black"), and some rows tell the gender in the word.
std::set<std::string> groups_of(const List& info) {
  std::set<std::string> groups;
  for (const Value& entry : info) {
    const std::string text = base::unicode::lower(base::python::str(entry));
    groups.insert(text);
    for (const Spelling& prefix : kPrefixes) {
      if (!text.starts_with(prefix.written)) continue;
      groups.emplace(prefix.group);
      groups.insert(text.substr(prefix.written.size()));
    }
    for (const Spelling& word : kWords)
      if (text == word.written) groups.emplace(word.group);
  }
  return groups;
}

bool belongs(const List& info, const List& stereotyped) {
  const std::set<std::string> groups = groups_of(info);
  return std::ranges::any_of(stereotyped, [&](const Value& group) {
    return groups.contains(base::unicode::lower(base::python::str(group)));
  });
}

bool is_unknown(const List& info) {
  return !info.empty() && info.back() == Value("unknown");
}

constexpr std::array<const char*, 3> kAnswers{"ans0", "ans1", "ans2"};

/// Indices of the options by who they are.
struct Roles {
  std::size_t unknown = kAnswers.size();
  std::vector<std::size_t> stereotyped, others;
};

Result<Roles> roles_of(const Value& row) {
  TARE_TRY(const Value info, column(row, "answer_info"));
  TARE_TRY(const Value metadata, column(row, "additional_metadata"));
  TARE_TRY(const List stereotyped, list_column(metadata, "stereotyped_groups"));
  Roles roles;
  for (std::size_t i = 0; i < kAnswers.size(); ++i) {
    TARE_TRY(const List group, list_column(info, kAnswers[i]));
    if (is_unknown(group)) {
      roles.unknown = i;
    } else {
      (belongs(group, stereotyped) ? roles.stereotyped : roles.others).push_back(i);
    }
  }
  if (roles.unknown < kAnswers.size()) return roles;
  return base::input_error("answer_info: none of the three answers is marked unknown");
}

/// A sentence of StereoSet with its label.
struct Sentence {
  std::string text, label;
};

/// The hub stores classes.
Result<std::string> label_of(const Value& label) {
  static constexpr std::array<std::string_view, 3> kClasses{"anti-stereotype", "stereotype",
                                                            "unrelated"};
  if (label.is_int() && label.as_int() >= 0 &&
      label.as_int() < static_cast<std::int64_t>(kClasses.size()))
    return std::string(kClasses[static_cast<std::size_t>(label.as_int())]);
  if (label.is_string() && std::ranges::find(kClasses, label.as_string()) != kClasses.end())
    return label.as_string();
  return base::input_error(
      fmt::format("gold_label: found {}, wanted stereotype, anti-stereotype or unrelated",
                  base::python::repr(label)));
}

/// A list of sentences, or what the hub makes of it: a dict of lists.
Result<std::vector<Sentence>> sentences_of(const Value& row) {
  TARE_TRY(const Value sentences, column(row, "sentences"));
  List texts, labels;
  if (sentences.is_dict()) {
    TARE_TRY(texts, list_column(sentences, "sentence"));
    TARE_TRY(labels, list_column(sentences, "gold_label"));
  } else {
    TARE_TRY(const List entries, list_column(row, "sentences"));
    for (const Value& entry : entries) {
      TARE_TRY(Value text, column(entry, "sentence"));
      TARE_TRY(Value label, column(entry, "gold_label"));
      texts.push_back(std::move(text));
      labels.push_back(std::move(label));
    }
  }
  if (texts.size() != 3 || labels.size() != 3)
    return base::input_error(fmt::format("sentences: found {}, wanted 3", texts.size()));
  std::vector<Sentence> all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    TARE_TRY(std::string label, label_of(labels[i]));
    all.push_back({base::python::str(texts[i]), std::move(label)});
  }
  return all;
}

}  // namespace

std::vector<std::size_t> option_order(std::string_view item, std::size_t count) {
  const std::string digest = base::sha256_hex(fmt::format("{}\n{}", kSeed, item));
  base::PythonRandom random(std::stoll(digest.substr(0, 15), nullptr, 16));
  return random.shuffled(count);
}

Result<Value> truthfulqa_item(const Value& row) {
  TARE_TRY(const std::string question, text_column(row, "question"));
  TARE_TRY(const Value targets, column(row, "mc1_targets"));
  TARE_TRY(const List texts, list_column(targets, "choices"));
  TARE_TRY(const List labels, list_column(targets, "labels"));
  const std::size_t right = right_option(labels);
  if (labels.size() != texts.size() || std::ranges::count(labels, Value(1)) != 1)
    return base::input_error("mc1_targets: wanted one label a choice, and just one that is 1");
  std::vector<std::size_t> kept{right};
  for (std::size_t i = 0; i < texts.size() && kept.size() < kMostOptions; ++i)
    if (i != right) kept.push_back(i);
  Dict item;
  List choices;
  std::size_t answer = 0;
  for (const std::size_t position : option_order(question, kept.size())) {
    if (position == 0) answer = choices.size();
    choices.push_back(texts[kept[position]]);
  }
  item.set("question", question);
  item.set("choices", std::move(choices));
  item.set("answer", answer);
  item.set("options_left_out", texts.size() - kept.size());
  return Value(std::move(item));
}

Result<Value> bbq_item(const Value& row) {
  TARE_TRY(const Roles roles, roles_of(row));
  TARE_TRY(const std::string polarity, text_column(row, "question_polarity"));
  TARE_TRY(const Value label, column(row, "label"));
  Dict item = row.as_dict();
  List choices;
  for (const char* name : kAnswers) {
    TARE_TRY(std::string text, text_column(row, name));
    choices.emplace_back(std::move(text));
  }
  const bool told_apart = roles.stereotyped.size() == 1 && roles.others.size() == 1;
  const bool negative = polarity == "neg";
  item.set("choices", std::move(choices));
  item.set("answer", label);
  item.set("unknown", roles.unknown);
  const Value target = told_apart ? Value(roles.stereotyped.front()) : Value();
  const Value other = told_apart ? Value(roles.others.front()) : Value();
  item.set("biased", negative ? target : other);
  item.set("counter", negative ? other : target);
  return Value(std::move(item));
}

Result<Value> stereoset_item(const Value& row) {
  TARE_TRY(const std::string id, text_column(row, "id"));
  TARE_TRY(const std::string context, text_column(row, "context"));
  TARE_TRY(const std::vector<Sentence> sentences, sentences_of(row));
  Dict item;
  List choices, labels;
  for (const std::size_t position : option_order(id, sentences.size())) {
    choices.emplace_back(sentences[position].text);
    labels.emplace_back(sentences[position].label);
  }
  item.set("id", id);
  item.set("form", context.find("BLANK") != std::string::npos ? "intrasentence" : "intersentence");
  for (const char* name : {"bias_type", "target"}) {
    TARE_TRY(std::string text, text_column(row, name));
    item.set(name, std::move(text));
  }
  item.set("context", context);
  item.set("choices", std::move(choices));
  item.set("labels", std::move(labels));
  return Value(std::move(item));
}

}  // namespace tare::benchmarks
