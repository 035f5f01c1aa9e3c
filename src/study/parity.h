#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/request.h"
#include "text/chat.h"

/// Questions over several runs or models.
namespace tare::study {

/// A request as one side asks it.
struct Prompt {
  std::string key;   ///< which request it is: equal keys are compared
  std::string text;  ///< context and continuation as rendered; of a conversation anything
  /// Where the backend renders the conversation itself; else empty.
  std::vector<text::ChatMessage> messages;
  std::optional<std::vector<core::Token>> tokens;  ///< none: not known
  std::size_t truncated = 0;        ///< tokens that were cut off, as the side itself says
  std::optional<std::size_t> read;  ///< tokens that the backend says it read; none: it does not say
};

struct Side {
  std::string name;
  std::vector<Prompt> prompts;
  std::optional<core::Token> bos;
  std::string bos_text;  ///< "" if not known
  /// Of the chat template; "" for prompts in plain text; none: not known.
  std::optional<std::string> template_sha256;
  std::string system;  ///< a system message that each prompt is to hold; "" for none
  /// The text of tokens, to show them. May be empty.
  std::function<std::string(std::span<const core::Token>)> decode;
};

/// What makes two sides' prompts differ, or one side's wrong.
enum class Fault {
  double_bos,
  missing_bos,
  lost_system_message,
  missing_chat_template,
  other_chat_template,
  unseen_chat_template,  ///< the backend renders a conversation by a template that is not shown
  silent_truncation,
  truncation,  ///< cut off, and said so
  other_white_space,
  other_tokenizer,
  other_text,
};

/// "double BOS", "missing BOS", "lost system message", ...
std::string_view fault_name(Fault fault);

struct Finding {
  Fault fault = Fault::other_text;
  std::string side;         ///< the name of the side that has it; "" where they only differ
  std::size_t prompts = 0;  ///< that have it
  std::string key;          ///< of the first of them
};

/// Where the first unequal prompts part.
struct Difference {
  std::string key;
  bool in_tokens = false;    ///< else in characters
  std::size_t position = 0;  ///< from 0
  std::string left, right;   ///< what stands around it on both sides
};

struct ParityReport {
  std::size_t compared = 0;
  std::size_t by_tokens = 0;    ///< of these, by token ids; the others by their text
  std::size_t by_messages = 0;  ///< of these, message by message, before either side renders them
  std::size_t equal = 0;
  /// A conversation against a text where nothing tells them apart, and nothing makes them the same.
  std::size_t incomparable = 0;
  std::size_t left_only = 0, right_only = 0;  ///< prompts that the other side does not have
  std::vector<Finding> findings;              ///< in the order of Fault, then left before right
  std::optional<Difference> first;
};

/// Compares what two sides ask, prompt by prompt: token ids where both are known, else texts or
/// messages. A conversation is never equal to a text.
ParityReport compare_prompts(const Side& left, const Side& right);

}  // namespace tare::study
