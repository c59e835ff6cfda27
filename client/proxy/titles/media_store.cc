#include "proxy/titles/media_store.hh"

#include <algorithm>

namespace tributary::proxy {

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
    if (auto file = found->second.file.lock(); file->progress().phase != IncomingFile::Phase::kFailed) {
      claim(found, wanted);
      return file;
    }
    drop(found);  // it is tried again
  }
  DemandedFiles::Demanded demanded = files_.want(wanted);
  entries_.emplace(key_of(wanted), Entry{demanded.number, demanded.file, nullptr, 1});
  return demanded.file;
}

void MediaStore::claim(std::map<Key, Entry>::iterator entry, const WantedMedia& wanted) {
  ++entry->second.readers;
  if (!entry->second.kept) return;
  files_.due(entry->second.number, wanted.due_in);
  entry->second.kept.reset();
  std::erase(ahead_, entry->first);
}

void MediaStore::fetch_ahead(const WantedMedia& wanted) {
  const std::lock_guard lock{mutex_};
  const Key key = key_of(wanted);
  if (const auto found = entries_.find(key); found != entries_.end() && !found->second.file.expired()) return;
  WantedMedia ahead = wanted;
  ahead.due_in.reset();
  const DemandedFiles::Demanded demanded = files_.want(std::move(ahead));
  entries_.insert_or_assign(key, Entry{demanded.number, demanded.file, demanded.file, 0});
  ahead_.push_back(key);
  while (ahead_.size() > kAhead) drop(entries_.find(ahead_.front()));
}

void MediaStore::left(const std::shared_ptr<IncomingFile>& file) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(entries_, file, [](const auto& entry) { return entry.second.file.lock(); });
  if (found == entries_.end() || found->second.kept) return;
  if (found->second.readers > 0) --found->second.readers;
  if (found->second.readers == 0) drop(found);
}

void MediaStore::due(const std::shared_ptr<IncomingFile>& file, Duration in) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(entries_, file, [](const auto& entry) { return entry.second.file.lock(); });
  if (found != entries_.end()) files_.due(found->second.number, in);
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
