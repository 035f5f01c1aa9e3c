#include "compare/words.h"

#include <doctest/doctest.h>

#include "compare/document.h"
#include "report/fitted_tables.h"
#include "unit/compare/series.h"

namespace tare::compare {
namespace {

std::string sentence(Series series) {
  const Comparison one = test::comparison({std::move(series)});
  return sentence_of(one.pairs[0].metrics[0], one, one.pairs[0]);
}

TEST_CASE("a difference is told with its interval, its direction and its p") {
  CHECK(sentence(test::verdicts(300, 46, 27, 27)) ==
        "t acc: B is worse than A by 4.7 points (95 % interval: 9.0 points worse to 0.58 points "
        "worse): more than chance explains (p = 0.034 after Holm over 1 test). Right to wrong: "
        "46, wrong to right: 27.");
  CHECK(sentence(test::verdicts(300, 46, 0, 54)).find("(p < 0.0001 after Holm") !=
        std::string::npos);
  Series errors =
      test::series("err", {1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}, {1.0, 2.0, 2.9, 4.0, 5.0, 6.0, 7.0});
  errors.higher_is_better = false;
  CHECK(
      sentence(errors).starts_with("t err: B is better than A by 0.5143 (95 % interval: 0.4793 "
                                   "better to 0.5492 better): more than chance"));
}

TEST_CASE("no difference is told with what could have been missed") {
  CHECK(sentence(test::verdicts(200, 20, 25, 155)) ==
        "t acc: no difference that 400 documents can tell from chance (p = 0.551 after Holm over 1 "
        "test): B may be 2.1 points worse to 4.7 points better. Right to wrong: 20, "
        "wrong to right: 25. A difference below 4.8 points "
        "would be missed more often than one time in five.");
}

TEST_CASE("of so few verdicts that none is found, that is told") {
  CHECK(sentence(test::verdicts(2, 1, 0, 2))
            .ends_with(" In 5 documents not even a difference of 100 points would be found."));
}

TEST_CASE("the least difference that is found is told for all tests together") {
  const Comparison two =
      test::comparison({test::verdicts(40, 5, 6, 9), test::verdicts(60, 0, 0, 0)});
  const std::string text = screen(two, {}, 0);
  // 0.1643439 at 0.05/2, by scipy as in tests/unit/stats/intervals_test.cpp
  CHECK(text.find("  16.4 points\n") != std::string::npos);
  CHECK(text.find("would find, at p < 0.025, Holm's first step of 2 tests; none: not even 100 "
                  "points.") != std::string::npos);
  CHECK(screen(test::comparison({test::verdicts(2, 1, 0, 2)}), {}, 0).find("  none\n") !=
        std::string::npos);
}

TEST_CASE("agreement a little below chance is no minus nothing") {
  const Comparison one = test::comparison({test::verdicts(250, 251, 250, 250)});
  CHECK(one.pairs[0].metrics[0].kappa.value() < 0);
  CHECK(screen(one, {}, 0).find("-0.00 ") == std::string::npos);
}

TEST_CASE("the table fits from 40 columns on, and its numbers stay whole") {
  Series one = test::verdicts(300, 46, 27, 27), other = one;
  one.task = "mmlu_flan_cot_zeroshot_professional_psychology";
  other.task = "mmlu_flan_cot_zeroshot_professional_medicine";
  const Comparison comparison = test::comparison({one, other});
  for (const std::size_t width : {40U, 60U, 80U, 120U}) {
    CAPTURE(width);
    const std::string text = screen(comparison, {}, width);
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', begin)) {
      CHECK_MESSAGE(report::display_width(text.substr(begin, end - begin)) <= width,
                    text.substr(begin, end - begin));
      begin = end + 1;
    }
    CHECK(text.find(" -0.0475") != std::string::npos);
    CHECK(text.find("psychology ") != std::string::npos);
    CHECK(text.find("medicine ") != std::string::npos);
  }
}

TEST_CASE("wrong answers that became other wrong ones are told too") {
  Series series = test::verdicts(20, 4, 2, 3);
  for (std::size_t i = 24; i < series.pairs.size(); ++i) series.pairs[i].other_answer = true;
  CHECK(sentence(series).find("Right to wrong: 4, wrong to right: 2, wrong to other wrong: 3.") !=
        std::string::npos);
}

TEST_CASE("equal runs are told as such, and one document as too little") {
  CHECK(sentence(test::verdicts(2, 0, 0, 1))
            .starts_with("t acc: A and B score the same on each of 3 documents."));
  CHECK(sentence(test::series("f1", {0.25}, {0.5})) == "t f1: 1 document is too little to tell.");
}

TEST_CASE("numbers are written by their size") {
  CHECK(p_text(0.00001) == "< 0.0001");
  CHECK(p_text(0.00042) == "0.0004");
  CHECK(p_text(1) == "1.000");
  CHECK(percent_text(0.95) == "95 %");
  CHECK(percent_text(0.975) == "97.5 %");
}

TEST_CASE("a screen of many metrics tells what differs and counts the others") {
  std::vector<Series> many(14, test::verdicts(10, 1, 1, 8));
  many[3] = test::verdicts(500, 200, 10, 90);
  const Comparison comparison = test::comparison(std::move(many));
  const std::string text = screen(comparison, {}, 80);
  CHECK(text.find("13 others: no difference that can be told from chance.") != std::string::npos);
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    CHECK(end - begin < 110);  // bytes; no letter here takes more than three
    begin = end + 1;
  }
}

TEST_CASE("what a run's files say cannot act on the terminal or the document's form") {
  Series hostile = test::verdicts(3, 1, 1, 1);
  hostile.task = "a\x1b[2J|b";
  const Comparison comparison = test::comparison({hostile});
  CHECK(screen(comparison, {}, 0).find('\x1b') == std::string::npos);
  CHECK(markdown(comparison).find("\\|b") != std::string::npos);
  hostile.task = "<script>\n\x1b[1m[a](b)<img src=x>";
  const Comparison worse = test::comparison({hostile});
  const std::string text = markdown(worse);
  CHECK(text.find("<script>") == std::string::npos);
  CHECK(text.find("<img") == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("- &lt;script> \uFFFD\\[1m\\[a](b)&lt;img src=x> acc: ") != std::string::npos);
}

}  // namespace
}  // namespace tare::compare
