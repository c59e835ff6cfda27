#include "gst/source/feed_ahead.hh"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace tributary {

class FeedAhead::Begun final : public MediaFeed, private StreamListener {
 public:
  Begun(const Title& title, const Stream::Options& options, const OpenFeed& open)
      : start_{title.start}, feed_{open(title.url, options, *this)} {
    feed_->choose_quality(title.quality);
    if (start_ > Duration{}) sought_ = feed_->seek(start_);
  }

  /// From now on it tells `listener`, first what it has told until now.
  void go_on_for(StreamListener& listener) {
    const std::lock_guard lock{mutex_};
    for (const News& news : std::exchange(kept_, {})) news(listener);
    listener_ = &listener;
  }

  /// The first one may be for the place where it began.
  std::uint32_t seek(Duration position) override {
    const auto sought = std::exchange(sought_, std::nullopt);
    return sought && position == start_ ? *sought : feed_->seek(position);
  }
  std::uint32_t choose_sound(std::size_t track, Duration position) override {
    return feed_->choose_sound(track, position);
  }
  void choose_quality(const QualityWish& wish) override { feed_->choose_quality(wish); }
  void use_link(const std::string& name, LinkUse use) override { feed_->use_link(name, use); }
  void report(const PlayoutReport& report) override { feed_->report(report); }
  StreamStatus status() const override { return feed_->status(); }

 private:
  using News = std::function<void(StreamListener&)>;

  void opened(const StreamInfo& info) override {
    tell([info](StreamListener& listener) { listener.opened(info); });
  }
  void segment(MediaSegment segment) override {
    tell([segment = std::move(segment)](StreamListener& listener) { listener.segment(segment); });
  }
  void skipped(const SkippedSegment& skipped) override {
    tell([skipped](StreamListener& listener) { listener.skipped(skipped); });
  }
  void may_play(std::uint32_t generation) override {
    tell([generation](StreamListener& listener) { listener.may_play(generation); });
  }
  void steered(double speed) override {
    tell([speed](StreamListener& listener) { listener.steered(speed); });
  }
  void ended(std::uint32_t generation) override {
    tell([generation](StreamListener& listener) { listener.ended(generation); });
  }
  void failed(const StreamFailure& failure) override {
    tell([failure](StreamListener& listener) { listener.failed(failure); });
  }

  void tell(News news) {
    const std::lock_guard lock{mutex_};
    if (listener_ != nullptr) {
      news(*listener_);
    } else {
      kept_.push_back(std::move(news));
    }
  }

  const Duration start_;
  std::optional<std::uint32_t> sought_;
  std::mutex mutex_;
  StreamListener* listener_ = nullptr;
  std::vector<News> kept_;
  std::unique_ptr<MediaFeed> feed_;  // last: it tells us
};

FeedAhead::FeedAhead(Title title, const Stream::Options& options, OpenFeed open)
    : url_{std::move(title.url)}, open_{std::move(open)} {
  title.url = url_;
  begun_ = std::make_unique<Begun>(title, options, open_);
}
FeedAhead::~FeedAhead() = default;

std::unique_ptr<MediaFeed> FeedAhead::open(const std::string& url, const Stream::Options& options,
                                           StreamListener& listener) {
  auto begun = std::exchange(begun_, nullptr);
  if (!begun || url != url_) return open_(url, options, listener);
  begun->go_on_for(listener);
  return begun;
}

}  // namespace tributary
