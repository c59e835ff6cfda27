#include "segmenter/subtitles/subtitle_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "presentation/language_tag.hh"
#include "segmenter/libav/input_file.hh"
#include "units/text/plain_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

/// The duration of a text without a stated end, unless another follows sooner.
constexpr Duration kUsualLength = 5s;

/// Decodes the packets of one stream into cues.
class CueDecoder {
 public:
  /// `encoding`: that of the text, by its name in iconv; null: UTF-8.
  CueDecoder(const AVStream& stream, const AVCodec& codec, const std::string& name, const char* encoding)
      : stream_{stream}, name_{name}, decoder_{avcodec_alloc_context3(&codec)} {
    const std::string what = "cannot read the subtitles in " + name;
    if (!decoder_) throw std::bad_alloc{};
    check(avcodec_parameters_to_context(decoder_.get(), stream.codecpar), ExitCode::kInput, what);
    decoder_->pkt_timebase = stream.time_base;
    Options options;
    if (encoding != nullptr) options.set("sub_charenc", encoding);
    check(avcodec_open2(decoder_.get(), &codec, options.get()), ExitCode::kInput, what);
    open_encoder();
  }

  /// `zero`: time of the first picture, in microseconds. False if the packet cannot be read.
  bool add(AVPacket& packet, std::int64_t zero) {
    if (packet.pts == AV_NOPTS_VALUE) return false;
    AVSubtitle subtitle{};
    int complete = 0;
    if (avcodec_decode_subtitle2(decoder_.get(), &subtitle, &complete, &packet) < 0) return false;
    const std::unique_ptr<AVSubtitle, decltype(&avsubtitle_free)> frees{&subtitle, avsubtitle_free};
    const std::string text = complete == 0 || subtitle.num_rects == 0 ? "" : encoded(subtitle);
    const Duration begin = time_of(packet.pts, zero);
    close_open_cue(begin);
    if (text.empty()) return true;
    const bool has_end = packet.duration > 0;
    const Duration end = has_end ? time_of(packet.pts + packet.duration, zero) : begin + kUsualLength;
    if (end <= Duration{} || end <= begin) return true;
    cues_.push_back({std::max(begin, Duration{}), end, text});
    is_open_ = !has_end;
    return true;
  }

  std::vector<SubtitleCue> finish() {
    std::stable_sort(cues_.begin(), cues_.end(),
                     [](const SubtitleCue& a, const SubtitleCue& b) { return a.begin < b.begin; });
    return std::move(cues_);
  }

 private:
  void open_encoder() {
    const AVCodec* const codec = avcodec_find_encoder(AV_CODEC_ID_WEBVTT);
    if (codec == nullptr) throw Failure{ExitCode::kCodec, "this libavcodec was built without a WebVTT encoder"};
    encoder_.reset(avcodec_alloc_context3(codec));
    if (!encoder_) throw std::bad_alloc{};
    encoder_->time_base = {1, 1000};
    const auto size = static_cast<std::size_t>(decoder_->subtitle_header_size);
    encoder_->subtitle_header = static_cast<std::uint8_t*>(av_mallocz(size + 1));  // freed with the encoder
    if (encoder_->subtitle_header == nullptr) throw std::bad_alloc{};
    if (size > 0) std::memcpy(encoder_->subtitle_header, decoder_->subtitle_header, size);
    encoder_->subtitle_header_size = decoder_->subtitle_header_size;
    check(avcodec_open2(encoder_.get(), codec, nullptr), ExitCode::kCodec,
          "cannot open the WebVTT encoder for the subtitles in " + name_);
  }

  std::string encoded(AVSubtitle& subtitle) {
    std::array<std::uint8_t, 1 << 16> buffer;
    subtitle.start_display_time = 0;
    const int size = avcodec_encode_subtitle(encoder_.get(), buffer.data(), static_cast<int>(buffer.size()), &subtitle);
    if (size <= 0) return "";
    return cue_text({reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(size)});
  }

  Duration time_of(std::int64_t ticks, std::int64_t zero) const {
    return std::chrono::microseconds{av_rescale_q(ticks, stream_.time_base, AV_TIME_BASE_Q) - zero};
  }

  void close_open_cue(Duration begin) {
    if (is_open_ && begin > cues_.back().begin) cues_.back().end = std::min(cues_.back().end, begin);
    is_open_ = false;
  }

  const AVStream& stream_;
  std::string name_;
  CodecHandle decoder_, encoder_;
  std::vector<SubtitleCue> cues_;
  bool is_open_ = false;  // the last cue has no stated end
};

/// Null unless the stream is text that libavcodec can read.
const AVCodec* text_decoder_of(const AVStream& stream) {
  if (stream.codecpar->codec_type != AVMEDIA_TYPE_SUBTITLE) return nullptr;
  const AVCodecDescriptor* const codec = avcodec_descriptor_get(stream.codecpar->codec_id);
  if (codec == nullptr || (codec->props & AV_CODEC_PROP_TEXT_SUB) == 0) return nullptr;
  return avcodec_find_decoder(stream.codecpar->codec_id);
}

std::vector<int> text_streams_of(const InputFile& file) {
  std::vector<int> numbers;
  for (int i = 0; i < file.streams(); ++i) {
    if (text_decoder_of(file.stream(i)) != nullptr) numbers.push_back(i);
  }
  return numbers;
}

/// The time of the first picture, in microseconds.
std::int64_t zero_of(const InputFile& file) {
  const int picture = file.best_stream(AVMEDIA_TYPE_VIDEO, -1, nullptr);
  if (picture < 0 || file.stream(picture).start_time == AV_NOPTS_VALUE) return 0;
  return av_rescale_q(file.stream(picture).start_time, file.stream(picture).time_base, AV_TIME_BASE_Q);
}

/// The packets of some streams; those of one stream stay in their order.
std::vector<std::vector<PacketHandle>> read_packets(InputFile& file, const std::vector<int>& numbers) {
  std::vector<std::vector<PacketHandle>> packets(numbers.size());
  file.read_only(numbers);
  const PacketHandle packet = make_packet();
  while (file.read(*packet)) {
    const auto place = std::ranges::find(numbers, packet->stream_index);
    if (place != numbers.end()) packets[static_cast<std::size_t>(place - numbers.begin())].push_back(clone(*packet));
    av_packet_unref(packet.get());
  }
  return packets;
}

bool are_utf8(const std::vector<PacketHandle>& packets) {
  return std::ranges::all_of(packets, [](const PacketHandle& packet) {
    return is_utf8({reinterpret_cast<const char*>(packet->data), static_cast<std::size_t>(packet->size)});
  });
}

/// `zero`: time of the first picture, in microseconds. Calls `refuse` with each packet that cannot be read.
template <typename Refuse>
Subtitles decode(const InputFile& file, int number, const std::vector<PacketHandle>& packets, std::int64_t zero,
                 Refuse refuse) {
  const AVStream& stream = file.stream(number);
  Subtitles subtitles{file.label(number), {}, ""};
  const char* encoding = nullptr;
  if (!are_utf8(packets)) {
    encoding = "WINDOWS-1252";
    subtitles.remark =
        fmt::format("{}: its subtitles are not UTF-8, and are taken for Windows-1252 (Western European)", file.name());
  }
  CueDecoder decoder{stream, *text_decoder_of(stream), file.name(), encoding};
  for (const PacketHandle& packet : packets) {
    if (!decoder.add(*packet, zero)) refuse(*packet);
  }
  subtitles.cues = decoder.finish();
  return subtitles;
}

/// Takes the text behind the last colon off; nothing if there is no colon.
std::optional<std::string> take_suffix(std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string suffix = text.substr(colon + 1);
  text.erase(colon);
  return suffix;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

SubtitleFile parse_subtitle_file(const std::string& text) {
  SubtitleFile file{text, {}};
  if (is_there(text)) return file;
  auto suffix = take_suffix(file.path);
  if (const auto role = suffix ? track_role_from(*suffix) : std::nullopt) {
    file.label.roles = {*role};
    if (is_there(file.path)) return file;
    suffix = take_suffix(file.path);
  }
  const auto language = suffix ? language_tag(*suffix) : std::nullopt;
  if (!language) {
    std::string shorter = file.path;
    take_suffix(shorter);
    if (suffix && (is_there(file.path) || is_there(shorter)))
      throw std::invalid_argument(
          fmt::format("{}: \"{}\" is no language (RFC 5646: de, pt-BR, zh-Hans), and no role (docs/index-format.md)",
                      text, *suffix));
    return {text, {}};
  }
  if (language != kUnknownLanguage) file.label.language = *language;
  return file;
}

std::vector<Subtitles> read_subtitles_of(const std::string& video, const std::atomic<bool>& interrupted) {
  if (!can_be_read_again(video)) return {};
  InputFile file{video, interrupted};
  const std::vector<int> numbers = text_streams_of(file);
  if (numbers.empty()) return {};
  const std::vector<std::vector<PacketHandle>> packets = read_packets(file, numbers);
  std::vector<Subtitles> all;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Subtitles subtitles = decode(file, numbers[i], packets[i], zero_of(file), [](const AVPacket&) {});
    if (!subtitles.cues.empty()) all.push_back(std::move(subtitles));
  }
  return all;
}

Subtitles read_subtitles(const SubtitleFile& subtitle_file, const std::atomic<bool>& interrupted) {
  InputFile file{subtitle_file.path, interrupted};
  const std::vector<int> numbers = text_streams_of(file);
  if (numbers.empty()) throw Failure{ExitCode::kInput, fmt::format("{} has no subtitles that are text", file.name())};
  const AVRational time_base = file.stream(numbers[0]).time_base;
  Subtitles subtitles = decode(file, numbers[0], read_packets(file, {numbers[0]})[0], 0, [&](const AVPacket& packet) {
    throw Failure{ExitCode::kInput, fmt::format("{} at {:.3f} s: a text that cannot be read", file.name(),
                                                static_cast<double>(packet.pts) * av_q2d(time_base))};
  });
  if (!subtitle_file.label.language.empty()) subtitles.label.language = subtitle_file.label.language;
  if (!subtitle_file.label.roles.empty()) subtitles.label.roles = subtitle_file.label.roles;
  if (subtitles.cues.empty()) throw Failure{ExitCode::kInput, fmt::format("{} has no text", file.name())};
  return subtitles;
}

std::string cue_text(const std::string& text) {
  constexpr std::array<std::string_view, 6> kMarkup{"<b>", "</b>", "<i>", "</i>", "<u>", "</u>"};
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = std::string_view{text}.substr(at);
    const bool is_markup =
        std::any_of(kMarkup.begin(), kMarkup.end(), [&](std::string_view tag) { return rest.starts_with(tag); });
    if (text[at] == '&') {
      out += "&amp;";
    } else if (text[at] == '<' && !is_markup) {
      out += "&lt;";
    } else if (text[at] == '>' && out.ends_with("--")) {
      out += "&gt;";
    } else if (text[at] == '\n' && (out.empty() || out.back() == '\n')) {
      continue;  // an empty line would end the cue
    } else if (text[at] != '\r' && text[at] != '\0') {
      out += text[at];
    }
  }
  while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
  return out;
}

}  // namespace tributary::segmenter
