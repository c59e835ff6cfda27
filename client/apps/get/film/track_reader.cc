#include "apps/get/film/track_reader.hh"

#include <fmt/format.h>

#include <algorithm>

#include "apps/get/film/film_error.hh"

namespace tributary {

bool TrackReader::begin_stretch() {
  constexpr std::size_t kEnoughToKnow = 8;
  streams_.clear();
  demuxer_.reset();
  const auto first = queue_.begin_stretch(track_.number, kEnoughToKnow);
  if (!first) return false;
  try {
    demuxer_.emplace(static_cast<ByteSource&>(*this), segment_layout(*first));
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

AVPacket* TrackReader::next() {
  try {
    while (demuxer_->read(*packet_)) {
      const auto stream = std::ranges::find(streams_, packet_->stream_index, &AVStream::index);
      if (stream == streams_.end()) continue;
      packet_->stream_index = static_cast<int>(stream - streams_.begin());
      return packet_.get();
    }
    return nullptr;
  } catch (const DemuxError& error) {
    throw FilmError{fmt::format("{}: {}", track_.name, error.what())};
  }
}

}  // namespace tributary
