#pragma once

#include <stdexcept>

#include "presentation/presentation.hh"
#include "units/media_bytes.hh"

namespace tributary {

class DecryptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What was encrypted by AES-128 in CBC mode with PKCS7 padding, a whole file or range at a time (RFC 8216 section
/// 4.3.2.4). Throws DecryptionError: another key, or bytes that are damaged.
MediaBytes decrypted(MediaBytes bytes, const Cipher& cipher);

}  // namespace tributary
