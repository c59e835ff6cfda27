#include "gst/readers/media_caps.hh"

#include <fmt/format.h>
#include <gst/pbutils/pbutils.h>

#include <array>

#include "media/codec_string.hh"

namespace tributary {
namespace {

GstHandle<GstBuffer> buffer_of(std::span<const std::byte> bytes) {
  GstHandle<GstBuffer> buffer{gst_buffer_new_allocate(nullptr, bytes.size(), nullptr)};
  gst_buffer_fill(buffer.get(), 0, bytes.data(), bytes.size());
  return buffer;
}

const std::uint8_t* data_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

void set_decoder_config(GstCaps& caps, std::span<const std::byte> config) {
  const auto buffer = buffer_of(config);
  gst_caps_set_simple(&caps, "codec_data", GST_TYPE_BUFFER, buffer.get(), nullptr);
}

GstHandle<GstCaps> h264(const InitFacts& init) {
  constexpr std::size_t kProfile = 1, kProfileBytes = 3;
  const bool inband = init.sample_entry == "avc3";
  GstHandle<GstCaps> caps{gst_caps_new_simple("video/x-h264", "stream-format", G_TYPE_STRING, inband ? "avc3" : "avc",
                                              "alignment", G_TYPE_STRING, "au", nullptr)};
  gst_codec_utils_h264_caps_set_level_and_profile(caps.get(), data_of(init.decoder_config) + kProfile, kProfileBytes);
  return caps;
}

GstHandle<GstCaps> h265(const InitFacts& init) {
  constexpr std::size_t kProfile = 1, kProfileBytes = 12;
  GstHandle<GstCaps> caps{gst_caps_new_simple("video/x-h265", "stream-format", G_TYPE_STRING, init.sample_entry.c_str(),
                                              "alignment", G_TYPE_STRING, "au", nullptr)};
  gst_codec_utils_h265_caps_set_level_tier_and_profile(caps.get(), data_of(init.decoder_config) + kProfile,
                                                       kProfileBytes);
  return caps;
}

GstHandle<GstCaps> aac(const InitFacts& init) {
  GstHandle<GstCaps> caps{gst_caps_new_simple("audio/mpeg", "mpegversion", G_TYPE_INT, 4, "framed", G_TYPE_BOOLEAN,
                                              TRUE, "stream-format", G_TYPE_STRING, "raw", nullptr)};
  gst_codec_utils_aac_caps_set_level_and_profile(caps.get(), data_of(init.decoder_config),
                                                 static_cast<guint>(init.decoder_config.size()));
  return caps;
}

/// From dOps (Encapsulation of Opus in ISO Base Media File Format, section 4.3.2).
GstHandle<GstCaps> opus(const InitFacts& init) {
  constexpr int kRate = 48000;  // of the decoder's output, for each rate of the encoder's input
  ByteReader config{"dOps", init.decoder_config};
  config.skip(1);
  const std::uint8_t channels = config.u8();
  config.skip(2 + 4 + 2);
  const std::uint8_t family = config.u8();
  std::array<guint8, 256> mapping{};
  std::uint8_t streams = 1, coupled = channels == 2 ? 1 : 0;
  if (family != 0) {
    streams = config.u8();
    coupled = config.u8();
    for (std::size_t i = 0; i < channels; ++i) mapping.at(i) = config.u8();
  }
  GstHandle<GstCaps> caps{gst_codec_utils_opus_create_caps(kRate, channels, family, streams, coupled,
                                                           family == 0 ? nullptr : mapping.data())};
  if (!caps) throw BoxError{fmt::format("dOps: {} channels of mapping family {} cannot be played", channels, family)};
  return caps;
}

GstHandle<GstCaps> framed(const char* format, const char* field, const char* value) {
  return GstHandle<GstCaps>{
      gst_caps_new_simple(format, "framed", G_TYPE_BOOLEAN, TRUE, field, G_TYPE_STRING, value, nullptr)};
}

/// By the object types of MPEG-2 and MPEG-1 audio, and of layer 3 within MPEG-4 audio (https://mp4ra.org).
bool is_mp3(const std::string& codec) { return codec == "mp4a.69" || codec == "mp4a.6b" || codec == "mp4a.40.34"; }

GstHandle<GstCaps> mp3() {
  return GstHandle<GstCaps>{gst_caps_new_simple("audio/mpeg", "mpegversion", G_TYPE_INT, 1, "layer", G_TYPE_INT, 3,
                                                "parsed", G_TYPE_BOOLEAN, TRUE, nullptr)};
}

GstHandle<GstCaps> base_caps(const InitFacts& init) {
  const std::string& entry = init.sample_entry;
  if (entry == "avc1" || entry == "avc3") return h264(init);
  if (entry == "hvc1" || entry == "hev1") return h265(init);
  if (entry == "av01") {
    return GstHandle<GstCaps>{gst_caps_new_simple("video/x-av1", "stream-format", G_TYPE_STRING, "obu-stream",
                                                  "alignment", G_TYPE_STRING, "tu", nullptr)};
  }
  if (entry == "vp09") {
    return GstHandle<GstCaps>{gst_caps_new_simple("video/x-vp9", "alignment", G_TYPE_STRING, "super-frame",
                                                  "codec-alpha", G_TYPE_BOOLEAN, FALSE, nullptr)};
  }
  if (entry == "Opus") return opus(init);
  if (entry == "ac-3") return framed("audio/x-ac3", "alignment", "frame");
  if (entry == "ec-3") return framed("audio/x-eac3", "alignment", "frame");
  if (is_mp3(init.codec)) return mp3();
  if (init.codec.starts_with("mp4a.40.")) return aac(init);
  throw BoxError{fmt::format("the codec {} has no name in GStreamer", init.codec)};
}

}  // namespace

TrackKind kind_of(const InitFacts& init) {
  return is_sound_entry(init.sample_entry) ? TrackKind::kAudio : TrackKind::kVideo;
}

GstHandle<GstCaps> caps_of(const InitFacts& init, const Track& track) {
  GstHandle<GstCaps> caps = base_caps(init);
  if (kind_of(init) == TrackKind::kVideo) {
    gst_caps_set_simple(caps.get(), "width", G_TYPE_INT, init.width, "height", G_TYPE_INT, init.height, nullptr);
    if (track.frame_rate_num > 0 && track.frame_rate_den > 0) {
      gst_caps_set_simple(caps.get(), "framerate", GST_TYPE_FRACTION, track.frame_rate_num, track.frame_rate_den,
                          nullptr);
    }
  } else if (init.sample_entry == "mp4a") {  // of others, the samples say it
    gst_caps_set_simple(caps.get(), "rate", G_TYPE_INT, init.sample_rate, "channels", G_TYPE_INT, init.channels,
                        nullptr);
  }
  if (init.sample_entry != "Opus" && !init.decoder_config.empty()) set_decoder_config(*caps, init.decoder_config);
  return caps;
}

bool have_same_codec(const GstCaps& one, const GstCaps& other) {
  const GstStructure* const a = gst_caps_get_structure(&one, 0);
  const GstStructure* const b = gst_caps_get_structure(&other, 0);
  const auto version = [](const GstStructure* of) {
    gint number = 0;
    gst_structure_get_int(of, "mpegversion", &number);
    return number;
  };
  return gst_structure_has_name(a, gst_structure_get_name(b)) != FALSE && version(a) == version(b);
}

GstHandle<GstCaps> caps_of_codec(const std::string& codec) {
  const std::string known = codec == "Opus" ? "opus" : codec;  // sample entries write "Opus", GStreamer "opus"
  return GstHandle<GstCaps>{gst_codec_utils_caps_from_mime_codec(known.c_str())};
}

}  // namespace tributary
