#include "directory_feed.hh"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "presentation/json/json_index.hh"

namespace tributary::testing {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error{"cannot read " + path.string()};
  return {std::istreambuf_iterator<char>{file}, {}};
}

Presentation presentation_of(const DirectoryPlan& plan) {
  Presentation presentation = read_index(content_of(plan.directory / "index.json"));
  if (!plan.transport_streams) return presentation;
  std::erase_if(presentation.tracks, [](const Track& track) { return track.kind != TrackKind::kVideo; });
  for (Track& track : presentation.tracks) {
    track.init.reset();
    track.codec.clear();
    track.offset = 0;
    track.uri = track.id + "/{n:05}.ts";
  }
  presentation.times_are_measured = true;
  return presentation;
}

}  // namespace

DirectoryFeed::DirectoryFeed(DirectoryPlan plan, StreamListener& listener)
    : plan_{std::move(plan)},
      listener_{listener},
      table_{presentation_of(plan_), plan_.most},
      ladder_{table_.ladder()},
      sound_{table_.sound().value_or(SIZE_MAX)},
      thread_{[this] { run(); }} {}

DirectoryFeed::~DirectoryFeed() {
  {
    const std::lock_guard lock{mutex_};
    closing_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

std::uint32_t DirectoryFeed::seek_to(Duration position, std::optional<std::size_t> sound) {
  const std::lock_guard lock{mutex_};
  if (sound) sound_ = *sound;
  next_ = 0;
  while (next_ < table_.segment_count() &&
         table_.starts_at(static_cast<SegmentIndex>(next_)) + table_.duration(static_cast<SegmentIndex>(next_)) <=
             position) {
    ++next_;
  }
  report_.position = position;
  playable_said_ = ended_said_ = false;
  changed_.notify_all();
  return ++generation_;
}

void DirectoryFeed::choose_quality(const QualityWish& wish) {
  const std::lock_guard lock{mutex_};
  quality_ =
      wish.always ? std::optional{std::min<std::size_t>(to_index(*wish.always), ladder_.size() - 1)} : std::nullopt;
}

void DirectoryFeed::report(const PlayoutReport& report) {
  const std::lock_guard lock{mutex_};
  if (report.generation != generation_) return;
  if (report.state == PlayoutReport::State::kStalled && report_.state == PlayoutReport::State::kPlaying)
    playable_said_ = false;
  report_ = report;
  changed_.notify_all();
}

StreamStatus DirectoryFeed::status() const {
  StreamStatus status;
  const auto last = static_cast<SegmentIndex>(table_.segment_count() - 1);
  status.available = table_.starts_at(last) + table_.duration(last);
  return status;
}

void DirectoryFeed::run() {
  StreamInfo info;
  info.presentation = table_.presentation();
  info.qualities = ladder_;
  for (std::size_t i = 0; i < info.presentation.tracks.size(); ++i) {
    if (info.presentation.tracks[i].kind == TrackKind::kAudio) info.sounds.push_back(i);
    if (info.presentation.tracks[i].kind == TrackKind::kText) info.texts.push_back(i);
  }
  info.sound = table_.sound();
  listener_.opened(info);
  std::unique_lock lock{mutex_};
  while (wait_for_turn(lock)) {
    const std::uint32_t generation = generation_;
    if (next_ >= table_.segment_count()) {
      const bool may_play = !std::exchange(playable_said_, true);
      ended_said_ = true;
      lock.unlock();
      if (may_play) listener_.may_play(generation);
      listener_.ended(generation);
      lock.lock();
      continue;
    }
    const std::size_t segment = next_++;
    if (plan_.skipped.contains(segment)) continue;
    const std::size_t quality = quality_.value_or(plan_.quality(segment)), sound = sound_;
    const bool may_play = !std::exchange(playable_said_, true);
    lock.unlock();
    MediaSegment media = read(segment, quality, sound);
    media.generation = generation;
    if (plan_.speed) listener_.steered(plan_.speed(segment));
    listener_.segment(std::move(media));
    if (may_play) listener_.may_play(generation);
    lock.lock();
  }
}

bool DirectoryFeed::wait_for_turn(std::unique_lock<std::mutex>& lock) {
  while (!closing_) {
    const bool more = next_ < table_.segment_count();
    const bool near = !more || plan_.ahead <= Duration{} ||
                      table_.starts_at(static_cast<SegmentIndex>(next_)) < report_.position + plan_.ahead;
    if (ended_said_ || !near) {
      changed_.wait(lock);
      continue;
    }
    if (!more || !plan_.delay) return true;
    const std::uint32_t generation = generation_;
    changed_.wait_for(lock, plan_.delay(next_), [&] { return closing_ || generation_ != generation; });
    if (!closing_ && generation == generation_) return true;
  }
  return false;
}

MediaSegment DirectoryFeed::read(std::size_t segment, std::size_t quality, std::size_t sound) {
  const auto index = static_cast<SegmentIndex>(segment);
  MediaSegment media;
  media.index = index;
  media.quality = static_cast<QualityIndex>(quality);
  media.start = table_.starts_at(index);
  media.duration = table_.duration(index);
  for (const std::size_t track : {sound, ladder_.at(quality)}) {
    if (track == SIZE_MAX) continue;
    if (table_.presentation().tracks[track].init && initialised_.insert(track).second)
      media.parts.push_back(part(segment, track, true));
    media.parts.push_back(part(segment, track, false));
  }
  return media;
}

MediaSegment::Part DirectoryFeed::part(std::size_t segment, std::size_t number, bool init) const {
  const Track& track = table_.presentation().tracks[number];
  const Resource resource = init ? *track.init : track.segment(static_cast<SegmentIndex>(segment));
  const std::string content = content_of(plan_.directory / resource.uri);
  const auto bytes = std::as_bytes(std::span{content});
  MediaBytes copy{bytes.begin(), bytes.end()};
  if (plan_.damage && !init) plan_.damage(segment, track.kind, copy);
  if (plan_.damage_init && init) plan_.damage_init(track.kind, copy);
  return {.track = number,
          .kind = track.kind,
          .init = init,
          .bytes = std::make_shared<const MediaBytes>(std::move(copy)),
          .start = table_.starts_at(number, static_cast<SegmentIndex>(segment)),
          .stretch = {.begin = table_.starts_at(number, SegmentIndex{}), .offset = track.offset}};
}

OpenFeed open_directory(DirectoryPlan plan) {
  return [plan = std::move(plan)](const std::string& /*url*/, const Stream::Options& /*options*/,
                                  StreamListener& listener) -> std::unique_ptr<MediaFeed> {
    return std::make_unique<DirectoryFeed>(plan, listener);
  };
}

}  // namespace tributary::testing
