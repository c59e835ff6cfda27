#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "presentation/side_files.hh"

namespace tributary {

/// The files of a text or of thumbnails, as far as they are listed. Of a live title, files come and go while others read
/// the list: calls may come from any thread.
class SideList {
 public:
  struct Entry {
    std::size_t number = 0;  // of no other file of the list, earlier ones included
    SideFile file;
    std::shared_ptr<const SideStretch> stretch;
  };

  /// Adds the files that are not known. A file is known by its resource, if it starts where it did before.
  void add(const SideFiles& listed);
  /// Forgets files that end there or earlier.
  void drop_before(Duration begin);

  /// The files between `begin` and `end`, by their starts; at most `most` of them.
  std::vector<Entry> between(Duration begin, Duration end, std::size_t most) const;
  /// Nothing: the file is forgotten.
  std::optional<Entry> find(std::size_t number) const;
  /// When the last file ends. Nothing: there is none.
  std::optional<Duration> end() const;

 private:
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // by their starts
  std::size_t next_number_ = 0;
  Duration longest_{};  // of all files
};

}  // namespace tributary
