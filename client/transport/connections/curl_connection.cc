#include "transport/connections/curl_connection.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "links/way.hh"
#include "system/tcp_connection.hh"

namespace tributary::transport {
namespace {

/// Without --http it is HTTP/1.1, which measured better (docs/transport.md, "Which version is better").
bool offers_http2(HttpVersion wanted) { return wanted == HttpVersion::kHttp2; }

}  // namespace

CurlConnection::CurlConnection(CurlLoop& loop, const Origin& origin, const std::vector<std::string>& addresses,
                               const LinkRules& rules)
    : loop_{loop},
      purpose_{fmt::format("connect to {}{}{}", origin.url(), rules.link.empty() ? "" : " over ", rules.link)},
      device_{rules.way(origin).device},
      must_be_http2_{rules.http == HttpVersion::kHttp2},
      handle_{origin.url(), rules} {
  // The URL keeps the name, for SNI and verification. libcurl gets the name's addresses, so that no lookup goes over
  // another link; with all of them it tries both families (RFC 8305). If the URL has an IPv6 address, no lookup is
  // needed, and the syntax of this option has no place for it. A proxy is told the name, and these may be its own.
  if (!rules.way(origin).proxy && !origin.host.starts_with('[') && !addresses.empty()) {
    const std::string entry = fmt::format("{}:{}:{}", origin.host, origin.port, fmt::join(addresses, ","));
    addresses_.reset(curl_slist_append(nullptr, entry.c_str()));
    handle_.set(CURLOPT_RESOLVE, addresses_.get());
  }
  if (offers_http2(rules.http)) protocol_.offer(handle_, "\x02h2");
  handle_.set(CURLOPT_CONNECT_ONLY, 1L);
  loop_.add(handle_, *this);
}

CurlConnection::~CurlConnection() {
  if (state_ == State::kConnected) loop_.forget(socket_);
  // Last, because libcurl closes the connection when its handle leaves the multi handle.
  loop_.remove(handle_);
}

void CurlConnection::on_completed(int code) {
  if (code != CURLE_OK) {
    const auto error = static_cast<CURLcode>(code);
    return fail(handle_.reason(error), handle_.explain(error));
  }
  socket_.fd = static_cast<int>(handle_.info<curl_socket_t>(CURLINFO_ACTIVESOCKET));
  if (const auto defect = TcpConnection{socket_.fd}.binding_defect(device_))
    return fail(FailureReason::kInterface, *defect);
  if (must_be_http2_ && protocol_.chosen() != "h2")
    return fail(FailureReason::kProtocol, "the origin does not speak HTTP/2");
  loop_.watch(socket_);
  state_ = State::kConnected;
}

void CurlConnection::fail(FailureReason reason, const std::string& what) {
  state_ = State::kFailed;
  failure_ = {reason, purpose_ + ": " + what};
}

std::size_t CurlConnection::send(std::string_view bytes) {
  if (broken_) return 0;
  std::size_t sent = 0;
  const CURLcode code = curl_easy_send(handle_.get(), bytes.data(), bytes.size(), &sent);
  socket_.wants_write = code == CURLE_AGAIN;
  if (code != CURLE_OK && code != CURLE_AGAIN) {
    broken_ = true;  // data that the origin sent before can still be read
    socket_.readable = true;
  }
  return sent;
}

ByteStream::Received CurlConnection::receive(std::span<std::byte> buffer) {
  if (!socket_.readable) return {};
  // The kernel tells a reset only once. If send() was told, reading ends as after an orderly close.
  const auto end = [&] {
    if (broken_) return StreamStatus::kReset;
    return handle_.may_be_cut_off() ? StreamStatus::kCutOff : StreamStatus::kClosed;
  };
  std::size_t size = 0;
  switch (curl_easy_recv(handle_.get(), buffer.data(), buffer.size(), &size)) {
    case CURLE_OK:
      return {size, size > 0 ? StreamStatus::kOpen : end()};
    case CURLE_AGAIN:
      // Not earlier: TLS may hold decoded bytes that poll() does not see.
      socket_.readable = false;
      return {0, broken_ ? StreamStatus::kReset : StreamStatus::kOpen};
    default:
      return {0, StreamStatus::kReset};
  }
}

std::optional<RoundTrip> CurlConnection::round_trip() const { return TcpConnection{socket_.fd}.round_trip(); }
std::optional<Duration> CurlConnection::silence() const { return TcpConnection{socket_.fd}.silence(); }
std::optional<Duration> CurlConnection::silence_of_peer() const { return TcpConnection{socket_.fd}.silence_of_peer(); }

}  // namespace tributary::transport
