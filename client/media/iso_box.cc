#include "media/iso_box.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary {
namespace {

constexpr std::uint64_t kToTheEnd = 0, kLongSize = 1;  // values of the size field

std::string letters(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    const char c = static_cast<char>(byte);
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return text;
}

}  // namespace

std::uint64_t ByteReader::number(std::size_t bytes) {
  std::uint64_t value = 0;
  for (const std::byte byte : take(bytes)) value = value << 8 | std::to_integer<std::uint64_t>(byte);
  return value;
}

std::span<const std::byte> ByteReader::take(std::size_t bytes) {
  if (bytes > bytes_.size()) throw BoxError{place_ + " ends too early"};
  const auto taken = bytes_.first(bytes);
  bytes_ = bytes_.subspan(bytes);
  return taken;
}

std::string Box::place() const { return fmt::format("{} at byte {}", type, begin); }

void Box::must_be_whole() const {
  if (size == header + body.size()) return;
  throw BoxError{fmt::format("{} says that it has {} bytes, of {} that are left", place(), size, header + body.size())};
}

std::vector<Box> Box::children(std::size_t skip) const {
  ByteReader reader = read();
  reader.skip(skip);
  return boxes_in(place(), reader.rest(), begin + header + skip);
}

std::optional<Box> Box::find(std::string_view child_type, std::size_t skip) const {
  for (const Box& box : children(skip)) {
    if (box.type == child_type) return box;
  }
  return std::nullopt;
}

Box Box::child(std::string_view child_type, std::size_t skip) const {
  if (const auto box = find(child_type, skip)) return *box;
  throw BoxError{fmt::format("{} has no {}", place(), child_type)};
}

std::vector<Box> boxes_in(std::string_view place, std::span<const std::byte> bytes, std::size_t begin) {
  std::vector<Box> boxes;
  for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(boxes.back().size)) {
    boxes.push_back(first_box(place, bytes.subspan(at), begin + at));
    boxes.back().must_be_whole();
  }
  return boxes;
}

Box first_box(std::string_view place, std::span<const std::byte> bytes, std::size_t begin) {
  ByteReader reader{fmt::format("a box at byte {} of {}", begin, place), bytes};
  Box box;
  box.begin = begin;
  box.size = reader.u32();
  box.type = letters(reader.take(4));
  if (box.size == kLongSize) {
    box.size = reader.number(8);
    box.header += 8;
  }
  if (box.size == kToTheEnd) box.size = bytes.size();
  if (box.size < box.header)
    throw BoxError{fmt::format("{} says that it has {} bytes, less than its header", box.place(), box.size)};
  const std::span<const std::byte> rest = reader.rest();
  box.body = rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(box.size - box.header, rest.size())));
  return box;
}

}  // namespace tributary
