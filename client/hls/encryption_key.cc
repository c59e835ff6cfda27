#include "hls/encryption_key.hh"

#include <array>

#include "hls/common_tags.hh"

namespace tributary::hls {
namespace {

struct NamedMethod {
  std::string_view name;
  EncryptionMethod method;
};
constexpr std::array kMethods{
    NamedMethod{"AES-128", EncryptionMethod::kAes128},
    NamedMethod{"SAMPLE-AES", EncryptionMethod::kSampleAes},
    NamedMethod{"SAMPLE-AES-CTR", EncryptionMethod::kSampleAesCtr},
};

EncryptionMethod method_from(std::string_view name) {
  for (const NamedMethod& known : kMethods) {
    if (known.name == name) return known.method;
  }
  return EncryptionMethod::kOther;
}

}  // namespace

bool EncryptionKey::is_plain_aes128() const { return method == EncryptionMethod::kAes128 && format == "identity"; }

std::optional<EncryptionKey> encryption_key(const AttributeList& attributes, const PlaylistLine& line) {
  EncryptionKey key;
  key.method_name = attributes.required_text("METHOD");
  if (key.method_name == "NONE") return std::nullopt;
  key.method = method_from(key.method_name);
  if (attributes.has("KEYFORMAT")) key.format = attributes.text("KEYFORMAT");
  if (!key.is_plain_aes128()) {
    key.uri = attributes.text("URI");
    key.iv = attributes.hint("IV", block);
    return key;
  }
  key.uri = required_address(attributes, line);
  key.iv = attributes.strict("IV", block, "a hexadecimal number of at most 128 bits");
  return key;
}

Block initialization_vector(const EncryptionKey& key, std::uint64_t media_sequence) {
  if (key.iv) return *key.iv;
  Block vector{};
  for (std::size_t i = 0; i < 8; ++i) vector[15 - i] = static_cast<std::byte>(media_sequence >> (8 * i));
  return vector;
}

}  // namespace tributary::hls
