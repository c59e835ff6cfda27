#include "transport/connections/application_protocol.hh"

#include <openssl/ssl.h>

namespace tributary::transport {

struct ApplicationProtocol::Callbacks {
  static CURLcode on_new_context(CURL* /*handle*/, void* context, void* self) {
    auto* ssl = static_cast<SSL_CTX*>(context);
    auto& protocol = *static_cast<ApplicationProtocol*>(self);
    protocol.certificate_check_->watch(ssl);
    SSL_CTX_set_app_data(ssl, self);
    SSL_CTX_set_info_callback(ssl, &on_info);
    const auto* names = reinterpret_cast<const unsigned char*>(protocol.offer_.data());
    const bool refused = SSL_CTX_set_alpn_protos(ssl, names, static_cast<unsigned>(protocol.offer_.size())) != 0;
    return refused ? CURLE_OUT_OF_MEMORY : CURLE_OK;
  }

  static void on_info(const SSL* ssl, int where, int /*value*/) {
    if ((where & SSL_CB_HANDSHAKE_DONE) == 0) return;
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl, &name, &size);
    auto& protocol = *static_cast<ApplicationProtocol*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
    protocol.chosen_.assign(reinterpret_cast<const char*>(name), size);
  }
};

void ApplicationProtocol::offer(CurlHandle& handle, std::string offer) {
  offer_ = std::move(offer);
  certificate_check_ = &handle.certificate_check();
  handle.set(CURLOPT_SSL_ENABLE_ALPN, 0L);
  handle.set(CURLOPT_SSL_CTX_DATA, this);
  handle.set(CURLOPT_SSL_CTX_FUNCTION, &Callbacks::on_new_context);
}

}  // namespace tributary::transport
