#include "link_check/links_options.hh"

#include "program/options/given_address.hh"
#include "transport/connections/origin.hh"
#include "units/text/quantity_text.hh"

namespace tributary {

LinksOptions parse_links_command_line(int argc, char** argv) {
  LinksOptions options;
  CLI::App app{"", "tributary-links"};
  introduce(
      app,
      {"Lists the network links of this machine. With --check it tries each of them by requests to an origin, says "
       "what is wrong, and names the command that mends it. With --set-up --apply it makes links ready that have no address yet; "
       "else it changes nothing.",
       "0 if all is well, 1 if a link that was checked does not work, 2 for a wrong command line, 3 if a link that "
       "--link names is not there or does not work, 4 if the origin refuses the address over each link.",
       {"tributary-links", "tributary-links --check https://example.org/film/index.json",
        "sudo tributary-links --set-up --apply"}});
  add_version(app, TRIBUTARY_VERSION);
  app.add_option("--check", options.check, "Fetch from this address over each link, and tell how that went.")
      ->option_text("URL")
      ->group("Check");
  auto* const set_up = app.add_flag("--set-up", options.set_up,
                                    "Print the commands that make links usable beside each other: addresses, routes, "
                                    "rules. Changes nothing.")
                           ->group("Set up");
  app.add_flag("--apply", options.apply,
               "Run them, and those for links that come, until Ctrl-C; then put everything back. Needs root.")
      ->needs(set_up)
      ->group("Set up");
  app.add_option("--addresses", options.addresses,
                 "Read the addresses and routers of links from this JSON file; other links ask by DHCP.")
      ->option_text("FILE")
      ->needs(set_up)
      ->group("Set up");
  const auto borrow =
      app.add_option("--borrow", options.borrow,
                     "Borrow a link: be paired, by the code that tributary-lend --pair shows there, with the lender at "
                     "this address, or else with one that is found in the network. Every program then uses the link.")
          ->option_text("[HOST[:PORT]]")
          ->expected(0, 1);
  app.add_option("--code", options.code, "The code, instead of typing it when it is asked for.")
      ->option_text("CODE")
      ->needs(borrow);
  app.add_flag("--lenders", options.list_lenders,
               "List those who lend you a link, and those who are found in the network.");
  app.add_option("--give-back", options.give_back, "Use the link of this lender no more, and forget it.")
      ->option_text("NAME")
      ->excludes(borrow);
  group(app, "Links of others", {"--borrow", "--code", "--lenders", "--give-back"});
  add_network_options(app, options);
  add_read(app, "--sample", options.sample, parse_size, "Fetch at most this much over each link to measure its rate.")
      ->option_text("SIZE")
      ->default_str("2MB")
      ->group("Check");
  app.add_flag("--json", options.json, "Print the list as JSON.")->group("Output");
  add_forget(app, options.forget);
  parse(app, argc, argv, [&] {
    if (options.check) {
      options.check = given_address("tributary-links", *options.check, false);
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
