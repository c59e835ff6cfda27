#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tributary::proxy {

/// A name with fields, as a SegmentTemplate has it (ISO/IEC 23009-1 clause 5.3.9.4.4): $Number$, $Time$, $SubNumber$,
/// $RepresentationID$, $Bandwidth$, numbers also with a width as in $Number%05d$, and $$ for a dollar. Tells which names
/// it can become, and no others.
class NamePattern {
 public:
  enum class Field { kNone, kNumber, kTime, kSubNumber, kBandwidth, kRepresentationId };
  static constexpr std::size_t kNumberFields = 3;  // the first ones, which differ between segments
  using Values = std::array<std::optional<std::int64_t>, kNumberFields>;

  /// Nothing: it has another field, or a $ without a second one.
  static std::optional<NamePattern> read(std::string_view text);

  bool has_fields() const;
  /// Each segment has a name of its own.
  bool names_segments() const;
  bool names_representation() const;
  bool names_bandwidth() const;
  /// Segments are sequences of files.
  bool names_parts() const;
  /// Whether the value of a field would be a part of "%41".
  bool splits_escape() const;
  /// With the mark, a number and a letter in place of each field: a text that may be resolved as an address.
  std::string marked(std::string_view mark) const;
  /// A mark that neither the pattern nor the address of its document contains. Begins with a digit, as no scheme does.
  std::string unused_mark(std::string_view document) const;
  /// The same pattern in another text: each mark becomes its field again.
  NamePattern from_marked(std::string_view text, std::string_view mark) const;

  /// With the identifier, and the bandwidth, in place of these fields.
  NamePattern with_id(std::string_view id) const;
  NamePattern of(std::string_view id, std::int64_t bandwidth) const;

  /// As it stands in a template.
  std::string text() const;
  /// The fields' values in a name that the pattern can become. Only for patterns whose fields are numbers of segments.
  std::optional<Values> match(std::string_view name) const;
  /// The name with these values, which are those of a match of the same fields.
  std::string expand(const Values& values) const;
  /// What stands before the first field.
  std::string_view beginning() const { return pieces_.empty() ? std::string_view{} : pieces_.front().literal; }

  bool operator==(const NamePattern&) const = default;

 private:
  /// A literal text, and the field after it.
  struct Piece {
    std::string literal;
    Field field = Field::kNone;
    int width = 0;

    bool operator==(const Piece&) const = default;
  };

  static std::optional<Piece> piece_of(std::string_view field);
  void add(Piece piece);
  bool match_from(std::size_t piece, std::string_view name, Values& values) const;

  std::vector<Piece> pieces_;
};

/// Finds which of many patterns a name is of.
class PatternTable {
 public:
  /// `number` stands for the pattern.
  void add(NamePattern pattern, std::size_t number);

  struct Match {
    std::size_t number = 0;
    NamePattern::Values values;
  };
  /// Of several, the one whose beginning is longest, and that was added first.
  std::optional<Match> find(std::string_view name) const;

 private:
  struct Entry {
    NamePattern pattern;
    std::size_t number = 0;
  };
  std::map<std::string, std::vector<Entry>, std::less<>> by_beginning_;
  std::set<std::size_t, std::greater<>> lengths_;  // of beginnings
};

}  // namespace tributary::proxy
