#include "core/qualities/returning_rate.hh"

#include <cmath>

namespace tributary {
namespace {

constexpr double kReturned = 0.01;  // of the logarithm: what is left makes no difference

}  // namespace

double ReturningRate::takes(double bytes) const {
  double seconds = 0, apart = std::log(now / long_run), rate = now;
  while (bytes > rate * segment && std::abs(apart) > kReturned) {
    bytes -= rate * segment;
    seconds += segment;
    apart *= kReturn;
    rate = long_run * std::exp(apart);
  }
  return seconds + bytes / (std::abs(apart) > kReturned ? rate : long_run);
}

}  // namespace tributary
