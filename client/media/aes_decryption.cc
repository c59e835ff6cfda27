#include "media/aes_decryption.hh"

#include <openssl/evp.h>

#include <memory>

namespace tributary {
namespace {

constexpr std::size_t kBlock = 16;

const unsigned char* raw(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }

}  // namespace

MediaBytes decrypted(MediaBytes bytes, const Cipher& cipher) {
  if (bytes.empty() || bytes.size() % kBlock != 0)
    throw DecryptionError{"what is encrypted by AES-128 is a multiple of 16 bytes, and this is none"};
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context{EVP_CIPHER_CTX_new(),
                                                                                &EVP_CIPHER_CTX_free};
  if (!context) throw std::bad_alloc{};
  int size = 0, rest = 0;
  auto* const data = reinterpret_cast<unsigned char*>(bytes.data());  // in place
  const bool right = EVP_DecryptInit_ex(context.get(), EVP_aes_128_cbc(), nullptr, raw(cipher.key.data()),
                                        raw(cipher.vector.data())) == 1 &&
                     EVP_DecryptUpdate(context.get(), data, &size, data, static_cast<int>(bytes.size())) == 1 &&
                     EVP_DecryptFinal_ex(context.get(), data + size, &rest) == 1;
  if (!right) throw DecryptionError{"it cannot be decrypted: its key is another one, or it is damaged"};
  bytes.resize(static_cast<std::size_t>(size + rest));
  return bytes;
}

}  // namespace tributary
