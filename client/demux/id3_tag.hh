#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tributary {

/// What the tags in front of packed audio say (RFC 8216 section 3.4; ID3 version 2.4 section 3.1).
struct Id3Tag {
  std::size_t size = 0;  // bytes of all tags, with headers; 0: there is none. It may be more than there are.
  std::optional<std::int64_t> begins{};  // the time of the first sample: 33 bits that count 90000 in a second
};

/// Never fails: a tag that cannot be read states no time.
Id3Tag id3_tag(std::span<const std::byte> bytes);

}  // namespace tributary
