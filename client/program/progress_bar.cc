#include "program/progress_bar.hh"

#include <algorithm>
#include <cmath>

namespace tributary {
namespace {

constexpr int kBarWidth = 16;

}  // namespace

std::string bar(double share) {
  const auto filled = std::lround(std::clamp(share, 0.0, 1.0) * kBarWidth);
  std::string text;
  for (int i = 0; i < kBarWidth; ++i) text += i < filled ? "█" : "·";
  return text;
}

DataRate recent_rate(const SessionRecord& record, LinkId link) {
  DataSize recent;  // in the last two samples, which are one second
  int samples = 0;
  for (auto it = record.samples().rbegin(); it != record.samples().rend() && samples < 2; ++it) {
    if (it->link != link) continue;
    recent += it->received;
    ++samples;
  }
  return samples > 0 ? recent / (samples * SessionRecord::kSampleEvery) : DataRate{};
}

}  // namespace tributary
