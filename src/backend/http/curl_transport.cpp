#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "backend/http/transport.h"

namespace tare::backend::http {
namespace {

using End = Reply::End;

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, FreeEasy>;
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

/// A handle and the request that it carries; used again for the next one.
struct Flight {
  Easy easy{curl_easy_init()};
  std::size_t longest_body = 0;
  bool too_long = false;
  Request request;
  std::string body;
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& flight = *static_cast<Flight*>(user);
  const std::size_t bytes = size * count;
  flight.too_long = flight.body.size() + bytes > flight.longest_body;
  if (flight.too_long) return CURL_WRITEFUNC_ERROR;
  flight.body.append(data, bytes);
  return bytes;
}

HeaderList header_list(const std::string& key) {
  HeaderList list;
  const auto add = [&](const std::string& line) {
    list.reset(curl_slist_append(list.release(), line.c_str()));
  };
  add("Content-Type: application/json");
  add("Accept: application/json");
  add("Expect:");  // else long bodies wait for a permission that few servers give
  if (!key.empty()) add("Authorization: Bearer " + key);
  return list;
}

bool connected(CURL* easy) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return microseconds > 0;
}

End end_of(CURLcode code, const Flight& flight) {
  constexpr std::array kUnreached = {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
                                     CURLE_COULDNT_CONNECT};
  constexpr std::array kLost = {
      CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING,  CURLE_SEND_ERROR, CURLE_RECV_ERROR,
      CURLE_HTTP2,        CURLE_HTTP2_STREAM, CURLE_AGAIN,      CURLE_WEIRD_SERVER_REPLY};
  if (code == CURLE_OK) return End::answered;
  if (flight.too_long) return End::too_long;
  if (std::ranges::find(kUnreached, code) != kUnreached.end()) return End::unreached;
  if (std::ranges::find(kLost, code) != kLost.end()) return End::lost;
  if (code == CURLE_OPERATION_TIMEDOUT)
    return connected(flight.easy.get()) ? End::timed_out : End::unreached;
  return End::impossible;
}

/// To a server that speaks plain HTTP the begin of TLS is a bad request, or half of one.
bool stuck_in_handshake(CURL* easy, CURLcode code, const std::string& url) {
  if (code == CURLE_SSL_CONNECT_ERROR) return true;
  long local_port = 0;  // 0 until there is a connection
  curl_easy_getinfo(easy, CURLINFO_LOCAL_PORT, &local_port);
  return code == CURLE_OPERATION_TIMEDOUT && url.starts_with("https://") && local_port > 0 &&
         !connected(easy);
}

std::string header(CURL* easy, const char* name) {
  curl_header* found = nullptr;
  if (curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK) return "";
  return found->value;
}

Reply reply_of(Flight& flight, CURLcode code) {
  CURL* easy = flight.easy.get();
  Reply reply;
  reply.id = flight.request.id;
  reply.end = end_of(code, flight);
  if (code != CURLE_OK) reply.why = curl_easy_strerror(code);
  reply.without_tls = stuck_in_handshake(easy, code, flight.request.url);
  if (reply.without_tls) reply.why = "no TLS handshake, as if the server spoke http and not https";
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_off_t seconds = 0;
  curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds);
  if (seconds > 0) reply.retry_after = std::chrono::seconds(seconds);
  reply.server = header(easy, "Server");
  reply.body = std::move(flight.body);
  return reply;
}

class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(const Servers& servers)
      : servers_(servers), headers_(header_list(servers.key)) {
    const std::size_t most = servers.limits.concurrency * servers.endpoints.size();
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(most));
  }
  ~CurlTransport() override { cancel(); }

  void start(Request request) override {
    std::unique_ptr<Flight> flight = idle_flight();
    flight->request = std::move(request);
    flight->body.clear();
    flight->too_long = false;
    CURL* easy = flight->easy.get();
    const Request& sent = flight->request;
    curl_easy_setopt(easy, CURLOPT_URL, sent.url.c_str());
    if (sent.body.empty()) {
      curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    } else {
      curl_easy_setopt(easy, CURLOPT_POST, 1L);
      curl_easy_setopt(easy, CURLOPT_POSTFIELDS, sent.body.data());
      curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                       static_cast<curl_off_t>(sent.body.size()));
    }
    curl_multi_add_handle(multi_.get(), easy);
    flying_.push_back(std::move(flight));
  }

  std::vector<Reply> wait(std::chrono::milliseconds most) override {
    std::vector<Reply> replies = landed();
    if (!replies.empty()) return replies;
    curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(most.count()), nullptr);
    return landed();
  }

  void cancel() override {
    for (auto& flight : flying_) {
      curl_multi_remove_handle(multi_.get(), flight->easy.get());
      idle_.push_back(std::move(flight));
    }
    flying_.clear();
  }

  [[nodiscard]] Time now() const override { return std::chrono::steady_clock::now(); }

 private:
  std::unique_ptr<Flight> idle_flight() {
    if (!idle_.empty()) {
      auto flight = std::move(idle_.back());
      idle_.pop_back();
      return flight;
    }
    auto flight = std::make_unique<Flight>();
    flight->longest_body = servers_.limits.longest_body;
    set_up(flight->easy.get(), flight.get());
    return flight;
  }

  void set_up(CURL* easy, Flight* flight) const {
    const Limits& limits = servers_.limits;
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "tare");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                     static_cast<long>(limits.connect_time.count()));
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.answer_time.count()));
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
    if (!servers_.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, servers_.ca_file.c_str());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, flight);
  }

  /// Moves what can move now and collects what has arrived.
  std::vector<Reply> landed() {
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    std::vector<Reply> replies;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left))
      if (message->msg == CURLMSG_DONE)
        replies.push_back(land(message->easy_handle, message->data.result));
    return replies;
  }

  Reply land(CURL* easy, CURLcode code) {
    const auto at = std::ranges::find(flying_, easy, [](const auto& f) { return f->easy.get(); });
    Reply reply = reply_of(**at, code);
    curl_multi_remove_handle(multi_.get(), easy);
    idle_.push_back(std::move(*at));
    *at = std::move(flying_.back());
    flying_.pop_back();
    return reply;
  }

  Servers servers_;
  HeaderList headers_;
  std::unique_ptr<CURLM, FreeMulti> multi_{curl_multi_init()};
  std::vector<std::unique_ptr<Flight>> flying_, idle_;
};

}  // namespace

std::unique_ptr<Transport> curl_transport(const Servers& servers) {
  return std::make_unique<CurlTransport>(servers);
}

}  // namespace tare::backend::http
