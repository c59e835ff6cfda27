#include "bonding/stage/processor.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace tributary::bonding {
namespace {

/// Each pipe in turn, and every acknowledgment as it is.
class RoundRobinProcessor final : public Processor {
 public:
  void employ(const EmployedPipe& pipe) override { pipes_.push_back(pipe.id); }
  void withdraw(PipeId pipe) override {
    std::erase(pipes_, pipe);
    turn_ = 0;
  }
  Decision data(const DataSegment& /*segment*/, TimePoint now) override {
    const PipeId pipe = pipes_.at(turn_);
    turn_ = (turn_ + 1) % pipes_.size();
    return {{.pipe = pipe, .at = now}};
  }
  Decision acknowledgment(const Acknowledgment& /*acknowledgment*/, TimePoint now) override {
    return {{.pipe = std::nullopt, .at = now}};
  }

 private:
  std::vector<PipeId> pipes_;
  std::size_t turn_ = 0;
};

/// DEF: each pipe in turn, without the acknowledgments that come of that.
class DupackProcessor final : public Processor {
 public:
  void employ(const EmployedPipe& pipe) override {
    pipes_.push_back(pipe.id);
    filter_.add_path(pipe.round_trip);
  }
  void withdraw(PipeId pipe) override {
    const auto place = std::ranges::find(pipes_, pipe);
    if (place == pipes_.end()) return;
    filter_.remove_path(static_cast<std::size_t>(place - pipes_.begin()));
    pipes_.erase(place);
  }
  Decision data(const DataSegment& segment, TimePoint now) override {
    return {{.pipe = pipes_.at(filter_.path_of(segment, now)), .at = now}};
  }
  Decision acknowledgment(const Acknowledgment& acknowledgment, TimePoint now) override {
    if (!filter_.passes(acknowledgment, now)) return {};
    return {{.pipe = std::nullopt, .at = now}};
  }

 private:
  std::vector<PipeId> pipes_;
  DupackFilter filter_{{}};
};

template <typename Kind>
std::unique_ptr<Processor> made() {
  return std::make_unique<Kind>();
}

struct NamedProcessor {
  std::string_view name;
  std::unique_ptr<Processor> (*make)();
};
constexpr std::array kProcessors{NamedProcessor{"dupack-filter", made<DupackProcessor>},
                                 NamedProcessor{"round-robin", made<RoundRobinProcessor>}};

}  // namespace

std::vector<std::string_view> processor_names() {
  std::vector<std::string_view> names;
  for (const NamedProcessor& each : kProcessors) names.push_back(each.name);
  return names;
}

std::unique_ptr<Processor> make_processor(std::string_view name) {
  const auto found = std::ranges::find(kProcessors, name, &NamedProcessor::name);
  if (found == kProcessors.end()) throw std::invalid_argument{fmt::format("\"{}\": there is no such processor", name)};
  return found->make();
}

}  // namespace tributary::bonding
