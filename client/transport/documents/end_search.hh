#pragma once

#include <optional>

#include "units/byte_range.hh"

namespace tributary::transport {

/// Finds the end of an object whose size its server does not say (`Content-Range: bytes 0-99/*`), by questions for what is
/// behind the bytes that are known to be there. A server may answer each with fewer bytes than there are.
class EndSearch {
 public:
  /// `known`: the bytes that have been answered.
  explicit EndSearch(ByteRange known) : known_{known.end}, longest_{known.size()} {}

  /// The question for everything from here on; nothing if the size is known, or cannot be found.
  std::optional<DataSize> next() const;
  /// The answer to next().
  void brought(ByteRange range);
  void nothing_is_there();
  /// Once it is known.
  std::optional<DataSize> size() const;

 private:
  DataSize known_;                  // what is before this place is there
  DataSize longest_;                // of the answers
  bool may_be_end_ = true;          // `known_` may, by the length of the last answer
  std::optional<DataSize> beyond_;  // nothing is there from this place on
  int asked_ = 0;
};

}  // namespace tributary::transport
