#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <tuple>

#include "gst/gst_handles.hh"
#include "gst/pipeline/decoder_search.hh"
#include "gst/readers/media_caps.hh"
#include "player/player_fixture.hh"

namespace tributary {
namespace {

using testing::DirectoryPlan;
using testing::kNoUrl;
using testing::overwrite;
using testing::PlayerTest;

constexpr const char* kName = "standinhardwareh264dec";

/// What goes wrong in the next decoders that are made.
enum class Fault { kNone, kNoDevice, kSaysNothing, kError };
Fault fault = Fault::kNone;  // GStreamer makes the elements: nobody can tell each of them
int pictures_before_it = 0;
std::atomic<int> pictures_decoded = 0;

struct StandIn {
  GstBin bin;
  Fault fault;
  int left;
};
struct StandInClass {
  GstBinClass bin;
};
GType stand_in_type();

GstPadProbeReturn on_input(GstPad* /*pad*/, GstPadProbeInfo* info, gpointer self) {
  auto* const decoder = static_cast<StandIn*>(self);
  if (decoder->fault < Fault::kSaysNothing || decoder->left-- > 0) {
    ++pictures_decoded;
    return GST_PAD_PROBE_OK;
  }
  if (decoder->fault == Fault::kError) GST_ELEMENT_ERROR(decoder, STREAM, DECODE, (nullptr), ("the device is gone"));
  gst_buffer_unref(GST_PAD_PROBE_INFO_BUFFER(info));
  GST_PAD_PROBE_INFO_FLOW_RETURN(info) = GST_FLOW_ERROR;
  return GST_PAD_PROBE_HANDLED;
}

GstStateChangeReturn change_state(GstElement* element, GstStateChange change) {
  if (change == GST_STATE_CHANGE_NULL_TO_READY && reinterpret_cast<StandIn*>(element)->fault == Fault::kNoDevice)
    return GST_STATE_CHANGE_FAILURE;
  auto* const parent = static_cast<GstElementClass*>(g_type_class_peek(GST_TYPE_BIN));
  return parent->change_state(element, change);
}

void init_class(StandInClass* of, gpointer /*data*/) {
  auto* const element = GST_ELEMENT_CLASS(of);
  element->change_state = &change_state;
  gst_element_class_set_static_metadata(element, "stand-in", "Codec/Decoder/Video/Hardware", "decodes by libav",
                                        "tests");
  const GstHandle<GstCaps> coded{gst_caps_from_string("video/x-h264")}, raw{gst_caps_from_string("video/x-raw")};
  gst_element_class_add_pad_template(element, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, coded.get()));
  gst_element_class_add_pad_template(element, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, raw.get()));
}

void init(StandIn* self, gpointer /*class*/) {
  self->fault = fault;
  self->left = pictures_before_it;
  GstElement* const decoder = gst_element_factory_make("avdec_h264", nullptr);
  gst_bin_add(&self->bin, decoder);
  for (const char* const name : {"sink", "src"}) {
    const GstHandle<GstPad> inner{gst_element_get_static_pad(decoder, name)};
    gst_element_add_pad(GST_ELEMENT(self), gst_ghost_pad_new(name, inner.get()));
  }
  const GstHandle<GstPad> sink{gst_element_get_static_pad(GST_ELEMENT(self), "sink")};
  gst_pad_add_probe(sink.get(), GST_PAD_PROBE_TYPE_BUFFER, &on_input, self, nullptr);
}

GType stand_in_type() {
  static const GType type = g_type_register_static_simple(
      GST_TYPE_BIN, "StandInHardwareDecoder", sizeof(StandInClass), reinterpret_cast<GClassInitFunc>(&init_class),
      sizeof(StandIn), reinterpret_cast<GInstanceInitFunc>(&init), GTypeFlags{});
  return type;
}

/// A decoder that passes for one in hardware. GStreamer ranks some of those lower than all others.
class HardwareDecoderTest : public PlayerTest {
 protected:
  HardwareDecoderTest() {
    gst_init(nullptr, nullptr);
    gst_element_register(nullptr, kName, GST_RANK_NONE, stand_in_type());
    fault = Fault::kNone;
    pictures_decoded = 0;
  }
  ~HardwareDecoderTest() override {
    const GstHandle<GstPluginFeature> feature{gst_registry_lookup_feature(gst_registry_get(), kName)};
    gst_registry_remove_feature(gst_registry_get(), feature.get());
  }
  void play_two_seconds(bool in_hardware) {
    DirectoryPlan plan;
    plan.directory = TRIBUTARY_MARKED_FILM;
    plan.most = 5;
    plan.quality = [](std::size_t segment) { return segment % 3; };
    Player& player = make(plan);
    player.use_hardware(in_hardware);
    player.open(kNoUrl);
    player.play();
    ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
  }
  /// Each picture of the two seconds came, in its order, but for those that came again.
  void expect_all_pictures() const {
    const std::vector<unsigned> came = frames();
    std::vector<unsigned> each(50);
    std::iota(each.begin(), each.end(), 0U);
    EXPECT_TRUE(std::ranges::equal(std::set<unsigned>(came.begin(), came.end()), each));
  }
};

TEST_F(HardwareDecoderTest, IsTakenByWhomeverAsksForIt) {
  const GstHandle<GstCaps> caps = caps_of_codec("avc1.64001f");
  EXPECT_EQ(find_decoder(*caps).decoder, "avdec_h264");
  const DecoderChain chain = find_decoder(*caps, Decoders::kInHardwareFirst);
  EXPECT_EQ(chain.decoder, kName);
  EXPECT_EQ(chain.parser, "h264parse");
  EXPECT_TRUE(chain.in_hardware);
  EXPECT_FALSE(chain.second_choice);
  const GstHandle<GstCaps> sound = caps_of_codec("mp4a.40.2");
  EXPECT_FALSE(find_decoder(*sound, Decoders::kInHardwareFirst).in_hardware);
  fault = Fault::kNoDevice;
  EXPECT_EQ(find_decoder(*caps, Decoders::kInHardwareFirst).decoder, "avdec_h264");
}

TEST_F(HardwareDecoderTest, PlaysWhereTheUserWantsIt) {
  play_two_seconds(true);
  EXPECT_GE(pictures_decoded, 50);
  EXPECT_EQ(frames().size(), 50U);
  expect_all_pictures();
  EXPECT_EQ(notes_.problems.size(), 0U);
}

TEST_F(HardwareDecoderTest, IsLeftAloneOtherwise) {
  play_two_seconds(false);
  EXPECT_EQ(pictures_decoded, 0);
  expect_all_pictures();
}

TEST_F(HardwareDecoderTest, AnotherOneGoesOnWhereItFails) {
  for (const Fault kind : {Fault::kSaysNothing, Fault::kError}) {
    for (const int after : {0, 1, 20}) {
      SCOPED_TRACE(::testing::Message() << "after " << after << " pictures"
                                        << (kind == Fault::kError ? ", with a word" : ""));
      fault = kind;
      pictures_before_it = after;
      notes_.problems.clear();
      forget();
      play_two_seconds(true);
      expect_all_pictures();
      ASSERT_EQ(notes_.problems.size(), 1U);
      EXPECT_FALSE(notes_.problems[0].fatal);
      EXPECT_THAT(notes_.problems[0].what.english(), ::testing::HasSubstr("graphics card"));
    }
  }
}

TEST_F(HardwareDecoderTest, NobodyDecodesWhatIsDamaged) {
  fault = Fault::kError;
  for (const bool in_hardware : {true, false}) {
    for (const auto& [from, bytes, with] : {std::tuple{6, 30, 0x00}, {0, 40, 0xff}}) {
      SCOPED_TRACE(::testing::Message() << in_hardware << " " << from);
      DirectoryPlan plan;
      plan.directory = TRIBUTARY_MARKED_EXTRAS;
      plan.damage_init = [=](TrackKind kind, MediaBytes& init) {
        if (kind == TrackKind::kVideo)
          overwrite(init, "avcC", from, bytes, std::byte{static_cast<unsigned char>(with)});
      };
      Player& player = make(plan);
      player.use_hardware(in_hardware);
      player.open(kNoUrl);
      ASSERT_TRUE(wait_for_state(PlayerState::kFailed));
      EXPECT_EQ(notes_.problems.back().what.english(), "The picture cannot be decoded.");
    }
  }
}

}  // namespace
}  // namespace tributary
