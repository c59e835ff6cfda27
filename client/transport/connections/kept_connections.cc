#include "transport/connections/kept_connections.hh"

#include <curl/curl.h>

#include <new>

#include "transport/connections/curl_handle.hh"
#include "transport/sockets/free_with.hh"

namespace tributary::transport {

class KeptConnections::Share {
 public:
  Share() {
    ensure_curl();
    share_.reset(curl_share_init());
    if (!share_) throw std::bad_alloc{};
    for (const curl_lock_data what : {CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_SSL_SESSION})
      curl_share_setopt(share_.get(), CURLSHOPT_SHARE, what);
  }
  CURLSH* get() const { return share_.get(); }

 private:
  std::unique_ptr<CURLSH, FreeWith<curl_share_cleanup>> share_;
};

KeptConnections::KeptConnections() : share_{std::make_unique<Share>()} {}
KeptConnections::~KeptConnections() = default;

void* KeptConnections::share() const { return share_->get(); }

}  // namespace tributary::transport
