#include "segmenter/synthetic/synthetic_content.hh"

namespace tributary::segmenter {
namespace {

/// The output step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

void fill_synthetic(std::span<std::byte> bytes, std::uint32_t quality, std::uint32_t segment, std::uint64_t offset) {
  const std::uint64_t place = mix((static_cast<std::uint64_t>(quality) << 32 | segment) + 1);
  const auto word_at = [&] { return mix(place + 0x9e3779b97f4a7c15 * (offset / 8)); };
  std::uint64_t word = word_at();
  for (std::byte& byte : bytes) {
    if (offset % 8 == 0) word = word_at();
    byte = static_cast<std::byte>(word >> (8 * (offset % 8)));
    ++offset;
  }
}

}  // namespace tributary::segmenter
