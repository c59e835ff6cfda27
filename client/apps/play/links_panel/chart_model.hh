#pragma once

#include <string>
#include <vector>

#include "playback/stream_status.hh"

namespace tributary::play {

/// What the chart of the last minutes shows, as numbers: x is seconds before now (0 or less), y in the lane's unit.
struct ChartModel {
  struct Point {
    double x = 0, y = 0;
  };
  /// One link's rate. The areas are stacked: `lower` is what the links before it carried.
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
  /// What was at one moment, for whoever points at it.
  struct Moment {
    double x = 0;
    std::vector<double> megabits;  // by area
    double buffered_s = 0;
    std::optional<QualityIndex> quality;
    bool stalled = false;
  };

  double seconds = 60;        // how far back the axis reaches
  std::vector<Area> areas;    // megabits per second
  double most_megabits = 1;   // the axis ends there, at a round number
  std::vector<Point> buffer;  // seconds
  double most_buffer = 1;
  std::vector<Step> steps;
  std::vector<Span> stalls;
  std::vector<Moment> moments;

  /// The moment nearest to x; null if there is none.
  const Moment* nearest(double x) const;
};

ChartModel chart_model(const StreamStatus& status);

/// The smallest of 1, 2, 5, 10, 20, 50 ... (times a power of ten) that is not below.
double round_number_above(double value);
/// Where the time axis has its lines: seconds before now, from old to new, at most five.
std::vector<double> time_ticks(double seconds);

}  // namespace tributary::play
