#include "apps/common/command_line.hh"

#include <map>

namespace tributary {

void add_network_options(CLI::App& app, std::vector<std::string>& links, std::string& ca_file,
                         transport::HttpVersion& http) {
  app.add_option("--link", links,
                 "Use this network interface; repeat for more (default: all that lead to the origin)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--cacert", ca_file, "Certificates to trust instead of the system's (PEM)")
      ->option_text("FILE");
  using transport::HttpVersion;
  const std::map<std::string, HttpVersion> versions{
      {"auto", HttpVersion::kAuto}, {"1.1", HttpVersion::kHttp1}, {"2", HttpVersion::kHttp2}};
  app.add_option("--http", http, "How media is asked for: 1.1, 2 (https only), or auto, which is 1.1")
      ->transform(CLI::CheckedTransformer(versions))
      ->option_text("VERSION [auto]");
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
    const int status = app.exit(error);
    throw CommandLineEnd{status == 0 ? 0 : 2};
  }
}

}  // namespace tributary
