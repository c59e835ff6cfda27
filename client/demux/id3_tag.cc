#include "demux/id3_tag.hh"

#include <algorithm>
#include <string_view>

namespace tributary {
namespace {

constexpr std::size_t kHeader = 10;  // of a tag, and of a frame in it
constexpr std::string_view kOwner{"com.apple.streaming.transportStreamTimestamp\0", 45};

bool is_at(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::ranges::equal(bytes.first(text.size()), std::as_bytes(std::span{text}));
}

std::uint64_t number(std::span<const std::byte> bytes, unsigned bits_of_each) {
  std::uint64_t value = 0;
  for (const std::byte byte : bytes) value = value << bits_of_each | std::to_integer<std::uint64_t>(byte);
  return value;
}

/// A size whose bytes have seven bits each. Nothing if one of them has more.
std::optional<std::size_t> size_of_sevens(std::span<const std::byte> bytes) {
  if (std::ranges::any_of(bytes, [](std::byte byte) { return byte > std::byte{0x7f}; })) return std::nullopt;
  return static_cast<std::size_t>(number(bytes, 7));
}

/// The time in the frame PRIV of its owner.
std::optional<std::int64_t> begin_in(std::span<const std::byte> frames) {
  constexpr std::size_t kTime = 8;
  constexpr std::uint64_t kThirtyThreeBits = (1ull << 33) - 1;
  while (frames.size() > kHeader) {
    const auto size = size_of_sevens(frames.subspan(4, 4));
    if (!size || *size > frames.size() - kHeader) return std::nullopt;
    const auto body = frames.subspan(kHeader, *size);
    if (is_at(frames, "PRIV") && is_at(body, kOwner) && body.size() >= kOwner.size() + kTime)
      return static_cast<std::int64_t>(number(body.subspan(kOwner.size(), kTime), 8) & kThirtyThreeBits);
    frames = frames.subspan(kHeader + *size);
  }
  return std::nullopt;
}

/// The first tag alone.
Id3Tag first_tag(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeader || !is_at(bytes, "ID3")) return {};
  const auto size = size_of_sevens(bytes.subspan(6, 4));
  if (!size) return {};
  constexpr std::byte kHasFooter{0x10};
  const bool footer = (bytes[5] & kHasFooter) != std::byte{};
  return {kHeader + *size + (footer ? kHeader : 0),
          begin_in(bytes.subspan(kHeader, std::min(*size, bytes.size() - kHeader)))};
}

}  // namespace

Id3Tag id3_tag(std::span<const std::byte> bytes) {
  Id3Tag all;
  while (all.size < bytes.size()) {
    const Id3Tag next = first_tag(bytes.subspan(all.size));
    if (next.size == 0) break;
    all.size += next.size;
    if (!all.begins) all.begins = next.begins;
  }
  return all;
}

}  // namespace tributary
