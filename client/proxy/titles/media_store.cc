#include "proxy/titles/media_store.hh"

#include <algorithm>

namespace tributary::proxy {
namespace {

constexpr unsigned kNotFound = 404;

}  // namespace

MediaStore::Key MediaStore::key_of(const WantedMedia& wanted) {
  const std::int64_t front = wanted.at_most.value_or(DataSize{}).bytes();
  if (!wanted.range) return {wanted.url, std::nullopt, front};
  return {wanted.url, std::pair{wanted.range->begin.bytes(), wanted.range->end.bytes()}, front};
}

std::shared_ptr<IncomingFile> MediaStore::read(const WantedMedia& wanted) {
  const std::lock_guard lock{mutex_};
  std::erase_if(entries_, [](const auto& entry) { return entry.second.file.expired(); });
  const auto found = entries_.find(key_of(wanted));
  if (found != entries_.end()) {
    auto file = found->second.file.lock();
    const IncomingFile::Progress progress = file->progress();
    const bool failed = progress.phase == IncomingFile::Phase::kFailed;
    if (!failed && !(found->second.kept && comes_too_late(progress, wanted))) {
      claim(found, wanted);
      return file;
    }
    if (!failed || progress.status == kNotFound) forget_choice(wanted.url);  // another quality may be there
    drop(found);                                                             // it is tried again
  }
  DemandedFiles::Demanded demanded = want(wanted);
  entries_.emplace(key_of(wanted), Entry{demanded.number, demanded.file, nullptr, 1, wanted.due_in});
  return demanded.file;
}

DemandedFiles::Demanded MediaStore::want(WantedMedia wanted) {
  if (wanted.renditions) {
    const auto [known, is_new] = choices_.try_emplace(wanted.url, wanted.renditions);
    if (const Renditions::File* const chosen = known->second ? known->second->chosen() : nullptr) {
      wanted.renditions = std::make_shared<Renditions>(std::vector{*chosen}, wanted.renditions->in_hand());
    } else {
      known->second = wanted.renditions;
    }
    if (is_new) chosen_.push_back(wanted.url);
    for (; chosen_.size() > kMostChoices; chosen_.pop_front()) choices_.erase(chosen_.front());
  }
  return files_.want(std::move(wanted));
}

/// The links are slower than they were when it was fetched ahead, and no player has a byte of it: better another quality.
bool MediaStore::comes_too_late(const IncomingFile::Progress& progress, const WantedMedia& wanted) const {
  const auto choice = choices_.find(wanted.url);
  const Renditions::File* const chosen =
      choice != choices_.end() && choice->second ? choice->second->chosen() : nullptr;
  const std::optional<DataRate> rate = files_.status().throughput;
  if (!wanted.renditions || chosen == nullptr || progress.phase != IncomingFile::Phase::kComing || !rate) return false;
  if (chosen->url == wanted.renditions->files().front().url) return false;
  const DataSize missing = progress.size.value_or(chosen->estimate) - progress.received;
  return *rate <= DataRate{} || missing / *rate > std::max(wanted.renditions->in_hand(), wanted.duration);
}

void MediaStore::forget_choice(const std::string& url) {
  if (const auto found = choices_.find(url); found != choices_.end()) found->second.reset();
}

void MediaStore::claim(std::map<Key, Entry>::iterator entry, const WantedMedia& wanted) {
  const bool waited_for = !entry->second.kept && entry->second.paused < entry->second.readers;
  ++entry->second.readers;
  if (waited_for) return;
  entry->second.due_in = wanted.due_in;
  files_.due(entry->second.number, wanted.due_in, wanted.player_lasts);
  entry->second.kept.reset();
  std::erase(ahead_, entry->first);
}

void MediaStore::fetch_ahead(const WantedMedia& wanted) {
  const std::lock_guard lock{mutex_};
  const Key key = key_of(wanted);
  if (const auto found = entries_.find(key); found != entries_.end() && !found->second.file.expired()) return;
  WantedMedia ahead = wanted;
  ahead.due_in.reset();
  const DemandedFiles::Demanded demanded = want(std::move(ahead));
  entries_.insert_or_assign(key, Entry{demanded.number, demanded.file, demanded.file, 0});
  ahead_.push_back(key);
  while (ahead_.size() > kAhead) drop(entries_.find(ahead_.front()));
}

void MediaStore::not_wanted(const WantedMedia& ahead) {
  const std::lock_guard lock{mutex_};
  if (const auto found = entries_.find(key_of(ahead)); found != entries_.end() && found->second.kept) drop(found);
}

std::map<MediaStore::Key, MediaStore::Entry>::iterator MediaStore::entry_of(const std::shared_ptr<IncomingFile>& file) {
  return std::ranges::find(entries_, file, [](const auto& entry) { return entry.second.file.lock(); });
}

void MediaStore::left(const std::shared_ptr<IncomingFile>& file) {
  const std::lock_guard lock{mutex_};
  const auto found = entry_of(file);
  if (found == entries_.end() || found->second.kept) return;
  if (found->second.readers > 0) --found->second.readers;
  if (found->second.readers == 0) drop(found);
}

void MediaStore::reads(const std::shared_ptr<IncomingFile>& file, bool reads) {
  const std::lock_guard lock{mutex_};
  const auto found = entry_of(file);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  const bool waited_for = entry.paused < entry.readers;
  if (!reads) {
    ++entry.paused;
  } else if (entry.paused > 0) {
    --entry.paused;
  }
  if (const bool waited_for_now = entry.paused < entry.readers; waited_for_now != waited_for)
    files_.due(entry.number, waited_for_now ? entry.due_in : std::nullopt);
}

void MediaStore::due(const std::shared_ptr<IncomingFile>& file, Duration in) {
  const std::lock_guard lock{mutex_};
  const auto found = entry_of(file);
  if (found == entries_.end()) return;
  found->second.due_in = in;
  files_.due(found->second.number, in);
}

std::optional<DataSize> MediaStore::size(const std::string& url) const {
  const std::lock_guard lock{mutex_};
  const auto found = sizes_.find(url);
  return found == sizes_.end() ? std::nullopt : std::optional{found->second};
}

void MediaStore::size_is(const std::string& url, std::optional<DataSize> size) {
  const std::lock_guard lock{mutex_};
  if (sizes_.size() >= kMostSizes) sizes_.clear();
  if (size)
    sizes_.insert_or_assign(url, *size);
  else
    sizes_.erase(url);
}

void MediaStore::drop(std::map<Key, Entry>::iterator entry) {
  std::erase(ahead_, entry->first);
  const auto file = entry->second.file.lock();
  if (file && file->progress().phase == IncomingFile::Phase::kComing) files_.not_wanted(entry->second.number);
  entries_.erase(entry);
}

}  // namespace tributary::proxy
