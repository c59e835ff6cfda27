#include "segmenter/cli/encoding_words.hh"

#include <fmt/ranges.h>

#include <algorithm>

#include "command_line/choice.hh"
#include "command_line/introduction.hh"
#include "command_line/program_end.hh"
#include "command_line/read_option.hh"
#include "segmenter/cli/shared_options.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

constexpr const char* kUsualLadder = "low=750k,medium=1300k,high=2150k,super=3000k";

std::vector<Quality> read_ladder(const std::string& text) {
  return text == "auto" ? std::vector<Quality>{} : parse_ladder(text);
}

std::optional<DataRate> read_sound_rate(const std::string& text) {
  if (text == "none") return std::nullopt;
  const DataRate rate = parse_rate(text);
  if (rate.bits_per_second() < 16e3 || rate.bits_per_second() > 512e3)
    throw std::invalid_argument("the rate is from 16k to 512k, or none");
  return rate;
}

void declare_ladder(CLI::App& app, EncodingOptions& options) {
  options.ladder = parse_ladder(kUsualLadder);
  add_read(app, "--ladder", options.ladder, read_ladder,
           "Encode these qualities: NAME=RATE or NAME=RATE@WxH, with commas between. auto chooses them by the source.")
      ->default_str(kUsualLadder)
      ->option_text("LADDER");
}

void declare_encoder(CLI::App& app, VideoEncoding& video) {
  allow_words(
      add_read(app, "--codec", video.codec, video_codec_from, "Encode the picture by this codec.")->default_str("h264"),
      video_codec_names());
  app.add_option("--encoder", video.encoder,
                 "Use this encoder of libavcodec instead of libx264, libx265 or libsvtav1, for example h264_nvenc.")
      ->option_text("NAME");
  app.add_option(
         "--preset", video.preset,
         fmt::format("Work this slowly; the slower, the better the picture: {}.", fmt::join(preset_names(), ", ")))
      ->default_str("veryfast")
      ->option_text("NAME");
}

void declare_rate_control(CLI::App& app, VideoEncoding& video) {
  allow_words(add_read(app, "--rate-control", video.rate_control, rate_control_from,
                       "Read RATE as the average (vbr; 2pass looks at all pictures first), or as the limit of a "
                       "constant quality (capped-crf).")
                  ->default_str("vbr"),
              rate_control_names());
  app.add_option("--crf", video.crf, "Aim at this constant quality; a lower number is better.")
      ->default_str("23 for h264, 26 for hevc, 35 for av1")
      ->check(CLI::Range(0, 63))
      ->option_text("N");
}

/// --audio comes first: without sound, its codec says nothing.
void declare_sound(CLI::App& app, std::optional<SoundEncoding>& audio) {
  constexpr const char* kUsualRate = "128k";
  audio = SoundEncoding{.rate = parse_rate(kUsualRate)};
  app.add_option_function<std::string>(
         "--audio",
         [&audio](const std::string& text) {
           read_for("--audio", [&] {
             if (const auto rate = read_sound_rate(text)) {
               audio->rate = *rate;
             } else {
               audio.reset();
             }
           });
         },
         "Encode the sound at this rate; none leaves it out.")
      ->default_str(kUsualRate)
      ->option_text("RATE");
  allow_words(app.add_option_function<std::string>(
                     "--audio-codec",
                     [&audio](const std::string& name) {
                       if (audio) audio->codec = name == "opus" ? SoundCodec::kOpus : SoundCodec::kAac;
                     },
                     "Encode the sound by this codec.")
                  ->default_str("aac"),
              {"aac", "opus"});
  group(app, kSoundGroup, {"--audio", "--audio-codec"});
}

}  // namespace

void declare_encoding(CLI::App& app, EncodingOptions& options) {
  declare_title(app, options.title);
  declare_ladder(app, options);
  declare_cutting(app, options.segment, options.layout);
  declare_encoder(app, options.video);
  app.add_option("--max-frame-rate", options.fastest,
                 "Take every second or third picture of a source that has more than this many a second.")
      ->capture_default_str()
      ->check(CLI::Range(1, 240))
      ->option_text("N");
  declare_rate_control(app, options.video);
  declare_sound(app, options.audio);
  group(app, kPictureGroup,
        {"--ladder", "--codec", "--encoder", "--preset", "--max-frame-rate", "--rate-control", "--crf"});
}

void check_encoding(const EncodingOptions& options) {
  check_cutting(options.segment, options.layout);
  const VideoEncoding& video = options.video;
  if (video.crf && video.rate_control != RateControl::kCappedCrf)
    throw UsageError("--crf: goes with --rate-control capped-crf");
  const auto& presets = preset_names();
  const bool is_known = video.preset.empty() || std::ranges::count(presets, video.preset) > 0;
  if (!is_known && is_usual_encoder(video))
    throw UsageError(fmt::format("--preset: \"{}\" is not one of {}", video.preset, fmt::join(presets, ", ")));
}

}  // namespace tributary::segmenter
