#include "download/files/checksum.hh"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "download/files/destination.hh"

namespace tributary {
namespace {

constexpr std::array<std::pair<const char*, std::size_t>, 6> kTypes{
    {{"md5", 32}, {"sha1", 40}, {"sha224", 56}, {"sha256", 64}, {"sha384", 96}, {"sha512", 128}}};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

struct FreeDigest {
  void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
};

std::string digits_of(std::span<const unsigned char> bytes) {
  std::string digits;
  for (const unsigned char byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace

Checksum read_checksum(const std::string& text) {
  const std::size_t mark = text.find_first_of(":=");
  std::string type = lower(text.substr(0, mark));
  std::erase(type, '-');
  const auto* const known = std::ranges::find(kTypes, type, [](const auto& pair) { return std::string{pair.first}; });
  const std::string digits = mark == std::string::npos ? "" : lower(text.substr(mark + 1));
  const bool hexadecimal = std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (known == kTypes.end() || digits.size() != known->second || !hexadecimal)
    throw std::invalid_argument{
        fmt::format("\"{}\": expected md5, sha1, sha224, sha256, sha384 or sha512, a colon, and "
                    "its hexadecimal digits",
                    text)};
  return {std::move(type), digits};
}

void expect_checksum(int descriptor, const std::string& name, const Checksum& checksum) {
  const std::unique_ptr<EVP_MD_CTX, FreeDigest> digest{EVP_MD_CTX_new()};
  if (!digest) throw std::bad_alloc{};
  if (EVP_DigestInit_ex(digest.get(), EVP_get_digestbyname(checksum.type.c_str()), nullptr) != 1)
    throw WriteError{fmt::format("this machine cannot compute {}", checksum.type)};
  std::vector<unsigned char> buffer(1 << 20);
  for (off_t at = 0;;) {
    const ssize_t size = pread(descriptor, buffer.data(), buffer.size(), at);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw WriteError{fmt::format("cannot read {}: {}", name, std::strerror(errno))};
    if (size == 0) break;
    EVP_DigestUpdate(digest.get(), buffer.data(), static_cast<std::size_t>(size));
    at += size;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned length = 0;
  EVP_DigestFinal_ex(digest.get(), bytes.data(), &length);
  const std::string found = digits_of(std::span{bytes}.first(length));
  if (found != checksum.digits)
    throw WrongChecksum{fmt::format("{} is not the file that was expected: its {} is {}", name, checksum.type, found)};
}

}  // namespace tributary
