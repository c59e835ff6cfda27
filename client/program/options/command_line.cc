#include "program/options/command_line.hh"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>

#include "command_line/choice.hh"
#include "core/links/lane_count.hh"
#include "links/interfaces/link_name.hh"

namespace tributary {
namespace {

struct NamedLink {
  std::string name;
  bool has_cost = false, optional = false;
};

NamedLink read_link(const std::string& text, TermsOfLinks& terms) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || text.empty()) throw std::invalid_argument{fmt::format("\"{}\": expected NAME or NAME=COST", text)};
  const std::string name = link_name(text.substr(0, equals));
  if (equals == std::string::npos) return {.name = name};
  try {
    if (!terms.emplace(name, parse_terms(text.substr(equals + 1))).second)
      throw std::invalid_argument("its cost was said before");
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument{fmt::format("{}: {}", name, error.what())};
  }
  return {.name = name, .has_cost = true};
}

/// Those of all options together.
void take_in(const std::vector<NamedLink>& named, NetworkOptions& options) {
  const bool only_these = !std::ranges::all_of(named, &NamedLink::has_cost);
  options.links = {};
  options.expected = {};
  for (const NamedLink& link : named) {
    if (only_these) options.links.push_back(link.name);
    if (!link.optional) (only_these ? options.expected.usable : options.expected.existing).push_back(link.name);
  }
}

CLI::Option* add_links(CLI::App& app, const std::string& name, bool optional, NetworkOptions& options,
                       const std::shared_ptr<std::vector<NamedLink>>& named, const std::string& help) {
  return app
      .add_option_function<std::vector<std::string>>(
          name,
          [&options, name, optional, named](const std::vector<std::string>& texts) {
            read_for(name, [&] {
              for (const std::string& text : texts) {
                named->push_back(read_link(text, options.terms));
                named->back().optional = optional;
              }
            });
            take_in(*named, options);
          },
          help)
      ->option_text("NAME[=COST]")
      ->allow_extra_args(false);
}

/// 0: auto.
std::uint32_t parse_connections(const std::string& text) {
  if (text == "auto") return 0;
  if (text.size() == 1 && text[0] >= '1' && text[0] <= static_cast<char>('0' + LaneCount::kMost))
    return static_cast<std::uint32_t>(text[0] - '0');
  throw std::invalid_argument{fmt::format("\"{}\": expected auto, or 1 to {}", text, LaneCount::kMost)};
}

}  // namespace

void add_link_options(CLI::App& app, NetworkOptions& options) {
  const auto named = std::make_shared<std::vector<NamedLink>>();
  add_links(
      app, "--link", false, options, named,
      "Use only the named network interfaces; repeat the option for more. COST says what using the link costs: free, "
      "backup, metered[:CAP[@DAY]] or paid:PRICE/MB. A cost alone limits nothing.")
      ->default_str("all links that lead to the origin");
  add_links(app, "--link-optional", true, options, named,
            "As --link, for a link that may be missing at first. A link that --link names must be there.");
  group(app, kLinksGroup, {"--link", "--link-optional"});
}

void add_network_options(CLI::App& app, NetworkOptions& options) {
  add_link_options(app, options);
  app.add_option("--cacert", options.rules.ca_file,
                 "Trust the certificates of this PEM file instead of those of the system.")
      ->option_text("FILE");
  using transport::HttpVersion;
  add_choice<HttpVersion>(app, "--http", options.rules.http, choices_of<HttpVersion>(),
                          "Ask for media by this version of HTTP; auto is 1.1, and 2 needs https.")
      ->default_str("auto");
  group(app, kLinksGroup, {"--link", "--link-optional", "--cacert", "--http"});
}

void add_connections(CLI::App& app, std::uint32_t& connections) {
  app.add_option_function<std::string>(
         "--connections",
         [&connections](const std::string& text) {
           read_for("--connections", [&] { connections = parse_connections(text); });
         },
         "Open this many connections on each link. With auto, a link that one connection does not fill gets more: where packets "
         "are lost, or the server holds each connection down.")
      ->option_text("N|auto")
      ->default_str("auto")
      ->group(kLinksGroup);
}

void add_spend_for(CLI::App& app, std::string& quality) {
  app.add_option(
         "--spend-for", quality,
         "Let links that cost something help up to this quality: lowest, the name of a quality (as 720p), or stall "
         "(only where playout would stall).")
      ->option_text("QUALITY")
      ->default_str("lowest")
      ->group(kLinksGroup);
}

void add_approach(CLI::App& app, SubsegmentApproach& approach, const std::string& help) {
  auto choices = choices_of<SubsegmentApproach>();
  std::ranges::reverse(choices);
  add_choice<SubsegmentApproach>(app, "--subsegments", approach, choices, help)->default_str("balanced");
}

void add_forget(CLI::App& app, bool& forget) {
  app.add_flag(
         "--forget", forget,
         "Forget the rates and round trips that are remembered of networks, and begin without them. Without an address: "
         "only forget, and say of how many networks.")
      ->group(kLinksGroup);
}

}  // namespace tributary
