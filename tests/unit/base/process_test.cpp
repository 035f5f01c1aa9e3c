#include "base/process.h"

#include <doctest/doctest.h>

namespace tare::base {
namespace {

const Process::Bounds kBounds{std::chrono::seconds(20), 1000};

std::unique_ptr<Process> shell(const std::string& script) {
  auto process = Process::start("/bin/sh", {"-c", script});
  if (!process) FAIL(process.error().text);
  return std::move(*process);
}

TEST_CASE("a program is spoken to over descriptor 3, and its input is empty") {
  const auto process = shell("read word <&3; read other; echo \"$word, then $other$?\" >&3");
  CHECK(*process->exchange("hello", kBounds) == "hello, then 1");
}

TEST_CASE("what it prints is no answer, and its end is kept as its last words") {
  const auto process =
      shell("echo first; read word <&3; echo last >&2; echo answer >&3; read word <&3");
  CHECK(*process->exchange("", kBounds) == "answer");
  CHECK_FALSE(process->exchange("", kBounds));
  CHECK(process->last_words() == "last");
}

TEST_CASE("how a program ended is told, each time it is asked again") {
  const auto process = shell("exit 9");
  CHECK(process->exchange("", kBounds).error().text == "it ended with exit code 9");
  CHECK(process->exchange("", kBounds).error().text == "it ended with exit code 9");
  CHECK(shell("kill -SEGV $$")
            ->exchange("", kBounds)
            .error()
            .text.starts_with("it was ended by signal 11"));
}

TEST_CASE("time and length of an answer are bounded, whatever is printed meanwhile") {
  const Process::Bounds soon{std::chrono::milliseconds(300), 1000};
  CHECK(shell("sleep 60")->exchange("", soon).error().text ==
        "it took longer than 0.3 s and was ended");
  CHECK(shell("while :; do echo noise; done")->exchange("", soon).error().text ==
        "it took longer than 0.3 s and was ended");
  CHECK(shell("while :; do printf 0123456789 >&3; done")->exchange("", kBounds).error().text ==
        "its answer is longer than 1000 bytes; it was ended");
}

TEST_CASE("a wish to stop ends it") {
  std::stop_source stop;
  stop.request_stop();
  const auto process = shell("sleep 60");
  const auto answer = process->exchange("", {std::chrono::seconds(20), 1000, stop.get_token()});
  CHECK(answer.error().kind == ErrorKind::interrupted);
  CHECK(process->exchange("", kBounds).error().text == "it was ended, as the user stopped the run");
}

}  // namespace
}  // namespace tare::base
