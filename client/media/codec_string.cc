#include "media/codec_string.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

/// Tags of descriptors (ISO/IEC 14496-1 section 7.2.2.1).
constexpr std::uint8_t kStream = 3, kDecoderConfig = 4, kDecoderSpecific = 5;

/// An object type (section 7.2.6.6.2).
constexpr unsigned kMpeg4Audio = 0x40;

/// Profile, constraints and level (ISO/IEC 14496-15 section 5.3.3.1.2).
std::string avc(const Box& entry) {
  ByteReader config = entry.child("avcC", kVisualFields).read();
  config.skip(1);
  return fmt::format("{}.{:06x}", entry.type, config.number(3));
}

/// Profile, the compatible ones, tier, level and constraints (ISO/IEC 14496-15 section E.3).
std::string hevc(const Box& entry) {
  ByteReader config = entry.child("hvcC", kVisualFields).read();
  config.skip(1);
  const unsigned profile = config.u8();
  std::uint32_t compatible = config.u32(), reversed = 0;
  for (int bit = 0; bit < 32; ++bit, compatible >>= 1) reversed = reversed << 1 | (compatible & 1);
  const auto constraints = config.take(6);
  const unsigned level = config.u8();
  const unsigned space = profile >> 6;
  std::string text =
      fmt::format("{}.{}{}.{:X}.{}{}", entry.type, space == 0 ? "" : std::string(1, static_cast<char>('A' + space - 1)),
                  profile & 0x1f, reversed, (profile & 0x20) != 0 ? 'H' : 'L', level);
  std::size_t used = constraints.size();
  while (used > 0 && constraints[used - 1] == std::byte{0}) --used;
  for (std::size_t i = 0; i < used; ++i) text += fmt::format(".{:X}", std::to_integer<int>(constraints[i]));
  return text;
}

/// Profile, level and bit depth (VP Codec ISO Media File Format Binding, section "Codecs Parameter String").
std::string vp9(const Box& entry) {
  ByteReader config = entry.child("vpcC", kVisualFields).read();
  config.skip(4);  // version and flags
  const unsigned profile = config.u8(), level = config.u8(), bits = config.u8() >> 4;
  return fmt::format("vp09.{:02}.{:02}.{:02}", profile, level, bits);
}

/// AC-3 and E-AC-3 (ETSI TS 102 366 annex F).
bool is_dolby(std::string_view sample_entry) { return sample_entry == "ac-3" || sample_entry == "ec-3"; }

/// Profile, level, tier and bit depth (AV1 Codec ISO Media File Format Binding, section 5).
std::string av1(const Box& entry) {
  ByteReader config = entry.child("av1C", kVisualFields).read();
  config.skip(1);
  const unsigned profile_and_level = config.u8(), flags = config.u8();
  const int depth = (flags & 0x40) == 0 ? 8 : (flags & 0x20) != 0 ? 12 : 10;
  return fmt::format("av01.{}.{:02}{}.{:02}", profile_and_level >> 5, profile_and_level & 0x1f,
                     (flags & 0x80) != 0 ? 'H' : 'M', depth);
}

/// The body of the next descriptor. Its length is stored with seven bits a byte.
ByteReader descriptor(const Box& esds, ByteReader& reader, std::uint8_t tag) {
  if (reader.u8() != tag) throw BoxError{fmt::format("{} has no descriptor {} where it should be", esds.place(), tag)};
  std::size_t length = 0;
  std::uint8_t byte = 0x80;
  for (int i = 0; i < 4 && (byte & 0x80) != 0; ++i) {
    byte = reader.u8();
    length = length << 7 | (byte & 0x7f);
  }
  return {esds.place(), reader.take(length)};
}

/// The content of the esds box of sound (ISO/IEC 14496-1 section 7.2.6.6).
struct SoundConfig {
  unsigned object_type;
  std::optional<std::span<const std::byte>> specific;  // AudioSpecificConfig, for MPEG-4 audio
};

SoundConfig sound_config(const Box& entry) {
  constexpr std::size_t kFixedFields = 12;
  const Box box = entry.child("esds", kAudioFields);
  ByteReader esds = box.read();
  esds.skip(4);
  ByteReader stream = descriptor(box, esds, kStream);
  stream.skip(2);
  const std::uint8_t flags = stream.u8();
  if ((flags & 0x80) != 0) stream.skip(2);
  if ((flags & 0x40) != 0) stream.skip(stream.u8());
  if ((flags & 0x20) != 0) stream.skip(2);
  ByteReader config = descriptor(box, stream, kDecoderConfig);
  SoundConfig sound{config.u8(), {}};
  if (sound.object_type != kMpeg4Audio) return sound;
  config.skip(kFixedFields);
  sound.specific = descriptor(box, config, kDecoderSpecific).rest();
  return sound;
}

/// The object type and, for MPEG-4 audio, the type of audio object (ISO/IEC 14496-3 section 1.6.2.1).
std::string mp4a(const Box& entry) {
  constexpr unsigned kEscape = 31;
  const SoundConfig config = sound_config(entry);
  if (!config.specific) return fmt::format("mp4a.{:02x}", config.object_type);
  ByteReader specific{"AudioSpecificConfig in " + entry.place(), *config.specific};
  const unsigned bits = specific.u16();
  const unsigned audio = bits >> 11;
  return fmt::format("mp4a.40.{}", audio == kEscape ? 32 + (bits >> 5 & 0x3f) : audio);
}

}  // namespace

std::string codec_string(const Box& sample_entry) {
  if (sample_entry.type == "avc1" || sample_entry.type == "avc3") return avc(sample_entry);
  if (sample_entry.type == "hvc1" || sample_entry.type == "hev1") return hevc(sample_entry);
  if (sample_entry.type == "av01") return av1(sample_entry);
  if (sample_entry.type == "mp4a") return mp4a(sample_entry);
  if (sample_entry.type == "vp09") return vp9(sample_entry);
  if (sample_entry.type == "Opus" || is_dolby(sample_entry.type)) return sample_entry.type;
  throw BoxError{fmt::format("{}: this codec is not known", sample_entry.place())};
}

bool is_sound_entry(std::string_view sample_entry) {
  return sample_entry == "mp4a" || sample_entry == "Opus" || is_dolby(sample_entry);
}

std::span<const std::byte> decoder_config(const Box& sample_entry) {
  const auto body = [&](std::string_view type, std::size_t fields) { return sample_entry.child(type, fields).body; };
  if (sample_entry.type.starts_with("avc")) return body("avcC", kVisualFields);
  if (sample_entry.type == "hvc1" || sample_entry.type == "hev1") return body("hvcC", kVisualFields);
  if (sample_entry.type == "av01") return body("av1C", kVisualFields);
  if (sample_entry.type == "Opus") return body("dOps", kAudioFields);
  if (sample_entry.type == "vp09" || is_dolby(sample_entry.type)) return {};
  return sound_config(sample_entry).specific.value_or(std::span<const std::byte>{});
}

}  // namespace tributary
