#include "apps/links/links_options.hh"

#include "apps/common/command_line.hh"
#include "apps/common/link_memory.hh"
#include "transport/origin.hh"
#include "units/quantity_text.hh"

namespace tributary {

LinksOptions parse_links_command_line(int argc, char** argv) {
  LinksOptions options;
  CLI::App app{
      "Lists the network links of this machine, and with --check proves each of them by requests to an origin.\n"
      "Changes nothing; says which command would.\n"
      "Exit status: 0, 1 if something is wrong with a link that was checked, 2 for a wrong command line.",
      "tributary-links"};
  app.set_version_flag("--version", TRIBUTARY_VERSION);
  app.add_option("--check", options.check, "Fetch from this address over every link, and say what comes of it")
      ->option_text("URL");
  add_network_options(app, options.links, options.terms, options.ca_file, options.http);
  add_read(app, "--sample", options.sample, parse_size,
           "Bytes to fetch over each link at the most, to see how fast it is")
      ->option_text("SIZE [2MB]");
  app.add_flag("--json", options.json, "For programs");
  add_forget(app, options.forget);
  parse(app, argc, argv, [&] {
    if (options.check) {
      try {
        (void)transport::parse_url(*options.check);
      } catch (const transport::UrlError& error) {
        throw std::invalid_argument{std::string{"--check: "} + error.what()};
      }
    }
  });
  return options;
}

}  // namespace tributary
