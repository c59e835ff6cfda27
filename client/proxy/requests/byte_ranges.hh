#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "units/byte_range.hh"

namespace tributary::proxy {

/// What one range of a request asks for (RFC 9110 section 14.1.2).
struct AskedRange {
  std::optional<DataSize> first;  // nothing: the last `count` bytes
  std::optional<DataSize> last;   // nothing: up to the end
  DataSize count;

  bool operator==(const AskedRange&) const = default;
  bool is_from_the_start() const { return first == DataSize{} && !last; }  // "0-": all, in one part
};

/// The value of a Range field. Nothing if it is to be ignored: several ranges, which a server need not bring, another
/// unit, or what cannot be read. The answer is then the whole.
std::optional<AskedRange> read_range(std::string_view value);

/// The bytes that a Range field names by both of its ends. Nothing: it does not, or there is none.
std::optional<ByteRange> closed_range(const std::optional<std::string>& field);

/// The bytes of a file of this size. Nothing if it has none of them: the answer is 416.
std::optional<ByteRange> bytes_of(const AskedRange& asked, DataSize size);

}  // namespace tributary::proxy
