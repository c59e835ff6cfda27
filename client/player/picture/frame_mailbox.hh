#pragma once

#include <gst/gst.h>

#include <functional>
#include <memory>
#include <mutex>

namespace tributary::play {

struct SampleUnref {
  void operator()(GstSample* sample) const { gst_sample_unref(sample); }
};
using Sample = std::unique_ptr<GstSample, SampleUnref>;

/// Room for one picture between the thread that decodes and the one that shows. If the window is slow, a new picture
/// replaces the one inside; the decoder never waits.
class FrameMailbox {
 public:
  /// Calls `arrived` in the default main context, each time that a picture fills the empty mailbox.
  explicit FrameMailbox(std::function<void()> arrived) : shared_{std::make_shared<Shared>(std::move(arrived))} {}
  FrameMailbox(const FrameMailbox&) = delete;
  FrameMailbox& operator=(const FrameMailbox&) = delete;
  ~FrameMailbox();

  /// A function that puts a picture in. Any thread may call it, even after the end of the mailbox.
  std::function<void(GstSample*)> slot();
  /// The latest picture; null: there is none.
  Sample take();

 private:
  struct Shared {
    explicit Shared(std::function<void()> call) : arrived{std::move(call)} {}
    std::mutex mutex;
    Sample latest;
    std::function<void()> arrived;  // main context only
  };
  static int call_arrived(void* shared);
  std::shared_ptr<Shared> shared_;
};

}  // namespace tributary::play
