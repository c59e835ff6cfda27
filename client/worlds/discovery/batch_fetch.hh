#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "manifests/manifest_files.hh"
#include "transport/documents/document_fetch.hh"
#include "units/session_clock.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// A document, and when it was asked for and there, by our clock.
struct DatedDocument : transport::Document {
  UtcTime sent, received;
  std::string failure{};  // why a file that may fail is not there; empty: it is
};

/// Whether the rest of a document that begins so is wanted (FetchLimits::goes_on).
using GoesOn = std::function<bool(std::string_view begin)>;

/// Fetches files of one origin over one link: all at once, each on a connection of its own.
///
/// A server that serves one connection at a time stays with that of its last answer, and the others wait in vain. So
/// files that have no answer for long after that of another are asked for anew, one after the other: on that connection.
class BatchFetch {
 public:
  /// Or twice the time that the last answer took, if that is longer.
  static constexpr Duration kPatience = std::chrono::seconds{2};

  using Begin = std::function<std::unique_ptr<transport::DocumentFetch>(const WantedFile& file, const GoesOn& goes_on)>;
  /// Begins. The files must outlive it.
  BatchFetch(std::span<const WantedFile> wanted, Begin begin, GoesOn goes_on = {});

  /// To be called whenever the fetches may have got on, and at least every kPatience / 4. Throws transport::FetchError
  /// if a file cannot be had that may not fail, or if none can be had.
  AttemptState advance();
  /// The documents, once, in the order of the files. Only when they are there.
  std::vector<DatedDocument> take();

 private:
  using Clock = std::chrono::steady_clock;
  struct File {
    const WantedFile* wanted;
    std::unique_ptr<transport::DocumentFetch> fetch = nullptr;  // null: not begun, or there
    std::optional<DatedDocument> document = std::nullopt;
    UtcTime sent{};
  };

  void begin(File& file);
  void begin_next();
  void look_at(File& file);
  bool is_last_hope(const File& file) const;
  bool waits_in_vain() const;

  Begin begin_;
  GoesOn goes_on_;
  std::vector<File> files_;
  bool one_by_one_ = false;
  Clock::time_point began_ = Clock::now();
  std::optional<Clock::time_point> last_answer_;
};

}  // namespace tributary
