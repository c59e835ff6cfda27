#include "segmenter/libav/input_file.hh"

extern "C" {
#include <libavdevice/avdevice.h>
#include <libavutil/avstring.h>
}
#include <netdb.h>
#include <sys/socket.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "presentation/language_tag.hh"
#include "segmenter/libav/input_formats.hh"
#include "system/file_descriptor.hh"
#include "units/text/plain_text.hh"
#include "units/text/quantity_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary::segmenter {
namespace {

/// A pixel aspect beyond 2 to this power is damage.
constexpr double kMostStretched = 3;

/// The time to examine an input; half as long if no sound comes although there may be some.
constexpr Duration kExamining = std::chrono::seconds{10};

/// How long somebody who has connected may take to begin to send.
constexpr Duration kMute = std::chrono::seconds{10};

/// Whether a socket listens at the address: then no other one can be bound to it.
bool is_listened_at(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    return true;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses{found, freeaddrinfo};
  const FileDescriptor socket{::socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol)};
  const int reuse = 1;  // or connections that have ended would count
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  return bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0;
}

std::function<bool()> listening_at(const std::string& url, int usual_port) {
  std::array<char, 256> host{};
  int port = -1;
  av_url_split(nullptr, 0, nullptr, 0, host.data(), host.size(), &port, nullptr, 0, url.c_str());
  return [host = std::string{host.data()}, port = port < 0 ? usual_port : port] { return is_listened_at(host, port); };
}

/// The URL for libavformat, and how to open it.
struct Source {
  std::string url;
  const char* format = nullptr;  // null: libavformat finds out
  bool listens = false;
  std::optional<std::pair<const char*, const char*>> option = std::nullopt;
};

/// The address of a server of RTSP, or one at which we are the server.
Source rtsp_source(const std::string& input) {
  if (listens_as_server(input)) return {input.substr(0, input.rfind('?')), nullptr, true, {{"rtsp_flags", "listen"}}};
  // Over UDP only if the server has no TCP, or if the address asks for it ("?udp"): what is lost of it is not sent again.
  return {input, nullptr, false, {{"rtsp_flags", "prefer_tcp"}}};
}

/// "file:" prevents that libavformat takes a name such as "a:b.mp4" for a protocol.
Source source_of(const std::string& input) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kDevices{
      {{"lavfi:", "lavfi"}, {"v4l2:", "v4l2"}, {"x11:", "x11grab"}}};
  if (input == "-") return {"pipe:0"};
  for (const auto& [prefix, format] : kDevices) {
    if (input.starts_with(prefix)) return {input.substr(prefix.size()), format};
  }
  std::error_code error;
  if (std::filesystem::exists(input, error)) return {"file:" + input};
  if (is_rtsp(input)) return rtsp_source(input);
  const bool is_rtmp = input.starts_with("rtmp://");
  const bool listens = is_rtmp || input.starts_with("udp:") || input.starts_with("rtp:") ||
                       (input.starts_with("srt:") && input.find("mode=listener") != std::string::npos) ||
                       (input.starts_with("tcp:") && input.find("listen") != std::string::npos);
  if (is_rtmp) return {input, nullptr, listens, {{"listen", "1"}}};
  return {input, nullptr, listens};
}

/// Throws Failure where a file could not be opened for its format.
void refuse_format(const std::string& input, const std::string& formats) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(input, error)) return;
  const std::string format = refused_format(input, formats);
  if (format.empty()) return;
  throw Failure{
      ExitCode::kInput,
      fmt::format("cannot open {}: it is no film, but of the format {}, and may lead to other files; a playlist "
                  "is taken where its name ends in .m3u8, .mpd, .ffconcat or .sdp",
                  shown_name(input), format)};
}

FrameRate frame_rate_of(AVRational rate) { return {rate.num, rate.den}; }

/// Of a stream or a whole file.
std::string metadata(const auto& described, const char* key) {
  const AVDictionaryEntry* const entry = av_dict_get(described.metadata, key, nullptr, 0);
  return entry == nullptr ? "" : entry->value;
}

bool is_known_language(const std::string& stated) { return !stated.empty() && stated != kUnknownLanguage; }

/// The roles of a sound or text by its flags, in the order of TrackRole.
std::vector<TrackRole> roles_of(const AVStream& stream) {
  const auto is = [&](int dispositions) { return (stream.disposition & dispositions) != 0; };
  const bool is_text = stream.codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE;
  std::vector<TrackRole> roles;
  const auto add = [&](bool has, TrackRole role) {
    if (has) roles.push_back(role);
  };
  add(is(AV_DISPOSITION_ORIGINAL), TrackRole::kOriginal);
  add(is(AV_DISPOSITION_DUB), TrackRole::kDub);
  add(is(AV_DISPOSITION_COMMENT), TrackRole::kCommentary);
  add(is(AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_DESCRIPTIONS), TrackRole::kDescription);
  add(!is_text && is(AV_DISPOSITION_HEARING_IMPAIRED), TrackRole::kIntelligible);
  add(is_text && is(AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_CAPTIONS), TrackRole::kCaption);
  add(is_text && is(AV_DISPOSITION_FORCED), TrackRole::kForced);
  return roles;
}

bool is_text(const AVStream& stream) {
  const AVCodecDescriptor* const codec = avcodec_descriptor_get(stream.codecpar->codec_id);
  return stream.codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE && codec != nullptr &&
         (codec->props & AV_CODEC_PROP_TEXT_SUB) != 0;
}

}  // namespace

bool is_rtsp(const std::string& input) { return input.starts_with("rtsp://") || input.starts_with("rtsps://"); }

bool listens_as_server(const std::string& input) { return is_rtsp(input) && input.ends_with("?listen"); }

std::string shown_name(const std::string& input) {
  if (input == "-") return "standard input";
  return is_address(input) ? redacted(input) : input;
}

bool can_be_read_again(const std::string& input) {
  std::error_code error;
  const auto kind = std::filesystem::status(input, error).type();
  const bool is_stream = kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::socket ||
                         kind == std::filesystem::file_type::character;
  return input != "-" && !is_stream;
}

void InputFile::Watch::begin(std::optional<Duration> new_patience) {
  patience = new_patience;
  since = std::chrono::steady_clock::now();
}

bool InputFile::Watch::ran_out() const { return patience && std::chrono::steady_clock::now() - since >= *patience; }

/// Somebody has connected to our server and says nothing. Libavformat takes one connection only, and would wait for ever.
bool InputFile::Watch::is_mute() {
  if (!is_listening) return false;
  const auto now = std::chrono::steady_clock::now();
  if (is_listening()) listened = now;
  return now - listened > kMute;
}

int InputFile::Watch::stop_waiting(void* self) {
  auto& watch = *static_cast<Watch*>(self);
  watch.has_waited = true;
  return watch.interrupted || watch.ran_out() || watch.is_mute() ? 1 : 0;
}

InputFile::InputFile(const std::string& input, const std::atomic<bool>& interrupted, const Patience& patience)
    : name_{shown_name(input)},
      patience_{patience},
      watch_{new Watch{interrupted, patience.opening, std::chrono::steady_clock::now()}} {
  const LibavComplaints complaints;
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) throw std::bad_alloc{};
  context->interrupt_callback = {Watch::stop_waiting, watch_.get()};
  // If the call fails, it frees the context.
  const Source source = source_of(input);
  Options options;
  if (source.option) options.set(source.option->first, source.option->second);
  const std::string formats = formats_of(input);
  if (source.format == nullptr) options.set("format_whitelist", formats);
  const AVInputFormat* format = nullptr;
  if (source.format != nullptr) {
    avdevice_register_all();
    format = av_find_input_format(source.format);
    if (format == nullptr) {
      avformat_free_context(context);
      throw Failure{ExitCode::kInput, fmt::format("cannot open {}: this libavdevice has no {}", name_, source.format)};
    }
  }
  if (source.listens && source.option) watch_->is_listening = listening_at(source.url, is_rtsp(input) ? 554 : 1935);
  const int opened = avformat_open_input(&context, source.url.c_str(), format, options.get());
  if (opened == AVERROR(EINVAL) && source.format == nullptr) refuse_format(input, formats);
  check_opening(opened, source.listens, "cannot open ");
  format_.reset(context);
  watch_->is_listening = nullptr;
  if (patience_.reading) watch_->begin(*patience_.reading + kExamining);
  const int examined = avformat_find_stream_info(format_.get(), nullptr);
  check_opening(examined, source.listens, "cannot read ");
}

std::optional<Duration> InputFile::duration() const {
  if (format_->duration == AV_NOPTS_VALUE || format_->duration <= 0) return std::nullopt;
  return Duration{std::chrono::microseconds{format_->duration}};
}

std::int64_t InputFile::longest_hole() const {
  constexpr std::int64_t kUsual = std::int64_t{10} * AV_TIME_BASE, kUnknown = std::int64_t{3600} * AV_TIME_BASE;
  if ((format_->iformat->flags & AVFMT_TS_DISCONT) != 0) return kUsual;
  return format_->duration > 0 ? std::max(kUsual, format_->duration) : kUnknown;
}

bool InputFile::comes_once() const {
  return format_->pb != nullptr && (format_->pb->seekable & AVIO_SEEKABLE_NORMAL) == 0;
}

bool InputFile::streams_have_clocks() const { return av_match_name(format_->iformat->name, "rtsp,rtp,sdp") != 0; }

int InputFile::best_stream(AVMediaType type, int related, const AVCodec** decoder) const {
  if (type == AVMEDIA_TYPE_AUDIO) {
    if (const int sound = best_sound(related, decoder); sound >= 0) return sound;
  }
  const int number = av_find_best_stream(format_.get(), type, -1, related, decoder, 0);
  if (number < 0 || (stream(number).disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) return -1;
  return number;
}

bool InputFile::is_same_programme(int number, int related) const {
  AVProgram* programme = nullptr;
  while (related >= 0 && (programme = av_find_program_from_stream(format_.get(), programme, related)) != nullptr) {
    const std::span members{programme->stream_index, programme->nb_stream_indexes};
    if (std::ranges::find(members, static_cast<unsigned>(number)) != members.end()) return true;
  }
  return related < 0 || av_find_program_from_stream(format_.get(), nullptr, related) == nullptr;
}

int InputFile::best_sound(int related, const AVCodec** decoder) const {
  int best = -1, least = 0;
  for (int i = 0; i < streams(); ++i) {
    const AVCodecParameters& codec = *stream(i).codecpar;
    // A sound that is announced but has not come yet has no sample rate.
    if (codec.codec_type != AVMEDIA_TYPE_AUDIO || codec.sample_rate <= 0 || !is_same_programme(i, related)) continue;
    if (decoder != nullptr && avcodec_find_decoder(codec.codec_id) == nullptr) continue;
    const bool is_default = (stream(i).disposition & AV_DISPOSITION_DEFAULT) != 0;
    const int rank = (is_default ? 0 : 2) + (label(i).is_beside() ? 1 : 0);
    if (best < 0 || rank < least) best = i, least = rank;
  }
  if (best >= 0 && decoder != nullptr) *decoder = avcodec_find_decoder(stream(best).codecpar->codec_id);
  return best;
}

StatedRate InputFile::stated_rate(int picture) const {
  const AVStream& pictures = stream(picture);
  return {frame_rate_of(pictures.avg_frame_rate), frame_rate_of(pictures.r_frame_rate),
          pictures.codecpar->field_order > AV_FIELD_PROGRESSIVE};
}

std::optional<DataRate> InputFile::data_rate(int number) const {
  std::int64_t rate = stream(number).codecpar->bit_rate;
  if (rate <= 0) {
    rate = format_->bit_rate;
    for (int i = 0; i < streams(); ++i) rate -= std::max<std::int64_t>(0, stream(i).codecpar->bit_rate);
  }
  if (rate <= 0) return std::nullopt;
  return DataRate::bits_per_second(static_cast<double>(rate));
}

AVRational InputFile::pixel_aspect(int picture) const {
  const AVRational aspect = av_guess_sample_aspect_ratio(format_.get(), &stream(picture), nullptr);
  const bool is_stated = aspect.num > 0 && aspect.den > 0;
  return is_stated && std::abs(std::log2(av_q2d(aspect))) < kMostStretched ? aspect : AVRational{1, 1};
}

std::string InputFile::title() const {
  std::string title = as_one_line(metadata(*format_, "title"));
  return title.find_first_not_of(' ') == std::string::npos ? ""
                                                           : title;  // RTSP: a name must be there, and may be a space
}

std::vector<Chapter> InputFile::chapters(Duration zero) const {
  std::vector<Chapter> chapters;
  for (unsigned i = 0; i < format_->nb_chapters; ++i) {
    const AVChapter& stated = *format_->chapters[i];
    if (stated.end > stated.start && duration_of(stated.end, stated.time_base) <= zero) continue;
    const Duration start = std::max(duration_of(stated.start, stated.time_base) - zero, Duration{});
    chapters.push_back({start, as_one_line(metadata(stated, "title"))});
  }
  std::ranges::stable_sort(chapters, {}, &Chapter::start);
  const auto same = std::ranges::unique(chapters, {}, &Chapter::start);
  chapters.erase(same.begin(), same.end());
  return chapters;
}

TrackLabel InputFile::label(int number) const {
  const std::string stated = metadata(stream(number), "language");
  const std::string language = is_known_language(stated) ? language_tag(stated).value_or("") : "";
  return {language, as_one_line(metadata(stream(number), "title")), roles_of(stream(number))};
}

std::vector<std::string> InputFile::remarks() const {
  std::vector<std::string> remarks;
  for (int i = 0; i < streams(); ++i) {
    const std::string stated = metadata(stream(i), "language");
    if (is_known_language(stated) && !language_tag(stated))
      remarks.push_back(fmt::format("{}: its stream {} states the language \"{}\", which is none, and is left out",
                                    name_, i, as_one_line(stated)));
  }
  return remarks;
}

std::vector<std::string> InputFile::left_out(const std::vector<int>& taken) const {
  constexpr std::array<std::pair<AVMediaType, const char*>, 3> kKinds{
      {{AVMEDIA_TYPE_VIDEO, "picture"}, {AVMEDIA_TYPE_AUDIO, "sound"}, {AVMEDIA_TYPE_SUBTITLE, "subtitles"}}};
  std::vector<std::string> names;
  for (const auto& [type, kind] : kKinds) {
    int count = 0;
    for (int i = 0; i < streams(); ++i) {
      if (stream(i).codecpar->codec_type != type || (stream(i).disposition & AV_DISPOSITION_ATTACHED_PIC) != 0)
        continue;
      ++count;
      if (is_text(stream(i)) || std::find(taken.begin(), taken.end(), i) != taken.end()) continue;
      names.push_back(fmt::format("{} {} ({}{}{})", kind, count, avcodec_get_name(stream(i).codecpar->codec_id),
                                  label(i).language.empty() ? "" : ", ", label(i).language));
    }
  }
  return names;
}

bool InputFile::has_text() const {
  for (int i = 0; i < streams(); ++i) {
    if (is_text(stream(i))) return true;
  }
  return false;
}

void InputFile::read_only(const std::vector<int>& numbers) {
  for (int i = 0; i < streams(); ++i) {
    if (std::find(numbers.begin(), numbers.end(), i) == numbers.end()) stream(i).discard = AVDISCARD_ALL;
  }
}

bool InputFile::read(AVPacket& packet) {
  watch_->begin(patience_.reading);
  const int result = av_read_frame(format_.get(), &packet);
  stop_if_told(result);
  if (result == AVERROR_EOF) return false;
  if (result == AVERROR_INVALIDDATA && comes_once() && std::string_view{format_->iformat->name}.starts_with("mov"))
    throw Failure{
        ExitCode::kInput,
        fmt::format("cannot read {}: its index (moov) seems to be at its end, which cannot be looked at before: "
                    "give the file by its path, or write it with -movflags +faststart",
                    name_)};
  check(result, ExitCode::kInput, "cannot read " + name_);
  if (av_packet_get_side_data(&packet, AV_PKT_DATA_ENCRYPTION_INFO, nullptr) != nullptr)
    throw Failure{ExitCode::kInput, name_ + " is encrypted"};
  return true;
}

void InputFile::stop_if_told(int result) const {
  if (watch_->interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
  if (result == AVERROR_EXIT && watch_->is_mute())
    throw Failure{ExitCode::kInput, fmt::format("{}: somebody has connected, but sends nothing", name_)};
  if (result == AVERROR_EXIT && watch_->patience)
    throw Failure{ExitCode::kInput,
                  fmt::format("{}: nothing has come for {}", name_, format_duration(*watch_->patience))};
}

void InputFile::check_opening(int result, bool listens, const char* what) const {
  // What cannot be listened for (a port in use, a host without an address) fails before libav waits.
  const bool is_the_senders = listens && watch_->has_waited && !watch_->interrupted;
  try {
    stop_if_told(result);
    check(result, ExitCode::kInput, what + name_);
  } catch (const Failure& failure) {
    if (is_the_senders) throw SenderFailure{failure.what()};
    throw;
  }
}

}  // namespace tributary::segmenter
