#include "report/data_page.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <array>
#include <limits>
#include <sstream>

#include "base/hash.h"

namespace tare {
namespace {

std::string unpacked(const std::string& packed) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int known = 0;
  for (const char c : packed) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(kDigits.find(c));
    known += 6;
    if (known < 8) continue;
    known -= 8;
    bytes += static_cast<char>(bits >> known & 0xFFU);
  }
  std::string text(1 << 20, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

std::string page(const base::Value& summary, std::vector<std::string> parts) {
  std::ostringstream out;
  report::write({"</title><b>", summary, std::move(parts)}, out);
  return out.str();
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("base64 as the examples of RFC 4648") {
  constexpr std::array<std::pair<const char*, const char*>, 7> kExamples{{{"", ""},
                                                                          {"f", "Zg=="},
                                                                          {"fo", "Zm8="},
                                                                          {"foo", "Zm9v"},
                                                                          {"foob", "Zm9vYg=="},
                                                                          {"fooba", "Zm9vYmE="},
                                                                          {"foobar", "Zm9vYmFy"}}};
  for (const auto& [bytes, text] : kExamples) CHECK(report::base64(bytes) == text);
  CHECK(report::base64("\xff\xfe\x00") == "//4=");
}

TEST_CASE("a part is JSON that every reader knows") {
  base::Dict part;
  part.set("text", "ä</script>\u2028");
  part.set("none", std::numeric_limits<double>::quiet_NaN());
  part.set("list", base::List{-std::numeric_limits<double>::infinity(), 1.5});
  CHECK(unpacked(report::packed(part)) ==
        "{\"text\": \"ä</script>\u2028\", \"none\": \"NaN\", \"list\": [\"-Infinity\", 1.5]}");
}

TEST_CASE("no text of the data ends its element or begins another one") {
  base::Dict summary;
  summary.set("text", "</script><script>alert(1)</script><!--");
  const std::string plain = page(base::Dict(), {});
  const std::string html = page(summary, {"AAAA"});
  CHECK(count(html, "<script") == count(plain, "<script") + 1);
  CHECK(count(html, "</script") == count(plain, "</script") + 1);
  CHECK(count(html, "<!--") == count(plain, "<!--"));
  CHECK(html.find("<title>&lt;/title&gt;&lt;b&gt;</title>") != std::string::npos);
  CHECK(html.find("id=\"part-0\">AAAA</script>") != std::string::npos);
}

TEST_CASE("the policy allows what the page holds, and no request") {
  const std::string html = page(base::Dict(), {});
  CHECK(html.find("default-src 'none'") != std::string::npos);
  CHECK(html.find("http") == html.find("http-equiv"));
  CHECK(count(html, "'sha256-") == 2);
}

}  // namespace tare
