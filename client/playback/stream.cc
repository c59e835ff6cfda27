#include "playback/stream.hh"

#include <thread>
#include <utility>

#include "playback/command_queue.hh"
#include "playback/status/status_board.hh"
#include "playback/stream_run.hh"

namespace tributary {

struct Stream::Impl {
  Impl(std::string index_url, Options stream_options, StreamListener& listener)
      : url{std::move(index_url)},
        options{std::move(stream_options)},
        run{url, options, listener, commands, board},
        thread{[this] { run.run(); }} {}

  const std::string url;
  const Options options;
  CommandQueue commands;
  StatusBoard board;
  StreamRun run;
  std::thread thread;  // last: it uses all of the above
};

SessionOptions Stream::default_session() {
  SessionOptions options;
  options.adaptation = traits_of(options.subsegments).adaptation;
  options.startup_segments = 1;
  options.start = StartRule::kFast;
  options.experience = usual_experience(options);
  options.give_up_after = std::chrono::years{10};
  return options;
}

Stream::Stream(std::string url, Options options, StreamListener& listener)
    : impl_{std::make_unique<Impl>(std::move(url), std::move(options), listener)} {}

Stream::~Stream() {
  impl_->commands.push(command::Close{});
  impl_->thread.join();
}

std::uint32_t Stream::seek(Duration position) { return impl_->commands.push_seek(position, std::nullopt); }
std::uint32_t Stream::choose_sound(std::size_t track, Duration position) {
  return impl_->commands.push_seek(position, track);
}
void Stream::choose_quality(const QualityWish& wish) { impl_->commands.push(command::ChooseQuality{wish}); }
void Stream::use_link(const std::string& name, LinkUse use) { impl_->commands.push(command::UseLink{name, use}); }
void Stream::report(const PlayoutReport& report) { impl_->commands.push(report); }

StreamStatus Stream::status() const { return impl_->board.look(); }

}  // namespace tributary
