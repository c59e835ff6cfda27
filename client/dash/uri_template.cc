#include "dash/uri_template.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "dash/bounds.hh"

namespace tributary::dash {
namespace {

constexpr int kWidest = 32;  // digits

/// "%05d" is 5; "%d" and "" are 0; any other text is -1.
int width_of(std::string_view format) {
  if (format.empty() || format == "%d") return 0;
  if (!format.starts_with("%0") || !format.ends_with('d') || format.size() < 4) return -1;
  int width = -1;
  const char* const end = format.data() + format.size() - 1;
  const auto [read, error] = std::from_chars(format.data() + 2, end, width);
  return error == std::errc{} && read == end && width >= 0 && width <= kWidest ? width : -1;
}

}  // namespace

UriTemplate::UriTemplate(std::string_view text) {
  std::string literal;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('$', at), text.size());
    literal += text.substr(at, open - at);
    if (open == text.size()) break;
    const std::size_t close = text.find('$', open + 1);
    if (close == std::string_view::npos) throw std::invalid_argument{"has a $ without a second one"};
    at = close + 1;
    if (close == open + 1) {
      literal += '$';
      continue;
    }
    Piece piece = piece_of(text.substr(open + 1, close - open - 1));
    piece.literal = std::move(literal);
    literal.clear();
    pieces_.push_back(std::move(piece));
  }
  if (!literal.empty()) pieces_.push_back({.literal = std::move(literal)});
}

UriTemplate::Piece UriTemplate::piece_of(std::string_view field) {
  const std::string_view name = field.substr(0, std::min(field.find('%'), field.size()));
  const std::string_view format = field.substr(name.size());
  Piece piece;
  if (name == "Number") piece.field = Field::kNumber;
  if (name == "Time") piece.field = Field::kTime;
  if (name == "SubNumber") piece.field = Field::kSubNumber;
  if (name == "Bandwidth") piece.field = Field::kBandwidth;
  if (name == "RepresentationID" && format.empty()) piece.field = Field::kRepresentationId;
  piece.width = width_of(format);
  if (piece.field == Field::kNone || piece.width < 0) {
    throw std::invalid_argument{fmt::format("has an unknown ${}$", field.substr(0, 60))};
  }
  return piece;
}

bool UriTemplate::has(Field field) const { return std::ranges::find(pieces_, field, &Piece::field) != pieces_.end(); }

std::string UriTemplate::expand(const Values& values) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    text += piece.literal;
    switch (piece.field) {
      case Field::kNone:
        break;
      case Field::kNumber:
        text += fmt::format("{:0{}}", values.number, piece.width);
        break;
      case Field::kTime:
        text += fmt::format("{:0{}}", values.time, piece.width);
        break;
      case Field::kSubNumber:
        text += fmt::format("{:0{}}", values.sub_number, piece.width);
        break;
      case Field::kBandwidth:
        text += fmt::format("{:0{}}", values.bandwidth, piece.width);
        break;
      case Field::kRepresentationId:
        text += values.representation_id;
        break;
    }
    if (text.size() > kLongestUrl)
      throw std::invalid_argument{fmt::format("becomes longer than {} bytes", kLongestUrl)};
  }
  return text;
}

}  // namespace tributary::dash
