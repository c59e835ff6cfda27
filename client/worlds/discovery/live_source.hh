#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/event.hh"
#include "manifests/manifest_files.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A document that makes no sense at the moment, as it may be written to, or is not there. It is fetched again.
class DocumentUnclear : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a live presentation publishes, as it becomes known: by documents that are fetched again, and by the clock.
/// Decides which documents are fetched, and when; fetches nothing. Times are of the session.
class LiveSource {
 public:
  virtual ~LiveSource() = default;

  /// The publication of all segments with which the session begins.
  virtual std::vector<Event> beginning() = 0;
  /// When documents are due; nothing: none is needed.
  virtual std::optional<TimePoint> next_due() const = 0;
  /// Addresses of the documents that are due, to be fetched together.
  virtual std::vector<std::string> due(TimePoint now) = 0;
  /// Takes in the documents that were due when they were asked for last, in that order; asked for at `sent`. Any of them
  /// may have failed. Throws DocumentUnclear, and any other std::runtime_error if the session has to end.
  virtual std::vector<Event> take(std::span<const FetchedFile> documents, TimePoint sent, TimePoint now) = 0;
  /// When the clock alone brings something; nothing: not before the next document.
  virtual std::optional<TimePoint> next_by_clock() const = 0;
  /// What the clock has brought. Throws std::runtime_error if the session has to end.
  virtual std::vector<Event> by_clock(TimePoint now) = 0;
  /// These tracks of the presentation are played.
  /// True: documents are due though others may still be waited for.
  virtual bool play(const std::vector<std::size_t>& /*tracks*/) { return false; }
  /// For how long the origin may hold an answer.
  virtual Duration held() const { return {}; }
  /// As LiveManifest has it.
  virtual std::optional<Duration> overdue_after() const { return std::nullopt; }
  /// As LiveManifest has it.
  virtual void held_in_vain(TimePoint /*now*/) {}
  /// A segment is not there: documents are due soon, if nothing has changed the title since.
  virtual void look_again() = 0;
  /// Nothing will be added.
  virtual bool ended() const = 0;
  /// What happened since the last call, one line each, for people.
  virtual std::vector<std::string> notes() { return {}; }
};

}  // namespace tributary
