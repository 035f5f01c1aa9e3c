#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "floor/answers.h"
#include "floor/divergences.h"
#include "floor/setting.h"
#include "floor/verdict.h"

namespace tare::floor {

enum class RowState {
  done,
  failed,         ///< with a reason: a crash, a file that does not load, a full disk
  not_available,  ///< with a reason: the machine runs none of the setting's tiers
};

std::string_view state_name(RowState state);

/// One setting on one file. The reference's own row has no divergences.
struct SettingFindings {
  Setting setting;  ///< its manner names the tier that was used, where there is one
  RowState state = RowState::done;
  std::string reason{};
  std::optional<Divergences> divergences{};
};

struct FileFindings {
  std::string name;    ///< the file's, without folders
  std::string sha256;  ///< of the file
  std::string model;   ///< "llama 135M Q8_0", as llama.cpp describes it; "" where it did not load
  SettingFindings reference;
  std::optional<double> loss;  ///< of the reference: −mean ln p(next token), nats
  std::vector<SettingFindings> settings;
};

/// A further file against the first one, both at the reference setting.
struct PairFindings {
  std::size_t file = 1;  ///< its place
  std::optional<Divergences> divergences{};
  std::string reason{};  ///< why there are none
  Verdict verdict{};
};

/// A whole grid as far as it was computed.
struct Findings {
  base::Value program;  ///< build and engine
  base::Value machine;
  base::Value text;  ///< which tokens were scored
  std::size_t window = 0, positions = 0;
  std::vector<std::string> pinned;  ///< factors that do not count for the floor
  std::vector<FileFindings> files;
  std::vector<PairFindings> pairs;  ///< of all files but the first, in their order
  std::optional<Answers> answers;   ///< none: no items were asked
};

/// The setting with the greatest mean KL, of those whose factors are not pinned; none where nothing
/// was compared.
std::optional<Floor> floor_of(const FileFindings& file, const std::vector<std::string>& pinned);

/// What the verdict rule has to go on for two files: the first one is A, the pair's B.
Evidence evidence_of(const Findings& findings, const PairFindings& pair);

/// Mean KL that settings make on a file, over KL(A‖B): 0.6 for Q8_0 in source 003. None where the
/// two files do not differ.
std::optional<double> ratio_to_pair(const Floor& floor, const PairFindings& pair);

/// Sentences on what a reader must know before the numbers: rows that failed, tiers that are not
/// there, reruns and thread counts that were not equal.
std::vector<std::string> warnings_of(const Findings& findings);

/// True if a row of any file has failed.
bool has_failures(const Findings& findings);
/// True if any setting was compared.
bool has_results(const Findings& findings);

}  // namespace tare::floor
