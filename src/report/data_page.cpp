#include "report/data_page.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <ostream>

#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
#include "report/table.h"
#include "report/ui_sources.h"

namespace tare::report {
namespace {

using base::Value;

Value readable(const Value& value);

Value readable_items(const Value& list) {
  base::List items;
  for (const Value& item : list.items()) items.push_back(readable(item));
  return items;
}

/// The same for a reader that knows JSON alone.
Value readable(const Value& value) {
  if (value.is_real() && !std::isfinite(value.as_real()))
    return std::isnan(value.as_real()) ? "NaN" : value.as_real() > 0 ? "Infinity" : "-Infinity";
  if (value.is_sequence()) return readable_items(value);
  if (!value.is_dict()) return value;
  base::Dict dict;
  for (const auto& [key, entry] : value.as_dict())
    dict.set(base::python::str(key), readable(entry));
  return dict;
}

/// A gzip member.
std::string gzipped(std::string_view bytes) {
  constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return {};
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// JSON that no HTML parser takes for markup.
std::string inert_json(const Value& value) {
  std::string text;
  for (const char c : base::json::dump(readable(value)))
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

/// What a content security policy calls this text.
std::string policy_source(std::string_view text) {
  const std::string hex = base::sha256_hex(text);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return "'sha256-" + base64(bytes) + "'";
}

void write_head(const DataPage& page, const UiSources& ui, std::ostream& out) {
  out << fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
      "style-src {}; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n",
      policy_source(ui.script), policy_source(ui.style), html_escaped(page.title), ui.style);
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= group.size() ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

std::string packed(const Value& part) {
  return base64(gzipped(base::json::dump(readable(part))));
}

void write(const DataPage& page, std::ostream& out) {
  const UiSources& ui = ui_sources();
  write_head(page, ui, out);
  out << ui.body << "<script type=\"application/json\" id=\"summary\">" << inert_json(page.summary)
      << "</script>\n<script>" << ui.script << "</script>\n";
  for (std::size_t i = 0; i < page.parts.size(); ++i)
    out << "<script type=\"text/plain\" id=\"part-" << i << "\">" << page.parts[i] << "</script>\n";
  out << "</body>\n</html>\n";
}

}  // namespace tare::report
