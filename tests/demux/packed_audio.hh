#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tributary::testing {

/// A frame of a tag of ID3 version 2.4. The body has fewer than 128 bytes.
inline std::string id3_frame(const std::string& name, const std::string& body) {
  return name + std::string(3, '\0') + static_cast<char>(body.size()) + std::string(2, '\0') + body;
}

/// The time of the first sample, as packed audio states it.
inline std::string time_frame(std::uint64_t ticks) {
  std::string body{"com.apple.streaming.transportStreamTimestamp"};
  body += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) body += static_cast<char>(ticks >> shift & 0xff);
  return id3_frame("PRIV", body);
}

inline std::vector<std::byte> tag_of(const std::string& frames) {
  std::string tag{"ID3\4\0\0\0\0", 8};
  tag += static_cast<char>(frames.size() >> 7 & 0x7f);
  tag += static_cast<char>(frames.size() & 0x7f);
  tag += frames;
  const auto bytes = std::as_bytes(std::span{tag});
  return {bytes.begin(), bytes.end()};
}

inline std::vector<std::byte> time_tag(std::uint64_t ticks) { return tag_of(time_frame(ticks)); }

}  // namespace tributary::testing
