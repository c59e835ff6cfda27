#include "media/aes_decryption.hh"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tributary {
namespace {

MediaBytes from_hex(std::string_view hex) {
  MediaBytes bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string{hex.substr(i, 2)}, nullptr, 16)));
  return bytes;
}

Cipher counting() {
  Cipher cipher;
  for (std::size_t i = 0; i < 16; ++i) {
    cipher.key[i] = static_cast<std::byte>(i);
    cipher.vector[i] = static_cast<std::byte>(15 - i);
  }
  return cipher;
}

constexpr std::string_view kByOpenssl = "71afa2a69b2f2ab05a925972da87d5c7a3bce43fdf1b49307273d778de99873f";

TEST(AesDecryption, GivesWhatWasEncrypted) {
  const MediaBytes clear = decrypted(from_hex(kByOpenssl), counting());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(clear.data()), clear.size()), "a film, in the clear");
}

TEST(AesDecryption, AnotherKeyIsTold) {
  Cipher other = counting();
  other.key[3] ^= std::byte{1};
  EXPECT_THROW(decrypted(from_hex(kByOpenssl), other), DecryptionError);
}

TEST(AesDecryption, WhatIsCutOffIsTold) {
  EXPECT_THROW(decrypted(from_hex(kByOpenssl.substr(0, 62)), counting()), DecryptionError);
  EXPECT_THROW(decrypted({}, counting()), DecryptionError);
}

}  // namespace
}  // namespace tributary
