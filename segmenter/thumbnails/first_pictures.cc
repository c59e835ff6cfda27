#include "segmenter/thumbnails/first_pictures.hh"

#include <fmt/format.h>

#include <algorithm>

#include "segmenter/libav/init_segment.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {

FirstPictures::FirstPictures(const std::filesystem::path& directory, const Track& track)
    : directory_{directory}, track_{track} {
  const std::string name = (directory / track.init->uri).string();
  const auto content = read_resource(directory, *track.init);
  if (!content) throw Failure{ExitCode::kOutput, fmt::format("cannot read {}", name)};
  try {
    facts_ = read_init(bytes_of(*content));
  } catch (const BoxError& error) {
    throw Failure{ExitCode::kCodec, fmt::format("{}: {}", name, error.what())};
  }
  init_ = open_init(bytes_of(*content));
  const std::string what = "cannot decode " + name;
  if (!init_) throw Failure{ExitCode::kCodec, what};
  decoder_ = make_decoder(*stream().codecpar, what);
  decoder_->thread_count = 1;  // one picture at a time
  check(avcodec_open2(decoder_.get(), nullptr, nullptr), ExitCode::kCodec, what);
}

AVFrame* FirstPictures::of(SegmentIndex segment) {
  const auto content = read_resource(directory_, track_.segment(segment));
  if (!content) return nullptr;
  const Salvage salvage = salvage_segment(bytes_of(*content), facts_);
  if (salvage.facts.samples.empty()) return nullptr;
  const MediaSample& sample = salvage.facts.samples.front();
  const PacketHandle packet = make_packet();
  check(av_new_packet(packet.get(), static_cast<int>(sample.size)), ExitCode::kCodec, "cannot decode " + track_.id);
  std::copy_n(reinterpret_cast<const std::uint8_t*>(content->data()) + sample.begin, sample.size, packet->data);
  packet->flags |= AV_PKT_FLAG_KEY;
  avcodec_flush_buffers(decoder_.get());
  const bool decoded = avcodec_send_packet(decoder_.get(), packet.get()) >= 0 &&
                       avcodec_send_packet(decoder_.get(), nullptr) >= 0 &&
                       avcodec_receive_frame(decoder_.get(), frame_.get()) >= 0;
  return decoded ? frame_.get() : nullptr;
}

}  // namespace tributary::segmenter
