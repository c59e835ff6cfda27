#include "benchmark/saved_film.hh"

#include <fcntl.h>
#include <fmt/format.h>

extern "C" {
#include <libavcodec/bsf.h>
}

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <deque>
#include <filesystem>
#include <utility>

#include "demux/demuxer.hh"
#include "demux/transport_packets.hh"
#include "download/files/destination.hh"
#include "download/film/film_error.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr AVRational kMicroseconds{1, 1'000'000};
// Sound that begins so far from its picture counts by another clock.
constexpr FilmTime kUnrelated = 10s;

struct FilterFree {
  void operator()(AVBSFContext* filter) const { av_bsf_free(&filter); }
};
using FilterHandle = std::unique_ptr<AVBSFContext, FilterFree>;

std::string suffix_of(const std::string& path) {
  const std::string suffix = std::filesystem::path{path}.extension().string();
  return suffix.empty() ? suffix : suffix.substr(1);
}

/// What puts the parameter sets into each key frame. Other codecs have them there anyway.
const char* filters_for(AVCodecID codec) {
  if (codec == AV_CODEC_ID_H264) return "h264_mp4toannexb,dump_extra=freq=keyframe";
  if (codec == AV_CODEC_ID_HEVC) return "hevc_mp4toannexb,dump_extra=freq=keyframe";
  return "null";
}

/// The sample entry of MP4 whose samples have their parameter sets in band; zero: any.
unsigned tag_for(AVCodecID codec) {
  if (codec == AV_CODEC_ID_H264) return MKTAG('a', 'v', 'c', '3');
  if (codec == AV_CODEC_ID_HEVC) return MKTAG('h', 'e', 'v', '1');
  return 0;
}

FilmTime early(const Track& track) {
  return FilmTime{std::llround(1e6 * static_cast<double>(track.offset) / track.timescale)};
}

WriteError unfinished(const WriteError& error, const std::string& path) {
  const bool needs_end = suffix_of(path) == "mp4";
  return WriteError{fmt::format("{}; {}", error.what(),
                                needs_end ? "what is there cannot be played, because an MP4 has its index at the end: "
                                            "say --save FILE.mkv"
                                          : "what is there can be played")};
}

class Bytes : public ByteSource {
 public:
  explicit Bytes(MediaBytes bytes) : bytes_{std::move(bytes)} {}
  std::optional<std::size_t> read(std::span<std::byte> into) override {
    const std::size_t size = std::min(into.size(), bytes_.size() - at_);
    std::memcpy(into.data(), bytes_.data() + at_, size);
    at_ += size;
    return size;
  }

 private:
  MediaBytes bytes_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_saved_film(const std::string& path) {
  const std::string suffix = suffix_of(path);
  return suffix == "mp4" || suffix == "mkv";
}

/// One segment of a track, taken apart by itself behind its init segment.
class SavedFilm::Piece {
 public:
  Piece(const Track& track, bool picture, bool sound, MediaBytes init, MediaBytes bytes)
      : track_{&track}, layout_{segment_layout(init.empty() ? bytes : init)} {
    if (layout_ == SegmentLayout::kTransportStream) {
      const TransportPackets found = transport_packets(bytes);
      bytes.assign(found.bytes.begin(), found.bytes.end());
    }
    init.insert(init.end(), bytes.begin(), bytes.end());
    bytes_ = std::make_unique<Bytes>(std::move(init));
    try {
      demuxer_ = std::make_unique<Demuxer>(*bytes_, layout_);
      const int examined = avformat_find_stream_info(&demuxer_->context(), nullptr);
      if (examined < 0) throw DemuxError{"cannot be read", examined};
      if (picture) choose(AVMEDIA_TYPE_VIDEO);
      if (sound) choose(AVMEDIA_TYPE_AUDIO);
      read_all();
    } catch (const DemuxError& error) {
      throw FilmError{fmt::format("{}: {}", track_->id, error.what())};
    }
  }

  struct Stream {
    AVStream* stream = nullptr;
    FilterHandle filter{};
    bool is_picture() const { return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO; }
  };
  std::vector<Stream>& streams() { return streams_; }
  const Track& track() const { return *track_; }
  SegmentLayout layout() const { return layout_; }
  /// Of its first packet, in the title's times.
  std::optional<FilmTime> start() const {
    if (packets_.empty()) return std::nullopt;
    const AVPacket& first = *packets_.front();
    return time(first.pts, *streams_[static_cast<std::size_t>(first.stream_index)].stream);
  }
  /// Where its next packet is decoded; nothing at the end.
  std::optional<FilmTime> next() const {
    if (packets_.empty()) return std::nullopt;
    const AVPacket& packet = *packets_.front();
    return time(packet.dts, *streams_[static_cast<std::size_t>(packet.stream_index)].stream) + shift;
  }
  PacketHandle pop() {
    PacketHandle packet = std::move(packets_.front());
    packets_.pop_front();
    return packet;
  }

  FilmTime shift{};

 private:
  FilmTime time(std::int64_t ticks, const AVStream& stream) const {
    return FilmTime{av_rescale_q(ticks, stream.time_base, kMicroseconds)} - early(*track_);
  }

  void choose(AVMediaType type) {
    const int best = av_find_best_stream(&demuxer_->context(), type, -1, -1, nullptr, 0);
    if (best < 0) return;
    AVStream* const stream = demuxer_->context().streams[best];
    AVBSFContext* made = nullptr;
    const int parsed = av_bsf_list_parse_str(filters_for(stream->codecpar->codec_id), &made);
    FilterHandle filter{made};
    if (parsed < 0) throw DemuxError{"cannot be rewritten", parsed};
    if (avcodec_parameters_copy(filter->par_in, stream->codecpar) < 0) throw std::bad_alloc{};
    filter->time_base_in = stream->time_base;
    const int begun = av_bsf_init(filter.get());
    if (begun < 0) throw DemuxError{"cannot be rewritten", begun};
    if (avcodec_parameters_copy(stream->codecpar, filter->par_out) < 0) throw std::bad_alloc{};
    if (const unsigned tag = tag_for(stream->codecpar->codec_id)) stream->codecpar->codec_tag = tag;
    streams_.push_back({stream, std::move(filter)});
  }

  void read_all() {
    const PacketHandle packet = make_packet();
    while (demuxer_->read(*packet)) {
      const auto of = std::ranges::find_if(
          streams_, [&](const Stream& stream) { return stream.stream->index == packet->stream_index; });
      if (of == streams_.end()) continue;
      const int sent = av_bsf_send_packet(of->filter.get(), packet.get());
      if (sent < 0) throw DemuxError{"cannot be rewritten", sent};
      receive(*of);
    }
    for (Stream& stream : streams_) {
      av_bsf_send_packet(stream.filter.get(), nullptr);
      receive(stream);
    }
  }

  void receive(Stream& stream) {
    for (PacketHandle packet = make_packet(); av_bsf_receive_packet(stream.filter.get(), packet.get()) == 0;
         packet = make_packet()) {
      packet->stream_index = static_cast<int>(&stream - streams_.data());
      if (packet->dts == AV_NOPTS_VALUE) packet->dts = packet->pts;
      if (packet->pts == AV_NOPTS_VALUE) packet->pts = packet->dts;
      if (packet->pts == AV_NOPTS_VALUE) continue;
      // Sound is decoded in the order in which it is heard.
      if (!stream.is_picture()) packet->dts = packet->pts;
      packets_.push_back(std::move(packet));
    }
  }

  const Track* track_;
  SegmentLayout layout_;
  std::unique_ptr<Bytes> bytes_;
  std::unique_ptr<Demuxer> demuxer_;
  std::vector<Stream> streams_;
  std::deque<PacketHandle> packets_;
};

SavedFilm::SavedFilm(std::string path, const SegmentTable& table) : path_{std::move(path)}, table_{table} {
  const Track& first = table.presentation().tracks[table.ladder().front()];
  if (first.kind == TrackKind::kData) throw FilmError{"plain bytes for benchmarks become no film: say --save-raw DIR"};
  descriptor_ = FileDescriptor{open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  if (!descriptor_.is_open()) throw WriteError{fmt::format("cannot write {}: {}", path_, std::strerror(errno))};
  file_.emplace(FilmFile::Place{.descriptor = descriptor_.get(), .name = path_, .container = suffix_of(path_)},
                [] { return false; });
  file_->set_title(table_.presentation().title);
}

SavedFilm::~SavedFilm() = default;

void SavedFilm::take(SegmentIndex segment, std::vector<MediaPart> parts) {
  std::vector<Piece> pieces;
  const bool sound_beside = table_.sound().has_value();
  for (MediaPart& part : parts) {
    if (part.init) {
      inits_[part.track] = std::move(part.bytes);
      continue;
    }
    if (part.kind != TrackKind::kVideo && part.kind != TrackKind::kAudio) continue;
    const bool is_sound = part.kind == TrackKind::kAudio;
    pieces.emplace_back(table_.presentation().tracks[part.track], !is_sound, is_sound || !sound_beside,
                        inits_[part.track], std::move(part.bytes));
  }
  std::ranges::stable_sort(pieces, {}, [](const Piece& piece) { return piece.track().kind != TrackKind::kVideo; });
  try {
    if (!begun_) begin(pieces);
    for (Piece& piece : pieces) check_follows(piece);
    place(segment, pieces);
    write(pieces);
  } catch (const WriteError& error) {
    throw unfinished(error, path_);
  }
}

/// The file must know all streams before it begins.
void SavedFilm::begin(std::vector<Piece>& pieces) {
  std::size_t streams = 0;
  for (Piece& piece : pieces) {
    for (const Piece::Stream& stream : piece.streams()) {
      std::optional<Output>& output = stream.is_picture() ? picture_ : sound_;
      if (output) continue;
      file_->add_stream(*stream.stream, stream.is_picture() ? TrackLabel{} : piece.track().label);
      output = Output{streams++, stream.stream->codecpar->codec_id};
    }
  }
  if (streams == 0) throw FilmError{"there is neither picture nor sound in the first segment"};
  file_->begin();
  begun_ = true;
}

void SavedFilm::check_follows(Piece& piece) {
  for (const Piece::Stream& stream : piece.streams()) {
    const std::optional<Output>& output = stream.is_picture() ? picture_ : sound_;
    const bool follows = output && output->codec == stream.stream->codecpar->codec_id &&
                         (stream.is_picture() || file_->can_follow(output->number, *stream.stream));
    if (follows) continue;
    throw FilmError{
        fmt::format("{} is encoded in another way than the film before it, {:.1f} s: one file holds one way; "
                    "say --save-raw DIR",
                    piece.track().id, std::chrono::duration<double>{end()}.count())};
  }
}

/// Each stretch of the title may count its times anew.
void SavedFilm::place(SegmentIndex segment, std::vector<Piece>& pieces) {
  const SegmentIndex stretch = table_.stretch_begin(segment);
  if (!stretch_ || *stretch_ != stretch) {
    const auto begins = pieces.empty() ? std::nullopt : pieces.front().start();
    if (!begins) return;
    stretch_ = stretch;
    shift_ = end() - *begins;
  }
  const auto picture_start = pieces.empty() ? std::nullopt : pieces.front().start();
  for (Piece& piece : pieces) {
    const auto start = piece.start();
    if (!start) continue;
    piece.shift = shift_;
    // Packed audio has no times of its own.
    const bool unrelated = picture_start && std::chrono::abs(*start - *picture_start) > kUnrelated;
    if (sound_ && (is_packed_audio(piece.layout()) || unrelated)) piece.shift = file_->end_of(sound_->number) - *start;
  }
}

void SavedFilm::write(std::vector<Piece>& pieces) {
  const auto decoded = [](const Piece& piece) { return piece.next().value_or(FilmTime::max()); };
  while (true) {
    const auto first = std::ranges::min_element(pieces, {}, decoded);
    if (first == pieces.end() || !first->next()) return;
    const PacketHandle packet = first->pop();
    const Piece::Stream& from = first->streams()[static_cast<std::size_t>(packet->stream_index)];
    const Output& to = from.is_picture() ? *picture_ : *sound_;
    file_->write(to.number, *packet, from.stream->time_base, first->shift - early(first->track()));
  }
}

FilmTime SavedFilm::end() const {
  FilmTime end{};
  for (const auto* output : {&picture_, &sound_}) {
    if (*output && (output == &picture_ || !picture_)) end = std::max(end, file_->end_of((*output)->number));
  }
  return end;
}

void SavedFilm::close() {
  if (!begun_) {
    std::filesystem::remove(path_);
    return;
  }
  try {
    file_->finish();
  } catch (const WriteError& error) {
    throw unfinished(error, path_);
  }
}

}  // namespace tributary
