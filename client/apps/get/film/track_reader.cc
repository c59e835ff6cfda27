#include "apps/get/film/track_reader.hh"

#include <fmt/format.h>

#include <algorithm>

#include "apps/get/film/film_error.hh"
#include "apps/get/film/segment_layout.hh"

namespace tributary {
namespace {

constexpr int kReadAhead = 64 * 1024;

}  // namespace

void TrackReader::fail(const std::string& what, int result) const {
  throw FilmError{fmt::format("{}: {}: {}", track_.name, what, libav_reason(result))};
}

int TrackReader::read(void* self, std::uint8_t* into, int size) {
  const auto& reader = *static_cast<const TrackReader*>(self);
  const auto bytes = std::as_writable_bytes(std::span{into, static_cast<std::size_t>(size)});
  const auto count = reader.queue_.read(reader.track_.number, bytes);
  if (!count) return AVERROR_EXIT;
  return *count == 0 ? AVERROR_EOF : static_cast<int>(*count);
}

bool TrackReader::begin_stretch() {
  constexpr std::size_t kEnoughToKnow = 8;
  streams_.clear();
  demuxer_.reset();
  const auto first = queue_.begin_stretch(track_.number, kEnoughToKnow);
  if (!first) return false;
  auto* const buffer = static_cast<unsigned char*>(av_malloc(kReadAhead));
  if (buffer == nullptr) throw std::bad_alloc{};
  bytes_.reset(avio_alloc_context(buffer, kReadAhead, 0, this, read, nullptr, nullptr));
  AVFormatContext* context = avformat_alloc_context();
  if (!bytes_ || context == nullptr) throw std::bad_alloc{};
  bytes_->seekable = 0;
  context->pb = bytes_.get();
  // If the call fails, it frees the context.
  const int opened =
      avformat_open_input(&context, "", av_find_input_format(format_name(segment_layout(*first))), nullptr);
  if (queue_.stopped()) {
    if (opened >= 0) demuxer_.reset(context);
    return false;
  }
  if (opened < 0) fail("cannot be opened", opened);
  demuxer_.reset(context);
  const int examined = avformat_find_stream_info(demuxer_.get(), nullptr);
  if (queue_.stopped()) return false;
  if (examined < 0) fail("cannot be read", examined);
  choose_streams();
  return true;
}

void TrackReader::choose_streams() {
  const auto choose = [&](AVMediaType type) {
    const int best = av_find_best_stream(demuxer_.get(), type, -1, -1, nullptr, 0);
    if (best >= 0) streams_.push_back(demuxer_->streams[best]);
  };
  if (track_.picture) choose(AVMEDIA_TYPE_VIDEO);
  if (track_.sound) choose(AVMEDIA_TYPE_AUDIO);
  if (streams_.empty()) throw FilmError{fmt::format("{}: there is neither picture nor sound in it", track_.name)};
  for (unsigned i = 0; i < demuxer_->nb_streams; ++i) {
    AVStream* const stream = demuxer_->streams[i];
    if (std::ranges::find(streams_, stream) == streams_.end()) stream->discard = AVDISCARD_ALL;
  }
}

AVPacket* TrackReader::next() {
  for (;;) {
    av_packet_unref(packet_.get());
    const int result = av_read_frame(demuxer_.get(), packet_.get());
    if (result == AVERROR_EOF || result == AVERROR_EXIT) return nullptr;
    if (result < 0) fail("cannot be read", result);
    const auto stream = std::ranges::find(streams_, packet_->stream_index, &AVStream::index);
    if (stream == streams_.end()) continue;
    packet_->stream_index = static_cast<int>(stream - streams_.begin());
    return packet_.get();
  }
}

}  // namespace tributary
