#include "download/film/track_reader.hh"

#include <fmt/format.h>

#include <algorithm>

#include "demux/id3_tag.hh"
#include "download/film/film_error.hh"

namespace tributary {

bool TrackReader::begin_stretch() {
  constexpr std::size_t kEnoughToKnow = 16 * 1024;  // also of a tag with a picture
  streams_.clear();
  demuxer_.reset();
  const auto first = queue_.begin_stretch(track_.number, kEnoughToKnow);
  if (!first) return false;
  const SegmentLayout layout = segment_layout(*first);
  const auto begin = is_packed_audio(layout) ? id3_tag(*first).begins : std::nullopt;
  timed_ = !is_packed_audio(layout) || begin;
  begin_ = begin.value_or(0);
  try {
    demuxer_.emplace(static_cast<ByteSource&>(*this), layout);
    const int examined = avformat_find_stream_info(&demuxer_->context(), nullptr);
    if (queue_.stopped()) return false;
    if (examined < 0) throw DemuxError{"cannot be read", examined};
  } catch (const DemuxError& error) {
    if (queue_.stopped()) return false;
    throw FilmError{fmt::format("{}: {}", track_.name, error.what())};
  }
  choose_streams();
  return true;
}

void TrackReader::choose_streams() {
  AVFormatContext& context = demuxer_->context();
  const auto choose = [&](AVMediaType type) {
    const int best = av_find_best_stream(&context, type, -1, -1, nullptr, 0);
    if (best >= 0) streams_.push_back(context.streams[best]);
  };
  if (track_.picture) choose(AVMEDIA_TYPE_VIDEO);
  if (track_.sound) choose(AVMEDIA_TYPE_AUDIO);
  if (streams_.empty()) throw FilmError{fmt::format("{}: there is neither picture nor sound in it", track_.name)};
  for (unsigned i = 0; i < context.nb_streams; ++i) {
    AVStream* const stream = context.streams[i];
    if (std::ranges::find(streams_, stream) == streams_.end()) stream->discard = AVDISCARD_ALL;
  }
}

void TrackReader::add_begin(AVPacket& packet) const {
  constexpr AVRational kTicks{1, 90'000};
  const std::int64_t begin =
      av_rescale_q(begin_, kTicks, streams_[static_cast<std::size_t>(packet.stream_index)]->time_base);
  if (packet.pts != AV_NOPTS_VALUE) packet.pts += begin;
  if (packet.dts != AV_NOPTS_VALUE) packet.dts += begin;
}

AVPacket* TrackReader::next() {
  try {
    while (demuxer_->read(*packet_)) {
      const auto stream = std::ranges::find(streams_, packet_->stream_index, &AVStream::index);
      if (stream == streams_.end()) continue;
      packet_->stream_index = static_cast<int>(stream - streams_.begin());
      add_begin(*packet_);
      return packet_.get();
    }
    return nullptr;
  } catch (const DemuxError& error) {
    throw FilmError{fmt::format("{}: {}", track_.name, error.what())};
  }
}

}  // namespace tributary
