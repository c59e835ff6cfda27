#include "netlab/scenario_json.hh"

#include <nlohmann/json.hpp>

namespace tributary {
namespace {

LinkCondition condition_from_json(const nlohmann::json& value) {
  LinkCondition condition;
  condition.rate = DataRate::bits_per_second(value.at("rate_bit_s").get<double>());
  condition.rtt = Duration{value.at("rtt_ns").get<Duration::rep>()};
  condition.jitter = Duration{value.at("jitter_ns").get<Duration::rep>()};
  condition.loss = value.at("loss").get<double>();
  condition.queue_packets = value.at("queue_packets").get<int>();
  condition.up = value.at("up").get<bool>();
  return condition;
}

}  // namespace

nlohmann::json to_json(const LinkCondition& condition) {
  return {{"rate_bit_s", condition.rate.bits_per_second()}, {"rtt_ns", condition.rtt.count()},
          {"jitter_ns", condition.jitter.count()},          {"loss", condition.loss},
          {"queue_packets", condition.queue_packets},       {"up", condition.up}};
}

nlohmann::json to_json(const std::vector<LinkScenario>& links) {
  nlohmann::json result = nlohmann::json::array();
  for (const LinkScenario& link : links) {
    nlohmann::json changes = nlohmann::json::array();
    for (const LinkChange& change : link.changes) {
      changes.push_back({{"at_ns", change.at.time_since_epoch().count()}, {"condition", to_json(change.condition)}});
    }
    result.push_back({{"name", link.name}, {"changes", std::move(changes)}});
    if (link.period) result.back()["period_ns"] = link.period->count();
  }
  return result;
}

std::vector<LinkScenario> scenario_from_json(const nlohmann::json& value) {
  std::vector<LinkScenario> links;
  for (const nlohmann::json& entry : value) {
    LinkScenario link{.name = entry.at("name").get<std::string>(), .changes = {}, .period = std::nullopt};
    for (const nlohmann::json& change : entry.at("changes")) {
      link.changes.push_back(
          {TimePoint{Duration{change.at("at_ns").get<Duration::rep>()}}, condition_from_json(change.at("condition"))});
    }
    if (entry.contains("period_ns")) link.period = Duration{entry.at("period_ns").get<Duration::rep>()};
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace tributary
