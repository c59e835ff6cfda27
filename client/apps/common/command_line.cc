#include "apps/common/command_line.hh"

#include <fmt/format.h>

#include <ranges>

#include "command_line/choice.hh"

namespace tributary {

namespace {

void read_links(const std::vector<std::string>& texts, std::vector<std::string>& links, TermsOfLinks& terms) {
  std::vector<std::string> named;
  bool only_these = false;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (name.empty()) throw CLI::ValidationError("--link", fmt::format("\"{}\": expected NAME or NAME=COST", text));
    named.push_back(name);
    only_these = only_these || equals == std::string::npos;
    if (equals == std::string::npos) continue;
    try {
      if (!terms.emplace(name, parse_terms(text.substr(equals + 1))).second)
        throw std::invalid_argument("its cost was said before");
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--link", fmt::format("{}: {}", name, error.what()));
    }
  }
  if (only_these) links = named;
}

}  // namespace

void add_network_options(CLI::App& app, std::vector<std::string>& links, TermsOfLinks& terms, std::string& ca_file,
                         transport::HttpVersion& http) {
  app.add_option_function<std::vector<std::string>>(
         "--link", [&](const std::vector<std::string>& texts) { read_links(texts, links, terms); },
         "Use only the named network interfaces; repeat the option for more. COST says what using the link costs: free, "
         "backup, metered[:CAP[@DAY]] or paid:PRICE/MB. A cost alone limits nothing.")
      ->option_text("NAME[=COST]")
      ->default_str("all links that lead to the origin")
      ->allow_extra_args(false);
  app.add_option("--cacert", ca_file, "Trust the certificates of this PEM file instead of those of the system.")
      ->option_text("FILE");
  using transport::HttpVersion;
  add_choice<HttpVersion>(app, "--http", http, {transport::kHttpVersions.begin(), transport::kHttpVersions.end()},
                          "Ask for media by this version of HTTP; auto is 1.1, and 2 needs https.")
      ->default_str("auto");
  group(app, kLinksGroup, {"--link", "--cacert", "--http"});
}

void add_spend_for(CLI::App& app, std::string& quality) {
  app.add_option("--spend-for", quality,
                 "Let links that cost something help up to this quality: lowest, the name of a quality, or stall (only "
                 "where playout would stall).")
      ->option_text("QUALITY")
      ->default_str("lowest")
      ->group(kLinksGroup);
}

void add_approach(CLI::App& app, SubsegmentApproach& approach, const std::string& help) {
  std::vector<std::pair<std::string, SubsegmentApproach>> choices;
  for (const ApproachTraits& known : approaches() | std::views::reverse)
    choices.emplace_back(known.name, known.approach);
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
