#pragma once

#include <string>
#include <vector>

/// What a shell offers while a command line of tare is typed. The scripts in src/cli/shell ask for
/// it with kComplete and the words behind "tare".
namespace tare::cli {

inline constexpr const char* kComplete = "__complete";

struct Offer {
  std::string word;
  std::string meaning;
};

struct Offers {
  std::vector<Offer> words;
  bool files = false;    ///< names of files fit too
  bool folders = false;  ///< names of folders fit too
  bool open = false;     ///< the words go on: no space after them
};

/// For the last word, which may be empty; the words before it are taken as they are.
Offers offers(const std::vector<std::string>& words);

/// A line each, "WORD<tab>MEANING", then ":files", ":folders" and ":open" where they hold.
std::string offers_text(const Offers& offers);

}  // namespace tare::cli
