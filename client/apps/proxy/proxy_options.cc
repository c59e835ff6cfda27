#include "apps/proxy/proxy_options.hh"

#include "program/options/channel_option.hh"
#include "program/options/given_address.hh"
#include "program/options/proxy_options.hh"
#include "transport/connections/origin.hh"

namespace tributary {

ProxyOptions parse_proxy_command_line(int argc, char** argv) {
  ProxyOptions options;
  CLI::App app{"", "tributary-proxy"};
  introduce(app,
            {"Gives players of this machine a local address for a title of HLS or MPEG-DASH, and brings its segments "
             "over all links at once. Prints the address, and runs until Ctrl-C. Without a URL, the page at the "
             "printed address asks for one.",
             "0 after Ctrl-C, 1 if a title cannot be opened, 2 for a wrong command line.",
             {"tributary-proxy --open mpv https://example.org/film/master.m3u8", "tributary-proxy"}});
  add_version(app, TRIBUTARY_VERSION);
  app.add_option(
         "url", options.urls,
         "Addresses of manifests (HLS, MPEG-DASH, or an index.json), of folders that have one, or of video files.")
      ->option_text("URL");
  std::vector<std::string> channels;
  add_channel(app, channels);
  app.get_option("--channel")->group("Players");
  app.add_option(
         "--open", options.open,
         "Start this player: mpv, vlc, browser (with the page, which plays), or a command, in which {} is the address.")
      ->option_text("PLAYER")
      ->group("Players");
  app.add_option("--port", options.port, "Listen on this port of 127.0.0.1 and ::1.")
      ->option_text("PORT")
      ->default_str("one that is free")
      ->group("Players");
  app.add_option("--allow-page", options.pages, "Let pages of this origin use the proxy, as https://player.example.")
      ->option_text("ORIGIN")
      ->allow_extra_args(false)
      ->group("Players");
  app.add_flag("--any-user", options.any_user,
               "Let programs of other users of this machine use the proxy, too, if they know the address.")
      ->group("Players");
  add_network_options(app, options);
  add_proxy_options(app, options);
  app.add_option("--duplicates", options.duplicates_percent,
                 "Ask a second link for up to this share of all bytes, where the first is late.")
      ->option_text("PERCENT")
      ->check(CLI::Range(0, 100))
      ->default_str("5")
      ->group(kLinksGroup);
  add_connections(app, options.connections);
  add_spend_for(app, options.spend_for);
  app.add_flag(
         "--lead", options.lead,
         "Choose the quality, for players that stay with the one that they begin with. Titles that do not allow it "
         "are told, and the player chooses.")
      ->group("Players");
  add_read(app, "--without", options.proxy_rules, proxy::ProxyRules::without,
           "Leave out what the proxy does for players, to see what it brings: pacing, cmsd, prefetch.")
      ->option_text("RULE,...")
      ->group("Players");
  app.add_flag(
         "--cmcd", options.cmcd,
         "Tell the server with each request what it is for, when it is needed and what the links bring (CTA-5004).")
      ->group(kLinksGroup);
  app.add_flag("--json", options.json, "Print addresses, and at the end what each link carried, as JSON.")
      ->group("Output");
  add_forget(app, options.forget);
  parse(app, argc, argv, [&] {
    options.proxy_rules.lead = options.lead;
    options.proxy_rules.cmcd = options.cmcd;
    (void)proxy::SpendFor{options.spend_for};  // names what is wrong with it
    choose_channels(channels, options.urls);
    for (std::string& url : options.urls) {
      url = given_address("tributary-proxy", url, false);
      try {
        (void)transport::parse_url(url);
      } catch (const transport::UrlError& error) {
        throw std::invalid_argument{error.what()};
      }
    }
  });
  return options;
}

}  // namespace tributary
