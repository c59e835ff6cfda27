#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tributary {

/// Bytes that are not the boxes they should be. The text names the box and its place.
class BoxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads big-endian numbers one after the other. Throws BoxError, which names the place, if the bytes end too early.
class ByteReader {
 public:
  ByteReader(std::string_view place, std::span<const std::byte> bytes) : place_{place}, bytes_{bytes} {}

  /// An unsigned number of 1 to 8 bytes.
  std::uint64_t number(std::size_t bytes);
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::span<const std::byte> take(std::size_t bytes);
  void skip(std::size_t bytes) { take(bytes); }
  std::span<const std::byte> rest() const { return bytes_; }

 private:
  std::string place_;
  std::span<const std::byte> bytes_;
};

/// One box of an ISO base media file (ISO/IEC 14496-12 section 4.2). Borrows its bytes.
struct Box {
  std::string type;  // four letters
  std::span<const std::byte> body;
  std::size_t begin = 0;                 // offset of the box in the file
  std::size_t header = 8;                // bytes of the box before its body
  std::uint64_t size = 8 + body.size();  // bytes of the box, as its size field states

  /// "trun at byte 104".
  std::string place() const;
  ByteReader read() const { return {place(), body}; }
  /// Throws BoxError if the file ends within the box.
  void must_be_whole() const;
  /// The boxes in the body, after `skip` bytes of fields.
  std::vector<Box> children(std::size_t skip = 0) const;
  /// The first child of that type; if there is none, child() throws BoxError.
  std::optional<Box> find(std::string_view child_type, std::size_t skip = 0) const;
  Box child(std::string_view child_type, std::size_t skip = 0) const;
};

/// The boxes in these bytes, which begin at offset `begin` of the file. Throws BoxError if boxes do not fill the bytes
/// exactly.
std::vector<Box> boxes_in(std::string_view place, std::span<const std::byte> bytes, std::size_t begin = 0);

/// The box at the beginning of these bytes. If the file ends within the box, the body ends there, too. Throws BoxError.
Box first_box(std::string_view place, std::span<const std::byte> bytes, std::size_t begin);

}  // namespace tributary
