#pragma once

#include <string>
#include <vector>

#include "playback/status/stream_status.hh"

namespace tributary::play {

/// The chart of the last minutes as numbers. x: seconds relative to now (0 or less); y: in the lane's unit.
struct ChartModel {
  struct Point {
    double x = 0, y = 0;
  };
  /// One link's rate. Areas are stacked: `lower` is the sum of the links before.
  struct Area {
    LinkId link{};
    std::string name;
    std::vector<Point> upper;
    std::vector<double> lower;
  };
  /// A quality from one moment until another.
  struct Step {
    double from = 0, to = 0;
    QualityIndex quality{};
  };
  struct Span {
    double from = 0, to = 0;
  };
  /// The figures of one moment, for the pointer.
  struct Moment {
    double x = 0;
    std::vector<double> megabits;  // by area
    double buffered_s = 0;
    std::optional<QualityIndex> quality;
    bool stalled = false;
  };

  double seconds = 60;        // length of the time axis
  std::vector<Area> areas;    // megabits per second
  double most_megabits = 1;   // end of the axis, a round number
  std::vector<Point> buffer;  // seconds
  double most_buffer = 1;
  std::vector<Step> steps;
  std::vector<Span> stalls;
  std::vector<Moment> moments;

  /// The moment nearest to x; null if there is none.
  const Moment* nearest(double x) const;
};

ChartModel chart_model(const StreamStatus& status);

/// The smallest number that is not below `value` and looks round: 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten. It
/// is at most half as much again.
double round_number_above(double value);
/// The places of lines on the time axis, at most five: seconds relative to now, from old to new.
std::vector<double> time_ticks(double seconds);

}  // namespace tributary::play
