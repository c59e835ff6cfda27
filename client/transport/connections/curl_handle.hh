#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <string>

#include "transport/connections/certificate_check.hh"
#include "transport/connections/free_with.hh"
#include "transport/connections/link_rules.hh"
#include "units/failure_reason.hh"

namespace tributary::transport {

using CurlUrl = std::unique_ptr<CURLU, FreeWith<curl_url_cleanup>>;
using CurlText = std::unique_ptr<char, FreeWith<curl_free>>;
using CurlList = std::unique_ptr<curl_slist, FreeWith<curl_slist_free_all>>;

/// libcurl's global state is made before the first use and kept.
void ensure_curl();

/// One libcurl easy handle, set up for one URL over one link: HTTP/1.1, certificates verified, no proxy, our
/// liveness options on the socket, and none of libcurl's long time-outs.
class CurlHandle {
 public:
  CurlHandle(const std::string& url, const LinkRules& rules);

  CURL* get() const { return handle_.get(); }
  /// Whoever sets CURLOPT_SSL_CTX_FUNCTION lets it watch.
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

  /// At most so many, and never from https to http: what comes by http anybody on the way may have written.
  void follow_redirects(int most);

  /// Why the transfer ended with this code, for the retry policy and for people.
  FailureReason reason(CURLcode code) const;
  /// The same for a whole transfer, which may also fail after it has connected.
  FailureReason transfer_reason(CURLcode code) const;
  std::string explain(CURLcode code) const;
  /// The connection was encrypted, and its other end has not said that it ends: a body that ends with it may be cut off (RFC 9112
  /// section 9.8).
  bool may_be_cut_off() const;
  /// What it took to connect, with the TLS handshake, and a round trip: no answer on a new connection is sooner. Nothing
  /// before the request is sent.
  std::optional<Duration> turnaround() const;
  /// From the request to the first byte of the answer.
  Duration waited() const {
    return std::chrono::microseconds{info<curl_off_t>(CURLINFO_STARTTRANSFER_TIME_T) -
                                     info<curl_off_t>(CURLINFO_PRETRANSFER_TIME_T)};
  }

 private:
  struct Redirects;
  struct DeleteRedirects {
    void operator()(Redirects* redirects) const;
  };

  static void check(CURLcode code);
  bool lost_encryption() const;

  std::unique_ptr<char[]> error_text_;  // libcurl writes into it
  std::unique_ptr<Redirects, DeleteRedirects> redirects_;
  std::unique_ptr<CertificateCheck> certificate_check_ = std::make_unique<CertificateCheck>();
  std::unique_ptr<CURL, FreeWith<curl_easy_cleanup>> handle_;
};

}  // namespace tributary::transport
