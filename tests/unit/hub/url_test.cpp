#include "hub/url.h"

#include <doctest/doctest.h>

#include "hub/plain_url.h"

using namespace tare::hub;

TEST_CASE("quote: RFC 3986 leaves letters, digits and -._~ alone") {
  CHECK(quote("a b/ü%+~.json", "/") == "a%20b/%C3%BC%25%2B~.json");
  CHECK(quote("refs/pr/1") == "refs%2Fpr%2F1");
}

TEST_CASE("origin: scheme, host and port, so that a token stays with its server") {
  CHECK(origin_of("https://Hub.example/a") == "https://hub.example:443");
  CHECK(origin_of("https://hub.example:443/b?c") == origin_of("https://HUB.example"));
  CHECK(origin_of("http://hub.example") != origin_of("https://hub.example"));
  CHECK(origin_of("http://hub.example:8080") != origin_of("http://hub.example:8081"));
  CHECK(origin_of("https://hub.example.evil.org") != origin_of("https://hub.example"));
  CHECK(origin_of("https://hub.example@evil.org/") == "https://evil.org:443");
  CHECK(origin_of("file:///etc/passwd").empty());
  CHECK(origin_of("").empty());
}

TEST_CASE("resolve_url: relative and absolute, http and https alone") {
  CHECK(resolve_url("https://a.org/x/y?q", "/z") == "https://a.org/z");
  CHECK(resolve_url("https://a.org/x/y", "z?k=1") == "https://a.org/x/z?k=1");
  CHECK(resolve_url("https://a.org/x", "//b.org/c") == "https://b.org/c");
  CHECK(resolve_url("https://a.org/x", "http://b.org") == "http://b.org/");
  CHECK_FALSE(resolve_url("https://a.org/x", "file:///etc/passwd"));
  CHECK_FALSE(resolve_url("https://a.org/x", "gopher://b.org/"));
}

TEST_CASE("next_link: the target with rel=next among several") {
  CHECK(next_link(R"(<https://a/?cursor=2>; rel="next")") == "https://a/?cursor=2");
  CHECK(next_link(R"(<https://a/1>; rel="prev", <https://a/3>; rel="next")") == "https://a/3");
  CHECK_FALSE(next_link(R"(<https://a/1>; rel="prev")"));
  CHECK_FALSE(next_link("<https://a"));
  CHECK_FALSE(next_link(""));
}

TEST_CASE("file_name_of: what a URL ends with, and nothing that is no name") {
  CHECK(file_name_of("https://a.org/b/c.json.gz?download=true#x") == "c.json.gz");
  CHECK(file_name_of("https://a.org/") == "data");
  CHECK(file_name_of("https://a.org/x/..") == "data");
  CHECK(file_name_of("https://a.org/url.json") == "data");
}
