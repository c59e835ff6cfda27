#include "transport/connections/certificate_check.hh"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <string_view>

#include "transport/sockets/free_with.hh"
#include "units/utc_time.hh"

namespace tributary::transport {
namespace {

int index_of_check() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

/// Text of others without control characters, and at most 200 bytes of it, because people read it.
std::string printable(std::string_view text) {
  std::string result{text.substr(0, 200)};
  std::ranges::replace_if(
      result, [](char c) { return c < ' ' || c == 0x7f; }, '?');
  return result;
}

std::string text_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return "a time that cannot be read";
  return utc_text(UtcTime{std::chrono::seconds{timegm(&parts)}});
}

std::string now_here() {
  return utc_text(std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()));
}

std::string common_name(const X509_NAME* name) {
  char text[200] = "";
  if (X509_NAME_get_text_by_NID(const_cast<X509_NAME*>(name), NID_commonName, text, sizeof text) < 0) return "?";
  return printable(text);
}

std::string names_of(const X509* certificate) {
  constexpr int kMost = 10;
  using Names = std::unique_ptr<GENERAL_NAMES, FreeWith<GENERAL_NAMES_free>>;
  const Names names{static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr))};
  std::string all;
  for (int i = 0; names && i < std::min(sk_GENERAL_NAME_num(names.get()), kMost); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_DNS) continue;
    const auto* text = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName));
    const auto size = static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName));
    all += (all.empty() ? "" : ", ") + printable({text, size});
  }
  return all.empty() ? common_name(X509_get_subject_name(certificate)) : all;
}

std::string describe(int error, const X509* certificate) {
  const std::string who = common_name(X509_get_subject_name(certificate));
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return fmt::format(
          "the certificate of {} was valid until {}, and this machine's clock says {}: if that is right, the origin "
          "needs a new one",
          who, text_of(X509_get0_notAfter(certificate)), now_here());
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return fmt::format(
          "the certificate of {} is valid from {} on, and this machine's clock says {}: set the clock, if that is "
          "wrong (timedatectl set-ntp true)",
          who, text_of(X509_get0_notBefore(certificate)), now_here());
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return fmt::format(
          "nobody but {} itself vouches for {}: if it is to be trusted, give its certificate with --cacert", who, who);
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return fmt::format(
          "the certificate of {} was issued by {}, which is not trusted here: give its certificate with --cacert, if "
          "it is to be",
          who, common_name(X509_get_issuer_name(certificate)));
    default:
      return X509_verify_cert_error_string(error);
  }
}

}  // namespace

struct CertificateCheck::Callbacks {
  static int on_certificate(int good, X509_STORE_CTX* store) {
    const auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto& check = *static_cast<CertificateCheck*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), index_of_check()));
    const X509* certificate = X509_STORE_CTX_get_current_cert(store);
    if (certificate == nullptr) return good;
    if (X509_STORE_CTX_get_error_depth(store) == 0) check.names_ = names_of(certificate);
    if (good == 0 && check.defect_.empty()) check.defect_ = describe(X509_STORE_CTX_get_error(store), certificate);
    return good;
  }

  static void on_info(const SSL* ssl, int where, int value) {
    constexpr int kDescription = 0xff;  // the alert's level stands in the higher bits
    if (where != SSL_CB_READ_ALERT || (value & kDescription) != SSL_AD_CLOSE_NOTIFY) return;
    SSL_CTX* const context = SSL_get_SSL_CTX(ssl);
    auto& check = *static_cast<CertificateCheck*>(SSL_CTX_get_ex_data(context, index_of_check()));
    if (context == check.newest_) check.closed_ = true;
  }
};

void CertificateCheck::watch(SSL_CTX* context) {
  begun_ = true;
  closed_ = false;
  newest_ = context;
  defect_.clear();
  names_.clear();
  SSL_CTX_set_ex_data(context, index_of_check(), this);
  SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context), &Callbacks::on_certificate);
  SSL_CTX_set_info_callback(context, &Callbacks::on_info);
}

}  // namespace tributary::transport
