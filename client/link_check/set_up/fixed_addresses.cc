#include "link_check/set_up/fixed_addresses.hh"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "presentation/json/json_node.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

std::vector<std::string> texts(const JsonNode& array, void (*expect)(const std::string&)) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const JsonNode element = array.element(i);
    found.push_back(element.text());
    try {
      expect(found.back());
    } catch (const std::invalid_argument& error) {
      element.refuse(error.what());
    }
  }
  return found;
}

void expect_address(const std::string& text) {
  if (text.find('/') != std::string::npos) throw std::invalid_argument{"is a network, and no address of a router"};
  IpNetwork::from(network_of_one(text));
}

}  // namespace

FixedAddresses read_fixed_addresses(const std::filesystem::path& file) {
  std::ifstream stream{file};
  if (!stream) throw std::system_error(errno, std::generic_category(), file.string());
  const std::string text{std::istreambuf_iterator<char>{stream}, {}};
  try {
    const nlohmann::json parsed = parse_json(text);
    if (!parsed.is_object()) JsonNode{parsed, ""}.refuse("is no object with a member for each link");
    FixedAddresses links;
    for (const auto& [name, value] : parsed.items()) {
      const JsonNode link{value, name};
      FixedAddress& fixed = links[name];
      fixed.addresses = texts(link.member("addresses"), [](const std::string& text) { IpNetwork::from(text); });
      if (const auto routers = link.find("routers")) fixed.routers = texts(*routers, expect_address);
    }
    return links;
  } catch (const JsonError& error) {
    throw std::runtime_error{fmt::format("{}: {}", file.string(), error.what())};
  }
}

}  // namespace tributary
