#include "transport/connections/curl_loop.hh"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "transport/connections/cookie_jar.hh"
#include "transport/connections/curl_handle.hh"
#include "transport/connections/kept_connections.hh"

namespace tributary::transport {
namespace {

void check(CURLMcode code) {
  if (code != CURLM_OK) throw std::runtime_error{std::string{"libcurl: "} + curl_multi_strerror(code)};
}

int milliseconds_up(std::optional<Duration> timeout) {
  using std::chrono::milliseconds;
  constexpr milliseconds kLongest = std::chrono::hours{1};  // curl_multi_poll has no "for ever"
  const milliseconds wanted = timeout ? std::chrono::ceil<milliseconds>(*timeout) : kLongest;
  return static_cast<int>(std::clamp(wanted, milliseconds{0}, kLongest).count());
}

curl_waitfd wait_for(int fd, bool read, bool write) {
  const int events = (read ? CURL_WAIT_POLLIN : 0) | (write ? CURL_WAIT_POLLOUT : 0);
  // poll ignores a negative descriptor. With events 0 alone, a broken connection would still wake us.
  return {.fd = events != 0 ? fd : -1, .events = static_cast<short>(events), .revents = 0};
}

}  // namespace

class CurlLoop::Multi {
 public:
  Multi() {
    ensure_curl();
    multi_.reset(curl_multi_init());
    share_.reset(curl_share_init());
    if (!multi_ || !share_) throw std::bad_alloc{};
    curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  }
  CURLM* get() const { return multi_.get(); }
  CURLSH* share() const { return share_.get(); }

 private:
  std::unique_ptr<CURLSH, FreeWith<curl_share_cleanup>> share_;
  std::unique_ptr<CURLM, FreeWith<curl_multi_cleanup>> multi_;
};

CurlLoop::CurlLoop() : multi_{std::make_unique<Multi>()} {}
CurlLoop::~CurlLoop() = default;

void CurlLoop::wait(std::optional<Duration> timeout, std::span<ExtraFd> extra) {
  std::vector<curl_waitfd> fds;
  for (const Socket* socket : sockets_) fds.push_back(wait_for(socket->fd, !socket->readable, socket->wants_write));
  for (const ExtraFd& other : extra) fds.push_back(wait_for(other.fd, true, false));
  check(
      curl_multi_poll(multi_->get(), fds.data(), static_cast<unsigned>(fds.size()), milliseconds_up(timeout), nullptr));

  for (std::size_t i = 0; i < sockets_.size(); ++i) {
    if (fds[i].revents & ~CURL_WAIT_POLLOUT) sockets_[i]->readable = true;
    if (fds[i].revents & CURL_WAIT_POLLOUT) sockets_[i]->wants_write = false;
  }
  for (std::size_t i = 0; i < extra.size(); ++i) extra[i].ready = fds[sockets_.size() + i].revents != 0;
  perform();
}

void CurlLoop::perform() {
  int running = 0;
  check(curl_multi_perform(multi_->get(), &running));
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_->get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    if (const auto handle = handles_.find(message->easy_handle); handle != handles_.end())
      handle->second->cookies().take_from(message->easy_handle);
    Listener* listener = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &listener);
    listener->on_completed(message->data.result);
  }
}

void CurlLoop::wake_up() { curl_multi_wakeup(multi_->get()); }

void CurlLoop::add(CurlHandle& handle, Listener& listener) {
  handle.set(CURLOPT_PRIVATE, &listener);
  handle.set(CURLOPT_SHARE, handle.kept() != nullptr ? handle.kept()->share() : multi_->share());
  handle.cookies().give_to(handle.get());
  check(curl_multi_add_handle(multi_->get(), handle.get()));
  handles_[handle.get()] = &handle;
}

void CurlLoop::remove(CurlHandle& handle) {
  handles_.erase(handle.get());
  curl_multi_remove_handle(multi_->get(), handle.get());
}

void CurlLoop::watch(Socket& socket) { sockets_.push_back(&socket); }

void CurlLoop::forget(Socket& socket) { std::erase(sockets_, &socket); }

}  // namespace tributary::transport
