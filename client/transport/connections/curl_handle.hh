#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/connections/certificate_check.hh"
#include "transport/connections/link_rules.hh"
#include "transport/sockets/free_with.hh"
#include "units/failure_reason.hh"

namespace tributary {
struct ProxyKeys;
}

namespace tributary::transport {

using CurlUrl = std::unique_ptr<CURLU, FreeWith<curl_url_cleanup>>;
using CurlText = std::unique_ptr<char, FreeWith<curl_free>>;
using CurlList = std::unique_ptr<curl_slist, FreeWith<curl_slist_free_all>>;

/// Empty if the URL has no such part.
std::string url_part(const CurlUrl& url, CURLUPart which, unsigned flags = 0);

/// Makes libcurl's global state at the first call, and keeps it.
void ensure_curl();

/// One libcurl easy handle, set up for one URL over one link. It speaks HTTP/1.1, verifies certificates, uses no proxy,
/// sets our liveness options on the socket, and has none of libcurl's long time-outs.
class CurlHandle {
 public:
  CurlHandle(const std::string& url, const LinkRules& rules);

  CURL* get() const { return handle_.get(); }
  /// Null: it shares what all handles of its loop share.
  const KeptConnections* kept() const { return kept_.get(); }
  CookieJar& cookies() const { return *cookies_; }
  /// A caller that sets CURLOPT_SSL_CTX_FUNCTION must call its watch() from there.
  CertificateCheck& certificate_check() const { return *certificate_check_; }

  template <typename Value>
  void set(CURLoption option, Value value) {
    check(curl_easy_setopt(handle_.get(), option, value));
  }
  template <typename Value>
  Value info(CURLINFO key) const {
    Value value{};
    check(curl_easy_getinfo(handle_.get(), key, &value));
    return value;
  }

  /// Sends this field as well, "Name: value". One that libcurl sends itself is replaced.
  void send_field(const std::string& line);
  /// Follows at most `most` redirections, and none from https to http, where anybody on the way can forge the answer.
  void follow_redirects(int most);

  /// Whether a request may be sent to the address that the last connection led to (LinkRules::guard).
  bool is_admitted();

  /// The reason for a failure to connect that ended with this code. explain() has the words for people.
  FailureReason reason(CURLcode code) const;
  /// The reason for the failure of a whole transfer, which may also fail after it has connected.
  FailureReason transfer_reason(CURLcode code) const;
  std::string explain(CURLcode code) const;
  /// The connection was encrypted, and the other end has not announced its end (close_notify). A body that ends with
  /// the connection may then be cut off (RFC 9112 section 9.8).
  bool may_be_cut_off() const;
  /// The time to connect, with the TLS handshake, plus a round trip: no answer on a new connection comes sooner.
  /// Nothing before the request is sent.
  std::optional<Duration> turnaround() const;
  /// The round trip of the packets that connect, once they have.
  Duration round_trip() const {
    return std::chrono::microseconds{info<curl_off_t>(CURLINFO_CONNECT_TIME_T) -
                                     info<curl_off_t>(CURLINFO_NAMELOOKUP_TIME_T)};
  }
  /// That of the connection, while a transfer goes on over a new one; -1 else. CURLINFO_ACTIVESOCKET tells only later.
  int socket() const;
  /// The time from the request to the first byte of the answer.
  Duration waited() const {
    return std::chrono::microseconds{info<curl_off_t>(CURLINFO_STARTTRANSFER_TIME_T) -
                                     info<curl_off_t>(CURLINFO_PRETRANSFER_TIME_T)};
  }

 private:
  struct Requests;
  struct DeleteRequests {
    void operator()(Requests* requests) const;
  };

  static void check(CURLcode code);
  bool lost_encryption() const;
  long refusal_of_proxy() const;
  bool is_kept_from_http(CURLcode code) const;

  void dial(const Way& way);
  void show_keys(const ProxyKeys& keys);
  void keep_to(const std::string& url, const LinkRules& rules);

  std::shared_ptr<CookieJar> cookies_;
  std::shared_ptr<KeptConnections> kept_;  // outlives the handle, as the next three
  CurlList fields_;
  std::unique_ptr<char[]> error_text_;  // libcurl writes into it
  std::unique_ptr<Requests, DeleteRequests> requests_;
  std::unique_ptr<std::vector<int>> sockets_ = std::make_unique<std::vector<int>>();  // some may be closed by now
  std::unique_ptr<CertificateCheck> certificate_check_ = std::make_unique<CertificateCheck>();
  std::unique_ptr<CURL, FreeWith<curl_easy_cleanup>> handle_;
};

}  // namespace tributary::transport
