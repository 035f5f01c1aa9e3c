#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "study/parity.h"

/// Sides that are equal have no finding, and a single change of any kind is found by its name.
namespace tare::study {
namespace {

constexpr core::Token kBos = 1;
constexpr const char* kSystem = "Answer in one word.";

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t limit) {
  return random() % limit;
}

std::string words(Random& random) {
  static const char* const kWords[] = {"Größe", "red", "12", "why", "sea", "to", "x", "\n- "};
  std::string text = "Q";
  for (std::size_t n = 2 + below(random, 12); n > 0; --n)
    text += std::string(" ") + kWords[below(random, std::size(kWords))];
  return text + "?";
}

std::vector<core::Token> encode(const std::string& text) {
  std::vector<core::Token> tokens{kBos};
  for (const char c : text) tokens.push_back(10 + static_cast<unsigned char>(c));
  return tokens;
}

std::string rendered(const std::string& system, const std::string& question) {
  return (system.empty() ? "" : "<sys>" + system + "</sys>") + "<user>" + question +
         "</user><model>";
}

/// What a prompt is made from, to make it again in another way.
struct Made {
  Side side;
  std::vector<std::string> questions;

  void set_text(std::size_t i, std::string text) {
    if (side.prompts[i].tokens) side.prompts[i].tokens = encode(text);
    side.prompts[i].text = std::move(text);
  }
};

Made healthy(Random& random, bool token_ids) {
  Made made;
  made.side.name = "side";
  made.side.template_sha256 = "aa";
  made.side.system = kSystem;
  if (token_ids) made.side.bos = kBos;
  for (std::size_t i = 0; i < 5; ++i) {
    made.questions.push_back(words(random));
    Prompt prompt;
    prompt.key = fmt::format("{}", i);
    if (token_ids) prompt.tokens.emplace();
    made.side.prompts.push_back(prompt);
    made.set_text(i, rendered(kSystem, made.questions[i]));
  }
  return made;
}

struct Change {
  const char* name;
  bool needs_tokens;
  Fault fault;
  void (*plant)(Made&, std::size_t, Random&);
};

const Change kChanges[] = {
    {"a second BOS", true, Fault::double_bos,
     [](Made& m, std::size_t i, Random&) {
       auto& tokens = *m.side.prompts[i].tokens;
       tokens.insert(tokens.begin(), kBos);
     }},
    {"no BOS", true, Fault::missing_bos,
     [](Made& m, std::size_t i, Random&) {
       auto& tokens = *m.side.prompts[i].tokens;
       tokens.erase(tokens.begin());
     }},
    {"no system message", false, Fault::lost_system_message,
     [](Made& m, std::size_t i, Random&) { m.set_text(i, rendered("", m.questions[i])); }},
    {"no template", false, Fault::missing_chat_template,
     [](Made& m, std::size_t i, Random&) {
       m.side.template_sha256 = "";
       m.set_text(i, std::string(kSystem) + m.questions[i]);
     }},
    {"another template", false, Fault::other_chat_template,
     [](Made& m, std::size_t i, Random&) {
       m.side.template_sha256 = "bb";
       m.set_text(i, std::string("[") + kSystem + m.questions[i] + "]");
     }},
    {"tokens cut off", true, Fault::silent_truncation,
     [](Made& m, std::size_t i, Random& random) {
       auto& tokens = *m.side.prompts[i].tokens;
       const auto cut = static_cast<std::ptrdiff_t>(1 + below(random, tokens.size() - 2));
       if (random() % 2 == 0)
         tokens.erase(tokens.begin() + 1, tokens.begin() + 1 + cut);
       else
         tokens.erase(tokens.end() - cut, tokens.end());
     }},
    {"tokens not read", true, Fault::silent_truncation,
     [](Made& m, std::size_t i, Random& random) {
       m.side.prompts[i].read = below(random, m.side.prompts[i].tokens->size());
     }},
    {"text cut off", false, Fault::silent_truncation,
     [](Made& m, std::size_t i, Random& random) {
       const std::string& text = m.side.prompts[i].text;
       m.set_text(i, text.substr(0, text.size() - 1 - below(random, 7)));
     }},
    {"a blank more", false, Fault::other_white_space,
     [](Made& m, std::size_t i, Random& random) {
       std::string text = m.side.prompts[i].text;
       // Not inside the system message, which would then be lost.
       const std::size_t begin = text.find("<user>");
       const std::size_t place = begin + below(random, 6) * (text.size() - begin) / 5;
       text.insert(random() % 2 == 0 ? text.size() : std::min(text.find('>', place), text.size()),
                   random() % 2 == 0 ? " " : "\n");
       m.set_text(i, text);
     }},
    {"other ids", true, Fault::other_tokenizer,
     [](Made& m, std::size_t i, Random&) {
       auto& tokens = *m.side.prompts[i].tokens;
       for (std::size_t t = 1; t < tokens.size(); ++t) tokens[t] += 1000;
     }},
    {"another letter", false, Fault::other_text,
     [](Made& m, std::size_t i, Random& random) {
       std::string text = m.side.prompts[i].text;
       text[text.find("<user>") + below(random, 7)] = '#';
       m.set_text(i, text);
     }},
};

bool names(const ParityReport& report, Fault fault, const std::string& key) {
  return std::ranges::any_of(report.findings, [&](const Finding& finding) {
    return finding.fault == fault && finding.prompts == 1 && finding.key == key;
  });
}

}  // namespace

TEST_CASE("equal sides have no finding") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const Made made = healthy(random, seed % 2 == 0);
    const ParityReport report = compare_prompts(made.side, made.side);
    CHECK(report.equal == 5);
    CHECK(report.compared == 5);
    CHECK(report.by_tokens == (seed % 2 == 0 ? 5 : 0));
    CHECK(report.findings.empty());
    CHECK_FALSE(report.first.has_value());
  }
}

TEST_CASE("a single change is found, on whichever side it is") {
  for (const Change& change : kChanges) {
    CAPTURE(change.name);
    for (unsigned seed = 0; seed < 40; ++seed) {
      CAPTURE(seed);
      Random random(seed);
      const bool token_ids = change.needs_tokens || seed % 2 == 0;
      const Made made = healthy(random, token_ids);
      Made other = made;
      other.side.name = "other";
      const std::size_t where = below(random, made.side.prompts.size());
      change.plant(other, where, random);
      const bool swapped = random() % 2 == 0;
      const ParityReport report =
          swapped ? compare_prompts(other.side, made.side) : compare_prompts(made.side, other.side);
      CHECK(names(report, change.fault, fmt::format("{}", where)));
      CHECK(report.findings.size() == 1);
      CHECK(report.first.has_value() == (report.equal < 5));
      for (const Finding& finding : report.findings)
        CHECK((finding.side.empty() || finding.side == "other"));
    }
  }
}

}  // namespace tare::study
