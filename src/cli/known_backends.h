#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/model_spec.h"

namespace tare::cli {

/// A backend as --model spells it. `tare ls backends` prints this.
struct KnownBackend {
  std::string_view scheme;
  std::string_view spelling;
  std::string_view meaning;
  std::string_view can;
  std::string_view needs;
  bool chat = false;  ///< takes endpoint=chat
};

std::span<const KnownBackend> known_backends();

/// Null if there is none of that scheme.
const KnownBackend* find_backend(std::string_view scheme);

/// Their schemes, in the order of the table.
std::vector<std::string> backend_schemes();

/// Their spellings without what may be left out: "gguf:PATH".
std::vector<std::string> short_spellings();

/// Prompts of this model are conversations that the backend renders itself (endpoint=chat).
bool takes_messages(const ModelSpec& model);

}  // namespace tare::cli
