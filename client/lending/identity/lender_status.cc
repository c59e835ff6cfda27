#include "lending/identity/lender_status.hh"

#include <limits>
#include <nlohmann/json.hpp>

#include "presentation/json/json_node.hh"

namespace tributary::lending {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::size_t kMostText = 200;

std::optional<DataSize> read_size(const JsonNode& node, std::string_view name) {
  const auto size = node.find(name);
  return size ? std::optional{DataSize{size->integer("a number of bytes", 0, kMost)}} : std::nullopt;
}

}  // namespace

std::string status_line(const LenderStatus& status) {
  nlohmann::ordered_json line{{"name", status.name}, {"lends", status.lends}, {"public_only", status.public_only}};
  if (!status.why.empty()) line["why"] = status.why;
  if (status.left) line["left"] = status.left->bytes();
  if (status.each_day) line["each_day"] = status.each_day->bytes();
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<LenderStatus> read_status_line(std::string_view line) {
  try {
    const nlohmann::json document = parse_json(line);
    const JsonNode node{document, ""};
    LenderStatus status{.name = node.member("name").text().substr(0, kMostText),
                        .lends = node.member("lends").boolean(),
                        .left = read_size(node, "left"),
                        .each_day = read_size(node, "each_day"),
                        .public_only = node.member("public_only").boolean()};
    if (const auto why = node.find("why")) status.why = why->text().substr(0, kMostText);
    return status;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

}  // namespace tributary::lending
