#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dash/mpd.hh"
#include "dash/segments/segment_list.hh"
#include "manifests/listed_track.hh"
#include "units/text/alternative_addresses.hh"

namespace tributary {

/// The representations of a period that are played: all pictures that are in the clear, and of each set of sound the
/// best that is enough; beside them, texts and thumbnails, whose files a session does not know. If no period of the MPD
/// has pictures, the first set of sound is the ladder: its tracks stand where pictures do, without a codec, so that the
/// player looks at the media. Names each one the same in every MPD that has the same period.
class MpdTracks {
 public:
  /// All must outlive the object. Throws ManifestError if the period cannot be played.
  MpdTracks(const dash::Mpd& mpd, const dash::Period& period, const std::string& url);

  struct Chosen {
    const dash::AdaptationSet* set;
    const dash::Representation* representation;
    Track track;  // without segments, init and times
  };
  const std::vector<Chosen>& chosen() const { return chosen_; }
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// The segments of a representation that are to be listed.
  using SegmentsOf = std::function<dash::Segments(const dash::Representation&)>;
  /// Reasons why one is not shown are added to `left_out`. Throws ManifestError for more files than a title may have.
  std::vector<Track> texts(const SegmentsOf& segments_of, std::vector<std::string>& left_out) const;
  /// Without a stretch: there are none.
  SideFiles thumbnails(const SegmentsOf& segments_of, std::vector<std::string>& left_out) const;
  /// All absolute addresses of a file of the representation.
  std::vector<std::string> addresses(const Chosen& chosen, const std::string& uri) const;
  /// Those of all that is chosen.
  AlternativeAddresses alternatives() const;
  /// The track with its timescale and init; and its segments, which count from the start of the period.
  Track track_of(const Chosen& chosen, const dash::Segments& segments) const;
  std::vector<ListedSegment> listed(const Chosen& chosen, const dash::Segments& segments) const;

 private:
  void choose();
  void add_captions(const dash::AdaptationSet& set);
  void choose_ladder(const dash::AdaptationSet& set);
  void choose_sound(const dash::AdaptationSet& set);
  void choose(const dash::AdaptationSet& set, const dash::Representation& representation);
  void choose_text(const dash::AdaptationSet& set);
  void choose_thumbnails(const dash::AdaptationSet& set);
  void leave_out(const std::string& place, const std::string& why);
  /// Of MPD, period, set and representation.
  std::array<const dash::BaseUrls*, 4> base_urls_of(const Chosen& chosen) const {
    return {&mpd_.base_urls, &period_.base_urls, &chosen.set->base_urls, &chosen.representation->base_urls};
  }
  std::vector<std::string> bases_of(const Chosen& chosen) const;
  /// The first of the addresses of a file, where the bases are those of the representation.
  std::string address(const Chosen& chosen, const std::vector<std::string>& bases, const std::string& uri,
                      const dash::Resolve& resolve) const;
  SideFiles side_files(const Chosen& chosen, const SegmentsOf& segments_of) const;

  const dash::Mpd& mpd_;
  const dash::Period& period_;
  const std::string& url_;
  bool sound_alone_;  // no period has pictures
  TrackNames names_;
  std::vector<Chosen> chosen_, texts_;
  std::vector<Track> captions_;  // texts within the pictures
  std::optional<Chosen> thumbnails_;
  std::vector<std::string> left_out_;
};

}  // namespace tributary
