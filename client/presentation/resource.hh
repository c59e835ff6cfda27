#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "units/byte_range.hh"

namespace tributary {

/// How a file is encrypted: AES-128 in CBC mode. Never written into a trace or a log.
struct Cipher {
  std::array<std::byte, 16> key{}, vector{};

  bool operator==(const Cipher&) const = default;
};

/// What is shown in one of `count` equal times of a file that grows while it is made. Its bytes begin and end with chunks (CMAF),
/// wherever these are.
struct FilePiece {
  std::uint32_t index = 0, count = 1;

  bool operator==(const FilePiece&) const = default;
};

/// Bytes of one file at the origin: the whole file, or a range of it where segments share a file.
struct Resource {
  std::string uri;  // relative to the index
  ByteRange range;  // within the file
  bool whole_file = true;
  bool estimated = false;  // the end of the range is an estimate: nobody has stated the size of the file yet
  std::optional<Cipher> cipher{};
  std::optional<FilePiece> piece{};  // of the file, where it grows: offsets count from the beginning of the piece

  bool operator==(const Resource&) const = default;
};

}  // namespace tributary
