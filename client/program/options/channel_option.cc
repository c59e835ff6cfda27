#include "program/options/channel_option.hh"

#include <stdexcept>

#include "units/text/channel_address.hh"

namespace tributary {

void add_channel(CLI::App& app, std::vector<std::string>& channels) {
  app.add_option("--channel", channels,
                 "URL is a list of channels or files (.m3u): take this one. Repeat the option for a list in a list.")
      ->option_text("NUMBER|NAME")
      ->allow_extra_args(false);
}

void choose_channels(const std::vector<std::string>& channels, std::vector<std::string>& urls) {
  if (channels.empty()) return;
  if (urls.size() != 1) throw std::invalid_argument{"--channel is that of one list: give one URL"};
  urls.front() = with_channels(urls.front(), channels);
}

}  // namespace tributary
