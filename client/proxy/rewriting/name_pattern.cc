#include "proxy/rewriting/name_pattern.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

#include "proxy/rewriting/ascii.hh"

namespace tributary::proxy {
namespace {

using Field = NamePattern::Field;

constexpr int kWidest = 32;  // digits
constexpr std::array<std::pair<std::string_view, Field>, 5> kFields{{{"Number", Field::kNumber},
                                                                     {"Time", Field::kTime},
                                                                     {"SubNumber", Field::kSubNumber},
                                                                     {"Bandwidth", Field::kBandwidth},
                                                                     {"RepresentationID", Field::kRepresentationId}}};

std::string_view name_of(Field field) {
  return std::ranges::find(kFields, field, &std::pair<std::string_view, Field>::second)->first;
}

/// "%05d" is 5; "%d" and "" are 0.
std::optional<int> width_of(std::string_view format) {
  if (format.empty() || format == "%d") return 0;
  if (!format.starts_with("%0") || !format.ends_with('d') || format.size() < 4) return std::nullopt;
  int width = -1;
  const char* const end = format.data() + format.size() - 1;
  const auto [read, error] = std::from_chars(format.data() + 2, end, width);
  if (error != std::errc{} || read != end || width < 0 || width > kWidest) return std::nullopt;
  return width;
}

std::string number_text(std::int64_t value, int width) { return fmt::format("{:0{}}", value, width); }

/// The number that these digits are, if they are how a number of that width is written.
std::optional<std::int64_t> number_from(std::string_view digits, int width) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value < 0) return std::nullopt;
  return number_text(value, width) == digits ? std::optional{value} : std::nullopt;
}

}  // namespace

std::optional<NamePattern::Piece> NamePattern::piece_of(std::string_view field) {
  const std::string_view name = field.substr(0, field.find('%'));
  const auto* const known = std::ranges::find(kFields, name, &std::pair<std::string_view, Field>::first);
  const auto width = width_of(field.substr(name.size()));
  if (known == kFields.end() || !width) return std::nullopt;
  if (known->second == Field::kRepresentationId && name.size() < field.size()) return std::nullopt;
  return Piece{{}, known->second, *width};
}

/// Literals that follow each other become one.
void NamePattern::add(Piece piece) {
  if (piece.literal.empty() && piece.field == Field::kNone) return;
  if (!pieces_.empty() && pieces_.back().field == Field::kNone) {
    piece.literal.insert(0, pieces_.back().literal);
    pieces_.pop_back();
  }
  pieces_.push_back(std::move(piece));
}

std::optional<NamePattern> NamePattern::read(std::string_view text) {
  NamePattern pattern;
  std::string literal;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('$'), text.size());
    literal += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('$', 1);
    if (close == std::string_view::npos) return std::nullopt;
    if (close == 1) {
      literal += '$';
    } else {
      auto piece = piece_of(text.substr(1, close - 1));
      if (!piece) return std::nullopt;
      piece->literal = std::exchange(literal, {});
      pattern.add(*std::move(piece));
    }
    text.remove_prefix(close + 1);
  }
  pattern.add({std::move(literal)});
  return pattern;
}

bool NamePattern::has_fields() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) { return piece.field != Field::kNone; });
}

bool NamePattern::names_segments() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) {
    return piece.field != Field::kNone && static_cast<std::size_t>(piece.field) <= kNumberFields;
  });
}

bool NamePattern::names_representation() const {
  return std::ranges::find(pieces_, Field::kRepresentationId, &Piece::field) != pieces_.end();
}

bool NamePattern::names_bandwidth() const {
  return std::ranges::find(pieces_, Field::kBandwidth, &Piece::field) != pieces_.end();
}

bool NamePattern::names_parts() const {
  return std::ranges::find(pieces_, Field::kSubNumber, &Piece::field) != pieces_.end();
}

bool NamePattern::splits_escape() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) {
    const std::string_view literal = piece.literal;
    const std::size_t percent = literal.rfind('%');
    return piece.field != Field::kNone && percent != std::string_view::npos && percent + 2 >= literal.size();
  });
}

std::string NamePattern::unused_mark(std::string_view document) const {
  std::string mark = "0zf";
  const auto has_mark = [&](const Piece& piece) { return piece.literal.find(mark) != std::string::npos; };
  while (document.find(mark) != std::string_view::npos || std::ranges::any_of(pieces_, has_mark)) mark += 'q';
  return mark;
}

std::string NamePattern::marked(std::string_view mark) const {
  std::string text;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    text += pieces_[i].literal;
    if (pieces_[i].field != Field::kNone) text += fmt::format("{}{}z", mark, i);
  }
  return text;
}

NamePattern NamePattern::from_marked(std::string_view text, std::string_view mark) const {
  NamePattern pattern;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    Piece piece{std::string{text.substr(0, at)}};
    text.remove_prefix(at + mark.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    assert(error == std::errc{} && number < pieces_.size());
    piece.field = pieces_[number].field;
    piece.width = pieces_[number].width;
    pattern.add(std::move(piece));
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);  // the letter after it
  }
  pattern.add({std::string{text}});
  return pattern;
}

NamePattern NamePattern::with_id(std::string_view id) const {
  NamePattern pattern;
  for (Piece piece : pieces_) {
    if (piece.field == Field::kRepresentationId) {
      piece.literal += id;
      piece.field = Field::kNone;
    }
    pattern.add(std::move(piece));
  }
  return pattern;
}

NamePattern NamePattern::of(std::string_view id, std::int64_t bandwidth) const {
  NamePattern pattern;
  for (Piece piece : with_id(id).pieces_) {
    if (piece.field == Field::kBandwidth) {
      piece.literal += number_text(bandwidth, piece.width);
      piece.field = Field::kNone;
    }
    pattern.add(std::move(piece));
  }
  return pattern;
}

std::string NamePattern::text() const {
  std::string text;
  for (const Piece& piece : pieces_) {
    for (const char c : piece.literal) text.append(c == '$' ? 2 : 1, c);
    if (piece.field == Field::kNone) continue;
    text += fmt::format("${}", name_of(piece.field));
    if (piece.width > 0) text += fmt::format("%0{}d", piece.width);
    text += '$';
  }
  return text;
}

std::optional<NamePattern::Values> NamePattern::match(std::string_view name) const {
  Values values;
  if (!match_from(0, name, values)) return std::nullopt;
  return values;
}

/// Where digits follow a field, several values are tried; three fields at the most have a choice, since each has one
/// value.
bool NamePattern::match_from(std::size_t at, std::string_view name, Values& values) const {
  for (; at < pieces_.size(); ++at) {
    const Piece& piece = pieces_[at];
    if (!name.starts_with(piece.literal)) return false;
    name.remove_prefix(piece.literal.size());
    if (piece.field == Field::kNone) continue;
    const std::size_t field = static_cast<std::size_t>(piece.field) - 1;
    if (field >= kNumberFields) return false;
    if (values[field]) {
      const std::string digits = number_text(*values[field], piece.width);
      if (!name.starts_with(digits)) return false;
      name.remove_prefix(digits.size());
      continue;
    }
    const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(name, is_digit) - name.begin());
    for (std::size_t size = std::min<std::size_t>(digits, kWidest); size > 0; --size) {
      Values tried = values;
      tried[field] = number_from(name.substr(0, size), piece.width);
      if (tried[field] && match_from(at + 1, name.substr(size), tried)) {
        values = tried;
        return true;
      }
    }
    return false;
  }
  return name.empty();
}

std::string NamePattern::expand(const Values& values) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    text += piece.literal;
    const std::size_t field = static_cast<std::size_t>(piece.field) - 1;
    if (piece.field != Field::kNone && field < kNumberFields)
      text += number_text(values[field].value_or(0), piece.width);
  }
  return text;
}

void PatternTable::add(NamePattern pattern, std::size_t number) {
  lengths_.insert(pattern.beginning().size());
  std::string beginning{pattern.beginning()};
  by_beginning_[std::move(beginning)].push_back({std::move(pattern), number});
}

std::optional<PatternTable::Match> PatternTable::find(std::string_view name) const {
  for (const std::size_t length : lengths_) {
    if (length > name.size()) continue;
    const auto entries = by_beginning_.find(name.substr(0, length));
    if (entries == by_beginning_.end()) continue;
    for (const Entry& entry : entries->second) {
      if (const auto values = entry.pattern.match(name)) return Match{entry.number, *values};
    }
  }
  return std::nullopt;
}

}  // namespace tributary::proxy
