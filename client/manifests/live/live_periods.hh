#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "manifests/live/live_manifest.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// A track of a period as it is listed at a moment. Times count from the start of the period, in ticks of its own.
struct PeriodTrack {
  ListedTrack listed;
  std::string place;  // for people
};

struct ListedPeriod {
  std::string key;  // names it in every version of the MPD
  std::string place;
  Duration begin{};  // on the title's timeline
  std::vector<PeriodTrack> tracks;
  std::vector<Track> texts;  // their files, and the thumbnails, count from the start of the period
  SideFiles thumbnails;
  std::vector<std::string> left_out;  // of the period, and why
};

/// The tracks of a live title, as they go on from period to period, by the rules of period_tracks.hh. Each period is a
/// stretch. A track that a period does not have is silent: its segments are lost ones, as long as those of the picture.
class LivePeriods {
 public:
  /// Chooses the tracks of the title, pictures first: those of the period that has most. `known`: at least one period.
  /// Throws ManifestError.
  explicit LivePeriods(std::span<const ListedPeriod> known);

  const std::vector<Track>& tracks() const { return tracks_; }
  /// Without files. A period that lacks one of them is silent.
  const std::vector<Track>& texts() const { return texts_; }
  /// What is left out of the periods with which the title begins, and why.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// The ids of the tracks that are played of a period. Null: not decided yet, all have to be listed.
  const std::vector<std::string>* played(const std::string& key) const;
  /// Appends segments to the tracks of a listing, and files to its texts and thumbnails. Periods come in their order. One that has only begun may be passed
  /// over until its qualities can be told apart. Throws ManifestError.
  void append(const ListedPeriod& period, Listing& listing);

 private:
  struct Known {
    std::uint32_t number = 0;           // of the stretch
    std::vector<std::string> of_track;  // by track of the title; empty: it is silent
    std::vector<std::string> played;    // without doubles
  };
  const Known& choose(const ListedPeriod& period, const Presentation& choices);

  std::vector<Track> tracks_, texts_;
  std::size_t pictures_ = 0;
  std::vector<std::string> left_out_;
  std::map<std::string, Known> known_;  // by key
};

}  // namespace tributary
