#include "gst/pipeline/sound_branch.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

Duration delay_of(GstElement* sink) {
  gint64 delay = 0;
  g_object_get(sink, "ts-offset", &delay, nullptr);
  return Duration{delay};
}

GstHandle<GstElement> element(const SoundBranch& branch, const char* factory) {
  GstIterator* const all = gst_bin_iterate_all_by_element_factory_name(GST_BIN(branch.bin()), factory);
  GValue found = G_VALUE_INIT;
  const bool any = gst_iterator_next(all, &found) == GST_ITERATOR_OK;
  GstHandle<GstElement> result{any ? GST_ELEMENT(g_value_dup_object(&found)) : nullptr};
  if (any) g_value_unset(&found);
  gst_iterator_free(all);
  return result;
}

TEST(SoundBranch, TheSinkDelaysTheSoundAlsoTheNextOne) {
  SoundBranch branch{{.parser = "", .decoder = "identity"}, "identity ! fakesink"};
  const GstHandle<GstElement> sink = element(branch, "fakesink");
  ASSERT_NE(sink.get(), nullptr);
  branch.set_delay(100ms);
  EXPECT_EQ(delay_of(sink.get()), 100ms);
  branch.set_delay(-1500ms);
  EXPECT_EQ(delay_of(sink.get()), -1500ms);
  branch.replace_sink();
  const GstHandle<GstElement> silent = element(branch, "fakesink");
  ASSERT_NE(silent.get(), sink.get());
  EXPECT_EQ(delay_of(silent.get()), -1500ms);
}

}  // namespace
}  // namespace tributary
