#include "download/film/film_file.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "download/files/destination.hh"
#include "download/film/film_error.hh"

namespace tributary {
namespace {

struct Container {
  std::string_view suffix, format;  // as libavformat calls it
  bool index_in_front = false;
};
constexpr std::array kContainers{Container{"mp4", "mp4", true}, Container{"mov", "mov", true},
                                 Container{"mkv", "matroska"}, Container{"webm", "webm"}};
constexpr AVRational kFilmTimeBase{1, 1'000'000};

const Container* container_of(const std::string& suffix) {
  const auto* const found = std::ranges::find(kContainers, suffix, &Container::suffix);
  return found == kContainers.end() ? nullptr : found;
}

/// The code of the input names the form of its parameter sets, too: hvc1 differs from hev1.
bool knows_tag(const AVOutputFormat& format, const AVCodecParameters& codec) {
  unsigned other = 0;
  return format.codec_tag == nullptr || av_codec_get_id(format.codec_tag, codec.codec_tag) == codec.codec_id ||
         av_codec_get_tag2(format.codec_tag, codec.codec_id, &other) == 0;
}

/// Rotation, HDR.
void copy_side_data(const AVStream& from, AVStream& to) {
  for (int i = 0; i < from.nb_side_data; ++i) {
    const AVPacketSideData& data = from.side_data[i];
    std::uint8_t* const copy = av_stream_new_side_data(&to, data.type, data.size);
    if (copy == nullptr) throw std::bad_alloc{};
    std::memcpy(copy, data.data, data.size);
  }
}

constexpr const char* kTitleKey = "title";  // as libavformat calls it

std::string metadata_of(const AVStream& stream, const char* key) {
  const AVDictionaryEntry* const entry = av_dict_get(stream.metadata, key, nullptr, 0);
  return entry == nullptr ? "" : entry->value;
}

void set_metadata(AVDictionary*& metadata, const char* key, const std::string& value) {
  if (!value.empty()) av_dict_set(&metadata, key, value.c_str(), 0);
}

std::vector<std::uint8_t> decoder_config_of(const AVStream& stream) {
  const AVCodecParameters& codec = *stream.codecpar;
  return {codec.extradata, codec.extradata + codec.extradata_size};
}

/// Parameter sets behind start codes: those that libavformat found in the first picture. Each key frame has its own.
bool is_in_band(const std::vector<std::uint8_t>& config) {
  constexpr std::array<std::uint8_t, 3> kStartCode{0, 0, 1};
  const std::span begin{config.data(), std::min<std::size_t>(config.size(), 4)};
  return !std::ranges::search(begin, kStartCode).empty();
}

int stops(void* stop) { return (*static_cast<std::function<bool()>*>(stop))() ? 1 : 0; }

}  // namespace

bool is_film_suffix(const std::string& suffix) { return container_of(suffix) != nullptr; }

FilmFile::FilmFile(Place place, std::function<bool()> stop) : place_{std::move(place)}, stop_{std::move(stop)} {
  const Container* const container = container_of(place_.container);
  if (container == nullptr) throw FilmError{fmt::format("there is no container .{}", place_.container)};
  AVFormatContext* muxer = nullptr;
  const std::string format{container->format};
  const int made = avformat_alloc_output_context2(&muxer, nullptr, format.c_str(), nullptr);
  if (made < 0) throw FilmError{fmt::format("cannot write .{}: {}", place_.container, libav_reason(made))};
  muxer_.reset(muxer);
  muxer_->interrupt_callback = {stops, &stop_};
  muxer_->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;  // what somebody encoded is there already
  // The file that is open, whatever stands under its name by now.
  const std::string url = fmt::format("file:/proc/self/fd/{}", place_.descriptor);
  muxer_->url = av_strdup(url.c_str());
  check_written(avio_open2(&muxer_->pb, url.c_str(), AVIO_FLAG_WRITE, &muxer_->interrupt_callback, nullptr));
}

void FilmFile::set_title(const std::string& title) { set_metadata(muxer_->metadata, kTitleKey, title); }

void FilmFile::add_stream(const AVStream& like, const TrackLabel& label) {
  AVStream* const stream = avformat_new_stream(muxer_.get(), nullptr);
  if (stream == nullptr || avcodec_parameters_copy(stream->codecpar, like.codecpar) < 0) throw std::bad_alloc{};
  if (!knows_tag(*muxer_->oformat, *like.codecpar)) stream->codecpar->codec_tag = 0;
  stream->time_base = like.time_base;
  stream->avg_frame_rate = like.avg_frame_rate;
  stream->sample_aspect_ratio = like.sample_aspect_ratio;
  stream->disposition = AV_DISPOSITION_DEFAULT;
  copy_side_data(like, *stream);
  const std::string language = metadata_of(like, "language"), name = metadata_of(like, kTitleKey);
  set_metadata(stream->metadata, "language", language.empty() || language == "und" ? label.language : language);
  set_metadata(stream->metadata, kTitleKey, name.empty() ? label.name : name);
  streams_.push_back({like.codecpar->codec_id, decoder_config_of(like)});
}

void FilmFile::begin() {
  AVDictionary* options = nullptr;
  if (container_of(place_.container)->index_in_front) av_dict_set(&options, "movflags", "faststart", 0);
  const int result = avformat_write_header(muxer_.get(), &options);
  av_dict_free(&options);
  if (result >= 0 || muxer_->pb->error < 0) return check_written(result);
  std::string codecs;
  for (unsigned i = 0; i < muxer_->nb_streams; ++i)
    codecs += fmt::format("{}{}", i > 0 ? " and " : "", avcodec_get_name(muxer_->streams[i]->codecpar->codec_id));
  throw FilmError{
      fmt::format("a .{} file cannot hold {} ({}): say -o FILE.mkv", place_.container, codecs, libav_reason(result))};
}

bool FilmFile::can_follow(std::size_t number, const AVStream& stream) const {
  const Stream& before = streams_.at(number);
  if (before.codec != stream.codecpar->codec_id) return false;
  const auto config = decoder_config_of(stream);
  return before.decoder_config == config || (is_in_band(before.decoder_config) && is_in_band(config));
}

void FilmFile::write(std::size_t number, AVPacket& packet, AVRational time_base, FilmTime shift) {
  Stream& stream = streams_.at(number);
  const AVRational own_base = muxer_->streams[number]->time_base;
  const std::int64_t ticks = av_rescale_q(shift.count(), kFilmTimeBase, time_base);
  packet.pts += ticks;
  packet.dts += ticks;
  av_packet_rescale_ts(&packet, time_base, own_base);
  if (stream.last_dts != AV_NOPTS_VALUE) packet.dts = std::max(packet.dts, stream.last_dts + 1);
  packet.pts = std::max(packet.pts, packet.dts);
  stream.last_dts = packet.dts;
  const FilmTime end{av_rescale_q(packet.pts + packet.duration, own_base, kFilmTimeBase)};
  stream.end = std::max(stream.end, end);
  packet.stream_index = static_cast<int>(number);
  packet.pos = -1;
  const int result = av_interleaved_write_frame(muxer_.get(), &packet);
  if (result != AVERROR_INVALIDDATA) check_written(result);  // a damaged frame, of which the container can hold nothing
}

void FilmFile::finish() {
  check_written(av_write_trailer(muxer_.get()));
  check_written(avio_closep(&muxer_->pb));
}

/// What the disk says comes first: a muxer may go on after it.
void FilmFile::check_written(int result) const {
  const int error = muxer_->pb != nullptr && muxer_->pb->error < 0 ? muxer_->pb->error : result;
  if (error < 0) throw WriteError{fmt::format("cannot write {}: {}", place_.name, libav_reason(error))};
}

}  // namespace tributary
