#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tare::hub {

enum class Kind { dataset, model };

/// A repository of a hub.
struct RepositoryId {
  Kind kind = Kind::dataset;
  std::string name;  ///< "org/name"; old ones have no org
};

/// What a hub says of one file.
struct ListedFile {
  std::uint64_t size = 0;
  std::string git_sha1;  ///< of the git blob: the file, or the pointer to it where sha256 is given
  std::string sha256;    ///< of the file itself; empty where git holds it
  std::string xet_hash;  ///< kept for huggingface_hub, which shares the listing

  /// The name of its blob in the cache, which is the ETag that the server gives.
  [[nodiscard]] const std::string& etag() const { return sha256.empty() ? git_sha1 : sha256; }
};

/// The files of a repository at one commit, by path with '/'.
using Listing = std::map<std::string, ListedFile>;

/// "cais/mmlu" or "squad": letters, digits, "-._", at most one '/', as the hub allows.
bool is_repository_name(std::string_view name);
/// 40 hexadecimal digits.
bool is_commit(std::string_view text);
/// A branch, tag or commit that can stand in a path: no "..", no '/' at an end.
bool is_revision(std::string_view text);
/// Whether a path stays inside its folder: relative, no empty, "." or ".." part, no backslash.
bool is_inside(std::string_view path);

/// Adds the files of one page of /api/.../tree/... . The error says what the answer lacks; names
/// and hashes that could lead out of the cache are refused.
base::Status read_tree_page(std::string_view json, Listing& listing);

/// The commit ("sha") in an answer of /api/.../revision/... .
base::Result<std::string> read_commit(std::string_view json);

/// The form in which huggingface_hub keeps listings in its cache (trees/COMMIT.json, version 1).
std::string write_listing(const Listing& listing);
base::Result<Listing> read_listing(std::string_view json);

}  // namespace tare::hub
