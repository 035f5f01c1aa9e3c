#include "compare/rule.h"

#include <doctest/doctest.h>

#include "unit/compare/series.h"

namespace tare::compare {
namespace {

Rule rule(const std::string& text) {
  auto parsed = parse_rule(text);
  REQUIRE_MESSAGE(parsed.has_value(), parsed.error().text);
  return std::move(*parsed);
}

std::string fault(const std::string& text) {
  const auto parsed = parse_rule(text);
  REQUIRE_FALSE(parsed.has_value());
  CHECK(parsed.error().kind == base::ErrorKind::usage);
  return parsed.error().text;
}

bool holds(const std::string& text, const Comparison& comparison) {
  const auto ruling = judge(rule(text), comparison);
  REQUIRE_MESSAGE(ruling.has_value(), ruling.error().text);
  return ruling->holds;
}

TEST_CASE("a rule is read word by word") {
  const Rule plain = rule("acc drops by 0.01 at 95 %");
  CHECK(plain.metric == "acc");
  CHECK(plain.task.empty());
  CHECK(plain.move == Move::drops);
  CHECK(plain.by == 0.01);
  CHECK(plain.level == 0.95);
  const Rule full = rule("  exact_match,strict-match of gsm8k\tchanges by 0 at 99.5%  ");
  CHECK(full.metric == "exact_match,strict-match");
  CHECK(full.task == "gsm8k");
  CHECK(full.move == Move::changes);
  CHECK(full.level == doctest::Approx(0.995));
  CHECK(rule("of rises by 1e-3 at 50").metric == "of");
}

TEST_CASE("a bad rule is told with the place and an example") {
  const std::string example = "; for example 'acc drops by 0.01 at 95 %'";
  CHECK(fault("acc falls by 0.01 at 95 %") ==
        "--fail-if 'acc falls by 0.01 at 95 %': line 1, column 5: found 'falls', wanted drops, "
        "rises or changes" +
            example);
  CHECK(fault("").ends_with("column 1: found the end, wanted the name of a metric" + example));
  CHECK(fault("drops by 1 at 95").find("column 1: found 'drops', wanted the name of a metric") !=
        std::string::npos);
  CHECK(fault("acc of drops by 1 at 95").find("wanted the name of a task") != std::string::npos);
  CHECK(fault("acc drops 0.01").find("column 11: found '0.01', wanted by") != std::string::npos);
  for (const char* bad : {"-0.01", "nan", "inf", "x"})
    CHECK(fault("acc drops by " + std::string(bad) + " at 95 %").find("column 14") !=
          std::string::npos);
  for (const char* bad : {"0", "100", "95 %%", "95 % sure", "%", ""}) {
    CAPTURE(bad);
    CHECK(fault("acc drops by 0.01 at " + std::string(bad)).find("column 2") != std::string::npos);
  }
  CHECK(fault("a\nb").find('\n') == std::string::npos);
  CHECK(fault("acc \x1b[31m").find('\x1b') == std::string::npos);
}

TEST_CASE("a rule holds where the whole interval is beyond its bound") {
  // −0.0475, from −0.0903 to −0.0058
  const Comparison worse = test::comparison({test::verdicts(300, 46, 27, 27)});
  CHECK(holds("acc drops by 0 at 95 %", worse));
  CHECK(holds("acc drops by 0.0057 at 95 %", worse));
  CHECK_FALSE(holds("acc drops by 0.0058 at 95 %", worse));
  CHECK_FALSE(holds("acc drops by 0 at 99 %", worse));
  CHECK_FALSE(holds("acc rises by 0 at 95 %", worse));
  CHECK(holds("acc changes by 0.005 at 95 %", worse));
  CHECK(holds("acc,none of t drops by 0 at 95 %", worse));
  const Comparison better = test::comparison({test::verdicts(300, 27, 46, 27)});
  CHECK(holds("acc rises by 0 at 95 %", better));
  CHECK(holds("acc changes by 0 at 95 %", better));
  CHECK_FALSE(holds("acc drops by 0 at 95 %", better));
}

TEST_CASE("a rule about several tasks shares its level among them") {
  Series second = test::verdicts(300, 36, 36, 28);
  second.task = "u";
  const Comparison two = test::comparison({test::verdicts(300, 46, 27, 27), second});
  CHECK_FALSE(holds("acc drops by 0 at 95 %", two));
  CHECK(holds("acc of t drops by 0 at 95 %", two));
  const auto ruling = judge(rule("acc drops by 0 at 90 %"), two);
  REQUIRE(ruling);
  CHECK(ruling->holds);
  CHECK(ruling->looked_at == 2);
  CHECK(ruling->reasons ==
        std::vector<std::string>{"t acc: 0.8650 in A, 0.8175 in B: -0.0475 (95 % interval -0.0903 "
                                 "to -0.0058)"});
}

TEST_CASE("a rule about what is not there, or not compared, is an error") {
  const Comparison one = test::comparison({test::verdicts(3, 1, 1, 1)});
  CHECK(check_rule(rule("acc drops by 0 at 95 %"), one.sides).has_value());
  CHECK(check_rule(rule("acd of t drops by 0 at 95 %"), one.sides).error().text ==
        "--fail-if 'acd of t drops by 0 at 95 %': no run has acd of t; wanted e.g. acc of t");
  CHECK_FALSE(judge(rule("f1 drops by 0 at 95 %"), one));
  const auto text = check_rule(rule("f\x1b[2J\ndrops by 0 at 95 %"), one.sides).error().text;
  CHECK(text.starts_with("--fail-if 'f⟨U+001B⟩[2J drops by 0 at 95 %': no run has f⟨U+001B⟩[2J;"));
  Comparison second = test::comparison({test::verdicts(3, 1, 1, 1)});
  second.sides[1].run.record.tasks[0].score.estimates.emplace_back().metric = "f1";
  CHECK(check_rule(rule("f1 drops by 0 at 95 %"), second.sides).has_value());
  const base::Value label(base::List{1, 0});
  const Comparison other = test::comparison({test::series("mcc", {label}, {label})});
  CHECK(judge(rule("mcc drops by 0 at 95 %"), other).error().text.find("cannot be compared") !=
        std::string::npos);
}

TEST_CASE("a rule about something that cannot be told is an error, not a rule that does not hold") {
  const Comparison one = test::comparison({test::series("perplexity", {-0.5}, {-4.5})});
  CHECK(judge(rule("perplexity rises by 0 at 50 %"), one).error().text ==
        "--fail-if 'perplexity rises by 0 at 50 %': cannot be told of t perplexity: 1 document has "
        "no interval; wanted more documents");
  CHECK_FALSE(holds("acc drops by 0 at 95 %", test::comparison({test::verdicts(0, 1, 0, 0)})));
}

}  // namespace
}  // namespace tare::compare
