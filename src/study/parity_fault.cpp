#include "study/parity_fault.h"

#include <algorithm>
#include <tuple>

#include "base/unicode.h"

namespace tare::study {
namespace {

using core::Token;
using text::ChatMessage;
using Founds = std::vector<Found>;
using Tokens = std::span<const Token>;

bool is_system(const ChatMessage& message) {
  return message.role == "system";
}

Where other(Where where) {
  return where == Where::left ? Where::right : Where::left;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Without any white space.
std::string bare(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!base::unicode::is_space(base::unicode::decode(text, at)))
      result += text.substr(begin, at - begin);
  }
  return result;
}

/// A prompt behind its BOS.
struct Body {
  std::optional<std::size_t> bos;  ///< tokens that were BOS, where they and it are known
  std::size_t bos_in_text = 0;
  std::optional<Tokens> tokens;
  std::string_view text;
};

std::size_t leading(Tokens tokens, Token token) {
  const auto first_other = std::ranges::find_if(tokens, [&](Token t) { return t != token; });
  return static_cast<std::size_t>(first_other - tokens.begin());
}

Body body_of(const Asked& asked) {
  Body body;
  body.text = asked.prompt.text;
  const std::string& bos = asked.side.bos_text;
  for (; !bos.empty() && body.text.starts_with(bos); ++body.bos_in_text)
    body.text.remove_prefix(bos.size());
  if (!asked.prompt.tokens) return body;
  body.tokens = *asked.prompt.tokens;
  if (!asked.side.bos) return body;
  body.bos = leading(*body.tokens, *asked.side.bos);
  body.tokens = body.tokens->subspan(*body.bos);
  return body;
}

/// `whole` is `rest` behind one more token.
bool behind_one(Tokens whole, Tokens rest) {
  return whole.size() == rest.size() + 1 && std::ranges::equal(whole.subspan(1), rest);
}

/// Where nobody says what BOS is: one token more at the front, twice the same or not.
Founds unknown_bos(const Asked& left, const Asked& right) {
  if (!left.prompt.tokens || !right.prompt.tokens) return {};
  const Tokens l = *left.prompt.tokens, r = *right.prompt.tokens;
  const auto judge = [](Tokens longer, Where where) {
    const bool twice = longer.size() > 1 && longer[0] == longer[1];
    return Founds{twice ? Found{Fault::double_bos, where}
                        : Found{Fault::missing_bos, other(where)}};
  };
  if (behind_one(l, r)) return judge(l, Where::left);
  if (behind_one(r, l)) return judge(r, Where::right);
  return {};
}

/// One side begins with BOS and the other does not.
Founds missing_bos(std::size_t left, std::size_t right) {
  if (left > 0 && right == 0) return {{Fault::missing_bos, Where::right}};
  if (right > 0 && left == 0) return {{Fault::missing_bos, Where::left}};
  return {};
}

/// A part at one end is missing on the shorter side.
template <class Range>
bool is_cut(const Range& whole, const Range& part) {
  if (part.empty() || part.size() >= whole.size()) return false;
  return std::equal(part.rbegin(), part.rend(), whole.rbegin()) ||
         std::equal(part.begin(), part.end(), whole.begin());
}

Found cut(const Asked& shorter, Where where) {
  return {shorter.prompt.truncated > 0 ? Fault::truncation : Fault::silent_truncation, where};
}

template <class Range>
Founds cuts(const Asked& left, const Range& l, const Asked& right, const Range& r) {
  if (is_cut(l, r)) return {cut(right, Where::right)};
  if (is_cut(r, l)) return {cut(left, Where::left)};
  return {};
}

Founds lost_system(const Asked& left, std::string_view l, const Asked& right, std::string_view r) {
  for (const std::string* system : {&left.side.system, &right.side.system}) {
    if (system->empty() || contains(l, *system) == contains(r, *system)) continue;
    return {{Fault::lost_system_message, contains(l, *system) ? Where::right : Where::left}};
  }
  return {};
}

Founds template_faults(const Asked& left, std::string_view l, const Asked& right,
                       std::string_view r) {
  const auto& mine = left.side.template_sha256;
  const auto& theirs = right.side.template_sha256;
  if (mine && theirs) {
    if (*mine == *theirs) return {};
    if (mine->empty()) return {{Fault::missing_chat_template, Where::left}};
    if (theirs->empty()) return {{Fault::missing_chat_template, Where::right}};
    return {{Fault::other_chat_template, Where::between}};
  }
  // A template puts text on both sides of a question.
  const auto inside = [](std::string_view whole, std::string_view part) {
    const std::size_t at = part.empty() ? std::string_view::npos : whole.find(part, 1);
    return at != std::string_view::npos && at + part.size() < whole.size();
  };
  if (inside(l, r)) return {{Fault::missing_chat_template, Where::right}};
  if (inside(r, l)) return {{Fault::missing_chat_template, Where::left}};
  return {};
}

/// Two texts that are not the same.
Founds text_faults(const Asked& left, std::string_view l, const Asked& right, std::string_view r) {
  Founds found = template_faults(left, l, right, r);
  for (const Found& one : lost_system(left, l, right, r)) found.push_back(one);
  if (!found.empty()) return found;
  if (bare(l) == bare(r)) return {{Fault::other_white_space, Where::between}};
  found = cuts(left, l, right, r);
  if (!found.empty()) return found;
  return {{Fault::other_text, Where::between}};
}

std::vector<ChatMessage> without_system(const std::vector<ChatMessage>& messages) {
  std::vector<ChatMessage> rest;
  std::ranges::remove_copy_if(messages, std::back_inserter(rest), is_system);
  return rest;
}

bool equal(const std::vector<ChatMessage>& a, const std::vector<ChatMessage>& b) {
  return std::ranges::equal(a, b, [](const ChatMessage& x, const ChatMessage& y) {
    return std::tie(x.role, x.content) == std::tie(y.role, y.content);
  });
}

std::string joined(const std::vector<ChatMessage>& messages) {
  std::string text;
  for (const ChatMessage& message : messages) text += message.role + "\n" + message.content + "\n";
  return text;
}

/// Two conversations.
Founds message_faults(const Asked& left, const Asked& right) {
  const auto& l = left.prompt.messages;
  const auto& r = right.prompt.messages;
  const bool system = std::ranges::any_of(l, is_system);
  if (system != std::ranges::any_of(r, is_system)) {
    Founds found{{Fault::lost_system_message, system ? Where::right : Where::left}};
    if (!equal(without_system(l), without_system(r)))
      found.push_back({Fault::other_text, Where::between});
    return found;
  }
  if (equal(l, r)) return {};
  if (bare(joined(l)) == bare(joined(r))) return {{Fault::other_white_space, Where::between}};
  return {{Fault::other_text, Where::between}};
}

/// A conversation of side `talks`, which a template that is not seen here will render, against a
/// text.
Founds mixed_faults(const Asked& conversation, const Asked& rendered, Where talks) {
  const Where where = other(talks);
  Founds found{{Fault::unseen_chat_template, talks}};
  bool spaced = false, changed = false;
  for (const ChatMessage& message : conversation.prompt.messages) {
    if (contains(rendered.prompt.text, base::unicode::strip(message.content))) continue;
    const bool there = contains(bare(rendered.prompt.text), bare(message.content));
    if (!there && is_system(message)) found.push_back({Fault::lost_system_message, where});
    spaced = spaced || there;
    changed = changed || (!there && !is_system(message));
  }
  if (rendered.side.template_sha256 == "") found.push_back({Fault::missing_chat_template, where});
  if (spaced) found.push_back({Fault::other_white_space, Where::between});
  if (changed) found.push_back({Fault::other_text, Where::between});
  return found;
}

/// The texts are the same; are the token ids?
Founds token_faults(const Asked& left, const Body& l, const Asked& right, const Body& r) {
  if (!l.tokens || !r.tokens) return {};
  const bool behind = l.bos && r.bos;
  const Tokens mine = behind ? *l.tokens : Tokens(*left.prompt.tokens);
  const Tokens theirs = behind ? *r.tokens : Tokens(*right.prompt.tokens);
  if (std::ranges::equal(mine, theirs)) return {};
  Founds found = cuts(left, mine, right, theirs);
  if (!found.empty()) return found;
  return {{Fault::other_tokenizer, Where::between}};
}

Founds content_faults(const Asked& left, const Body& l, const Asked& right, const Body& r) {
  const bool talks = !left.prompt.messages.empty();
  const bool talks_too = !right.prompt.messages.empty();
  if (talks && talks_too) return message_faults(left, right);
  if (talks) return mixed_faults(left, right, Where::left);
  if (talks_too) return mixed_faults(right, left, Where::right);
  if (l.text != r.text) return text_faults(left, l.text, right, r.text);
  return token_faults(left, l, right, r);
}

}  // namespace

std::vector<Fault> faults_of(const Asked& asked) {
  std::vector<Fault> faults;
  const Body body = body_of(asked);
  if (body.bos.value_or(body.bos_in_text) > 1) faults.push_back(Fault::double_bos);
  const Prompt& prompt = asked.prompt;
  if (prompt.read && prompt.tokens && *prompt.read < prompt.tokens->size())
    faults.push_back(prompt.truncated > 0 ? Fault::truncation : Fault::silent_truncation);
  return faults;
}

Founds differences(const Asked& left, const Asked& right) {
  const Body l = body_of(left);
  const Body r = body_of(right);
  Founds found;
  if (l.bos && r.bos) {
    found = missing_bos(*l.bos, *r.bos);
  } else if (!l.tokens && !r.tokens) {
    // A backend that adds BOS itself does so on top of what the text has.
    found = missing_bos(l.bos_in_text, r.bos_in_text);
  } else if (found = unknown_bos(left, right); !found.empty()) {
    return found;
  }
  for (const Found& one : content_faults(left, l, right, r)) found.push_back(one);
  return found;
}

bool mixed(const Asked& left, const Asked& right) {
  return left.prompt.messages.empty() != right.prompt.messages.empty();
}

bool same(const Asked& left, const Asked& right) {
  if (mixed(left, right)) return false;
  const Prompt& l = left.prompt;
  const Prompt& r = right.prompt;
  if (l.tokens && r.tokens) return *l.tokens == *r.tokens;
  return l.messages.empty() ? l.text == r.text : equal(l.messages, r.messages);
}

}  // namespace tare::study
