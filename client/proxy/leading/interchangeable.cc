#include "proxy/leading/interchangeable.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "demux/demuxed_segment.hh"
#include "demux/transport_packets.hh"
#include "media/cmaf_reader.hh"

namespace tributary::proxy {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span{text}); }

/// All that a player must find again.
bool same_frames(const DemuxedSegment& a, const DemuxedSegment& b) {
  return std::ranges::equal(a.streams, b.streams, [](const DemuxedStream& one, const DemuxedStream& other) {
    return one.codec == other.codec && one.timescale == other.timescale && !one.frames.empty() &&
           std::ranges::equal(one.frames, other.frames, [](const DemuxedFrame& x, const DemuxedFrame& y) {
             return x.shown == y.shown && x.duration == y.duration && x.packet->size == y.packet->size;
           });
  });
}

bool same_streams(const DemuxedSegment& a, const DemuxedSegment& b) {
  return std::ranges::equal(a.streams, b.streams, [](const DemuxedStream& one, const DemuxedStream& other) {
    return one.codec == other.codec && one.timescale == other.timescale;
  });
}

std::size_t frames_of(const DemuxedSegment& segment, TrackKind kind) {
  const auto found = std::ranges::find(segment.streams, kind, &DemuxedStream::kind);
  return found == segment.streams.end() ? 0 : found->frames.size();
}

/// Whether a picture begins with parameter sets (ISO/IEC 14496-15: NAL units, each behind its length).
bool has_parameter_sets(const AVPacket& picture, AVCodecID codec, std::size_t length_size) {
  const std::span bytes{picture.data, static_cast<std::size_t>(std::max(picture.size, 0))};
  for (std::size_t at = 0; at + length_size < bytes.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_size; ++i) length = length << 8 | bytes[at++];
    constexpr unsigned kAvcSequence = 7, kHevcSequence = 33;
    const unsigned first = bytes[at];
    if (codec == AV_CODEC_ID_H264 ? (first & 31) == kAvcSequence : (first >> 1 & 63) == kHevcSequence) return true;
    if (length > bytes.size() - at) return false;
    at += length;
  }
  return false;
}

/// Of the lengths in front of NAL units, by the setup (avcC or hvcC); 0: unknown.
std::size_t length_size(const InitFacts& init) {
  const std::size_t at = init.sample_entry.starts_with("avc") ? 4 : 21;
  return at < init.decoder_config.size() ? (std::to_integer<std::size_t>(init.decoder_config[at]) & 3) + 1 : 0;
}

/// Up to the end of the first samples, with zeros in place of what was not fetched: sizes and times are those of the
/// segment.
std::string first_samples(const std::string& segment) {
  constexpr std::uint64_t kLargest = 64 << 20;
  const auto bytes = bytes_of(segment);
  try {
    for (std::size_t at = 0; at < bytes.size();) {
      const Box box = first_box("the segment", bytes.subspan(at), at);
      const std::uint64_t end = at + box.size;
      if (box.size > kLargest || end > kLargest) return segment;
      if (box.type == "mdat") {
        std::string whole = segment.substr(0, end);
        whole.resize(end);
        return whole;
      }
      at = end;
    }
  } catch (const BoxError&) {  // it is not read
  }
  return segment;
}

std::optional<std::string> why_not_by_init(const SegmentSample& announced, const SegmentSample& other) {
  InitFacts first, second;
  try {
    first = read_init(bytes_of(announced.init));
    second = read_init(bytes_of(other.init));
  } catch (const BoxError&) {
    return "their init segments differ, and hold more than one track, or what is not known";
  }
  if (first.sample_entry != second.sample_entry) return "they are coded in different ways";
  if (first.decoder_config == second.decoder_config && first.width == second.width && first.height == second.height)
    return std::nullopt;
  if (first.sample_entry != "avc3" && first.sample_entry != "hev1")
    return fmt::format("the parameter sets of {} are in the init segments, which differ", first.sample_entry);
  if (length_size(first) == 0 || length_size(first) != length_size(second)) return "they are coded in different ways";
  for (const SegmentSample* sample : {&announced, &other}) {
    const DemuxedSegment read = demux_segment(bytes_of(sample->init), bytes_of(sample->segment));
    const auto picture = std::ranges::find(read.streams, TrackKind::kVideo, &DemuxedStream::kind);
    if (picture == read.streams.end() || picture->frames.empty()) return "their segments cannot be read";
    if (!has_parameter_sets(*picture->frames.front().packet, picture->codec, length_size(first)))
      return fmt::format("segments of {} come without their parameter sets, and init segments differ",
                         first.sample_entry);
  }
  return std::nullopt;
}

std::optional<std::string> why_not_in_mp4(const SegmentSample& announced, const SegmentSample& other) {
  if (announced.init == other.init) return std::nullopt;
  const SegmentSample first{announced.init, first_samples(announced.segment)};
  const SegmentSample second{other.init, first_samples(other.segment)};
  if (auto why = why_not_by_init(first, second)) return why;
  const auto with = [&](const std::string& init) { return demux_segment(bytes_of(init), bytes_of(second.segment)); };
  if (!same_frames(with(announced.init), with(other.init)))
    return "their init segments count times or tracks otherwise";
  return std::nullopt;
}

/// A demuxer that goes on from one to the other must find all pictures, and all sound.
std::optional<std::string> why_not_in_transport_stream(const SegmentSample& announced, const SegmentSample& other) {
  const auto whole = [](const std::string& text) {
    return bytes_of(text).first(whole_transport_packets(bytes_of(text)));
  };
  const auto first = whole(announced.segment), second = whole(other.segment);
  const DemuxedSegment a = demux_segment({}, first), b = demux_segment({}, second),
                       joined = demux_segment(first, second);
  if (a.streams.empty() || !same_streams(a, b)) return "they are coded in different ways";
  for (const TrackKind kind : {TrackKind::kVideo, TrackKind::kAudio}) {
    // The last frame of the first bytes is not whole, and may be missing.
    if (frames_of(joined, kind) + 1 < frames_of(a, kind) + frames_of(b, kind))
      return "their transport streams number what is in them otherwise";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_not_interchangeable(const SegmentSample& announced, const SegmentSample& other) {
  if (announced.init.empty() != other.init.empty()) return "not all of them have init segments";
  if (!announced.init.empty()) {
    if (segment_layout(bytes_of(announced.init)) == SegmentLayout::kMp4) return why_not_in_mp4(announced, other);
    return announced.init == other.init ? std::nullopt : std::optional<std::string>{"their init segments differ"};
  }
  for (const SegmentSample* sample : {&announced, &other}) {
    if (segment_layout(bytes_of(sample->segment)) != SegmentLayout::kTransportStream)
      return "they are neither MPEG-TS nor MP4 with init segments";
  }
  return why_not_in_transport_stream(announced, other);
}

}  // namespace tributary::proxy
