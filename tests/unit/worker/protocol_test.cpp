#include "worker/protocol.h"

#include <doctest/doctest.h>

namespace tare::worker {
namespace {

using base::Dict;
using base::List;
using base::Value;

TEST_CASE("a request is one line of ASCII") {
  Dict odd;
  odd.set(1, Value::tuple({2.0}));
  const List arguments{Value(odd), Value("é\n")};
  CHECK(
      call_line(4, {"utils.f", "/t", "/t/utils.py", "ab"}, core::FunctionUse::filter, arguments) ==
      R"({"id": 4, "use": "filter", "name": "utils.f", "folder": "/t", "file": "/t/utils.py", )"
      R"("sha256": "ab", "arguments": [{"$dict": [[1, {"$tuple": [2.0]}]]}, "\u00e9\n"]})");
}

TEST_CASE("an answer is read") {
  const auto reply = read_reply(
      R"({"id": 2, "value": {"a": {"$datetime": 5}, "b": [{"$tuple": []}]}, "files": {"/u.py": "ff"}})",
      2);
  REQUIRE(reply.has_value());
  CHECK(*reply->value.find("a") == Value(base::DateTime{5}));
  CHECK(reply->value.find("b")->items()[0].is_tuple());
  REQUIRE(reply->files.size() == 1);
  CHECK(reply->files[0].path == "/u.py");
  CHECK(read_reply(R"({"id": 2, "error": "x", "files": {}})", 2)->error == "x");
}

TEST_CASE("what is no answer is refused with its reason") {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"", "line 1"},
      {"[]", "it is not for request 2"},
      {R"({"id": 1, "value": 0, "files": {}})", "it is not for request 2"},
      {R"({"id": true, "value": 0, "files": {}})", "it is not for request 2"},
      {R"({"id": 2, "files": {}})", "neither a value nor an error"},
      {R"({"id": 2, "error": "", "files": {}})", "an empty error"},
      {R"({"id": 2, "value": 0})", "no list of files"},
      {R"({"id": 2, "value": 0, "files": {"a": 1}})", "a file without a hash"},
      {R"({"id": 2, "value": {"$set": []}, "files": {}})", "there is no tag $set"},
      {R"({"id": 2, "value": {"$tuple": 1}, "files": {}})", "the tag $tuple can't hold a int"},
      {R"({"id": 2, "value": {"$datetime": 1.5}, "files": {}})",
       "the tag $datetime can't hold a float"},
      {R"({"id": 2, "value": {"$dict": [[1]]}, "files": {}})", "the tag $dict can't hold a list"},
      {R"({"id": 2, "value": {"$tuple": [], "a": 1}, "files": {}})",
       "a tag stands beside other keys"}};
  for (const auto& [line, reason] : cases) {
    CAPTURE(line);
    const auto reply = read_reply(line, 2);
    REQUIRE_FALSE(reply.has_value());
    CAPTURE(reply.error().text);
    CHECK(reply.error().text.find(reason) != std::string::npos);
  }
}

}  // namespace
}  // namespace tare::worker
