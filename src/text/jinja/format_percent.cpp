#include <fmt/format.h>

#include <cmath>

#include "base/python.h"
#include "base/unicode.h"
#include "text/jinja/escape.h"
#include "text/jinja/format.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"
#include "text/jinja/strings.h"

namespace tare::text::jinja {
namespace {

/// One conversion: %(key)#0- +*.*d
struct Conversion {
  bool left = false, zero = false, alternate = false;
  char sign = '-';
  std::int64_t width = 0;
  std::int64_t precision = -1;
  char type = '\0';
};

class PercentFormatter {
 public:
  PercentFormatter(Heap& heap, const Value& text, const Value& argument)
      : heap_(heap), text_(text.str()), markup_(text.is_markup()), argument_(argument) {
    if (const auto* tuple = as<Tuple>(argument)) tuple_ = &tuple->items;
  }

  std::string run() {
    std::string out;
    while (pos_ < text_.size()) {
      const std::size_t percent = text_.find('%', pos_);
      out += text_.substr(pos_, percent - pos_);
      if (percent == std::string_view::npos) break;
      pos_ = percent + 1;
      out += conversion();
      heap_.step();
    }
    require_all_used();
    heap_.charge(out.size());
    return out;
  }

 private:
  /// Values without items must be printed; lists and the like may go unused, as CPython allows.
  void require_all_used() const {
    const bool has_items = as<List>(argument_) != nullptr || as<Dict>(argument_) != nullptr ||
                           as<Range>(argument_) != nullptr || as<Undefined>(argument_) != nullptr;
    const std::size_t count = tuple_ != nullptr ? tuple_->size() : 1;
    if (!has_items && next_ < count)
      type_error("not all arguments converted during string formatting");
  }

  [[nodiscard]] char peek() const {
    if (pos_ >= text_.size()) value_error("incomplete format");
    return text_[pos_];
  }

  std::string conversion() {
    key_ = {};
    if (peek() == '(') read_key();
    Conversion c;
    while (flag(c)) ++pos_;
    c.width = size(c, true);
    if (peek() == '.') {
      ++pos_;
      c.precision = std::max<std::int64_t>(size(c, false), 0);
    }
    while (std::string_view("hlL").find(peek()) != std::string_view::npos) ++pos_;
    c.type = peek();
    ++pos_;
    if (c.type == '%') return "%";
    return formatted(next_value(), c);
  }

  void read_key() {
    const auto* dict = as<Dict>(argument_);
    if (dict == nullptr) type_error("format requires a mapping");
    int open = 0;
    const std::size_t start = pos_ + 1;
    do {
      if (peek() == '(') ++open;
      if (peek() == ')') --open;
      ++pos_;
    } while (open > 0);
    key_ = heap_.text(std::string(text_.substr(start, pos_ - start - 1)));
  }

  bool flag(Conversion& c) const {
    switch (peek()) {
      case '-':
        return c.left = true;
      case '0':
        return c.zero = true;
      case '#':
        return c.alternate = true;
      case '+':
        c.sign = '+';
        return true;
      case ' ':
        if (c.sign != '+') c.sign = ' ';
        return true;
      default:
        return false;
    }
  }

  /// A width or precision: digits, or * for the next argument.
  std::int64_t size(Conversion& c, bool is_width) {
    if (peek() == '*') {
      ++pos_;
      const Value value = next_value();
      if (!value.is_integral()) type_error("* wants int");
      std::int64_t number = value.as_int();
      if (is_width && number < 0) {
        c.left = true;
        number = number < -1'000'000'000 ? 1'000'000'000 : -number;
      }
      return checked_size(heap_, std::max<std::int64_t>(number, 0));
    }
    std::int64_t number = 0;
    while (peek() >= '0' && peek() <= '9' && number < 10'000'000)
      number = number * 10 + (text_[pos_++] - '0');
    return checked_size(heap_, number);
  }

  Value next_value() {
    if (!key_.is_missing()) {
      next_ = 1;
      const Value* found = as<Dict>(argument_)->find(heap_, key_);
      if (found == nullptr) fail(FailureKind::key, repr(heap_, key_));
      return *found;
    }
    if (next_ >= (tuple_ != nullptr ? tuple_->size() : 1))
      type_error("not enough arguments for format string");
    return tuple_ != nullptr ? (*tuple_)[next_++] : (++next_, argument_);
  }

  std::string formatted(const Value& value, const Conversion& c) {
    if (std::string_view("sra").find(c.type) != std::string_view::npos)
      return text_conversion(value, c);
    if (c.type == 'c') return padded(character(value), c);
    if (std::string_view("diuoxX").find(c.type) != std::string_view::npos)
      return integer_conversion(value, c);
    if (std::string_view("eEfFgG").find(c.type) != std::string_view::npos)
      return real_conversion(value, c);
    value_error(fmt::format("unsupported format character '{}' (0x{:x}) at index {}", c.type,
                            static_cast<unsigned char>(c.type),
                            base::unicode::length(text_.substr(0, pos_ - 1))));
  }

  std::string padded(std::string_view text, const Conversion& c) {
    return pad_text(heap_, text,
                    {.align = c.left ? '<' : '>', .width = static_cast<std::size_t>(c.width)});
  }

  std::string numeric(std::string_view lead, std::string_view digits, const Conversion& c) {
    const bool zeros = c.zero && !c.left;
    return pad_number(heap_, lead, digits,
                      {.fill = zeros ? "0" : " ",
                       .align = c.left  ? '<'
                                : zeros ? '='
                                        : '>',
                       .width = static_cast<std::size_t>(c.width)});
  }

  std::string text_conversion(const Value& value, const Conversion& c) {
    std::string text = c.type == 's'   ? str(heap_, value)
                       : c.type == 'r' ? repr(heap_, value)
                                       : ascii_repr(heap_, value);
    if (markup_ && !value.is_markup()) text = escape_html(text);
    if (c.precision >= 0) text.resize(byte_offset(text, static_cast<std::size_t>(c.precision)));
    return padded(text, c);
  }

  static std::string character(const Value& value) {
    if (value.is_string() && base::unicode::length(value.str()) == 1) return value.str();
    if (!value.is_integral()) type_error("%c requires int or char");
    if (value.as_int() < 0 || value.as_int() > 0x10FFFF)
      fail(FailureKind::overflow, "%c arg not in range(0x110000)");
    std::string text;
    base::unicode::append(text, static_cast<char32_t>(value.as_int()));
    return text;
  }

  static std::int64_t whole(const Value& value, char type) {
    require_defined(value);
    const bool only_integers = type == 'x' || type == 'X' || type == 'o';
    if (value.is_integral()) return value.as_int();
    if (!value.is_real() || only_integers)
      type_error(fmt::format("%{} format: {} is required, not {}", type,
                             only_integers ? "an integer" : "a real number", type_name(value)));
    if (std::isnan(value.as_real())) value_error("cannot convert float NaN to integer");
    if (!(std::fabs(value.as_real()) < 0x1p63))
      fail(FailureKind::overflow, "the number is an integer outside 64 bits");
    return static_cast<std::int64_t>(value.as_real());
  }

  std::string integer_conversion(const Value& value, const Conversion& c) {
    const std::int64_t number = whole(value, c.type);
    std::string digits = integer_digits(number, c.type);
    if (static_cast<std::int64_t>(digits.size()) < c.precision)
      digits.insert(0, static_cast<std::size_t>(c.precision) - digits.size(), '0');
    std::string lead = sign_text(number < 0, c.sign);
    if (c.alternate) lead += integer_prefix(c.type);
    return numeric(lead, digits, c);
  }

  std::string real_conversion(const Value& value, const Conversion& c) {
    require_defined(value);
    if (!value.is_number())
      type_error(fmt::format("must be real number, not {}", type_name(value)));
    const double number = value.as_real();
    const std::string text = format_real(
        number,
        {.type = c.type, .precision = static_cast<int>(c.precision), .alternate = c.alternate});
    return numeric(sign_text(std::signbit(number) && !std::isnan(number), c.sign), text, c);
  }

  Heap& heap_;
  std::string_view text_;
  bool markup_;
  const Value& argument_;
  const std::vector<Value>* tuple_ = nullptr;
  std::size_t pos_ = 0;
  std::size_t next_ = 0;
  Value key_;  ///< of the current conversion; missing: it takes the next argument
};

}  // namespace

Value format_percent(Heap& heap, const Value& text, const Value& argument) {
  return heap.text(PercentFormatter(heap, text, argument).run(), text.is_markup());
}

}  // namespace tare::text::jinja
