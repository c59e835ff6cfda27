#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tributary::dash {

/// A name with fields for what differs between segments (ISO/IEC 23009-1 clause 5.3.9.4.4): $Number$, $Time$,
/// $SubNumber$, $RepresentationID$, $Bandwidth$, each number also with a width as in $Number%05d$, and $$ for a dollar.
class UriTemplate {
 public:
  struct Values {
    std::string_view representation_id;
    std::int64_t bandwidth = 0, number = 0, time = 0, sub_number = 0;
  };

  /// Throws std::invalid_argument, whose text completes `"media" ...`: "has an unknown $Frame$".
  explicit UriTemplate(std::string_view text);

  /// Each segment has a name of its own.
  bool names_segments() const { return has(Field::kNumber) || has(Field::kTime); }
  /// A segment is a sequence of files.
  bool names_parts() const { return has(Field::kSubNumber); }
  bool names_representation() const { return has(Field::kRepresentationId); }
  bool names_bandwidth() const { return has(Field::kBandwidth); }
  std::string expand(const Values& values) const;

  bool operator==(const UriTemplate&) const = default;

 private:
  enum class Field { kNone, kNumber, kTime, kSubNumber, kRepresentationId, kBandwidth };
  /// A literal text, and the field after it.
  struct Piece {
    std::string literal;
    Field field = Field::kNone;
    int width = 0;

    bool operator==(const Piece&) const = default;
  };

  bool has(Field field) const;
  static Piece piece_of(std::string_view field);

  std::vector<Piece> pieces_;
};

}  // namespace tributary::dash
