#include "apps/play/texts/problem_texts.hh"

#include <fmt/args.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/play/texts/translation.hh"

namespace tributary::play {
namespace {

constexpr auto kSentences = std::to_array<const char*>({
    // playback/stream_error.cc
    N_("There is no server named {}."),
    N_("No network link leads to {}."),
    N_("{} does not answer on any network link."),
    N_("{} refuses the connection: no web server runs there at this port."),
    N_("No encrypted connection to {} can be made: it speaks only old versions of TLS, or none."),
    N_("The certificate of {} is not to be trusted: it is not valid for this name, has expired, or was issued by somebody "
       "unknown."),
    N_("{} does not have what was asked for at {}."),
    N_("{} does not give it out without a login."),
    N_("{} is overloaded or out of order; try again later."),
    N_("{} does not give out parts of its files, as streaming needs."),
    N_("The files on {} were replaced while they were streamed; open it again."),
    N_("{} points to another place again and again."),
    N_("{} closes connections before it has answered."),
    N_("{} is on the internet, and leads to this machine or its network. That is not allowed."),
    N_("{} does not speak HTTP as expected."),
    N_("{} is not an address that can be opened."),
    N_("The address of {} cannot be looked up: is this machine connected?"),
    N_("{} does not describe a presentation that can be played."),
    N_("Nothing comes from {} over any network link."),
    N_("The live stream has ended without saying so: nothing is added any more."),
    N_("{} cannot be streamed: {}."),
    N_("{} cannot be streamed."),
    N_("{} does not give out a part of the title: {}."),
    // gst/player/player_problems.cc
    N_("Parts before and behind it may be there. Whoever made the title can look for what is missing with tributary-segment check."),
    N_("Connect to a network, or allow one of the links to be used."),
    N_("Look whether the address is right, and whether there is a network."),
    N_("Whoever answers may not be who it should be. A certificate of your own can be named with --cacert."),
    N_("Look whether the address is that of a manifest (DASH, HLS) or an index.json."),
    N_("The web server must answer requests for ranges of bytes."),
    N_("Look whether the address is that of a manifest (DASH, HLS) or an index.json; whoever made it can check it with tributary-segment check."),
    N_("Look whether a sound server runs, and whether it has a device."),
    // gst/pipeline/decoder_search.cc
    N_("There is no decoder for {}."),
    N_("GStreamer has no element \"{}\"."),
    N_("Install it with: sudo apt install {}"),
    // gst/player/player_pipeline.cc, gst/player/player_impl.cc, gst/source/source_body.cc
    N_("There is neither picture nor sound in this presentation."),
    N_("Only {} can decode the picture; it leaves out frames."),
    N_("Install the usual one with: sudo apt install {}"),
    N_("The graphics card cannot decode this picture; the processor does it."),
    N_("The picture cannot be decoded."),
    N_("The sound cannot be decoded."),
    N_("The title may be damaged, or of another codec than it says."),
    N_("There will be no sound."),
    N_("The sound cannot be heard."),
    N_("The sound cannot be timed."),
    N_("The sound device failed; it plays on without sound."),
    N_("The subtitles cannot be shown."),
    N_("A part of a segment cannot be played."),
});

/// The values in the places of the sentence; nothing if `text` is another sentence.
std::optional<std::vector<std::string>> values_in(std::string_view text, std::string_view sentence) {
  constexpr std::string_view kPlace = "{}";
  std::vector<std::string> values;
  std::size_t place = sentence.find(kPlace);
  if (!text.starts_with(sentence.substr(0, place))) return std::nullopt;
  while (place != std::string_view::npos) {
    text.remove_prefix(place);
    sentence.remove_prefix(place + kPlace.size());
    place = sentence.find(kPlace);
    const std::string_view between = sentence.substr(0, place);
    const std::size_t end = place == std::string_view::npos && text.ends_with(between) ? text.size() - between.size()
                            : place == std::string_view::npos                          ? std::string_view::npos
                                                                                       : text.find(between);
    if (end == std::string_view::npos) return std::nullopt;
    values.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return text == sentence ? std::optional{values} : std::nullopt;
}

}  // namespace

std::string translated(const std::string& text) {
  for (const char* const sentence : kSentences) {
    const auto values = values_in(text, sentence);
    if (!values) continue;
    fmt::dynamic_format_arg_store<fmt::format_context> places;
    for (const std::string& value : *values) places.push_back(value);
    return fmt::vformat(_(sentence), places);
  }
  return text;
}

PlayerProblem translated(const PlayerProblem& problem) {
  return {problem.fatal, translated(problem.what), translated(problem.advice), problem.detail};
}

bool is_known(const std::string& text) {
  return std::ranges::any_of(kSentences, [&](const char* sentence) { return values_in(text, sentence).has_value(); });
}

}  // namespace tributary::play
