#include "segmenter/encode/encode_terms.hh"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/mem.h>
#include <libavutil/sha.h>
#include <libswscale/swscale.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "segmenter/encoders/encoder_dialect.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTitle = "--title";
constexpr const char* kChapters = "the chapters";
constexpr const char* kSingleFile = "--single-file";
constexpr const char* kFrameIndex = "--frame-index";
constexpr const char* kNoHls = "--no-hls";
constexpr const char* kNoDash = "--no-dash";
constexpr const char* kNoThumbnails = "--no-thumbnails";

std::string yes_or_no(bool value) { return value ? "given" : "not given"; }

/// Identifies the title by its content, not by its path. Hashes only some places of large files, because reading all
/// would take too long.
std::string title_of(const std::string& input) {
  constexpr std::uint64_t kPlaces = 64, kBytes = 1 << 16;
  const std::uint64_t size = fs::file_size(input);
  const std::unique_ptr<AVSHA, decltype([](AVSHA* sha) { av_free(sha); })> sha{av_sha_alloc()};
  if (!sha) throw std::bad_alloc{};
  av_sha_init(sha.get(), 256);
  std::ifstream file{input, std::ios::binary};
  std::vector<char> bytes(kBytes);
  for (std::uint64_t place = 0; place < kPlaces; ++place) {
    file.clear();
    file.seekg(static_cast<std::streamoff>(size > kBytes ? (size - kBytes) / (kPlaces - 1) * place : 0));
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    av_sha_update(sha.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                  static_cast<std::size_t>(file.gcount()));
  }
  std::array<std::uint8_t, 32> digest{};
  av_sha_final(sha.get(), digest.data());
  std::string text = fmt::format("a file of {} bytes, ", size);
  for (std::size_t i = 0; i < 8; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string ladder_text(const std::vector<Quality>& ladder) {
  std::string text;
  for (const Quality& quality : ladder) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", quality.name, quality.rate.whole_bits_per_second());
    if (quality.size) text += fmt::format("@{}x{}", quality.size->width, quality.size->height);
  }
  return text;
}

std::string metrics_text(MetricChoice metrics) {
  if (!metrics.any()) return "not given";
  return fmt::format("{}{}{}", metrics.psnr ? "psnr" : "", metrics.psnr && metrics.ssim ? "," : "",
                     metrics.ssim ? "ssim" : "");
}

std::string subtitles_text(const std::vector<SubtitleFile>& files) {
  std::string text;
  for (const SubtitleFile& file : files) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : "; ", title_of(file.path), file.label.language);
    for (const TrackRole role : file.label.roles) text += fmt::format(":{}", to_string(role));
  }
  return text.empty() ? "not given" : text;
}

std::string chapters_text(const std::vector<Chapter>& chapters) {
  nlohmann::json text = nlohmann::json::array();
  for (const Chapter& chapter : chapters) text.push_back({chapter.start.count(), chapter.name});
  return text.dump();
}

std::vector<Chapter> chapters_from(const std::string& text) {
  std::vector<Chapter> chapters;
  const auto list = nlohmann::json::parse(text, nullptr, false);
  for (const auto& entry : list.is_array() ? list : nlohmann::json::array())
    chapters.push_back({Duration{entry.at(0).get<Duration::rep>()}, entry.at(1).get<std::string>()});
  return chapters;
}

bool are_files(const EncodeOptions& options) {
  std::error_code error;
  return fs::is_regular_file(options.input, error) &&
         std::ranges::all_of(options.subtitles,
                             [&](const SubtitleFile& file) { return fs::is_regular_file(file.path, error); });
}

}  // namespace

EncodeTerms terms_of(const EncodeOptions& options) {
  if (!are_files(options)) return {};
  const EncoderDialect dialect{options.video};
  const bool has_crf = options.video.rate_control == RateControl::kCappedCrf;
  return {{"INPUT", title_of(options.input)},
          {"the program", fmt::format("{} with libavcodec {}, libswscale {}", TRIBUTARY_VERSION, avcodec_version(),
                                      swscale_version())},
          {kTitle, options.title.value_or("")},
          {kChapters, chapters_text(options.chapters)},
          {"--ladder", ladder_text(options.ladder)},
          {"--segment", format_duration(options.segment)},
          {"--section", format_duration(options.section)},
          {"--max-frame-rate", std::to_string(options.fastest)},
          {"--chunk", format_duration(options.layout.chunk)},
          {"--codec", video_codec_names()[static_cast<std::size_t>(options.video.codec)]},
          {"--encoder", dialect.codec().name},
          {"--preset", dialect.preset()},
          {"--rate-control", rate_control_names()[static_cast<std::size_t>(options.video.rate_control)]},
          {"--crf", has_crf ? std::to_string(dialect.crf()) : "not given"},
          {"--quality", metrics_text(options.metrics)},
          {"--audio", options.audio ? std::to_string(options.audio->rate.whole_bits_per_second()) : "none"},
          {"--audio-codec", options.audio && options.audio->codec == SoundCodec::kOpus ? "opus" : "aac"},
          {"--subtitles", subtitles_text(options.subtitles)},
          {"--no-subtitles", yes_or_no(!options.source_subtitles)},
          {"--audio-tracks", options.all_sounds ? "all" : "best"},
          {kSingleFile, yes_or_no(options.layout.single_file)},
          {kFrameIndex, yes_or_no(options.layout.frame_index)},
          {kNoHls, yes_or_no(!options.manifests.hls)},
          {kNoDash, yes_or_no(!options.manifests.dash)},
          {kNoThumbnails, yes_or_no(!options.thumbnails)}};
}

FinishTerms finish_terms(const EncodeTerms& terms) {
  const auto given = [&](const char* name) {
    const auto found = terms.find(name);
    return found != terms.end() && found->second == yes_or_no(true);
  };
  const auto value = [&](const char* name) {
    const auto found = terms.find(name);
    return found == terms.end() ? std::string{} : found->second;
  };
  return {value(kTitle),
          chapters_from(value(kChapters)),
          {given(kSingleFile), given(kFrameIndex)},
          {!given(kNoHls), !given(kNoDash)},
          !given(kNoThumbnails)};
}

}  // namespace tributary::segmenter
