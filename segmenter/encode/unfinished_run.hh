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

/// What the bytes of a presentation depend on, by the names of options: with equal terms, they are equal.
using EncodeTerms = std::map<std::string, std::string>;

/// The names of the terms that differ, with their values: "--preset is fast, but was veryfast"; empty if none does.
std::string difference(const EncodeTerms& now, const EncodeTerms& before);

/// One of several runs that each encode a part of the same title, counted from one.
struct PartNumber {
  std::uint64_t number = 1, of = 1;
  bool operator==(const PartNumber&) const = default;
};

/// "2/4". Throws std::invalid_argument.
PartNumber parse_part(std::string_view text);

/// The books of a presentation that is not complete: which sections are there, and what they consist of. They stand in
/// DIR/.unfinished, beside the segments, until the index does; all of them in the format of an index.
class UnfinishedRun {
 public:
  /// Begins one. Without terms, nothing is written: it cannot be taken up again.
  UnfinishedRun(EncodeTerms terms, std::optional<PartNumber> part) : terms_{std::move(terms)}, part_{part} {}
  /// What an earlier run has left in the directory, as far as its files are there. Throws Failure (usage) that names
  /// the place when the books are damaged.
  static std::optional<UnfinishedRun> find(const std::filesystem::path& directory);
  UnfinishedRun(UnfinishedRun&& other) noexcept;

  void begin(const Publication& publication) const;
  const EncodeTerms& terms() const { return terms_; }
  const std::optional<PartNumber>& part() const { return part_; }

  /// From any thread. A section is a presentation of its own, with numbers and times of the whole.
  void add_section(const Publication& publication, std::uint64_t section, Presentation content);
  /// After the last section: sound and subtitles, if there are any, and that nothing follows.
  void add_end(const Publication& publication, std::optional<Presentation> sound, std::uint64_t pictures);
  /// A part other than the last has all its sections.
  void add_part_end(const Publication& publication);

  const std::map<std::uint64_t, Presentation>& sections() const { return sections_; }
  bool has_section(std::uint64_t section) const { return sections_.contains(section); }
  const std::optional<Presentation>& sound() const { return sound_; }
  /// Of the whole title, once its end is there.
  std::optional<std::uint64_t> pictures() const { return pictures_; }
  bool part_is_finished() const { return part_is_finished_ || pictures_; }
  /// Nothing that the next run could go on with.
  bool is_empty() const { return sections_.empty() && !sound_ && !part_is_finished(); }
  /// What was encoded so far, without what others encode.
  std::uint64_t segments() const;

  /// The presentation is complete: its index stands for it.
  static void remove(const Publication& publication);

 private:
  void write(const Publication& publication, const std::string& name, const Presentation& content) const;
  void write_text(const Publication& publication, const std::string& name, const std::string& text) const;

  EncodeTerms terms_;
  std::optional<PartNumber> part_;
  std::mutex mutex_;
  std::map<std::uint64_t, Presentation> sections_;
  std::optional<Presentation> sound_;
  std::optional<std::uint64_t> pictures_;
  bool part_is_finished_ = false;
};

}  // namespace tributary::segmenter
