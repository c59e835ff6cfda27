#include "hls/encryption_key.hh"

#include <array>

#include "hls/lines/common_tags.hh"
#include "units/text/named_values.hh"

namespace tributary::hls {
namespace {

constexpr std::array<Named<EncryptionMethod>, 3> kMethods{{
    {"AES-128", EncryptionMethod::kAes128},
    {"SAMPLE-AES", EncryptionMethod::kSampleAes},
    {"SAMPLE-AES-CTR", EncryptionMethod::kSampleAesCtr},
}};

}  // namespace

bool EncryptionKey::is_plain_aes128() const { return method == EncryptionMethod::kAes128 && format == "identity"; }

std::optional<EncryptionKey> encryption_key(const AttributeList& attributes, const PlaylistLine& line) {
  EncryptionKey key;
  key.method_name = attributes.required_text("METHOD");
  if (key.method_name == "NONE") return std::nullopt;
  key.method = value_named(kMethods, key.method_name).value_or(EncryptionMethod::kOther);
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
