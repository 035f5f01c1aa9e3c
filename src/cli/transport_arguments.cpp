#include "cli/transport_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <functional>
#include <map>

namespace tare::cli {
namespace {

using backend::http::Servers;
using base::Status;
using Setter = std::function<Status(Servers&, std::string_view)>;

template <class Number>
Status read_above_zero(std::string_view name, std::string_view text, Number& number) {
  Number read{};
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, read);
  if (fault != std::errc() || rest != end || !(read > 0))
    return base::usage_error(fmt::format("--model: {}={}: wanted a number above 0", name, text));
  number = read;
  return {};
}

Status read_seconds(std::string_view name, std::string_view text, std::chrono::milliseconds& time) {
  double seconds = 0;
  TARE_CHECK(read_above_zero(name, text, seconds));
  time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  return {};
}

const std::map<std::string, Setter, std::less<>>& setters() {
  static const std::map<std::string, Setter, std::less<>> all{
      {"num_concurrent",
       [](Servers& s, std::string_view v) {
         return read_above_zero("num_concurrent", v, s.limits.concurrency);
       }},
      {"max_retries",
       [](Servers& s, std::string_view v) {
         return read_above_zero("max_retries", v, s.limits.attempts);
       }},
      {"timeout",
       [](Servers& s, std::string_view v) {
         return read_seconds("timeout", v, s.limits.answer_time);
       }},
      {"patience",
       [](Servers& s, std::string_view v) -> Status {
         TARE_CHECK(read_seconds("patience", v, s.limits.patience));
         s.limits.start_patience = s.limits.patience;
         return {};
       }},
      {"ca_cert_path",
       [](Servers& s, std::string_view v) {
         s.ca_file = v;
         return Status();
       }},
  };
  return all;
}

}  // namespace

bool is_transport_name(std::string_view name) {
  return setters().contains(name);
}

std::vector<std::string> transport_names() {
  std::vector<std::string> names;
  for (const auto& [name, setter] : setters()) names.push_back(name);
  return names;
}

Status set_transport(Servers& servers, std::string_view name, std::string_view value) {
  return setters().find(name)->second(servers, value);
}

Status read_positive(std::string_view name, std::string_view text, std::size_t& number) {
  return read_above_zero(name, text, number);
}

}  // namespace tare::cli
