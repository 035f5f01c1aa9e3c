#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "hub/http.h"
#include "hub/settings.h"

namespace tare::hub {

/// Where a body goes, over as many attempts as it takes.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// How much is there already; an attempt asks for the rest.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Forgets all of it: the server sends from the start, or refuses to go on at that place.
  virtual base::Status restart() = 0;
  virtual base::Status take(std::string_view bytes) = 0;
};

/// GETs with redirects and retries. The token is sent to the endpoint's own scheme, host and port
/// and to no other; a redirect from https to http is refused.
class Client {
 public:
  explicit Client(Settings settings);

  /// The final answer, of any status; its body is in `receiver` if that is 200 or 206. Network
  /// failures and the statuses 408, 429 and 5xx are tried again, after the time that Retry-After
  /// names. The error is of the network or of the receiver.
  base::Result<Head> get(const std::string& url, Receiver& receiver,
                         const std::map<std::string, std::string>& headers = {});

  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  Exchange follow(Request request, Receiver& receiver);

  Settings settings_;
  Http http_;
};

/// The body as text, no longer than a limit.
class TextReceiver : public Receiver {
 public:
  explicit TextReceiver(std::size_t limit) : limit_(limit) {}
  [[nodiscard]] std::uint64_t size() const override { return 0; }
  base::Status restart() override;
  base::Status take(std::string_view bytes) override;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::size_t limit_;
  std::string text_;
};

/// Seconds of a Retry-After header: a number, or a date in HTTP's form; nothing for other texts.
std::optional<std::chrono::seconds> retry_after(const std::string& header,
                                                std::chrono::system_clock::time_point now);

/// How long to wait after so many failed attempts in a row: first_delay, doubled each time, at most
/// longest_delay.
std::chrono::milliseconds backoff(const Settings& settings, unsigned failed);

/// The position of the first byte in "bytes 5-9/10".
std::optional<std::uint64_t> range_start(std::string_view content_range);

}  // namespace tare::hub
