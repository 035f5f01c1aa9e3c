#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tare::test {

/// Little-endian GGUF files, field by field.
class GgufWriter {
 public:
  template <class Integer>
  GgufWriter& put(Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    return *this;
  }
  GgufWriter& put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  GgufWriter& header(std::uint32_t version, std::uint64_t tensors, std::uint64_t entries) {
    bytes_ += "GGUF";
    return put(version).put(tensors).put(entries);
  }
  GgufWriter& text_entry(const std::string& key, const std::string& text) {
    return put(key).put(std::uint32_t{8}).put(text);
  }
  GgufWriter& u16_entry(const std::string& key, std::uint16_t value) {
    return put(key).put(std::uint32_t{2}).put(value);
  }
  GgufWriter& u32_entry(const std::string& key, std::uint32_t value) {
    return put(key).put(std::uint32_t{4}).put(value);
  }
  GgufWriter& texts_entry(const std::string& key, const std::vector<std::string>& texts) {
    put(key).put(std::uint32_t{9}).put(std::uint32_t{8}).put(std::uint64_t{texts.size()});
    for (const std::string& text : texts) put(text);
    return *this;
  }
  GgufWriter& f32_entry(const std::string& key, float value) {
    return put(key).put(std::uint32_t{6}).put(std::bit_cast<std::uint32_t>(value));
  }
  GgufWriter& floats_entry(const std::string& key, std::span<const float> values) {
    put(key).put(std::uint32_t{9}).put(std::uint32_t{6}).put(std::uint64_t{values.size()});
    for (const float value : values) put(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  GgufWriter& i32s_entry(const std::string& key, std::span<const std::int32_t> values) {
    put(key).put(std::uint32_t{9}).put(std::uint32_t{5}).put(std::uint64_t{values.size()});
    for (const std::int32_t value : values) put(value);
    return *this;
  }
  /// A float32 matrix; `row` numbers lie side by side.
  GgufWriter& matrix(const std::string& name, std::uint64_t row, std::uint64_t rows,
                     std::uint64_t offset) {
    return put(name).put(std::uint32_t{2}).put(row).put(rows).put(std::uint32_t{0}).put(offset);
  }
  /// A float32 vector.
  GgufWriter& tensor(const std::string& name, std::uint64_t size, std::uint64_t offset) {
    return put(name).put(std::uint32_t{1}).put(size).put(std::uint32_t{0}).put(offset);
  }
  GgufWriter& data(std::size_t size) {
    bytes_.resize((bytes_.size() + 31) / 32 * 32 + size);
    return *this;
  }
  GgufWriter& data(std::span<const float> values) {
    data(0);
    for (const float value : values) put(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace tare::test
