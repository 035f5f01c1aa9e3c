#include "hub/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/python.h"

namespace tare::hub {
namespace {

using base::Result;
using base::Status;
using base::Value;

constexpr int kListingVersion = 1;
constexpr std::size_t kSha1Digits = 40;
constexpr std::size_t kSha256Digits = 64;

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

std::string text_of(const Value& dict, std::string_view key) {
  const Value* value = dict.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

base::Failure bad(std::string_view what) {
  return base::work_failed(fmt::format("the hub's answer has {}; is HF_ENDPOINT a hub?", what));
}

Status check(const std::string& path, const ListedFile& file) {
  if (!is_inside(path)) return bad("the file name " + base::python::repr(Value(path)));
  const bool hashes = is_hex(file.git_sha1, kSha1Digits) &&
                      (file.sha256.empty() || is_hex(file.sha256, kSha256Digits));
  if (!hashes) return bad("no SHA-1 or SHA-256 for " + path);
  return {};
}

Result<std::uint64_t> size_of(const Value& dict, std::string_view key) {
  const Value* size = dict.find(key);
  if (size == nullptr || !size->is_int() || size->as_int() < 0) return bad("a file without size");
  return static_cast<std::uint64_t>(size->as_int());
}

Status add_entry(const Value& entry, Listing& listing) {
  if (text_of(entry, "type") != "file") return {};
  ListedFile file;
  file.git_sha1 = text_of(entry, "oid");
  file.xet_hash = text_of(entry, "xetHash");
  TARE_TRY(file.size, size_of(entry, "size"));
  if (const Value* lfs = entry.find("lfs"); lfs != nullptr && lfs->is_dict()) {
    file.sha256 = text_of(*lfs, "oid");
    TARE_TRY(file.size, size_of(*lfs, "size"));
    if (file.sha256.empty()) return bad("an LFS file without SHA-256");
  }
  const std::string path = text_of(entry, "path");
  TARE_CHECK(check(path, file));
  listing[path] = std::move(file);
  return {};
}

Result<ListedFile> kept_file(const std::string& path, const Value& entry) {
  ListedFile file{0, text_of(entry, "blob_id"), text_of(entry, "lfs_sha256"),
                  text_of(entry, "xet_hash")};
  TARE_TRY(file.size, size_of(entry, file.sha256.empty() ? "size" : "lfs_size"));
  TARE_CHECK(check(path, file));
  return file;
}

}  // namespace

bool is_repository_name(std::string_view name) {
  const auto good_part = [](std::string_view part) {
    return !part.empty() && part.size() <= 96 && std::ranges::all_of(part, is_name_character) &&
           part.front() != '.' && part.front() != '-' && part.back() != '.' && part.back() != '-' &&
           part.find("--") == part.npos && part.find("..") == part.npos;
  };
  const std::size_t slash = name.find('/');
  if (slash == name.npos) return good_part(name);
  return good_part(name.substr(0, slash)) && good_part(name.substr(slash + 1));
}

bool is_commit(std::string_view text) {
  return is_hex(text, kSha1Digits);
}

bool is_revision(std::string_view text) {
  return is_inside(text) &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c != '\x7f'; });
}

bool is_inside(std::string_view path) {
  if (path.find('\\') != path.npos || path.find('\0') != path.npos) return false;
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == path.npos) return true;
    path.remove_prefix(slash + 1);
  }
}

Status read_tree_page(std::string_view json, Listing& listing) {
  TARE_TRY(const Value page, base::json::parse(json));
  if (!page.is_list()) return bad("no list of files");
  for (const Value& entry : page.items()) TARE_CHECK(add_entry(entry, listing));
  return {};
}

Result<std::string> read_commit(std::string_view json) {
  TARE_TRY(const Value info, base::json::parse(json));
  std::string commit = text_of(info, "sha");
  if (!is_commit(commit)) return bad("no commit (\"sha\")");
  return commit;
}

std::string write_listing(const Listing& listing) {
  base::Dict files;
  for (const auto& [path, file] : listing) {
    base::Dict entry;
    entry.set("size", file.size);
    entry.set("blob_id", file.git_sha1);
    if (!file.sha256.empty()) {
      entry.set("lfs_sha256", file.sha256);
      entry.set("lfs_size", file.size);
    }
    if (!file.xet_hash.empty()) entry.set("xet_hash", file.xet_hash);
    files.set(path, std::move(entry));
  }
  base::Dict root;
  root.set("format_version", kListingVersion);
  root.set("files", std::move(files));
  return base::json::dump(root, {.indent = 1});
}

Result<Listing> read_listing(std::string_view json) {
  TARE_TRY(const Value root, base::json::parse(json));
  const Value* version = root.find("format_version");
  const Value* files = root.find("files");
  if (version == nullptr || *version != Value(kListingVersion) || files == nullptr ||
      !files->is_dict())
    return base::input_error("is no listing of version 1");
  Listing listing;
  for (const auto& [path, entry] : files->as_dict()) {
    if (!path.is_string()) return bad("a file without a name");
    TARE_TRY(listing[path.as_string()], kept_file(path.as_string(), entry));
  }
  return listing;
}

}  // namespace tare::hub
