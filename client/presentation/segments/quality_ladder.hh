#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "presentation/presentation.hh"
#include "units/data_rate.hh"
#include "units/identifiers.hh"

namespace tributary {

/// The tracks with the same pictures in several qualities, the lowest first.
class QualityLadder {
 public:
  /// The group of the first picture (or plain bytes) track, ordered by average bitrate. Throws std::invalid_argument if
  /// there is none.
  explicit QualityLadder(const std::vector<Track>& tracks);

  const std::vector<std::size_t>& tracks() const { return tracks_; }
  bool has(std::size_t track) const;
  std::size_t count() const { return tracks_.size(); }
  QualityIndex highest() const { return static_cast<QualityIndex>(tracks_.size() - 1); }
  std::size_t track(QualityIndex quality) const { return tracks_[to_index(quality)]; }
  const std::string& name(QualityIndex quality) const { return steps_[to_index(quality)].name; }
  DataRate bitrate(QualityIndex quality) const { return steps_[to_index(quality)].bitrate; }

  std::optional<QualityIndex> find(std::string_view name) const;
  /// The highest with no more lines (of a picture that stands upright, columns); the lowest if all have more.
  QualityIndex highest_within(int lines) const;

 private:
  struct Step {
    std::string name;
    DataRate bitrate;  // average
    int lines = 0;
  };

  std::vector<std::size_t> tracks_;
  std::vector<Step> steps_;
};

}  // namespace tributary
