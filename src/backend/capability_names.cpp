#include "backend/capability_names.h"

#include <array>

namespace tare::backend {

std::span<const CapabilityName> capability_names() {
  static constexpr std::array kNames{
      CapabilityName{"loglikelihood", &Capabilities::loglikelihood},
      CapabilityName{"generation", &Capabilities::generation},
      CapabilityName{"sampling", &Capabilities::sampling},
      CapabilityName{"greedy_flag", &Capabilities::greedy_flag},
      CapabilityName{"token_ids", &Capabilities::token_ids},
      CapabilityName{"chat_messages", &Capabilities::chat_messages},
      CapabilityName{"own_defaults", &Capabilities::own_defaults},
      CapabilityName{"repeatable_defaults", &Capabilities::repeatable_defaults},
      CapabilityName{"any_length", &Capabilities::any_length},
  };
  return kNames;
}

}  // namespace tare::backend
