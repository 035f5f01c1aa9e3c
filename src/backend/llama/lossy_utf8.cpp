#include "backend/llama/lossy_utf8.h"

#include <cstddef>

namespace tare::backend::llama {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What a first byte asks for: how many bytes, and the range of the second one.
struct Lead {
  std::size_t length = 0;  ///< 0: no character begins so
  unsigned char low = 0x80, high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {.length = 1};
  if (byte < 0xC2 || byte > 0xF4) return {};
  if (byte < 0xE0) return {.length = 2};
  if (byte == 0xE0) return {.length = 3, .low = 0xA0};
  if (byte == 0xED) return {.length = 3, .high = 0x9F};  // surrogates
  if (byte < 0xF0) return {.length = 3};
  if (byte == 0xF0) return {.length = 4, .low = 0x90};
  if (byte == 0xF4) return {.length = 4, .high = 0x8F};
  return {.length = 4};
}

/// The bytes at the begin of `bytes` that fit the character which the first one announces.
std::size_t fitting(std::string_view bytes, Lead lead) {
  std::size_t count = 1;
  for (; count < lead.length && count < bytes.size(); ++count) {
    const auto byte = static_cast<unsigned char>(bytes[count]);
    if (byte < lead.low || byte > lead.high) break;
    lead.low = 0x80;
    lead.high = 0xBF;
  }
  return count;
}

}  // namespace

std::string lossy_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Lead lead = lead_of(static_cast<unsigned char>(bytes[0]));
    const std::size_t count = fitting(bytes, lead);
    text += count == lead.length ? bytes.substr(0, count) : kReplacement;
    bytes.remove_prefix(count);
  }
  return text;
}

}  // namespace tare::backend::llama
