#pragma once

#include <vector>

#include "study/parity.h"

namespace tare::study {

/// Who has a fault.
enum class Where { left, right, between };

struct Found {
  Fault fault = Fault::other_text;
  Where where = Where::between;
};

/// A prompt and the side that it is of.
struct Asked {
  const Side& side;
  const Prompt& prompt;
};

/// What is wrong with a prompt whatever the other side has: a BOS too many, tokens that were not
/// read.
std::vector<Fault> faults_of(const Asked& asked);

/// Why two prompts are not the same; empty if they are. Fault::unseen_chat_template alone: it
/// cannot be told.
std::vector<Found> differences(const Asked& left, const Asked& right);

/// One is a conversation that its backend renders, the other a text.
bool mixed(const Asked& left, const Asked& right);

/// The same token ids where both are known, else the same text or messages; never where mixed().
bool same(const Asked& left, const Asked& right);

}  // namespace tare::study
