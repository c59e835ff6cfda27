#include "manifests/from_hls/side_list.hh"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary {
namespace {

/// Makers round the time of one file differently from manifest to manifest.
constexpr Duration kSameStart = std::chrono::milliseconds{100};

Duration start_of(const SideList::Entry& entry) { return entry.file.start; }

}  // namespace

void SideList::add(const SideFiles& listed) {
  const std::lock_guard lock{mutex_};
  std::vector<std::shared_ptr<const SideStretch>> stretches(listed.stretches.size());
  const auto stretch = [&](std::size_t number) {
    std::shared_ptr<const SideStretch>& made = stretches.at(number);
    const bool goes_on = !entries_.empty() && *entries_.back().stretch == listed.stretches[number];
    if (!made) made = goes_on ? entries_.back().stretch : std::make_shared<SideStretch>(listed.stretches[number]);
    return made;
  };
  for (const SideFile& file : listed.files) {
    auto near = std::ranges::lower_bound(entries_, file.start - kSameStart, {}, start_of);
    const auto end = std::ranges::upper_bound(entries_, file.start + kSameStart, {}, start_of);
    while (near != end && near->file.resource != file.resource) ++near;
    if (near != end) continue;
    const auto place = std::ranges::upper_bound(entries_, file.start, {}, start_of);
    entries_.insert(place, {next_number_++, file, stretch(file.stretch)});
    longest_ = std::max(longest_, file.duration);
  }
}

void SideList::drop_before(Duration begin) {
  const std::lock_guard lock{mutex_};
  while (!entries_.empty() && entries_.front().file.end() <= begin) entries_.pop_front();
}

std::vector<SideList::Entry> SideList::between(Duration begin, Duration end, std::size_t most) const {
  const std::lock_guard lock{mutex_};
  std::vector<Entry> found;
  auto entry = std::ranges::lower_bound(entries_, begin - longest_, {}, start_of);
  for (; entry != entries_.end() && entry->file.start < end && found.size() < most; ++entry) {
    if (entry->file.end() > begin) found.push_back(*entry);
  }
  return found;
}

std::optional<SideList::Entry> SideList::find(std::size_t number) const {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(entries_, number, &Entry::number);
  return found == entries_.end() ? std::nullopt : std::optional{*found};
}

std::optional<Duration> SideList::end() const {
  const std::lock_guard lock{mutex_};
  return entries_.empty() ? std::nullopt : std::optional{entries_.back().file.end()};
}

}  // namespace tributary
