#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "presentation/presentation.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {

/// The terms on which the bytes of a presentation depend, by the names of options: equal terms give equal bytes.
using EncodeTerms = std::map<std::string, std::string>;

/// The terms that differ, with their values: "--preset is fast, but was veryfast"; empty if none does.
std::string difference(const EncodeTerms& now, const EncodeTerms& before);

/// One of several shards of a title, counted from one.
struct ShardNumber {
  std::uint64_t number = 1, of = 1;
  bool operator==(const ShardNumber&) const = default;
};

/// "2/4". Throws std::invalid_argument.
ShardNumber parse_shard(std::string_view text);

/// The books of an incomplete presentation: its complete sections and their content. They stand in DIR/.unfinished,
/// beside the segments, in the format of an index. Once the index exists, they are removed.
class UnfinishedRun {
 public:
  /// A new run. Without terms, no books are written, and no later run can go on with it.
  UnfinishedRun(EncodeTerms terms, std::optional<ShardNumber> shard) : terms_{std::move(terms)}, shard_{shard} {}
  /// The books that an earlier run has left in the directory, without sections of which files are missing. Throws
  /// Failure (usage) that names the place if the books are damaged.
  static std::optional<UnfinishedRun> find(const std::filesystem::path& directory);
  UnfinishedRun(UnfinishedRun&& other) noexcept;

  void begin(const Publication& publication) const;
  const EncodeTerms& terms() const { return terms_; }
  const std::optional<ShardNumber>& shard() const { return shard_; }

  /// May be called from any thread. A section is a presentation of its own, with the numbers and times of the whole.
  void add_section(const Publication& publication, std::uint64_t section, Presentation content);
  /// To be called after the last section, with the sound and subtitles, if there are any.
  void add_end(const Publication& publication, std::optional<Presentation> sound, std::uint64_t pictures);
  /// To be called when a shard other than the last has all its sections.
  void add_shard_end(const Publication& publication);

  const std::map<std::uint64_t, Presentation>& sections() const { return sections_; }
  bool has_section(std::uint64_t section) const { return sections_.contains(section); }
  const std::optional<Presentation>& sound() const { return sound_; }
  /// Number of pictures of the whole title; nothing until its end is there.
  std::optional<std::uint64_t> pictures() const { return pictures_; }
  bool shard_is_finished() const { return shard_is_finished_ || pictures_; }
  /// The next run could go on with nothing of this one.
  bool is_empty() const { return sections_.empty() && !sound_ && !shard_is_finished(); }
  /// The number of segments in the books.
  std::uint64_t segments() const;

  /// Removes the books, to be called once the index exists.
  static void remove(const Publication& publication);

 private:
  void write(const Publication& publication, const std::string& name, const Presentation& content) const;
  void write_text(const Publication& publication, const std::string& name, const std::string& text) const;

  EncodeTerms terms_;
  std::optional<ShardNumber> shard_;
  std::mutex mutex_;
  std::map<std::uint64_t, Presentation> sections_;
  std::optional<Presentation> sound_;
  std::optional<std::uint64_t> pictures_;
  bool shard_is_finished_ = false;
};

}  // namespace tributary::segmenter
