#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "proxy/rewriting/media_file.hh"
#include "proxy/titles/demanded_files.hh"
#include "units/byte_range.hh"

namespace tributary::proxy {

/// Knows which files of a title are on their way, so that a file is fetched once for all who read it at the same time, and
/// decides what becomes of files that nobody reads. It keeps those fetched ahead, which are few; others last as long as
/// somebody reads them. Thread-safe.
class MediaStore {
 public:
  /// `files` must outlive it.
  explicit MediaStore(DemandedFiles& files) : files_{files} {}

  /// A player asks for the file. It may be on its way already.
  std::shared_ptr<IncomingFile> read(const WantedMedia& wanted);
  /// The file will probably be asked for: it comes when the links have nothing else to do.
  void fetch_ahead(const WantedMedia& wanted);
  /// A player left before all that it wanted of the file was there.
  void left(const std::shared_ptr<IncomingFile>& file);
  /// The file is wanted at another time than was told before.
  void due(const std::shared_ptr<IncomingFile>& file, Duration in);

  /// Of the file at this address, as an answer told it. Nothing: unknown.
  std::optional<DataSize> size(const std::string& url) const;
  void size_is(const std::string& url, std::optional<DataSize> size);

 private:
  /// An address with its range, or with the bytes of its front.
  using Key = std::tuple<std::string, std::optional<std::pair<std::int64_t, std::int64_t>>, std::int64_t>;
  struct Entry {
    std::uint64_t number = 0;
    std::weak_ptr<IncomingFile> file;
    std::shared_ptr<IncomingFile> kept;  // fetched ahead, and nobody has asked for it yet
    unsigned readers = 0;                // that have come, and did not leave
  };
  static constexpr std::size_t kAhead = 4;  // picture and sound, each with its init segment
  static constexpr std::size_t kMostSizes = 1'000;

  static Key key_of(const WantedMedia& wanted);
  void claim(std::map<Key, Entry>::iterator entry, const WantedMedia& wanted);
  void drop(std::map<Key, Entry>::iterator entry);

  DemandedFiles& files_;
  mutable std::mutex mutex_;  // of what follows
  std::map<Key, Entry> entries_;
  std::deque<Key> ahead_;  // oldest first
  std::map<std::string, DataSize> sizes_;
};

}  // namespace tributary::proxy
