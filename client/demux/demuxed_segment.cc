#include "demux/demuxed_segment.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "demux/demuxer.hh"
#include "demux/id3_tag.hh"
#include "demux/transport_packets.hh"

namespace tributary {
namespace {

constexpr std::uint32_t kTransportTimescale = 90'000;  // of MPEG-2 systems (ISO/IEC 13818-1 section 2.4.3.7)
constexpr std::int64_t kTransportWrap = 1ll << 33;     // its times have 33 bits
constexpr std::size_t kMostFrames = 1 << 20;           // of a segment; as many as in a fragment of CMAF
constexpr std::int64_t kLongestFrame = 60;             // seconds
constexpr std::int64_t kLatestTime = 1ll << 60;        // ticks; leaves room for sums
constexpr AVRational kTransportTicks{1, static_cast<int>(kTransportTimescale)};

/// The init segment and the segment, as if they were one file.
class JoinedBytes final : public ByteSource {
 public:
  JoinedBytes(std::span<const std::byte> init, std::span<const std::byte> bytes) : pieces_{init, bytes} {}

  std::optional<std::size_t> read(std::span<std::byte> into) override {
    std::size_t done = 0, begin = 0;
    for (const std::span<const std::byte> piece : pieces_) {
      const std::size_t from = at_ + done - begin;
      if (at_ + done >= begin && from < piece.size()) {
        const std::size_t count = std::min(into.size() - done, piece.size() - from);
        std::memcpy(into.data() + done, piece.data() + from, count);
        done += count;
      }
      begin += piece.size();
    }
    at_ += done;
    return done;
  }
  std::optional<std::size_t> size() const override { return pieces_[0].size() + pieces_[1].size(); }
  void seek(std::size_t to) override { at_ = to; }

 private:
  std::array<std::span<const std::byte>, 2> pieces_;
  std::size_t at_ = 0;
};

/// The length of a frame of AAC, by its header (ISO/IEC 13818-7 section 6.2).
struct AdtsHeader {
  int sample_rate = 0;
  int samples = 0;
};

std::optional<AdtsHeader> adts_header(const AVPacket& packet) {
  constexpr std::array kRates{96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350};
  constexpr int kHeader = 7, kSamplesOfBlock = 1024;
  if (packet.size < kHeader || packet.data[0] != 0xff || (packet.data[1] & 0xf6) != 0xf0) return std::nullopt;
  const std::size_t rate = packet.data[2] >> 2 & 15;
  if (rate >= kRates.size()) return std::nullopt;
  return AdtsHeader{kRates[rate], ((packet.data[6] & 3) + 1) * kSamplesOfBlock};
}

/// AAC in another frame than ADTS, which a list of streams need not tell (ISO/IEC 14496-3 section 1.7.2).
bool is_loas(const AVPacket& packet) {
  return packet.size >= 2 && packet.data[0] == 0x56 && (packet.data[1] & 0xe0) == 0xe0;
}

std::optional<TrackKind> kind_of(const AVStream& stream) {
  if (stream.codecpar->codec_id == AV_CODEC_ID_NONE) return std::nullopt;
  if (stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO) return TrackKind::kVideo;
  if (stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO) return TrackKind::kAudio;
  return std::nullopt;
}

/// Takes the packets of one segment, in their order, and gives each its time.
class FrameCollector {
 public:
  FrameCollector(AVFormatContext& context, SegmentLayout layout, const Id3Tag& tag)
      : context_{context}, layout_{layout}, tag_{tag} {}

  void note_streams();
  /// Passes over a packet that is no frame of its stream.
  void take(AVPacket& packet, std::optional<std::string>& damage);
  /// Behind a fault nothing was read: the last frame of each stream may be cut off.
  void drop_last_frames();
  std::vector<DemuxedStream> finish();

 private:
  /// A stream on its way.
  struct Taken {
    int number = 0;  // of libavformat
    DemuxedStream stream;
    std::int64_t stamped = 0, since = 0;  // the last time that was stated, and the samples of AAC behind it
    std::optional<std::int64_t> next;     // where the frame begins that states no time
  };
  Taken* taken(int number);
  std::int64_t time_of(const AVPacket& packet, Taken& to);
  std::int64_t unwrapped(std::int64_t ticks, const Taken& to);

  AVFormatContext& context_;
  SegmentLayout layout_;
  const Id3Tag& tag_;
  std::vector<Taken> taken_;
  std::optional<std::int64_t> near_;  // the first time of all, to which those of other streams are near
};

/// The first stream of each kind is the one.
void FrameCollector::note_streams() {
  for (unsigned i = 0; i < context_.nb_streams; ++i) {
    AVStream& stream = *context_.streams[i];
    const auto kind = kind_of(stream);
    if (!kind || taken(stream.index) != nullptr) continue;
    if (std::ranges::any_of(taken_, [&](const Taken& other) { return other.stream.kind == *kind; })) {
      stream.discard = AVDISCARD_ALL;
      continue;
    }
    const AVCodecParameters& codec = *stream.codecpar;
    Taken& added = taken_.emplace_back();
    added.number = stream.index;
    DemuxedStream& made = added.stream;
    made.kind = *kind;
    made.codec = codec.codec_id;
    const auto setup = std::as_bytes(std::span{codec.extradata, static_cast<std::size_t>(codec.extradata_size)});
    made.setup.assign(setup.begin(), setup.end());
    made.width = codec.width;
    made.height = codec.height;
    made.sample_rate = codec.sample_rate;
    made.channels = codec.ch_layout.nb_channels;
    if (layout_ == SegmentLayout::kMp4) {
      made.timescale = static_cast<std::uint32_t>(std::max(stream.time_base.den, 1));
    } else {
      made.timescale = kTransportTimescale;
      made.wrap = kTransportWrap;
    }
    made.timed = !is_packed_audio(layout_) || tag_.begins.has_value();
  }
}

FrameCollector::Taken* FrameCollector::taken(int number) {
  const auto found = std::ranges::find(taken_, number, &Taken::number);
  return found == taken_.end() ? nullptr : &*found;
}

/// The same time, nearest to those before it.
std::int64_t FrameCollector::unwrapped(std::int64_t ticks, const Taken& to) {
  if (to.stream.wrap == 0) return std::clamp(ticks, -kLatestTime, kLatestTime);
  const std::int64_t before = to.next ? *to.next : near_.value_or(ticks);
  const std::int64_t apart = (ticks - before) & (kTransportWrap - 1);
  return before + (apart >= kTransportWrap / 2 ? apart - kTransportWrap : apart);
}

std::int64_t FrameCollector::time_of(const AVPacket& packet, Taken& to) {
  const std::int64_t stated = packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
  const auto adts = to.stream.codec == AV_CODEC_ID_AAC && to.stream.setup.empty() ? adts_header(packet) : std::nullopt;
  if (is_packed_audio(layout_)) {
    const std::int64_t begin = tag_.begins.value_or(0);
    if (adts) {
      const std::int64_t time = begin + av_rescale(to.since, kTransportTimescale, adts->sample_rate);
      to.since += adts->samples;
      return time;
    }
    const AVRational ticks = context_.streams[to.number]->time_base;
    return begin + (stated != AV_NOPTS_VALUE ? av_rescale_q(stated, ticks, kTransportTicks) : 0);
  }
  if (stated != AV_NOPTS_VALUE && !(adts && packet.pts == AV_NOPTS_VALUE)) {
    to.since = adts ? adts->samples : 0;
    return to.stamped = unwrapped(stated, to);
  }
  if (!adts) return to.next.value_or(near_.value_or(0));
  const std::int64_t time = to.stamped + av_rescale(to.since, kTransportTimescale, adts->sample_rate);
  to.since += adts->samples;
  return time;
}

void FrameCollector::take(AVPacket& packet, std::optional<std::string>& damage) {
  note_streams();
  Taken* const to = taken(packet.stream_index);
  if (to == nullptr || packet.size <= 0) return;
  if (to->stream.codec == AV_CODEC_ID_AAC && to->stream.setup.empty() && !adts_header(packet)) {
    if (!to->stream.frames.empty() || !is_loas(packet)) {
      // A parser would take what is no ADTS for something else, and end everything.
      if (!damage) damage = "a frame of sound is no AAC";
      return;
    }
    to->stream.codec = AV_CODEC_ID_AAC_LATM;
  }
  if (to->stream.frames.size() >= kMostFrames) throw DemuxError{"too many frames", AVERROR_INVALIDDATA};
  DemuxedFrame frame;
  frame.shown = time_of(packet, *to);
  if (!near_) near_ = frame.shown;
  const AVRational ticks{1, static_cast<int>(to->stream.timescale)};
  const std::int64_t longest = kLongestFrame * to->stream.timescale;
  frame.duration = std::clamp<std::int64_t>(
      av_rescale_q(std::max<std::int64_t>(packet.duration, 0), context_.streams[to->number]->time_base, ticks), 0,
      longest);
  if (const auto adts = adts_header(packet); adts && to->stream.codec == AV_CODEC_ID_AAC && to->stream.setup.empty())
    frame.duration = av_rescale(adts->samples, kTransportTimescale, adts->sample_rate);
  to->next = frame.shown + frame.duration;
  frame.packet = make_packet();
  av_packet_move_ref(frame.packet.get(), &packet);
  to->stream.frames.push_back(std::move(frame));
}

void FrameCollector::drop_last_frames() {
  for (Taken& taken : taken_) {
    if (!taken.stream.frames.empty()) taken.stream.frames.pop_back();
  }
}

/// Pictures last until the next one that is shown; the last one as long as the one before it.
void set_durations(std::vector<DemuxedFrame>& frames, std::uint32_t timescale) {
  std::vector<DemuxedFrame*> shown;
  for (DemuxedFrame& frame : frames) shown.push_back(&frame);
  std::ranges::stable_sort(shown, {}, [](const DemuxedFrame* frame) { return frame->shown; });
  for (std::size_t i = 0; i + 1 < shown.size(); ++i)
    shown[i]->duration =
        std::min(shown[i + 1]->shown - shown[i]->shown, kLongestFrame * static_cast<std::int64_t>(timescale));
  if (shown.size() > 1) shown.back()->duration = shown[shown.size() - 2]->duration;
}

std::vector<DemuxedStream> FrameCollector::finish() {
  note_streams();
  std::vector<DemuxedStream> streams;
  for (Taken& taken : taken_) {
    if (taken.stream.kind == TrackKind::kVideo) set_durations(taken.stream.frames, taken.stream.timescale);
    streams.push_back(std::move(taken.stream));
  }
  std::ranges::stable_sort(streams, {}, &DemuxedStream::kind);
  return streams;
}

/// Takes all packets. A fault ends it, and is told.
void collect(Demuxer& demuxer, FrameCollector& collector, std::optional<std::string>& damage) {
  const PacketHandle packet = make_packet();
  try {
    while (demuxer.read(*packet)) {
      if ((packet->flags & AV_PKT_FLAG_CORRUPT) != 0 && !damage) damage = "bytes of it are missing";
      collector.take(*packet, damage);
    }
  } catch (const DemuxError& error) {
    damage = error.what();
    collector.drop_last_frames();
  }
}

bool can_be_taken_apart(SegmentLayout layout) {
  return layout == SegmentLayout::kMp4 || layout == SegmentLayout::kTransportStream || is_packed_audio(layout);
}

}  // namespace

DemuxedSegment demux_segment(std::span<const std::byte> init, std::span<const std::byte> bytes) {
  DemuxedSegment segment;
  const SegmentLayout layout = segment_layout(init.empty() ? bytes : init);
  if (!can_be_taken_apart(layout)) {
    segment.damage = bytes.empty() ? "it is empty" : "it is neither MPEG-TS nor sound in a form that is known";
    return segment;
  }
  Id3Tag tag;
  TransportPackets found;
  if (layout == SegmentLayout::kTransportStream) {
    if (whole_transport_packets(bytes) < bytes.size()) {
      found = transport_packets(bytes);
      bytes = found.bytes;
      if (found.lost_at) segment.damage = fmt::format("no packet of MPEG-TS begins at byte {}", *found.lost_at);
    }
  } else if (is_packed_audio(layout)) {
    tag = id3_tag(bytes);
    bytes = bytes.subspan(std::min(tag.size, bytes.size()));
  }
  JoinedBytes joined{init, bytes};
  try {
    Demuxer demuxer{joined, layout};
    demuxer.context().correct_ts_overflow = 0;  // times stay as they are stated
    FrameCollector collector{demuxer.context(), layout, tag};
    collect(demuxer, collector, segment.damage);
    segment.streams = collector.finish();
  } catch (const DemuxError& error) {
    // libavformat does not open a single frame of MP3, which the last segment of a title may be: nobody misses 25 ms.
    constexpr std::size_t kLongestFrameOfMp3 = 1441;
    if (layout != SegmentLayout::kMp3 || bytes.size() > kLongestFrameOfMp3) segment.damage = error.what();
    return segment;
  }
  const auto has_frames = [](const DemuxedStream& stream) { return !stream.frames.empty(); };
  if (!segment.damage && std::ranges::none_of(segment.streams, has_frames))
    segment.damage = "there is neither picture nor sound in it";
  return segment;
}

}  // namespace tributary
