#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "cli/backend_diagnosis.h"
#include "core/invariance.h"

/// What `tare doctor` found, as text and as JSON (docs/formats/doctor.md). Pure.
namespace tare::cli {

enum class TierState {
  works,
  lacks_instructions,  ///< the CPU does not announce them
  fails,               ///< it announces them, and the probe went wrong
};

struct TierFinding {
  std::string name;
  TierState state = TierState::works;
  std::string fault;    ///< why it fails, or why the model could not be tried on it
  bool chosen = false;  ///< a run would use this one
  std::optional<core::Invariance> invariance;  ///< of the model, where it was tried
  double seconds = 0;                          ///< that trying it took
};

struct Diagnosis {
  std::string program;                ///< version_line()
  base::Value build;                  ///< build_info()
  base::Value machine;                ///< machine_value()
  unsigned threads = 0;               ///< of a run
  std::vector<std::string> backends;  ///< backend_schemes()
  std::vector<EnvironmentFinding> environments;
  std::string cache_folder;                   ///< "" if there is none
  std::string cache_fault;                    ///< why nothing can be kept there
  std::string model;                          ///< as --model takes it, "" if none was named
  std::vector<TierFinding> tiers;             ///< best first; none for a model that uses none
  std::optional<core::Invariance> looked_up;  ///< of a model that uses none
};

/// What a person reads, ending with a newline.
std::string diagnosis_text(const Diagnosis& diagnosis);

base::Value diagnosis_document(const Diagnosis& diagnosis);

/// Why runs would not do what is promised, with the remedy; nothing if all is well. Faults of tiers
/// that a run does not use are none.
base::Status verdict(const Diagnosis& diagnosis);

/// How the process that tries one tier tells the other one what it found, and back. An error is
/// that of the tier.
base::Value tried_value(const base::Result<core::Invariance>& tried);
base::Result<core::Invariance> read_tried(const std::string& json);

}  // namespace tare::cli
