#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "gst/main_context.hh"
#include "gst/player/player_news.hh"
#include "playback/stream.hh"

namespace tributary {

/// Passes messages of the stream, which come in its thread, on to the main context, as long as the title is open.
class TitleListener final : public StreamListener {
 public:
  /// Context and news must outlive this.
  TitleListener(const MainContext& context, PlayerNews& news, std::function<void(const StreamInfo&)> opened)
      : context_{context}, news_{news}, opened_{std::move(opened)} {}
  ~TitleListener() override { *open_ = false; }

  void opened(const StreamInfo& info) override {
    post([opened = opened_, info] { opened(info); });
  }
  void segment(MediaSegment /*segment*/) override {}
  void skipped(const SkippedSegment& skipped) override {
    post([&news = news_, skipped] { news.add([=](PlayerListener& listener) { listener.skipped(skipped); }); });
  }
  void may_play(std::uint32_t /*generation*/) override {}
  void ended(std::uint32_t /*generation*/) override {}
  void failed(const StreamFailure& failure) override {
    const std::lock_guard lock{mutex_};
    failure_ = failure;
  }
  /// The stream's failure, known here before the pipeline's error message arrives.
  std::optional<StreamFailure> failure() const {
    const std::lock_guard lock{mutex_};
    return failure_;
  }

 private:
  void post(std::function<void()> act) {
    context_.post([open = open_, &news = news_, act = std::move(act)] {
      if (!*open) return;
      const PlayerNews::Call call{news};
      act();
    });
  }

  const MainContext& context_;
  PlayerNews& news_;
  const std::function<void(const StreamInfo&)> opened_;
  const std::shared_ptr<bool> open_ = std::make_shared<bool>(true);  // looked at in the main context
  mutable std::mutex mutex_;
  std::optional<StreamFailure> failure_;
};

}  // namespace tributary
