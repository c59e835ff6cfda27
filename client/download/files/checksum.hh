#pragma once

#include <stdexcept>
#include <string>

namespace tributary {

/// What a file must be, by a digest of its bytes.
struct Checksum {
  std::string type;    // as OpenSSL names it: "sha256"
  std::string digits;  // hexadecimal, in lower case

  bool operator==(const Checksum&) const = default;
};

/// The file is another one than its checksum says.
class WrongChecksum : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads "sha256:0a1b..."; also "sha-256=0a1b...", as aria2 has it. Throws std::invalid_argument.
Checksum read_checksum(const std::string& text);

/// Throws WrongChecksum unless the open file, of this name, has the checksum; WriteError if it cannot be read.
void expect_checksum(int descriptor, const std::string& name, const Checksum& checksum);

}  // namespace tributary
