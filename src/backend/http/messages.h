#pragma once

#include <span>

#include "base/value.h"
#include "core/request.h"

namespace tare::backend::http {

/// The conversation that a prompt of bytes stands for: its JSON list of messages, or the whole text
/// as what a user says.
base::Value messages_of(std::span<const core::Token> prompt);

}  // namespace tare::backend::http
