#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "base/python.h"
#include "text/jinja/jinja.h"

namespace tare::text::jinja {
namespace {

base::Value json(std::string_view text) {
  return base::json::parse(text).value();
}

std::string error_of(std::string_view source, const base::Value& variables, Options options = {}) {
  const auto parsed = Template::parse(source, std::move(options));
  if (!parsed) return parsed.error().text;
  const auto text = parsed->render(variables);
  return text ? "rendered: " + *text : text.error().text;
}

Options bounded(std::size_t output, std::size_t memory, std::uint64_t steps) {
  Options options;
  options.max_output_bytes = output;
  options.max_memory_bytes = memory;
  options.max_steps = steps;
  return options;
}

constexpr std::size_t kPlenty = 1u << 24;

}  // namespace

TEST_CASE("an error is one line that says where in the template") {
  const base::Value variables = json(R"({"d": {"a": 1}, "l": [1]})");
  struct Case {
    const char* source;
    const char* error;
  };
  for (const Case& c : std::vector<Case>{
           {"{{ foo }}", "template line 1: 'foo' is undefined"},
           {"a\nb\n{{ d.zz }}", "template line 3: 'dict object' has no attribute 'zz'"},
           {"{{ d.a\n+\n'x' }}",
            "template line 1: unsupported operand type(s) for +: 'int' and 'str'"},
           {"{{\n  d.a ~ (\n  l[5]) }}", "template line 2: list object has no element 5"},
           {"\n{% for x in l %}\n{{ 1 / 0 }}\n{% endfor %}", "template line 3: division by zero"},
           {"{% macro m() %}\n{{ q }}\n{% endmacro %}\n{{ m() }}",
            "template line 2: 'q' is undefined"},
           {"{% if l %}\n",
            "template line 2: Unexpected end of template. Jinja was looking for the "
            "following tags: 'elif' or 'else' or 'endif'."},
           {"\n\n{{ 1 + }}", "template line 3: unexpected 'end of print statement'"},
           {"{% extends 'x' %}",
            "template line 1: the tag 'extends' is not built in: a task's "
            "templates stand alone and print plain text"},
           {"{{ l|map('upper') }}",
            "template line 1: printing a 'generator' object: in Python its text is a memory "
            "address; apply |list or |join"},
       }) {
    CAPTURE(c.source);
    CHECK(error_of(c.source, variables) == c.error);
  }
}

TEST_CASE("bounds end in an error, not in a full memory or a long wait") {
  const base::Value none{base::Dict{}};
  CHECK(error_of("{% for i in range(100) %}0123456789{% endfor %}", none,
                 bounded(500, kPlenty, kPlenty)) ==
        "template line 1: the template prints more "
        "than 500 bytes");
  CHECK(error_of("{{ 'x' * 2000 }}", none, bounded(kPlenty, 1000, kPlenty)) ==
        "template line 1: the template creates more than 1000 bytes of values");
  CHECK(error_of("{% for i in range(10 ** 15) %}{% endfor %}", none,
                 bounded(kPlenty, kPlenty, 1000)) ==
        "template line 1: the template takes more than 1000 steps; a loop may be endless or its "
        "range too large");
  CHECK(error_of("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", none) ==
        "template line 1: the template nests calls or values more than 1000 deep");
  CHECK(error_of("{{ " + std::string(10'000, '-') + "1 }}", none) ==
        "template line 1: the template nests expressions or blocks too deep");
  const std::string chain =
      "{% set n = namespace(g=[1]) %}{% for i in range(100000) %}"
      "{% set n.g = n.g|map('string') %}{% endfor %}{{ n.g|list }}";
  CHECK(error_of(chain, none) ==
        "template line 1: the template nests calls or values more than 1000 deep");
}

TEST_CASE("a template may change its lists, but never the document") {
  const base::Value document = json(R"({"l": [1, [2]], "d": {"a": 1}})");
  const std::string before = base::python::repr(document);
  const auto parsed = Template::parse(
      "{{ l.append(3) or l }}{{ l[1].append(4) or l }}{{ d.update(b=2) or d }}{{ l.pop() }}");
  REQUIRE(parsed.has_value());
  for (int round = 0; round < 2; ++round)
    CHECK(parsed->render(document).value() == "[1, [2], 3][1, [2, 4], 3]{'a': 1, 'b': 2}3");
  CHECK(base::python::repr(document) == before);
}

TEST_CASE("lists that hold each other are no leak") {
  const auto parsed = Template::parse(
      "{% set a = [] %}{% set b = [a] %}{{ a.append(b) or 'x' }}"
      "{% macro m() %}{{ a|length }}{% endmacro %}{{ a.append(m) or a[1]() }}");
  REQUIRE(parsed.has_value());
  CHECK(parsed->render(base::Value{base::Dict{}}).value() == "x2");
}

TEST_CASE("one template renders on several threads") {
  const auto parsed = Template::parse("{% for x in l %}{{ loop.index }}{{ x|upper }}{% endfor %}");
  REQUIRE(parsed.has_value());
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < texts.size(); ++i)
    threads.emplace_back([&parsed, &text = texts[i], i] {
      const base::Value document = json(R"({"l": ["a", "b", ")" + std::to_string(i) + R"("]})");
      for (int round = 0; round < 200; ++round) text = parsed->render(document).value();
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < texts.size(); ++i) CHECK(texts[i] == "1A2B3" + std::to_string(i));
}

TEST_CASE("a datetime of a document prints and compares as in Python") {
  base::Dict document;
  document.set("t", base::DateTime{1'577'934'245'000'000});
  document.set("later", base::DateTime{1'577'934'245'000'001});
  const auto parsed = Template::parse(
      "{{ t }} {{ [t] }} {{ t < later }} {{ t == later }} {{ t.year }}-{{ t.month }} "
      "{{ t.strftime('%d/%m/%y %f') }} {{ later.isoformat() }}");
  REQUIRE(parsed.has_value());
  CHECK(parsed->render(base::Value(document)).value() ==
        "2020-01-02 03:04:05 [datetime.datetime(2020, 1, 2, 3, 4, 5)] True False 2020-1 "
        "02/01/20 000000 2020-01-02T03:04:05.000001");
}

TEST_CASE("tuples and whole documents of odd shape") {
  base::Dict document;
  document.set("t", base::Value::tuple({1, "a"}));
  const auto parsed = Template::parse("{{ t }}{{ t[1] }}");
  REQUIRE(parsed.has_value());
  CHECK(parsed->render(base::Value(document)).value() == "(1, 'a')a");
  CHECK(parsed->render(base::Value("no dict")).error().text == "template line 1: 't' is undefined");
  CHECK(parsed->source() == "{{ t }}{{ t[1] }}");
}

}  // namespace tare::text::jinja
