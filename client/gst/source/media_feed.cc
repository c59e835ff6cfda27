#include "gst/source/media_feed.hh"

namespace tributary {
namespace {

class StreamedFeed final : public MediaFeed {
 public:
  StreamedFeed(const std::string& url, const Stream::Options& options, StreamListener& listener)
      : stream_{url, options, listener} {}

  std::uint32_t seek(Duration position) override { return stream_.seek(position); }
  std::uint32_t choose_sound(std::size_t track, Duration position) override {
    return stream_.choose_sound(track, position);
  }
  void choose_quality(const QualityWish& wish) override { stream_.choose_quality(wish); }
  void use_link(const std::string& name, LinkUse use) override { stream_.use_link(name, use); }
  void report(const PlayoutReport& report) override { stream_.report(report); }
  StreamStatus status() const override { return stream_.status(); }

 private:
  Stream stream_;
};

}  // namespace

std::unique_ptr<MediaFeed> open_stream(const std::string& url, const Stream::Options& options,
                                       StreamListener& listener) {
  return std::make_unique<StreamedFeed>(url, options, listener);
}

}  // namespace tributary
