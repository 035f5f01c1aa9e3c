#pragma once

#include "base/value.h"
#include "core/document.h"

namespace tare::test {

/// The form of the case files: a datetime is {"$datetime": text}, a tuple a list. Compared as JSON
/// text, which tells 1 from 1.0 and NaN from nothing.
base::Value plain(const base::Value& value);

/// {"columns": [...], "rows": [...]}.
base::Value plain(const core::Split& split);

}  // namespace tare::test
