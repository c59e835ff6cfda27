#include "segmenter/libav/init_segment.hh"

#include <algorithm>
#include <new>

#include "segmenter/libav/display_turn.hh"

namespace tributary::segmenter {
namespace {

/// A file in memory, for libavformat.
struct MemoryFile {
  std::span<const std::byte> rest;

  static int read(void* self, std::uint8_t* to, int most) {
    auto& rest = static_cast<MemoryFile*>(self)->rest;
    if (rest.empty()) return AVERROR_EOF;
    const auto count = std::min(rest.size(), static_cast<std::size_t>(most));
    std::copy_n(reinterpret_cast<const std::uint8_t*>(rest.data()), count, to);
    rest = rest.subspan(count);
    return static_cast<int>(count);
  }
};

}  // namespace

InputHandle open_init(std::span<const std::byte> content) {
  constexpr int kBufferSize = 1 << 14;
  MemoryFile file{content};
  AVIOContext* io = avio_alloc_context(static_cast<std::uint8_t*>(av_malloc(kBufferSize)), kBufferSize, 0, &file,
                                       MemoryFile::read, nullptr, nullptr);
  if (io == nullptr) throw std::bad_alloc{};
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) throw std::bad_alloc{};
  context->pb = io;
  const int opened = avformat_open_input(&context, nullptr, av_find_input_format("mp4"), nullptr);
  InputHandle input{opened >= 0 ? context : nullptr};
  if (input) input->pb = nullptr;  // the whole init segment has been read
  av_freep(static_cast<void*>(&io->buffer));
  avio_context_free(&io);
  return input && input->nb_streams == 1 ? std::move(input) : nullptr;
}

PictureFormat format_of(const AVStream& stream, const AVFrame& picture, AVRational time_base) {
  PictureFormat format;
  format.stored = format.shown = {picture.width, picture.height};
  format.quarter_turns = quarter_turns_of(stream);
  format.pixels = static_cast<AVPixelFormat>(picture.format);
  if (picture.color_trc == AVCOL_TRC_SMPTE2084 || picture.color_trc == AVCOL_TRC_ARIB_STD_B67)
    format.high_dynamic_range = picture.color_trc;
  format.time_base = time_base;
  return format;
}

}  // namespace tributary::segmenter
