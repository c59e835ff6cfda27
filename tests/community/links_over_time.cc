#include "links_over_time.hh"

#include <fmt/format.h>

namespace tributary::community::testing {
namespace {

/// What holds at a moment, in a cycle that begins `at` seconds earlier.
double loss_at(const std::vector<Phase>& phases, int at) {
  for (const Phase& phase : phases) {
    if (at < phase.seconds) return phase.loss;
    at -= phase.seconds;
  }
  return loss_at(phases, at);
}

}  // namespace

std::vector<LinkScenario> lossy_links(const std::string& rate, const std::vector<double>& losses) {
  std::string text;
  for (std::size_t i = 0; i < losses.size(); ++i)
    text += fmt::format("m{} {} 20ms, loss {}, queue 50;", i, rate, losses[i]);
  text.pop_back();
  return parse_scenario(text);
}

std::vector<LinkScenario> cycling_links(const std::string& rate, int count, const std::vector<Phase>& phases, int shift,
                                        int length) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    double loss = loss_at(phases, i * shift);
    text += fmt::format("m{} {} 20ms, queue 50, loss {}", i, rate, loss);
    for (int second = 1; second < length; ++second) {
      const double next = loss_at(phases, second + i * shift);
      if (next != loss) text += fmt::format(", at {}s loss {}", second, next);
      loss = next;
    }
    text += ';';
  }
  text.pop_back();
  return parse_scenario(text);
}

std::vector<LinkScenario> transient_links(const std::string& link, int persistent, int transient, int up, int period,
                                          int length) {
  std::string text;
  for (int i = 0; i < persistent + transient; ++i) {
    text += fmt::format("m{} {}", i, link);
    for (int begin = 0; begin < length && i >= persistent && up < period; begin += period)
      text += fmt::format(", down {}s..{}s", begin + up, begin + period);
    text += ';';
  }
  text.pop_back();
  return parse_scenario(text);
}

}  // namespace tributary::community::testing
