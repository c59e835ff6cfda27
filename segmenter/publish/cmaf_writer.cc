#include "segmenter/publish/cmaf_writer.hh"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>
#include <utility>

namespace tributary::segmenter {
namespace {

constexpr const char* kPacking = "cannot pack a segment";

/// A box of four-letter brands (ISO/IEC 14496-12 section 4.3): ftyp or styp.
std::vector<std::byte> brands_box(std::string_view type, std::string_view major, std::string_view compatible) {
  std::string box(4, '\0');
  box.append(type).append(major).append(4, '\0').append(compatible);
  box[3] = static_cast<char>(box.size());
  const auto bytes = std::as_bytes(std::span{box});
  return {bytes.begin(), bytes.end()};
}

constexpr std::size_t kStypSize = 24;

void append_to(std::vector<std::byte>& bytes, const std::vector<std::byte>& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

std::size_t first_box_size(const std::vector<std::byte>& bytes) {
  assert(bytes.size() >= 8);
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size = size << 8 | std::to_integer<std::size_t>(bytes[i]);
  return size;
}

/// Replaces the muxer's brands, which promise too little, by those that CMAF wants (ISO/IEC 23000-19 section 7.2).
std::vector<std::byte> with_cmaf_brands(const std::vector<std::byte>& init) {
  std::vector<std::byte> branded = brands_box("ftyp", "cmfc", "cmfciso6mp41");
  branded.insert(branded.end(), init.begin() + static_cast<std::ptrdiff_t>(first_box_size(init)), init.end());
  return branded;
}

void keep_side_data(const AVStream& source, AVStream& stream) {
  for (const AVPacketSideDataType type :
       {AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL}) {
    std::size_t size = 0;
    const std::uint8_t* const data = av_stream_get_side_data(&source, type, &size);
    if (data == nullptr) continue;
    std::uint8_t* const copy = av_stream_new_side_data(&stream, type, size);
    if (copy == nullptr) throw std::bad_alloc{};
    std::copy_n(data, size, copy);
  }
}

}  // namespace

CmafWriter::CmafWriter(const AVCodecParameters& codec, AVRational frame_rate, std::uint32_t timescale, Duration chunk,
                       std::uint64_t first_fragment, const AVStream* source)
    : chunk_ticks_{std::llround(to_seconds(chunk) * timescale)}, timescale_{timescale} {
  constexpr int kBufferSize = 1 << 16;
  io_ = avio_alloc_context(static_cast<std::uint8_t*>(av_malloc(kBufferSize)), kBufferSize, 1, this, nullptr, append,
                           nullptr);
  if (io_ == nullptr) throw std::bad_alloc{};
  AVFormatContext* muxer = nullptr;
  check(avformat_alloc_output_context2(&muxer, nullptr, "mp4", nullptr), ExitCode::kCodec, "cannot make a muxer");
  muxer_.reset(muxer);
  muxer->pb = io_;
  muxer->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;  // no dates: the same input gives the same bytes
  muxer->avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED;
  AVStream* const stream = avformat_new_stream(muxer, nullptr);
  if (stream == nullptr) throw std::bad_alloc{};
  check(avcodec_parameters_copy(stream->codecpar, &codec), ExitCode::kCodec, "cannot describe the stream");
  // hvc1, for any tag of the source: the parameter sets are in the init segment only.
  stream->codecpar->codec_tag = codec.codec_id == AV_CODEC_ID_HEVC ? MKTAG('h', 'v', 'c', '1') : 0;
  stream->time_base = {1, static_cast<int>(timescale)};
  stream->avg_frame_rate = frame_rate;
  if (source != nullptr) keep_side_data(*source, *stream);
  Options options;
  // frag_discont allows that the first fragment is decoded later than zero, because a live timeline goes on.
  options.set("movflags", "empty_moov+frag_custom+default_base_moof+skip_trailer+skip_sidx+frag_discont");
  options.set("use_editlist", "0");
  options.set("fragment_index", std::to_string(first_fragment));
  check(avformat_write_header(muxer, options.get()), ExitCode::kCodec, "cannot write the init segment");
  assert(stream->time_base.den == static_cast<int>(timescale));
  avio_flush(io_);
  init_ = with_cmaf_brands(output_);
}

CmafWriter::~CmafWriter() {
  muxer_.reset();
  if (io_ != nullptr) av_freep(static_cast<void*>(&io_->buffer));
  avio_context_free(&io_);
}

int CmafWriter::append(void* self, std::uint8_t* bytes, int count) {
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  auto& output = static_cast<CmafWriter*>(self)->output_;
  output.insert(output.end(), begin, begin + count);
  return count;
}

void CmafWriter::add(const AVPacket& packet) {
  if (held_) {
    write_held(packet.dts);
    if (chunk_ticks_ > 0 && packet.dts - *chunk_begin_ >= chunk_ticks_) end_fragment();
  }
  held_ = clone(packet);
  held_->stream_index = 0;
}

void CmafWriter::write_held(std::int64_t until) {
  if (!segment_begun_) {
    const std::vector<std::byte> brands = brands_box("styp", "cmfs", "cmfsiso6");
    output_.assign(brands.begin(), brands.end());  // keeps the memory of the segment before
    segment_begun_ = true;
  }
  if (!chunk_begin_) chunk_begin_ = held_->dts;
  held_->duration = until - held_->dts;
  assert(held_->duration > 0);
  check(av_write_frame(muxer_.get(), held_.get()), ExitCode::kCodec, kPacking);
  held_.reset();
}

void CmafWriter::end_fragment() {
  const bool is_first = output_.size() == kStypSize;
  if (reference_ && !is_first) append_to(output_, brands_box("styp", "cmfl", "cmfliso6"));
  if (reference_) append_to(output_, reference_box());
  check(av_write_frame(muxer_.get(), nullptr), ExitCode::kCodec, kPacking);  // null: end the fragment
  avio_flush(io_);
  chunk_begin_.reset();
}

/// ProducerReferenceTimeBox (ISO/IEC 14496-12 section 8.16.5): when the first frame of the chunk was given to the encoder.
std::vector<std::byte> CmafWriter::reference_box() const {
  constexpr std::uint64_t kFrom1900To1970 = 2'208'988'800;
  std::vector<std::byte> box;
  const auto put = [&](std::uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) box.push_back(static_cast<std::byte>(value >> 8 * i));
  };
  const auto zero = static_cast<std::uint64_t>(reference_->zero.time_since_epoch().count());  // milliseconds
  const auto decoded = static_cast<std::uint64_t>(*chunk_begin_);
  const std::uint64_t milliseconds = zero + decoded / timescale_ * 1000;
  const double rest =
      static_cast<double>(milliseconds % 1000) / 1000 + static_cast<double>(decoded % timescale_) / timescale_;
  const double whole = std::floor(rest);
  put(32, 4);
  put(0x70726674, 4);  // prft
  put(1, 1);           // version: long times
  put(0, 3);           // the time at which the encoder was given the frame
  put(1, 4);           // the track
  put(milliseconds / 1000 + kFrom1900To1970 + static_cast<std::uint64_t>(whole), 4);
  put(static_cast<std::uint64_t>(std::ldexp(rest - whole, 32)), 4);
  put(decoded + static_cast<std::uint64_t>(reference_->offset), 8);
  return box;
}

std::span<const std::byte> CmafWriter::take_chunk(std::int64_t end) {
  write_held(end);
  end_fragment();
  return std::span{output_}.subspan(std::exchange(taken_, output_.size()));
}

std::span<const std::byte> CmafWriter::take_segment(std::int64_t end) {
  if (held_) {
    write_held(end);
    end_fragment();
  }
  segment_begun_ = false;
  taken_ = 0;
  return output_;
}

}  // namespace tributary::segmenter
