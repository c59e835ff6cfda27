#include "media/iso_box.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

constexpr std::size_t kHeader = 8;
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
  if (bytes > bytes_.size()) throw BoxError{box_ + " ends too early"};
  const auto taken = bytes_.first(bytes);
  bytes_ = bytes_.subspan(bytes);
  return taken;
}

std::vector<Box> Box::children(std::size_t skip) const {
  ByteReader reader = read();
  reader.skip(skip);
  return boxes_in(type, reader.rest());
}

std::optional<Box> Box::find(std::string_view child_type, std::size_t skip) const {
  for (const Box& box : children(skip)) {
    if (box.type == child_type) return box;
  }
  return std::nullopt;
}

Box Box::child(std::string_view child_type, std::size_t skip) const {
  if (const auto box = find(child_type, skip)) return *box;
  throw BoxError{fmt::format("{} has no {}", type, child_type)};
}

std::vector<Box> boxes_in(std::string_view place, std::span<const std::byte> bytes) {
  std::vector<Box> boxes;
  for (ByteReader reader{place, bytes}; !reader.rest().empty();) {
    const std::size_t left = reader.rest().size();
    std::uint64_t size = reader.u32();
    std::string type = letters(reader.take(4));
    std::uint64_t header = kHeader;
    if (size == kLongSize) {
      size = reader.number(8);
      header += 8;
    }
    if (size == kToTheEnd) size = left;
    if (size < header || size > left) {
      throw BoxError{
          fmt::format("{} in {} says that it has {} bytes, of {} that are left", type, place, size, left)};
    }
    boxes.push_back({std::move(type), reader.take(static_cast<std::size_t>(size - header))});
  }
  return boxes;
}

}  // namespace tributary
