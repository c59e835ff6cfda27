#include "proxy/titles/media_store.hh"

#include <algorithm>

namespace tributary::proxy {

MediaStore::Key MediaStore::key_of(const WantedMedia& wanted) {
  if (!wanted.range) return {wanted.url, std::nullopt};
  return {wanted.url, std::pair{wanted.range->begin.bytes(), wanted.range->end.bytes()}};
}

std::shared_ptr<IncomingFile> MediaStore::read(const WantedMedia& wanted) {
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
  const auto found = std::ranges::find(entries_, file, [](const auto& entry) { return entry.second.file.lock(); });
  if (found == entries_.end() || found->second.kept) return;
  if (found->second.readers > 0) --found->second.readers;
  if (found->second.readers == 0) drop(found);
}

void MediaStore::drop(std::map<Key, Entry>::iterator entry) {
  std::erase(ahead_, entry->first);
  const auto file = entry->second.file.lock();
  if (file && file->progress().phase == IncomingFile::Phase::kComing) files_.not_wanted(entry->second.number);
  entries_.erase(entry);
}

}  // namespace tributary::proxy
