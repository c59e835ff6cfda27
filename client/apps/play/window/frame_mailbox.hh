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

/// One place for one picture, between the thread that decodes and the one that shows: a slow window replaces pictures and
/// never blocks the decoder.
class FrameMailbox {
 public:
  /// `arrived` is called in the default main context, once for each time that the mailbox was filled while empty.
  explicit FrameMailbox(std::function<void()> arrived) : shared_{std::make_shared<Shared>(std::move(arrived))} {}
  FrameMailbox(const FrameMailbox&) = delete;
  FrameMailbox& operator=(const FrameMailbox&) = delete;
  ~FrameMailbox();

  /// From any thread; the function may outlive the mailbox.
  std::function<void(GstSample*)> slot();
  /// The latest picture, or nothing.
  Sample take();

 private:
  struct Shared {
    explicit Shared(std::function<void()> call) : arrived{std::move(call)} {}
    std::mutex mutex;
    Sample latest;
    std::function<void()> arrived;  // used in the main context alone
  };
  static int call_arrived(void* shared);
  std::shared_ptr<Shared> shared_;
};

}  // namespace tributary::play
