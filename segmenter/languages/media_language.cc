#include "segmenter/languages/media_language.hh"

#include "media/iso_box.hh"
#include "presentation/language_tag.hh"

namespace tributary::segmenter {
namespace {

using Bytes = std::vector<std::byte>;

void write_number(std::byte* place, std::size_t bytes, std::uint64_t number) {
  for (std::size_t i = bytes; i-- > 0; number >>= 8) place[i] = static_cast<std::byte>(number & 0xff);
}

/// Packs a code with five bits for each letter.
std::uint16_t packed(const std::string& code) {
  unsigned bits = 0;
  for (const char letter : code) bits = bits << 5 | static_cast<unsigned>(letter - 0x60);
  return static_cast<std::uint16_t>(bits);
}

Bytes extended_language_box(const std::string& tag) {
  Bytes box(8 + 4 + tag.size() + 1);  // version and flags are zero, and the text ends with a zero
  write_number(box.data(), 4, box.size());
  const std::string text = "elng" + std::string(4, '\0') + tag;
  for (std::size_t i = 0; i < text.size(); ++i) box[4 + i] = static_cast<std::byte>(text[i]);
  return box;
}

Box only_child(const std::vector<Box>& boxes, std::string_view type) {
  for (const Box& box : boxes) {
    if (box.type == type) return box;
  }
  throw BoxError{"no " + std::string{type}};
}

}  // namespace

std::vector<std::byte> with_language(std::span<const std::byte> init, const std::string& tag) {
  Bytes out{init.begin(), init.end()};
  const std::string code = terminology_code(tag);
  const Box movie = only_child(boxes_in("the init segment", init), "moov");
  const Box track = movie.child("trak"), media = track.child("mdia"), header = media.child("mdhd");
  ByteReader reader = header.read();
  const std::size_t language_at = header.begin + header.header + (reader.u8() == 0 ? 20 : 32);
  reader.skip(language_at - header.begin - header.header - 1 + 2);  // throws if the header is too short
  write_number(&out[language_at], 2, packed(code));
  if (language_tag(code) == tag) return out;
  const Bytes box = extended_language_box(tag);
  const std::size_t end = header.begin + header.header + header.body.size();
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(end), box.begin(), box.end());
  for (const Box& around : {movie, track, media}) write_number(&out[around.begin], 4, around.size + box.size());
  return out;
}

}  // namespace tributary::segmenter
