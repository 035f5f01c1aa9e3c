#include "cli/command.h"
#include "cli/tell.h"

namespace tare::cli {

ExitCode exit_code(const base::Error& error) {
  switch (error.kind) {
    case base::ErrorKind::usage:
    case base::ErrorKind::input:
      return kWrongInput;
    case base::ErrorKind::interrupted:
      return kInterrupted;
    case base::ErrorKind::failed:
      return kWorkFailed;
  }
  return kWorkFailed;
}

ExitCode report(const base::Error& error) {
  tell_error(error.text);
  return exit_code(error);
}

}  // namespace tare::cli
