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
/// somebody reads them. What was chosen for a segment is brought again when it is asked for again; but what was fetched ahead and would be
/// late is chosen anew. Thread-safe.
class MediaStore {
 public:
  /// `files` must outlive it.
  explicit MediaStore(DemandedFiles& files) : files_{files} {}

  /// A player asks for the file. It may be on its way already.
  std::shared_ptr<IncomingFile> read(const WantedMedia& wanted);
  /// The file will probably be asked for: it comes when the links have nothing else to do.
  void fetch_ahead(const WantedMedia& wanted);
  /// No player will ask for the file that was fetched ahead.
  void not_wanted(const WantedMedia& ahead);
  /// A player left before all that it wanted of the file was there.
  void left(const std::shared_ptr<IncomingFile>& file);
  /// A player that reads the file has stopped reading, or reads on. When all have stopped, the rest comes when the links have
  /// nothing else to do: players of HLS open every quality, and read on in one.
  void reads(const std::shared_ptr<IncomingFile>& file, bool reads);
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
    std::optional<Duration> due_in{};    // as it was told last
    unsigned paused = 0;                 // readers that do not read on
  };
  static constexpr std::size_t kAhead = 8;  // picture and sound, each with its init segment; of led pictures some
  static constexpr std::size_t kMostSizes = 1'000;
  static constexpr std::size_t kMostChoices = 1'000;

  static Key key_of(const WantedMedia& wanted);
  DemandedFiles::Demanded want(WantedMedia wanted);
  bool comes_too_late(const IncomingFile::Progress& progress, const WantedMedia& wanted) const;
  void forget_choice(const std::string& url);
  std::map<Key, Entry>::iterator entry_of(const std::shared_ptr<IncomingFile>& file);
  void claim(std::map<Key, Entry>::iterator entry, const WantedMedia& wanted);
  void drop(std::map<Key, Entry>::iterator entry);

  DemandedFiles& files_;
  mutable std::mutex mutex_;  // of what follows
  std::map<Key, Entry> entries_;
  std::deque<Key> ahead_;  // oldest first
  std::map<std::string, DataSize> sizes_;
  std::map<std::string, std::shared_ptr<Renditions>> choices_;  // that were made, by the address asked for
  std::deque<std::string> chosen_;                              // the same, oldest first
};

}  // namespace tributary::proxy
