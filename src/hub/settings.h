#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

/// Repositories of a Hugging Face hub, and plain URLs, to files on this machine.
namespace tare::hub {

/// How the hub is reached. The names in capitals are the environment variables that mean the same
/// to huggingface_hub.
struct Settings {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT, without '/' at its end
  std::string token;                                ///< HF_TOKEN or the token file; empty: none
  std::filesystem::path cache;                      ///< HF_HUB_CACHE: datasets--org--name, ...
  std::filesystem::path downloads;                  ///< copies of what plain URLs give
  bool offline = false;                             ///< HF_HUB_OFFLINE: nothing is sent
  bool refresh = false;  ///< ask for the newest commit even where the cache has one
  std::string ca_file;   ///< certificates to trust instead of the system's
  std::string user_agent = "tare";

  unsigned attempts = 6;            ///< in a row without a new byte
  unsigned attempts_unreached = 2;  ///< where no server answers at all, which seldom changes
  std::chrono::milliseconds first_delay{1000};  ///< doubles with each failed attempt
  std::chrono::milliseconds longest_delay{60'000};
  std::chrono::seconds connect_time{10};
  std::chrono::seconds stall_time{30};  ///< without a byte, after which a transfer is given up
  std::uint64_t largest_file = 50'000'000'000;

  /// Told in a few words what is being waited for: a download, another process, a retry.
  std::function<void(std::string_view)> notify = [](std::string_view) {};
};

}  // namespace tare::hub
