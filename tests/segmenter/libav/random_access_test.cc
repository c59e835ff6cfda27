#include "segmenter/libav/random_access.hh"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace tributary::segmenter {
namespace {

using Bytes = std::vector<std::uint8_t>;

RandomAccess access_of(AVCodecID codec, Bytes extradata, Bytes picture, bool key = true) {
  const ParametersHandle parameters{avcodec_parameters_alloc()};
  parameters->codec_id = codec;
  parameters->extradata = static_cast<std::uint8_t*>(av_mallocz(extradata.size() + AV_INPUT_BUFFER_PADDING_SIZE));
  std::memcpy(parameters->extradata, extradata.data(), extradata.size());
  parameters->extradata_size = static_cast<int>(extradata.size());
  const PacketHandle packet = make_packet();
  packet->data = picture.data();
  packet->size = static_cast<int>(picture.size());
  packet->flags = key ? AV_PKT_FLAG_KEY : 0;
  return random_access_of(*packet, *parameters);
}

const Bytes kStartCodes{0, 0, 0, 1, 0x67};
const Bytes kAvcc{1, 100, 0, 31, 0xff};

TEST(RandomAccess, OfH264IsAnIdrPictureAndNoRecoveryPoint) {
  const auto h264 = [](const Bytes& picture) { return access_of(AV_CODEC_ID_H264, kStartCodes, picture); };
  EXPECT_EQ(h264({0, 0, 0, 1, 0x09, 0xf0, 0, 0, 1, 0x65, 0x88}), RandomAccess::kSync);
  EXPECT_EQ(h264({0, 0, 1, 0x06, 6, 1, 0x80, 0, 0, 1, 0x41, 0x9a}), RandomAccess::kOpen);
  EXPECT_EQ(h264({0, 0, 1, 0x06, 6, 1, 0x80}), RandomAccess::kNone);
  const auto avcc = [](const Bytes& picture) { return access_of(AV_CODEC_ID_H264, kAvcc, picture); };
  EXPECT_EQ(avcc({0, 0, 0, 2, 0x06, 6, 0, 0, 0, 2, 0x65, 0x88}), RandomAccess::kSync);
  EXPECT_EQ(avcc({0, 0, 0, 2, 0x06, 6, 0, 0, 0, 2, 0x41, 0x88}), RandomAccess::kOpen);
  EXPECT_EQ(access_of(AV_CODEC_ID_H264, kAvcc, {0, 0, 0, 2, 0x65, 0x88}, false), RandomAccess::kNone);
  // Lengths that go beyond the end, and parts of one.
  EXPECT_EQ(avcc({0, 0, 0, 200, 0x06, 6}), RandomAccess::kNone);
  EXPECT_EQ(avcc({0xff, 0xff, 0xff, 0xff, 0x65}), RandomAccess::kSync);
  EXPECT_EQ(avcc({0, 0, 0}), RandomAccess::kNone);
  EXPECT_EQ(avcc({}), RandomAccess::kNone);
}

TEST(RandomAccess, OfHevcIsNoCraPicture) {
  const auto hevc = [](int type) {
    const auto header = static_cast<std::uint8_t>(type << 1);
    return access_of(AV_CODEC_ID_HEVC, kStartCodes, {0, 0, 1, 35 << 1, 1, 0x50, 0, 0, 1, header, 1, 0xaf});
  };
  for (const int type : {17, 18, 19, 20}) EXPECT_EQ(hevc(type), RandomAccess::kSync) << type;
  for (const int type : {1, 9, 16, 21}) EXPECT_EQ(hevc(type), RandomAccess::kOpen) << type;
}

TEST(RandomAccess, OfAv1IsWhatTheContainerSays) {
  EXPECT_EQ(access_of(AV_CODEC_ID_AV1, {0x81}, {0x12, 0}), RandomAccess::kSync);
  EXPECT_EQ(access_of(AV_CODEC_ID_AV1, {0x81}, {0x12, 0}, false), RandomAccess::kNone);
}

}  // namespace
}  // namespace tributary::segmenter
