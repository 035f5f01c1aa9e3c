#include "backend/llama/child_process.h"

#include <doctest/doctest.h>

namespace tare::backend::llama {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ChildEnd shell(const std::string& script, milliseconds limit = seconds(20)) {
  return run_child("/bin/sh", {"-c", script}, limit);
}

TEST_CASE("a child's exit code, its signal and its slowness are told apart") {
  CHECK(shell("exit 0").exit_code == 0);
  CHECK(shell("exit 3").exit_code == 3);
  const ChildEnd killed = shell("kill -ILL $$");
  CHECK(killed.signal != 0);
  CHECK(signal_name(killed.signal) == "SIGILL");
  const ChildEnd slow = shell("sleep 30", milliseconds(50));
  CHECK(slow.timed_out);
}

TEST_CASE("arguments arrive as they are, and nothing is printed") {
  CHECK(run_child("/bin/sh", {"-c", "test \"$1\" = \"a b'\\\"\" && echo noise", "sh", "a b'\""},
                  seconds(20))
            .exit_code == 0);
}

TEST_CASE("a program that cannot be started is a fault with the system's reason") {
  const ChildEnd none = run_child("/no/such/program", {}, seconds(1));
  CHECK(none.fault == "No such file or directory");
}

TEST_CASE("what a child writes is kept, however much it is, and its end with it") {
  const std::string script =
      "i=0; while [ $i -lt 9000 ]; do echo 0123456789; i=$((i+1)); done; exit 3";
  const ChildOutput output = capture_child("/bin/sh", {"-c", script}, seconds(60));
  CHECK(output.text.size() == 99000);
  CHECK(output.text.ends_with("0123456789\n"));
  CHECK(fault_of(output.end, seconds(60)) == "failed with exit code 3");
  const ChildOutput slow =
      capture_child("/bin/sh", {"-c", "echo begun; exec sleep 30"}, seconds(1));
  CHECK(slow.text == "begun\n");
  CHECK(fault_of(slow.end, seconds(1)) == "did not end within 1 s");
  CHECK(fault_of(capture_child("/no/such/program", {}, seconds(1)).end, seconds(1)) ==
        "could not be started (No such file or directory)");
}

TEST_CASE("a signal without a name has none") {
  CHECK(signal_name(999).empty());
}

}  // namespace
}  // namespace tare::backend::llama
