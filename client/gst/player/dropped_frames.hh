#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <map>

namespace tributary {

/// Counts the frames that elements left out, as their messages of quality tell.
class DroppedFrames {
 public:
  std::uint64_t count() const { return count_; }
  void add(GstMessage* qos) {
    GstFormat format{};
    guint64 processed = 0, dropped = 0;
    gst_message_parse_qos_stats(qos, &format, &processed, &dropped);
    if (format != GST_FORMAT_BUFFERS || dropped == G_MAXUINT64) return;
    std::uint64_t& before = told_by_[GST_MESSAGE_SRC(qos)];
    count_ += dropped >= before ? dropped - before : dropped;  // elements count from zero again after a seek
    before = dropped;
  }

 private:
  std::uint64_t count_ = 0;
  std::map<const void*, std::uint64_t> told_by_;  // last, by element
};

}  // namespace tributary
