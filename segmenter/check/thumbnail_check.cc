#include "segmenter/check/thumbnail_check.hh"

#include <algorithm>

#include "segmenter/libav/libav_handles.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {
namespace {

/// Null: it cannot be decoded.
FrameHandle decode_jpeg(const std::string& content) {
  AVCodecParameters jpeg{};
  jpeg.codec_type = AVMEDIA_TYPE_VIDEO;
  jpeg.codec_id = AV_CODEC_ID_MJPEG;
  jpeg.format = AV_PIX_FMT_NONE;
  const std::string what = "cannot decode thumbnails";
  const CodecHandle decoder = make_decoder(jpeg, what);
  check(avcodec_open2(decoder.get(), nullptr, nullptr), ExitCode::kCodec, what);
  const PacketHandle packet = make_packet();
  check(av_new_packet(packet.get(), static_cast<int>(content.size())), ExitCode::kCodec, what);
  std::ranges::copy(content, reinterpret_cast<char*>(packet->data));
  FrameHandle frame = make_frame();
  const bool decoded =
      avcodec_send_packet(decoder.get(), packet.get()) >= 0 && avcodec_receive_frame(decoder.get(), frame.get()) >= 0;
  return decoded ? std::move(frame) : nullptr;
}

}  // namespace

void check_thumbnails(const std::filesystem::path& directory, const ThumbnailSheets& sheets, Findings& findings) {
  for (std::size_t i = 0; i < sheets.sizes.size(); ++i) {
    const std::string name = sheets.sheet_uri(i);
    const auto content = read_file(directory / name);
    if (!content) {
      findings.add(name, "cannot be read");
      continue;
    }
    findings.compare(name, "bytes", static_cast<std::int64_t>(content->size()), sheets.sizes[i].bytes());
    const FrameHandle sheet = decode_jpeg(*content);
    if (!sheet) {
      findings.add(name, "no JPEG picture");
      continue;
    }
    findings.compare(name, "the width", sheet->width, sheets.columns * sheets.width);
    findings.compare(name, "the height", sheet->height, sheets.rows * sheets.height);
  }
}

}  // namespace tributary::segmenter
