#include "apps/common/command_line.hh"

#include <fmt/format.h>

#include <map>
#include <span>
#include <sstream>

#include "units/printed_text.hh"
#include "units/redacted_url.hh"

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

void replace_all(std::string& text, const std::string& old, const std::string& now) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
    text.replace(at, old.size(), now);
}

/// What is said of these words, with the addresses among them as they may be shown: URL or --option=URL.
std::string without_secrets(std::string text, std::span<char* const> words) {
  for (const std::string word : words) {
    if (!is_address(word)) continue;
    replace_all(text, word, redacted(word));
    const std::string value = word.substr(word.find('=') + 1);
    if (is_address(value)) replace_all(text, value, redacted(value));
  }
  return text;
}

}  // namespace

void add_network_options(CLI::App& app, std::vector<std::string>& links, TermsOfLinks& terms, std::string& ca_file,
                         transport::HttpVersion& http) {
  app.add_option_function<std::vector<std::string>>(
         "--link", [&](const std::vector<std::string>& texts) { read_links(texts, links, terms); },
         "Use this network interface; repeat for more (default: all that lead to the origin). NAME=COST says what its use costs: "
         "free, backup (only where the others fail), metered[:CAP[@DAY]] as in metered:500MB@5th, or paid:PRICE/MB; by itself "
         "that excludes no other")
      ->type_name("NAME[=COST]")
      ->allow_extra_args(false);
  app.add_option("--cacert", ca_file, "Certificates to trust instead of the system's (PEM)")->option_text("FILE");
  using transport::HttpVersion;
  const std::map<std::string, HttpVersion> versions{
      {"auto", HttpVersion::kAuto}, {"1.1", HttpVersion::kHttp1}, {"2", HttpVersion::kHttp2}};
  app.add_option("--http", http, "How media is asked for: 1.1, 2 (https only), or auto, which is 1.1")
      ->transform(CLI::CheckedTransformer(versions))
      ->option_text("VERSION [auto]");
}

void add_spend_for(CLI::App& app, std::string& quality) {
  app.add_option(
         "--spend-for", quality,
         "Up to which quality a rule may count on links that cost something: lowest, a QUALITY, or stall (nothing but what "
         "would be a stall)")
      ->option_text("QUALITY [lowest; fixed:QUALITY that]");
}

void add_approach(CLI::App& app, SubsegmentApproach& approach, const std::string& help) {
  const std::map<std::string, SubsegmentApproach> approaches{{"static", SubsegmentApproach::kStatic},
                                                             {"dynamic", SubsegmentApproach::kDynamic},
                                                             {"balanced", SubsegmentApproach::kBalanced}};
  app.add_option("--subsegments", approach, help)
      ->transform(CLI::CheckedTransformer(approaches))
      ->option_text("APPROACH [balanced]");
}

void parse(CLI::App& app, int argc, char** argv, const std::function<void()>& check) {
  try {
    app.parse(argc, argv);
    try {
      check();
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError(error.what());
    }
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, problem;
    const int status = app.exit(error, help, problem);
    print_text(stdout, help.str());
    print_text(stderr, without_secrets(problem.str(), {argv, static_cast<std::size_t>(argc)}));
    throw CommandLineEnd{status == 0 ? 0 : 2};
  }
}

}  // namespace tributary
