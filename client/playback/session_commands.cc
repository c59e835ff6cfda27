#include "playback/session_commands.hh"

#include <algorithm>
#include <utility>

#include "core/timeline/live_start.hh"

namespace tributary {
namespace {

// Live: nearer to the edge, every hiccup of the origin would be a stall. (HLS holds back three segments, too: RFC 8216
// section 6.3.3.)
constexpr std::uint32_t kHoldBack = 3;

/// Of several seeks, keeps only the last, with the sound that was chosen last.
std::vector<Command> without_overtaken_seeks(std::vector<Command> commands) {
  command::Seek* last = nullptr;
  for (auto it = commands.rbegin(); it != commands.rend(); ++it) {
    auto* seek = std::get_if<command::Seek>(&*it);
    if (seek == nullptr) continue;
    if (last == nullptr) {
      last = seek;
    } else if (!last->sound) {
      last->sound = seek->sound;
    }
  }
  const std::uint32_t happens = last != nullptr ? last->generation : 0;
  std::erase_if(commands, [&](const Command& command) {
    const auto* seek = std::get_if<command::Seek>(&command);
    return seek != nullptr && seek->generation != happens;
  });
  return commands;
}

}  // namespace

SessionCommands::SessionCommands(CommandQueue& commands, std::vector<Command> first, const Session& session,
                                 SegmentFeed& feed, LinkUses& uses, StatusRecorder& recorder, StatusBoard& board)
    : commands_{commands},
      first_{std::move(first)},
      session_{session},
      feed_{feed},
      uses_{uses},
      recorder_{recorder},
      board_{board} {}

void SessionCommands::advance(TimePoint now, std::deque<TimedEvent>& happened) {
  std::vector<Command> commands = std::exchange(first_, {});
  std::ranges::move(commands_.take(), std::back_inserter(commands));
  for (const Command& command : without_overtaken_seeks(std::move(commands))) {
    if (auto event = std::visit([this](const auto& c) { return event_of(c); }, command))
      happened.push_back({now, *std::move(event)});
  }
  if (now < show_at_) return;
  board_.put_up(recorder_.status(now));
  show_at_ = now + kShowEvery;
}

std::optional<Event> SessionCommands::event_of(const command::Seek& seek) {
  const SegmentTable& table = session_.table();
  const SegmentIndex there = table.switch_point(table.grid().first_for(seek.position));
  const SegmentIndex segment = std::max(std::min(there, last_to_seek()), recorder_.window_begin());
  const auto sound = is_sound(seek.sound) ? seek.sound : table.sound();
  generation_ = seek.generation;
  seeks_.push_back({seek.generation, feed_.cached_from(segment, sound)});
  event::SeekRequested event{segment, static_cast<std::uint32_t>(seeks_.back().cached.size()), std::nullopt};
  if (sound != table.sound()) event.sound = static_cast<std::uint32_t>(*sound);
  return event;
}

void SessionCommands::seek_happens() {
  feed_.begin(seeks_.front().generation, std::move(seeks_.front().cached));
  seeks_.pop_front();
}

std::optional<Event> SessionCommands::event_of(const command::ChooseQuality& choice) {
  event::QualityChosen event{choice.wish.always, std::nullopt};
  if (choice.wish.most_lines > 0) event.at_most = session_.table().qualities().highest_within(choice.wish.most_lines);
  return event;
}

std::optional<Event> SessionCommands::event_of(const command::UseLink& use) {
  return uses_.change(use.name, use.use, session_);
}

std::optional<Event> SessionCommands::event_of(const PlayoutReport& report) const {
  if (report.generation != generation_) return std::nullopt;
  const SegmentTable& table = session_.table();
  const SegmentIndex segment = table.grid().segment_at(report.position);
  const Duration left = table.starts_at(segment) + table.duration(segment) - report.position;
  return event::PlayoutReported{report.state, segment, std::max(left, Duration::zero()),
                                std::clamp(report.speed, 0.1, 10.0)};
}

std::optional<Event> SessionCommands::event_of(const command::Close& /*close*/) {
  closed_ = true;
  return event::StopRequested{"closed by the user"};
}

SegmentIndex SessionCommands::last_to_seek() const {
  const SegmentTable& table = session_.table();
  const auto last = static_cast<SegmentIndex>(table.segment_count() - 1);
  if (table.complete() || session_.options().mode != StreamingMode::kLiveBuffered) return last;
  if (session_.options().latency > Duration{}) return live_start(table, session_.options().latency);
  std::size_t held_back = kHoldBack;
  if (const auto delay = table.presentation().suggested_delay) {
    while (held_back < table.segment_count() &&
           table.grid().end() - table.starts_at(static_cast<SegmentIndex>(table.segment_count() - held_back)) < *delay)
      ++held_back;
  }
  held_back = std::min<std::size_t>(held_back, session_.options().buffer_segments);
  return static_cast<SegmentIndex>(table.segment_count() - std::min(held_back, table.segment_count()));
}

bool SessionCommands::is_sound(std::optional<std::size_t> track) const {
  const std::vector<Track>& tracks = session_.table().presentation().tracks;
  return track && *track < tracks.size() && tracks[*track].kind == TrackKind::kAudio;
}

}  // namespace tributary
