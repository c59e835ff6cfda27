#include "recording_listener.hh"

#include <algorithm>
#include <utility>

namespace tributary::testing {

std::vector<std::size_t> Heard::indexes(std::uint32_t generation) const {
  std::vector<std::size_t> result;
  for (const MediaSegment& segment : segments) {
    if (segment.generation == generation) result.push_back(to_index(segment.index));
  }
  return result;
}

void RecordingListener::opened(const StreamInfo& info) {
  note([&](Heard& heard) { heard.info = info; });
}
void RecordingListener::segment(MediaSegment segment) {
  note([&](Heard& heard) { heard.segments.push_back(std::move(segment)); });
}
void RecordingListener::skipped(const SkippedSegment& skipped) {
  note([&](Heard& heard) { heard.skipped.push_back(skipped); });
}
void RecordingListener::may_play(std::uint32_t generation) {
  note([&](Heard& heard) { heard.may_play.push_back(generation); });
}
void RecordingListener::ended(std::uint32_t generation) {
  note([&](Heard& heard) { heard.ended.push_back(generation); });
}
void RecordingListener::failed(const StreamFailure& failure) {
  note([&](Heard& heard) { heard.failure = failure; });
}

bool RecordingListener::wait_for(const std::function<bool(const Heard&)>& what, std::chrono::milliseconds patience) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, patience, [&] { return what(heard_); });
}

bool RecordingListener::wait_for_segments(std::uint32_t generation, std::size_t count) {
  return wait_for([&](const Heard& heard) { return heard.indexes(generation).size() >= count; });
}

bool RecordingListener::wait_until_ended(std::uint32_t generation) {
  return wait_for([&](const Heard& heard) {
    return heard.failure || std::ranges::find(heard.ended, generation) != heard.ended.end();
  });
}

Heard RecordingListener::heard() const {
  const std::lock_guard lock{mutex_};
  return heard_;
}

void RecordingListener::note(const std::function<void(Heard&)>& what) {
  const std::lock_guard lock{mutex_};
  what(heard_);
  changed_.notify_all();
}

}  // namespace tributary::testing
