#include "lending/identity/identity.hh"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <stdexcept>

#include "system/open_file.hh"
#include "system/state_files.hh"
#include "transport/sockets/free_with.hh"

namespace tributary::lending {
namespace {

using transport::FreeWith;
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Memory = std::unique_ptr<BIO, FreeWith<BIO_free>>;

constexpr long kForever = 100L * 365 * 24 * 3600;  // s: who stops trusting a key removes it from the list

[[noreturn]] void fail(const char* what) { throw std::runtime_error{fmt::format("OpenSSL {}", what)}; }

std::string text_in(const Memory& memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

Certificate signed_by(EVP_PKEY* key) {
  Certificate certificate{X509_new()};
  if (!certificate) fail("makes no certificate");
  X509* const made = certificate.get();
  X509_set_version(made, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
  X509_gmtime_adj(X509_getm_notBefore(made), -24L * 3600);  // clocks differ
  X509_gmtime_adj(X509_getm_notAfter(made), kForever);
  X509_set_pubkey(made, key);
  X509_NAME* const name = X509_get_subject_name(made);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>("tributary"), -1, -1, 0);
  X509_set_issuer_name(made, name);
  if (X509_sign(made, key, EVP_sha256()) == 0) fail("signs no certificate");
  return certificate;
}

Identity make_identity() {
  const Key key{EVP_EC_gen("P-256")};
  if (!key) fail("makes no key");
  const Certificate certificate = signed_by(key.get());
  const Memory public_part{BIO_new(BIO_s_mem())}, secret{BIO_new(BIO_s_secmem())};
  if (PEM_write_bio_X509(public_part.get(), certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    fail("writes no key");
  return {text_in(public_part), text_in(secret), key_of(*certificate)};
}

/// As it was written: the certificate, then the key.
Identity read_identity(const std::filesystem::path& path, const std::string& text) {
  const Memory memory{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
  const Certificate certificate{PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr)};
  const Key key{PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr)};
  if (!certificate || !key || X509_check_private_key(certificate.get(), key.get()) != 1)
    throw std::runtime_error{fmt::format(
        "{}: expected a certificate and its key. Without this file a new one is made, and all pairing is to be done "
        "again",
        path.string())};
  const std::size_t begin_of_key = text.find("-----BEGIN", 1);
  return {text.substr(0, begin_of_key), text.substr(begin_of_key), key_of(*certificate)};
}

}  // namespace

std::filesystem::path lending_folder() { return std::filesystem::path{state_folder()} / "lending"; }

Identity own_identity(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "identity.pem";
  OpenFile lock{lock_path(folder, "identity"), O_RDWR | O_CREAT};
  lock.lock();
  if (const auto text = text_of_file(path)) return read_identity(path, *text);
  Identity made = make_identity();
  replace_file(path, made.certificate + made.private_key);
  return made;
}

MemberKey key_of(const X509& certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(&certificate), &der);
  if (size <= 0) fail("cannot write a public key");
  MemberKey hash{};
  unsigned int length = 0;
  EVP_Digest(der, static_cast<std::size_t>(size), bonding::as_unsigned(hash.data()), &length, EVP_sha256(), nullptr);
  OPENSSL_free(der);
  return hash;
}

std::string pinned_key(const MemberKey& key) {
  std::string text(sodium_base64_ENCODED_LEN(key.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bonding::as_unsigned(key), key.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the zero at the end
  return "sha256//" + text;
}

}  // namespace tributary::lending
