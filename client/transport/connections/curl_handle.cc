#include "transport/connections/curl_handle.hh"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "links/way.hh"
#include "system/tcp_connection.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/cookie_jar.hh"
#include "transport/connections/origin.hh"
#include "transport/connections/own_fields.hh"
#include "transport/sockets/public_address.hh"
#include "transport/sockets/rate_limit.hh"

namespace tributary::transport {
namespace {

int on_new_socket(void* sockets, curl_socket_t socket, curlsocktype /*purpose*/) {
  TcpConnection{socket}.enable_liveness_checks();
  static_cast<std::vector<int>*>(sockets)->push_back(socket);
  return CURL_SOCKOPT_OK;
}

CURLcode on_new_context(CURL* /*handle*/, void* context, void* check) {
  static_cast<CertificateCheck*>(check)->watch(static_cast<SSL_CTX*>(context));
  return CURLE_OK;
}

/// Whether the handle's last connection is.
bool is_encrypted(CURL* handle) {
  const char* scheme = nullptr;
  curl_easy_getinfo(handle, CURLINFO_SCHEME, &scheme);
  return scheme != nullptr && curl_strequal(scheme, "https") != 0;
}

FailureReason connect_failure_reason(long os_error) {
  switch (os_error) {
    case ECONNREFUSED:
      return FailureReason::kRefused;
    case ETIMEDOUT:
      return FailureReason::kConnectTimeout;
    case ECONNRESET:
      return FailureReason::kReset;
    case ENETDOWN:
    case ENODEV:
      return FailureReason::kLinkDown;
    default:
      return FailureReason::kNoRoute;
  }
}

/// The meaning of OpenSSL's error, in the words of libcurl ("error:0A00010B:SSL routines::..."). Certificates are no
/// reason here: they are checked later in a handshake.
std::string_view why_no_handshake(std::string_view words) {
  constexpr std::string_view kError = "error:", kEnded = "in connection to";
  if (words.find(kEnded) != std::string_view::npos) return "the origin ends the connection before it is encrypted";
  const std::size_t at = words.find(kError);
  unsigned long error = 0;
  if (at != std::string_view::npos)
    std::from_chars(words.data() + at + kError.size(), words.data() + words.size(), error, 16);
  switch (ERR_GET_REASON(error)) {
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
    case SSL_R_LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED:  // only old versions of TLS have such algorithms
      return "the origin speaks only versions of TLS before 1.2, which are not safe";
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
      return "what the origin answers is not TLS (is it an address of http?)";
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
    case SSL_R_NO_CIPHERS_AVAILABLE:
    case SSL_R_WRONG_CIPHER_RETURNED:
    case SSL_R_UNKNOWN_CIPHER_RETURNED:
      return "the origin and this machine know no way of encryption in common";
    default:
      return "no encrypted connection can be agreed upon with the origin";
  }
}

}  // namespace

std::string url_part(const CurlUrl& url, CURLUPart which, unsigned flags) {
  char* text = nullptr;
  if (curl_url_get(url.get(), which, &text, flags) != CURLUE_OK) return {};
  return CurlText{text}.get();
}

void ensure_curl() {
  static const CURLcode result = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (result != CURLE_OK) throw std::runtime_error{std::string{"libcurl: "} + curl_easy_strerror(result)};
}

/// The requests of a transfer: more than one where redirections are followed.
struct CurlHandle::Requests {
  CURL* handle;
  GuardedTransfer guarded;
  bool proxied, https_only;
  bool encrypted = false;        // a request of the chain went by https
  bool lost_encryption = false;  // and a later one does not

  /// libcurl calls it for each address that it tries, after redirections and look-ups of names.
  static curl_socket_t open_socket(void* self, curlsocktype /*purpose*/, curl_sockaddr* to) {
    auto& requests = *static_cast<Requests*>(self);
    if (!requests.proxied && !requests.guarded.may_connect(to->addr)) {
      errno = EHOSTUNREACH;
      return CURL_SOCKET_BAD;
    }
    return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
  }

  /// `to`: the address that the connection leads to. A proxy looks names up itself; an address is an address to it, too.
  bool may_ask(const char* to) {
    if (!proxied) return guarded.may_ask(to);
    const char* url = nullptr;
    curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &url);
    const std::string host = parse_url(url).origin.name();
    return !parse_address(host) || guarded.may_ask(host);
  }

  /// libcurl calls it before each request, once connected.
  static int on_request(void* self, char* to, char* /*from*/, int /*to_port*/, int /*from_port*/) {
    auto& requests = *static_cast<Requests*>(self);
    const bool encrypts = is_encrypted(requests.handle);
    requests.lost_encryption = requests.encrypted && !encrypts;
    requests.encrypted = requests.encrypted || encrypts;
    const bool may_ask = requests.may_ask(to);
    return requests.lost_encryption || !may_ask ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
  }
};

namespace {

/// libcurl knows addresses that parse_url() refuses, as those with a user in them. A proxy of the system is not for them.
Way way_to(const std::string& url, const LinkRules& rules) {
  try {
    return rules.way(parse_url(url).origin);
  } catch (const UrlError&) {
    return rules.way({});
  }
}

}  // namespace

void CurlHandle::DeleteRequests::operator()(Requests* requests) const { delete requests; }

CurlHandle::CurlHandle(const std::string& url, const LinkRules& rules)
    : cookies_{CookieJar::of(rules)}, kept_{rules.kept} {
  ensure_curl();
  handle_.reset(curl_easy_init());
  if (!handle_) throw std::bad_alloc{};
  const Way way = way_to(url, rules);
  requests_.reset(new Requests{handle_.get(),
                               {rules.guard, way.device, url},
                               way.proxy != nullptr,
                               way.proxy != nullptr && way.proxy->https_only});
  error_text_ = std::make_unique<char[]>(CURL_ERROR_SIZE);
  set(CURLOPT_ERRORBUFFER, error_text_.get());
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  // ALPN would offer h2 otherwise, and libcurl's h2 filter would take our bytes.
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // do not wait for a resolver thread when a handle is removed
  set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(rules.connect_timeout).count()));
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_SSL_CTX_DATA, certificate_check_.get());
  set(CURLOPT_SSL_CTX_FUNCTION, &on_new_context);
  set(CURLOPT_SOCKOPTDATA, sockets_.get());
  set(CURLOPT_SOCKOPTFUNCTION, &on_new_socket);
  set(CURLOPT_OPENSOCKETDATA, requests_.get());
  set(CURLOPT_OPENSOCKETFUNCTION, &Requests::open_socket);
  set(CURLOPT_PREREQDATA, requests_.get());
  set(CURLOPT_PREREQFUNCTION, &Requests::on_request);
  if (!rules.ca_file.empty()) set(CURLOPT_CAINFO, rules.ca_file.c_str());
  dial(way);
  keep_to(url, rules);
}

/// A proxy connects to the origin, and then sees an address and a number of bytes. Its own answers are no part of the origin's.
void CurlHandle::dial(const Way& way) {
  if (!way.device.empty()) set(CURLOPT_INTERFACE, ("if!" + way.device).c_str());
  set(CURLOPT_PROXY,
      way.proxy ? way.proxy->url.c_str() : "");  // not that of the environment, which would hide the link
  set(CURLOPT_NOPROXY, "");                      // nor its exceptions: the way has been chosen
  if (!way.proxy) return;
  set(CURLOPT_HTTPPROXYTUNNEL, 1L);
  if (way.proxy->https_only) set(CURLOPT_PROTOCOLS_STR, "https");
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (way.proxy->keys) show_keys(*way.proxy->keys);
  if (way.proxy->user.empty()) return;
  set(CURLOPT_PROXYAUTH, static_cast<long>(CURLAUTH_BASIC));  // others need a first try without
  set(CURLOPT_PROXYUSERNAME, way.proxy->user.c_str());
  set(CURLOPT_PROXYPASSWORD, way.proxy->password.c_str());
}

/// The proxy's key is the one that we know, whoever has signed it.
void CurlHandle::show_keys(const ProxyKeys& keys) {
  const auto blob = [](const std::string& text) {
    return curl_blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_COPY};
  };
  const curl_blob certificate = blob(keys.certificate), private_key = blob(keys.private_key);
  set(CURLOPT_PROXY_SSLCERT_BLOB, &certificate);
  set(CURLOPT_PROXY_SSLKEY_BLOB, &private_key);
  set(CURLOPT_PROXY_PINNEDPUBLICKEY, keys.pinned_key.c_str());
  set(CURLOPT_PROXY_SSL_VERIFYPEER, 0L);
  set(CURLOPT_PROXY_SSL_VERIFYHOST, 0L);
}

/// libcurl sends Authorization and Cookie to no other origin after a redirection.
void CurlHandle::keep_to(const std::string& url, const LinkRules& rules) {
  if (rules.own_fields) {
    for (const auto& [name, value] : rules.own_fields->for_origin(parse_url(url).origin))
      send_field(value.empty() ? name + ";" : fmt::format("{}: {}", name, value));
  }
  if (rules.rate_limit)
    set(CURLOPT_MAX_RECV_SPEED_LARGE, static_cast<curl_off_t>(rules.rate_limit->rate().bits_per_second() / 8));
}

int CurlHandle::socket() const {
  const auto port = info<long>(CURLINFO_LOCAL_PORT);
  const auto found = std::ranges::find_if(
      *sockets_, [&](int socket) { return port > 0 && TcpConnection{socket}.local_port() == port; });
  return found == sockets_->end() ? -1 : *found;
}

void CurlHandle::send_field(const std::string& line) {
  curl_slist* const longer = curl_slist_append(fields_.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc{};
  (void)fields_.release();  // `longer` begins with it
  fields_.reset(longer);
  set(CURLOPT_HTTPHEADER, fields_.get());
}

void CurlHandle::follow_redirects(int most) {
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, static_cast<long>(most));
}

bool CurlHandle::is_admitted() { return requests_->may_ask(info<const char*>(CURLINFO_PRIMARY_IP)); }

bool CurlHandle::may_be_cut_off() const { return is_encrypted(handle_.get()) && !certificate_check_->closed(); }

bool CurlHandle::lost_encryption() const { return requests_->lost_encryption; }

void CurlHandle::check(CURLcode code) {
  if (code != CURLE_OK) throw std::runtime_error{std::string{"libcurl: "} + curl_easy_strerror(code)};
}

/// The status with which a proxy does not let the connection through; 0: there is none.
long CurlHandle::refusal_of_proxy() const {
  const auto status = requests_->proxied ? info<long>(CURLINFO_HTTP_CONNECTCODE) : 0;
  return status >= 300 ? status : 0;
}

/// libcurl has the same code for what is no HTTP at all.
bool CurlHandle::is_kept_from_http(CURLcode code) const {
  return code == CURLE_UNSUPPORTED_PROTOCOL && requests_->https_only && info<curl_off_t>(CURLINFO_CONNECT_TIME_T) == 0;
}

FailureReason CurlHandle::transfer_reason(CURLcode code) const {
  if (code == CURLE_TOO_MANY_REDIRECTS || lost_encryption()) return FailureReason::kRedirected;
  const bool connected = info<curl_off_t>(CURLINFO_PRETRANSFER_TIME_T) > 0;
  if (code == CURLE_OPERATION_TIMEDOUT && connected) return FailureReason::kStalled;
  return reason(code);
}

std::optional<Duration> CurlHandle::turnaround() const {
  const auto looked_up = info<curl_off_t>(CURLINFO_NAMELOOKUP_TIME_T),
             connected = info<curl_off_t>(CURLINFO_CONNECT_TIME_T),
             ready = info<curl_off_t>(CURLINFO_PRETRANSFER_TIME_T);
  if (ready == 0) return std::nullopt;
  return std::chrono::microseconds{(ready - looked_up) + (connected - looked_up)};
}

FailureReason CurlHandle::reason(CURLcode code) const {
  using enum FailureReason;
  if (!requests_->guarded.refused().empty()) return kNotAllowed;
  if (is_kept_from_http(code)) return kInterface;  // which leaves the link alone for good
  if (code == CURLE_PROXY || (code == CURLE_RECV_ERROR && refusal_of_proxy() != 0)) return kRefused;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return kResolve;
    case CURLE_COULDNT_CONNECT:
      return connect_failure_reason(info<long>(CURLINFO_OS_ERRNO));
    case CURLE_INTERFACE_FAILED:
      return kInterface;
    case CURLE_OPERATION_TIMEDOUT:
      return kConnectTimeout;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return kTlsVerification;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CERTPROBLEM:
      return kTls;
    case CURLE_GOT_NOTHING:
      return kClosedUnanswered;
    case CURLE_PARTIAL_FILE:
      return kClosedMidBody;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return kReset;
    default:
      return kProtocol;
  }
}

std::string CurlHandle::explain(CURLcode code) const {
  if (lost_encryption()) return "redirected from https to http, which is refused";
  if (const std::string& near = requests_->guarded.refused(); !near.empty()) return why_refused(near);
  if (const long status = refusal_of_proxy(); status != 0)
    return fmt::format("the proxy does not let it through: it answers {}{}", status,
                       status == 407 ? " (it wants a user and a password: --link-via-login)" : "");
  if (is_kept_from_http(code))
    return "the address begins with http, and who lends the link could read and change what comes (--lent any allows it)";
  std::string text = error_text_[0] != '\0' ? error_text_.get() : curl_easy_strerror(code);
  if (code == CURLE_PEER_FAILED_VERIFICATION) {
    const CertificateCheck& check = *certificate_check_;
    if (!check.defect().empty()) {
      text += ": " + check.defect();
    } else if (!check.names().empty()) {
      text += ": the certificate is for " + check.names();
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  if (code == CURLE_SSL_CONNECT_ERROR) text = fmt::format("{} ({})", why_no_handshake(text), text);
  const auto os_error = info<long>(CURLINFO_OS_ERRNO);
  if (code == CURLE_COULDNT_CONNECT && os_error != 0) {
    text += std::string{" ("} + std::strerror(static_cast<int>(os_error)) + ")";
    if (requests_->proxied) text += ", which is the proxy";
  }
  return text;
}

}  // namespace tributary::transport
