#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "backend/llama/importance.h"

namespace tare::backend::llama {
namespace {

using base::input_error;
using base::Result;

/// Little-endian numbers and texts, one after the other.
class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }

  Result<std::int32_t> integer() {
    TARE_TRY(const std::string_view bytes, take(sizeof(std::int32_t)));
    return std::bit_cast<std::int32_t>(word(bytes));
  }

  Result<std::string> text() {
    TARE_TRY(const std::int32_t size, length());
    TARE_TRY(const std::string_view bytes, take(static_cast<std::size_t>(size)));
    return std::string(bytes.substr(0, bytes.find('\0')));
  }

  Result<std::vector<float>> reals() {
    TARE_TRY(const std::int32_t count, length());
    TARE_TRY(std::string_view bytes, take(static_cast<std::size_t>(count) * sizeof(float)));
    std::vector<float> values;
    for (; !bytes.empty(); bytes.remove_prefix(sizeof(float)))
      values.push_back(std::bit_cast<float>(word(bytes)));
    return values;
  }

 private:
  Result<std::int32_t> length() {
    TARE_TRY(const std::int32_t size, integer());
    if (size < 1) return input_error(fmt::format("a length of {}, wanted 1 or more", size));
    return size;
  }

  Result<std::string_view> take(std::size_t size) {
    if (size > rest_.size())
      return input_error(fmt::format("ends {} bytes too early", size - rest_.size()));
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  static std::uint32_t word(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
  }

  std::string_view rest_;
};

base::Status read_tensor(Bytes& bytes, ImportanceMatrix& matrix) {
  TARE_TRY(std::string name, bytes.text());
  TARE_TRY(const std::int32_t calls, bytes.integer());
  TARE_TRY(std::vector<float> values, bytes.reals());
  if (calls > 0)
    for (float& value : values) value /= static_cast<float>(calls);
  matrix.columns.insert_or_assign(std::move(name), std::move(values));
  return {};
}

}  // namespace

Result<ImportanceMatrix> parse_old_importance(std::string_view text) {
  Bytes bytes(text);
  ImportanceMatrix matrix;
  TARE_TRY(const std::int32_t count, bytes.integer());
  if (count < 1) return input_error(fmt::format("says that it has {} tensors", count));
  for (std::int32_t i = 0; i < count; ++i)
    if (const auto status = read_tensor(bytes, matrix); !status)
      return base::in_context(fmt::format("tensor {} of {}", i + 1, count), status.error());
  // Files of the first years end here, or after the number of pieces.
  if (const auto chunks = bytes.integer()) matrix.chunks = *chunks;
  if (const auto dataset = bytes.text()) matrix.dataset = *dataset;
  return matrix;
}

}  // namespace tare::backend::llama
