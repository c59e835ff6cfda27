#include "program/carried_report.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tributary {
namespace {

DataSize sum_of(const std::vector<CarriedByLink>& carried) {
  DataSize sum;
  for (const auto& link : carried) sum += link.bytes;
  return sum;
}

}  // namespace

std::string to_text(const std::vector<CarriedByLink>& carried) {
  const DataSize sum = sum_of(carried);
  std::string text;
  for (const auto& [link, bytes] : carried) {
    if (sum > DataSize{})
      text +=
          fmt::format("{}: {:.1f} MB, {:.0f} %\n", link, static_cast<double>(bytes.bytes()) / 1e6, 100 * (bytes / sum));
  }
  return text;
}

std::string to_json(const std::vector<CarriedByLink>& carried) {
  const DataSize sum = sum_of(carried);
  nlohmann::ordered_json links = nlohmann::ordered_json::array();
  for (const auto& [link, bytes] : carried)
    links.push_back({{"name", link}, {"bytes", bytes.bytes()}, {"share", sum > DataSize{} ? bytes / sum : 0}});
  return nlohmann::ordered_json{{"links", std::move(links)}}.dump() + "\n";
}

}  // namespace tributary
