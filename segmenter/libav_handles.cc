#include "segmenter/libav_handles.hh"

#include <array>
#include <new>

namespace tributary::segmenter {

FrameHandle make_frame() {
  FrameHandle frame{av_frame_alloc()};
  if (!frame) throw std::bad_alloc{};
  return frame;
}

PacketHandle make_packet() {
  PacketHandle packet{av_packet_alloc()};
  if (!packet) throw std::bad_alloc{};
  return packet;
}

PacketHandle clone(const AVPacket& packet) {
  PacketHandle copy{av_packet_clone(&packet)};
  if (!copy) throw std::bad_alloc{};
  return copy;
}

ParametersHandle parameters_of(const AVCodecContext& codec) {
  ParametersHandle parameters{avcodec_parameters_alloc()};
  if (!parameters) throw std::bad_alloc{};
  check(avcodec_parameters_from_context(parameters.get(), &codec), ExitCode::kCodec, "cannot describe the stream");
  return parameters;
}

std::string layout_name(const AVChannelLayout& layout) {
  AVChannelLayout usual{};
  if (layout.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&usual, layout.nb_channels);
  std::array<char, 128> name{};
  const AVChannelLayout& named = usual.nb_channels > 0 ? usual : layout;
  check(av_channel_layout_describe(&named, name.data(), name.size()), ExitCode::kInput,
        "cannot read the layout of the sound");
  return name.data();
}

int check(int result, ExitCode blame, const std::string& what) {
  if (result >= 0) return result;
  std::array<char, AV_ERROR_MAX_STRING_SIZE> reason{};
  av_strerror(result, reason.data(), reason.size());
  throw Failure{blame, what + ": " + reason.data()};
}

}  // namespace tributary::segmenter
