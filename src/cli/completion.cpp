#include "cli/completion.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>

#include "cli/known_backends.h"
#include "cli/listing.h"
#include "cli/option_table.h"
#include "cli/parse.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The word that is being typed: a part that stands, and the part to be completed.
struct Typed {
  std::string standing;  ///< "--tasks=a,"
  std::string part;      ///< "b"
};

void add(Offers& offers, const Typed& typed, const std::string& word, const std::string& meaning) {
  if (word.starts_with(typed.part)) offers.words.push_back({typed.standing + word, meaning});
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word.starts_with('-');
}

const OptionRow* find_option(const CommandPage& page, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  for (const OptionRow& row : page.options)
    if (!row.positional && std::ranges::count(row.names, name) != 0) return &row;
  return nullptr;
}

const OptionRow* find_positional(const CommandPage& page, std::size_t index) {
  const OptionRow* last = nullptr;
  for (const OptionRow& row : page.options) {
    if (!row.positional) continue;
    if (index-- == 0) return &row;
    last = &row;
  }
  return last != nullptr && last->many ? last : nullptr;
}

/// What the word behind `before` is a value of.
const OptionRow* row_of_next(const CommandPage& page, std::span<const std::string> before) {
  const OptionRow* open = nullptr;
  std::size_t positionals = 0;
  for (const std::string& word : before) {
    if (is_option(word)) {
      const OptionRow* row = find_option(page, word);
      const bool waits = row != nullptr && !row->value.empty() && word.find('=') == word.npos;
      open = waits ? row : nullptr;
    } else if (open == nullptr) {
      ++positionals;
    } else if (!open->many) {
      open = nullptr;
    }
  }
  return open != nullptr ? open : find_positional(page, positionals);
}

std::vector<fs::path> values_of(std::span<const std::string> words, std::string_view option) {
  std::vector<fs::path> values;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with(option) && word.substr(option.size(), 1) == "=")
      values.emplace_back(word.substr(option.size() + 1));
    else if (word == option && i + 1 < words.size())
      values.emplace_back(words[i + 1]);
  }
  return values;
}

void offer_listing(Offers& offers, const Typed& typed, const std::string& what,
                   const std::vector<fs::path>& include_paths) {
  const auto listing = list(what, include_paths);
  if (!listing) return;
  for (const base::List& row : listing->rows)
    add(offers, typed, row[0].as_string(),
        row.size() > 1 && row[1].is_string() ? row[1].as_string() : "");
}

/// Names of a list that is typed up to a comma.
Typed after_comma(Typed typed) {
  const std::size_t comma = typed.part.rfind(',');
  if (comma == std::string::npos) return typed;
  typed.standing += typed.part.substr(0, comma + 1);
  typed.part.erase(0, comma + 1);
  return typed;
}

/// Files and folders below the path that has been begun, as a shell knows them only at the
/// beginning of a word.
void offer_paths(Offers& offers, const Typed& typed) {
  const std::size_t slash = typed.part.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.part.substr(0, slash + 1);
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, fault)) {
    const bool inside = entry.is_directory(fault);
    add(offers, typed, folder + entry.path().filename().string() + (inside ? "/" : ""), "");
  }
  std::ranges::sort(offers.words, {}, &Offer::word);
  offers.open = offers.words.size() == 1 && offers.words[0].word.ends_with('/');
}

void offer_models(Offers& offers, Typed typed) {
  constexpr std::array<std::string_view, 6> kPaths{"gguf",         "hf",   "hf-pipeline",
                                                   "langchain-hf", "vllm", "scripted"};
  offer_listing(offers, typed, "models", {});
  const std::size_t colon = typed.part.find(':');
  if (colon == std::string::npos) {
    offers.open = true;
    for (const KnownBackend& backend : known_backends())
      add(offers, typed, std::string(backend.scheme) + ":", std::string(backend.meaning));
    return;
  }
  if (std::ranges::count(kPaths, std::string_view(typed.part).substr(0, colon)) == 0) return;
  typed.standing += typed.part.substr(0, colon + 1);
  typed.part.erase(0, colon + 1);
  Offers paths;
  offer_paths(paths, typed);
  for (Offer& path : paths.words)
    if (std::ranges::count(offers.words, path.word, &Offer::word) == 0)
      offers.words.push_back(std::move(path));
  offers.open = paths.open;
}

void offer_values(Offers& offers, const Typed& typed, const OptionRow& row,
                  std::span<const std::string> before) {
  for (const std::string& choice : choices(row)) add(offers, typed, choice, "");
  if (row.value == kTasks) {
    offer_listing(offers, after_comma(typed), "tasks", values_of(before, "--include-path"));
    offers.files = typed.part.find(',') == std::string::npos;
  }
  if (row.value == kTier) {
    add(offers, typed, "auto", "the best that works here");
    offer_listing(offers, typed, "tiers", {});
  }
  if (row.value == kModel) offer_models(offers, typed);
  if (row.value == kFile) offers.files = true;
  if (row.value == kFolder) offers.folders = true;
}

void offer_options(Offers& offers, const CommandPage& page, const Typed& typed) {
  const bool begun = typed.part.size() > 2;
  for (const OptionRow& row : page.options) {
    if (row.positional) continue;
    // Of other spellings of the same option none is offered before its letters are typed.
    bool first = true;
    for (const std::string& name : row.names) {
      if (!name.starts_with("--")) continue;
      if (first || begun) add(offers, typed, name, row.meaning);
      first = false;
    }
  }
}

void offer_commands(Offers& offers, const Typed& typed) {
  for (const Command& command : commands())
    add(offers, typed, std::string(command.name), std::string(command.summary));
  if (!typed.part.starts_with('-')) return;
  add(offers, typed, "--help", "what the commands are");
  add(offers, typed, "--version", "the version of tare and of what is in it");
}

void offer_parts(Offers& offers, const CommandPage& page, const Typed& typed) {
  for (const CommandPage& part : page.commands)
    add(offers, typed, part.name.substr(page.name.size() + 1), part.meaning);
}

Offers offers_of_page(const CommandPage& page, std::span<const std::string> before,
                      const std::string& last) {
  Offers offers;
  const std::size_t equals = last.find('=');
  if (is_option(last) && equals != std::string::npos) {
    if (const OptionRow* row = find_option(page, last))
      offer_values(offers, {last.substr(0, equals + 1), last.substr(equals + 1)}, *row, before);
    return offers;
  }
  const Typed typed{"", last};
  if (last.starts_with('-')) {
    offer_options(offers, page, typed);
    return offers;
  }
  offer_parts(offers, page, typed);
  const OptionRow* row = row_of_next(page, before);
  if (row != nullptr) offer_values(offers, typed, *row, before);
  if (row == nullptr && last.empty() && page.commands.empty()) offer_options(offers, page, typed);
  return offers;
}

/// The pages of all commands, as the words behind "tare man" name them.
Offers offers_of_man(const std::string& last) {
  Offers offers;
  offer_commands(offers, {"", last});
  return offers;
}

}  // namespace

Offers offers(const Words& words) {
  if (words.empty()) return {};
  Words before(words.begin(), words.end() - 1);
  dash_flags(before);
  Words typed{words.back()};
  dash_flags(typed);
  Offers found;
  if (before.empty()) offer_commands(found, {"", typed[0]});
  if (before.empty() && !typed[0].starts_with("--")) return found;

  // Flags without a command are those of `run`.
  const bool named = !before.empty() && !before[0].starts_with('-');
  const Command* command = find_command(named ? before[0] : "run");
  if (command == nullptr) return found;
  if (command->name == "man" && !typed[0].starts_with('-')) return offers_of_man(typed[0]);
  CommandPage page = page_of(*command);
  std::span<const std::string> rest(before);
  if (named) rest = rest.subspan(1);
  while (!page.commands.empty() && !rest.empty()) {
    const auto part =
        std::ranges::find(page.commands, page.name + " " + rest[0], &CommandPage::name);
    if (part == page.commands.end()) break;
    page = CommandPage(*part);
    rest = rest.subspan(1);
  }
  Offers of_page = offers_of_page(page, rest, typed[0]);
  std::ranges::move(of_page.words, std::back_inserter(found.words));
  of_page.words = std::move(found.words);
  return of_page;
}

std::string offers_text(const Offers& offers) {
  std::string text;
  for (const Offer& offer : offers.words) {
    std::string meaning = offer.meaning;
    std::ranges::replace(meaning, '\n', ' ');
    text += offer.word + "\t" + meaning + "\n";
  }
  if (offers.files) text += ":files\n";
  if (offers.folders) text += ":folders\n";
  if (offers.open) text += ":open\n";
  return text;
}

}  // namespace tare::cli
