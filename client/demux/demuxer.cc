#include "demux/demuxer.hh"

extern "C" {
#include <libavutil/dict.h>
#include <libavutil/log.h>
}

#include <algorithm>

namespace tributary {

Demuxer::Demuxer(ByteSource& source, SegmentLayout layout) : source_{source} {
  constexpr int kReadAhead = 64 * 1024;
  av_log_set_level(AV_LOG_QUIET);  // its errors are ours, with a place
  auto* const buffer = static_cast<unsigned char*>(av_malloc(kReadAhead));
  if (buffer == nullptr) throw std::bad_alloc{};
  const bool can_seek = source_.size().has_value();
  bytes_.reset(avio_alloc_context(buffer, kReadAhead, 0, this, read_bytes, nullptr, can_seek ? seek_bytes : nullptr));
  AVFormatContext* context = avformat_alloc_context();
  if (!bytes_ || context == nullptr) throw std::bad_alloc{};
  if (!can_seek) bytes_->seekable = 0;
  context->pb = bytes_.get();
  const AVInputFormat* const format = av_find_input_format(format_name(layout));
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "none", 0);  // no bytes but these
  av_dict_set(&options, "format_whitelist", format == nullptr ? "none" : format->name, 0);
  // If the call fails, it frees the context.
  const int opened = avformat_open_input(&context, "", format, &options);
  av_dict_free(&options);
  if (opened < 0) throw DemuxError{"cannot be opened", opened};
  context_.reset(context);
}

int Demuxer::read_bytes(void* self, std::uint8_t* into, int size) {
  auto& demuxer = *static_cast<Demuxer*>(self);
  const auto count =
      demuxer.source_.read(std::as_writable_bytes(std::span{into, static_cast<std::size_t>(std::max(size, 0))}));
  if (!count) return AVERROR_EXIT;
  demuxer.at_ += *count;
  return *count == 0 ? AVERROR_EOF : static_cast<int>(*count);
}

std::int64_t Demuxer::seek_bytes(void* self, std::int64_t offset, int whence) {
  auto& demuxer = *static_cast<Demuxer*>(self);
  const auto size = static_cast<std::int64_t>(demuxer.source_.size().value_or(0));
  whence &= ~AVSEEK_FORCE;
  if (whence == AVSEEK_SIZE) return size;
  std::int64_t from = 0;
  if (whence == SEEK_CUR) from = static_cast<std::int64_t>(demuxer.at_);
  if (whence == SEEK_END) from = size;
  std::int64_t to = 0;
  if (__builtin_add_overflow(from, offset, &to) || to < 0 || to > size) return AVERROR(EINVAL);
  demuxer.at_ = static_cast<std::size_t>(to);
  demuxer.source_.seek(demuxer.at_);
  return to;
}

bool Demuxer::read(AVPacket& packet) {
  av_packet_unref(&packet);
  const int result = av_read_frame(context_.get(), &packet);
  if (result == AVERROR_EOF || result == AVERROR_EXIT) return false;
  if (result < 0) throw DemuxError{"cannot be read", result};
  return true;
}

}  // namespace tributary
