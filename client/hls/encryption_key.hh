#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hls/lines/attribute_list.hh"
#include "hls/lines/playlist_values.hh"

namespace tributary::hls {

enum class EncryptionMethod {
  kAes128,  // whole segments, AES-128 in CBC mode with PKCS7 padding
  kSampleAes,
  kSampleAesCtr,
  kOther,  // `method_name` says which
};

/// EXT-X-KEY or EXT-X-SESSION-KEY (RFC 8216 sections 4.3.2.4 and 4.3.4.5) with another method than NONE.
struct EncryptionKey {
  EncryptionMethod method = EncryptionMethod::kAes128;
  std::string method_name;          // "AES-128"
  std::string uri;                  // as written; never empty with AES-128 and the key format "identity"
  std::optional<Block> iv;          // nothing: initialization_vector() makes it of the sequence number
  std::string format = "identity";  // KEYFORMAT; "identity": the key is the 16 bytes at the URI

  /// AES-128 with the key at its URI: all that we decrypt.
  bool is_plain_aes128() const;

  bool operator==(const EncryptionKey&) const = default;
};

/// Nothing for METHOD=NONE. Throws PlaylistError if the method is missing, or a key of plain AES-128 cannot be used.
std::optional<EncryptionKey> encryption_key(const AttributeList& attributes, const PlaylistLine& line);

/// The vector of a segment: that of its key, or else its media sequence number, highest byte first (RFC 8216
/// section 5.2).
Block initialization_vector(const EncryptionKey& key, std::uint64_t media_sequence);

}  // namespace tributary::hls
