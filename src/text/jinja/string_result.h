#pragma once

#include <string>

#include "text/jinja/builtin.h"

namespace tare::text::jinja {

/// The text of the receiver of a string method.
inline const std::string& self_text(const Call& call) {
  return call.self.str();
}

/// A text made of the receiver: safe for HTML if that is.
inline Value like_self(const Call& call, std::string text) {
  return call.heap.text(std::move(text), call.self.is_markup());
}

/// As like_self; the receiver itself when nothing has changed.
inline Value part_of_self(const Call& call, std::string_view text) {
  return text.size() == call.self.str().size() ? call.self : like_self(call, std::string(text));
}

/// An argument that becomes part of the result: escaped when the receiver is safe for HTML.
std::string inserted(const Call& call, const Value& argument);

/// text.replace(old, with, count); a negative count means all.
std::string replace_text(Call& call, std::string_view text, std::string_view old,
                         const std::string& with, std::int64_t count);

/// text.splitlines(keepends).
std::vector<std::string_view> split_lines(std::string_view text, bool keep_ends);

}  // namespace tare::text::jinja
