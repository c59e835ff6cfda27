#include "trace/session_trace.hh"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "presentation/json/json_index.hh"
#include "trace/trace_text.hh"

namespace tributary {
namespace {

constexpr std::string_view kFirstLine = "tributary-trace 1";

/// The rest of a line, which must begin with `word`.
std::string_view after(std::string_view line, std::string_view word) {
  if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') {
    throw std::invalid_argument(fmt::format("expected \"{}\"", word));
  }
  return line.substr(word.size() + 1);
}

SessionTrace::Line read_line(std::string_view line) {
  const auto space = line.find(' ');
  if (space == std::string_view::npos) throw std::invalid_argument("expected a time");
  const TimePoint at = time_from(line.substr(0, space));
  const std::string_view rest = line.substr(space + 1);
  if (rest.starts_with("event ")) return {at, event_from(after(rest, "event"))};
  return {at, action_from(after(rest, "action"))};
}

/// Throws std::invalid_argument.
std::size_t sound_from(std::string_view text, const Presentation& presentation) {
  const std::size_t track = std::stoul(std::string{text});
  if (track >= presentation.tracks.size() || presentation.tracks[track].kind != TrackKind::kAudio)
    throw std::invalid_argument(fmt::format("track {} is no sound", track));
  return track;
}

/// Nothing: it is that of every new table.
std::optional<std::size_t> chosen_sound(const SegmentTable& table) {
  const std::vector<Track>& tracks = table.presentation().tracks;
  const auto first = std::ranges::find(tracks, TrackKind::kAudio, &Track::kind) - tracks.begin();
  return table.sound() == static_cast<std::size_t>(first) ? std::nullopt : table.sound();
}

}  // namespace

SessionTrace SessionTrace::read(std::istream& in) {
  SessionTrace trace;
  std::string line;
  std::size_t number = 0;
  const auto next_line = [&] {
    ++number;
    return static_cast<bool>(std::getline(in, line));
  };
  try {
    if (!next_line() || line != kFirstLine) throw std::invalid_argument(fmt::format("expected \"{}\"", kFirstLine));
    next_line();
    trace.presentation = read_index(after(line, "index"));
    next_line();
    if (const std::string segments{after(line, "segments")}; segments != "-") trace.segments = std::stoul(segments);
    next_line();
    if (line.starts_with("sound ")) {
      trace.sound = sound_from(after(line, "sound"), trace.presentation);
      next_line();
    }
    trace.options = options_from(line);
    while (next_line()) trace.lines.push_back(read_line(line));
  } catch (const std::exception& error) {
    throw std::invalid_argument(fmt::format("line {} of the trace: {}", number, error.what()));
  }
  return trace;
}

TraceWriter::TraceWriter(std::ostream& out, const Session& session) : out_{out} {
  const SegmentTable& table = session.table();
  const std::string index =
      nlohmann::ordered_json::parse(write_index(without_addresses(table.presentation()), "", "")).dump();
  const auto most = table.complete() ? std::optional{table.segment_count()} : table.limit();
  out_ << kFirstLine << "\nindex " << index << "\nsegments " << (most ? std::to_string(*most) : "-") << '\n';
  if (const auto sound = chosen_sound(table)) out_ << "sound " << *sound << '\n';
  out_ << to_text(session.options()) << '\n';
}

void TraceWriter::on_event(const Event& event, TimePoint at) {
  out_ << to_text(at) << " event " << to_text(event) << '\n';
}

void TraceWriter::on_action(const Action& action, TimePoint at) {
  out_ << to_text(at) << " action " << to_text(action) << '\n';
}

}  // namespace tributary
