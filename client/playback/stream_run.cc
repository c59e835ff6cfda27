#include "playback/stream_run.hh"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "playback/segment_feed.hh"
#include "playback/session_commands.hh"
#include "playback/status/status_recorder.hh"
#include "playback/stream_error.hh"
#include "playback/stream_news.hh"
#include "playback/stream_opening.hh"
#include "presentation/track_choice.hh"
#include "transport/connections/cookie_jar.hh"
#include "worlds/streaming_job.hh"

namespace tributary {
namespace {

StreamInfo info_of(const SegmentTable& table, bool live) {
  StreamInfo info;
  info.presentation = table.presentation();
  info.qualities = table.ladder();
  for (std::size_t i = 0; i < info.presentation.tracks.size(); ++i) {
    if (info.presentation.tracks[i].kind == TrackKind::kAudio) info.sounds.push_back(i);
    if (info.presentation.tracks[i].kind == TrackKind::kText) info.texts.push_back(i);
  }
  info.sound = table.sound();
  info.live = live;
  return info;
}

constexpr Duration kUsualLimit = std::chrono::seconds{10}, kLeastLimit = std::chrono::seconds{1};  // beyond the latency
constexpr int kUsualParts = 3;  // PART-HOLD-BACK is at least that (RFC 8216bis section 4.4.3.8)

}  // namespace

StreamRun::StreamRun(const std::string& url, const Stream::Options& options, StreamListener& listener,
                     CommandQueue& commands, StatusBoard& board)
    : url_{url}, options_{options}, listener_{listener}, commands_{commands}, board_{board}, uses_{options.use} {}

void StreamRun::run() {
  try {
    try {
      open_and_play();
    } catch (const StreamError& error) {
      listener_.failed(error.failure);
    } catch (const std::exception& error) {
      listener_.failed(other_failure(url_, error));
    }
    wait_for_close();
  } catch (const StreamClosed&) {
  }
}

void StreamRun::open_and_play() {
  transport::CurlLoop loop;
  SessionToCome session{loop, options_.rules};
  session.rules.cookies = std::make_shared<transport::CookieJar>();
  std::optional<StreamOpening> opening{std::in_place, url_, options_, commands_, uses_, board_, session};
  const FoundPresentation found = opening->find();
  std::vector<Command> first = opening->take_commands();
  opening.reset();
  play(found, std::move(first), session);
}

void StreamRun::play(const FoundPresentation& found, std::vector<Command> first, const SessionToCome& to_come) {
  const std::string url = found.location.url();
  const Presentation& presentation = found.presentation;
  const bool grows = presentation.live && !presentation.complete;
  const SessionOptions session_options = this->session_options(presentation);
  SegmentTable table{presentation};
  if (const auto sound = find_track(presentation, TrackKind::kAudio, options_.sound)) table.choose_sound(*sound);
  Session session{std::move(table), session_options};

  StreamingJob job{{.links = options_.links,
                    .rules = to_come.rules,
                    .use = [this](const std::string& link) { return uses_.of(link); },
                    .terms = options_.terms.empty() ? nullptr : terms_from(options_.terms),
                    .budget = options_.budget.get(),
                    .memory = options_.memory.get()},
                   found.addresses,
                   &to_come.loop};
  const LiveOrigin* origin = nullptr;
  if (grows)
    origin = &job.follow(found, presentation,
                         {.give_up_after = session_options.give_up_after,
                          .ended_after = options_.live_ended_after,
                          .tell = [this](TimePoint /*at*/, const std::string& note) {
                            if (options_.tell) options_.tell(note);
                          }});
  StatusRecorder recorder{session, job.links(), uses_};
  SegmentFeed feed{session.table(), listener_, options_.cache};
  if (grows) first.insert(first.begin(), command::Seek{0, Duration::max(), std::nullopt});  // to the live edge
  SessionCommands commands{commands_, std::move(first), session, feed, uses_, recorder, board_};
  StreamNews news{url, commands, feed, origin, listener_, options_.tell};
  StreamInfo info = info_of(session.table(), grows);
  info.rules = to_come.rules;
  info.rules.guard = found.guard;
  listener_.opened(info);
  job.run(session, {.connections = connections_to(found, to_come.loop, to_come.rules),
                    .network = {.others = &commands, .sink = &feed},
                    .observers = {&recorder, &news}});
  if (commands.closed()) throw StreamClosed{};
}

SessionOptions StreamRun::session_options(const Presentation& presentation) const {
  const bool live = presentation.live && !presentation.complete;
  SessionOptions options = options_.session;
  options.playout = PlayoutSource::kReported;
  options.stays_open = true;
  if (!live) {
    options.mode = StreamingMode::kOnDemand;
  } else if (options.mode == StreamingMode::kLiveUnbuffered) {
    options.buffer_segments = options.startup_segments = 1;
    options.duplicates_percent = usual_duplicates(options.subsegments, options.mode);
  } else {
    options.mode = StreamingMode::kLiveBuffered;
    options.latency = latency_of(presentation);
    if (options.latency > Duration{}) follow_live_edge(options, presentation.last_duration());
    options.latency_limit = options.latency > Duration{} ? latency_limit(options.latency) : Duration{};
  }
  return options;
}

Duration StreamRun::latency_of(const Presentation& presentation) const {
  if (options_.latency) return *options_.latency;
  if (!presentation.in_parts) return {};
  return presentation.suggested_delay.value_or(kUsualParts * presentation.last_duration());
}

/// One that is below the latency allows no more than that, and the segment that a switch point may be away.
Duration StreamRun::latency_limit(Duration latency) const {
  const Duration limit = options_.latency_limit.value_or(latency + kUsualLimit);
  return limit > Duration{} ? std::max(limit, latency + kLeastLimit) : limit;
}

void StreamRun::wait_for_close() {
  transport::CurlLoop loop;
  while (true) {
    for (const Command& command : commands_.take()) {
      if (std::holds_alternative<command::Close>(command)) throw StreamClosed{};
    }
    std::array<transport::CurlLoop::ExtraFd, 1> extra{{{commands_.file_descriptor()}}};
    loop.wait(std::nullopt, extra);
  }
}

}  // namespace tributary
