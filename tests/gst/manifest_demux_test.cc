#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "gst/gst_handles.hh"
#include "gst/plugin/index_type.hh"
#include "gst/plugin/multilink_demux.hh"
#include "served_film.hh"

namespace tributary {
namespace {

using testing::ServedFilm;

/// A player of GStreamer, which knows nothing of us but what is registered.
class Playbin {
 public:
  explicit Playbin(const std::string& kind, const std::string& uri) {
    static const bool registered = register_multilink_demux(nullptr) && register_index_type(nullptr);
    EXPECT_TRUE(registered);
    bin_.reset(GST_ELEMENT(gst_object_ref_sink(gst_element_factory_make(kind.c_str(), nullptr))));
    for (const char* const sink : {"video-sink", "audio-sink"})
      g_object_set(bin_.get(), sink, gst_element_factory_make("fakesink", nullptr), nullptr);
    g_object_set(bin_.get(), "uri", uri.c_str(), nullptr);
  }
  ~Playbin() { set(GST_STATE_NULL); }
  Playbin(const Playbin&) = delete;
  Playbin& operator=(const Playbin&) = delete;

  GstStateChangeReturn set(GstState state) { return gst_element_set_state(bin_.get(), state); }
  /// Waits for the message. Empty: it came; else the error that came instead, or "nothing".
  std::string wait_for(GstMessageType type) {
    const GstHandle<GstBus> bus{gst_element_get_bus(bin_.get())};
    const GstHandle<GstMessage> message{
        gst_bus_timed_pop_filtered(bus.get(), 60 * GST_SECOND, static_cast<GstMessageType>(type | GST_MESSAGE_ERROR))};
    if (!message) return "nothing";
    if (GST_MESSAGE_TYPE(message.get()) == type) return "";
    GError* error = nullptr;
    gst_message_parse_error(message.get(), &error, nullptr);
    return GlibError { error } -> message;
  }
  bool seek(GstClockTime to) {
    return gst_element_seek_simple(bin_.get(), GST_FORMAT_TIME,
                                   static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE),
                                   static_cast<gint64>(to)) != FALSE;
  }
  gint64 position() const {
    gint64 at = -1;
    gst_element_query_position(bin_.get(), GST_FORMAT_TIME, &at);
    return at;
  }
  gint64 duration() const {
    gint64 length = -1;
    gst_element_query_duration(bin_.get(), GST_FORMAT_TIME, &length);
    return length;
  }

 private:
  GstHandle<GstElement> bin_;
};

TEST(MultilinkDemux, SeeksPlaysAndBeginsAnewInPlayersOfGStreamer) {
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS};
  for (const std::string kind : {"playbin", "playbin3"}) {
    Playbin player{kind, film.url()};
    for (int time = 0; time < 2; ++time) {
      SCOPED_TRACE(fmt::format("{}, time {}", kind, time));
      player.set(GST_STATE_PAUSED);
      ASSERT_EQ(player.wait_for(GST_MESSAGE_ASYNC_DONE), "");
      EXPECT_EQ(player.duration(), 6 * GST_SECOND);
      ASSERT_TRUE(player.seek(4 * GST_SECOND));
      ASSERT_EQ(player.wait_for(GST_MESSAGE_ASYNC_DONE), "");
      EXPECT_EQ(player.position(), 4 * GST_SECOND);
      player.set(GST_STATE_PLAYING);
      EXPECT_EQ(player.wait_for(GST_MESSAGE_EOS), "");
      player.set(GST_STATE_READY);
    }
  }
}

TEST(MultilinkDemux, EndsAtOnceWhileItOpens) {
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS, "limit_rate 1k;"};
  for (int time = 0; time < 5; ++time) {
    Playbin player{"playbin3", film.url()};
    player.set(GST_STATE_PAUSED);
    g_usleep(static_cast<gulong>(time) * 50'000);
    EXPECT_EQ(player.set(GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  }
}

TEST(MultilinkDemux, PlaysOnlyWhatItsLinksReach) {
  Playbin player{"playbin3", "file://" TRIBUTARY_MARKED_EXTRAS "/index.json"};
  player.set(GST_STATE_PAUSED);
  EXPECT_THAT(player.wait_for(GST_MESSAGE_ASYNC_DONE), ::testing::HasSubstr("Only addresses of http and https"));
}

}  // namespace
}  // namespace tributary
