#include "hub/http.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/unicode.h"

namespace tare::hub {
namespace {

/// What the callbacks of one transfer share.
struct Transfer {
  const Sink& sink;
  Head head;
  base::Status taken;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::size_t take_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto& head = static_cast<Transfer*>(user)->head;
  const std::string_view line(data, size * count);
  if (line.starts_with("HTTP/")) head.headers.clear();  // an interim answer came before this one
  if (const std::size_t colon = line.find(':'); colon != std::string_view::npos)
    head.headers[base::unicode::lower(trimmed(line.substr(0, colon)))] =
        trimmed(line.substr(colon + 1));
  return size * count;
}

struct Handles {
  CURL* easy;
  Transfer transfer;
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& [easy, transfer] = *static_cast<Handles*>(user);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &transfer.head.status);
  if (transfer.head.status != 200 && transfer.head.status != 206) return size * count;
  transfer.taken = transfer.sink(transfer.head, std::string_view(data, size * count));
  return transfer.taken ? size * count : CURL_WRITEFUNC_ERROR;
}

Exchange::End end_of(CURLcode code) {
  constexpr std::array kUnreached = {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
                                     CURLE_COULDNT_CONNECT};
  constexpr std::array kTransient = {
      CURLE_OPERATION_TIMEDOUT, CURLE_PARTIAL_FILE,      CURLE_GOT_NOTHING,
      CURLE_SEND_ERROR,         CURLE_RECV_ERROR,        CURLE_HTTP2,
      CURLE_HTTP2_STREAM,       CURLE_SSL_CONNECT_ERROR, CURLE_AGAIN};
  if (std::ranges::find(kUnreached, code) != kUnreached.end()) return Exchange::End::unreached;
  if (std::ranges::find(kTransient, code) != kTransient.end()) return Exchange::End::transient;
  return Exchange::End::fatal;
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

HeaderList header_list(const Request& request) {
  HeaderList list;
  const auto add = [&](const std::string& line) {
    list.reset(curl_slist_append(list.release(), line.c_str()));
  };
  // A compressed answer has no byte positions of the file that it stands for.
  add("Accept-Encoding: identity");
  for (const auto& [name, value] : request.headers) add(name + ": " + value);
  if (request.offset > 0) add(fmt::format("Range: bytes={}-", request.offset));
  return list;
}

}  // namespace

struct Http::State {
  struct Free {
    void operator()(CURL* done) const { curl_easy_cleanup(done); }
  };
  std::unique_ptr<CURL, Free> easy{curl_easy_init()};
};

std::string Head::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

Http::Http(const Settings& settings) : state_(std::make_unique<State>()) {
  CURL* easy = state_->easy.get();
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, settings.user_agent.c_str());
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, static_cast<long>(settings.connect_time.count()));
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(settings.stall_time.count()));
  if (!settings.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
}

Http::~Http() = default;
Http::Http(Http&&) noexcept = default;
Http& Http::operator=(Http&&) noexcept = default;

Exchange Http::get(const Request& request, const Sink& sink) {
  CURL* easy = state_->easy.get();
  Handles handles{easy, {sink, {request.url, 0, {}}, {}}};
  const HeaderList headers = header_list(request);
  std::array<char, CURL_ERROR_SIZE> reason{};
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &handles.transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &handles);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, reason.data());
  const CURLcode code = curl_easy_perform(easy);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &handles.transfer.head.status);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
  Transfer& transfer = handles.transfer;
  if (code == CURLE_OK) return {Exchange::End::answered, std::move(transfer.head), {}};
  if (!transfer.taken) return {Exchange::End::fatal, {}, transfer.taken.error()};
  const std::string why = reason[0] != '\0' ? reason.data() : curl_easy_strerror(code);
  return {end_of(code), {}, {base::ErrorKind::failed, fmt::format("{}: {}", request.url, why)}};
}

}  // namespace tare::hub
