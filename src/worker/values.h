#pragma once

#include "base/result.h"
#include "base/value.h"

namespace tare::worker {

/// `value` in a form that JSON can carry without loss (docs/design/python-functions.md, "Values").
base::Value tagged(const base::Value& value);

/// The value that a tagged one stands for. Fails on a tag whose content is of the wrong kind.
base::Result<base::Value> untagged(const base::Value& value);

}  // namespace tare::worker
