#include "segmenter/cli/messages.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command_line/introduction.hh"
#include "segmenter/libav/libav_handles.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

void warn(const std::string& input, const EncodeResult& result) {
  warn_of_damage(input, result.damage);
  for (const std::string& remark : result.remarks)
    print_text(stderr, "tributary-segment: {}\n", printable_line(remark));
  if (result.expected && *result.expected - result.media > 1s) {
    print_text(stderr, "tributary-segment: {}: the picture ends after {}, but the file says that it lasts {}\n",
               shown_name(input), format_duration(result.media), format_duration(*result.expected));
  }
}

}  // namespace

ProgressReport Messages::progress() const {
  if (json) return ProgressReport{ProgressReport::Mode::kJson, stdout};
  return ProgressReport{quiet ? ProgressReport::Mode::kNone : ProgressReport::Mode::kPeople, stderr};
}

void Messages::tell_result(const std::filesystem::path& output, const nlohmann::ordered_json& fields) const {
  if (!json) return;
  nlohmann::ordered_json event{{"event", "result"}, {"exit", 0}, {"output", output.string()}};
  event.update(fields);
  print_event(event);
}

void Messages::tell_result(const std::filesystem::path& output, const EncodeResult& result) const {
  tell_result(output, with_damage({{"pictures", result.pictures},
                                   {"seconds", to_seconds(result.media)},
                                   {"segments", result.segments},
                                   {"segmentsBefore", result.segments_before},
                                   {"remarks", result.remarks}},
                                  result.damage));
  if (!for_people()) return;
  const std::string before =
      result.segments_before > 0 ? fmt::format(" ({} of an earlier run)", result.segments_before) : "";
  print_text(stderr, "{}: pictures: {}, segments: {}{}\n", output.string(), result.pictures, result.segments, before);
}

void Messages::tell_error(int exit_status, const std::string& text) const {
  if (json) print_event({{"event", "error"}, {"exit", exit_status}, {"message", text}});
}

void declare_messages(CLI::App& app, Messages& messages) {
  app.add_flag("-q,--quiet", messages.quiet, "Show no progress.");
  app.add_flag("--json", messages.json, "Print progress and result as JSON, one object a line.");
  group(app, kMessageGroup, {"--quiet", "--json"});
}

void print_event(const nlohmann::ordered_json& event) {
  ProgressReport{ProgressReport::Mode::kJson, stdout}.event(event);
}

nlohmann::ordered_json with_damage(nlohmann::ordered_json fields, const SourceDamage& damage) {
  fields["damagedPackets"] = damage.packets;
  if (damage.concealed > 0) {
    fields["concealedDamage"] = {
        {"places", damage.concealed}, {"from", to_seconds(damage.first)}, {"to", to_seconds(damage.last)}};
  }
  return fields;
}

void warn_of_damage(const std::string& input, const SourceDamage& damage) {
  if (damage.packets > 0)
    print_text(stderr, "tributary-segment: {}: damaged packets passed over: {}\n", shown_name(input), damage.packets);
  if (damage.concealed > 0) {
    print_text(stderr,
               "tributary-segment: {}: places where decoders concealed damage: about {}, from {:.1f} s to {:.1f} s\n",
               shown_name(input), damage.concealed, to_seconds(damage.first), to_seconds(damage.last));
  }
}

void report_on(const Messages& messages, const std::string& input, const std::filesystem::path& output,
               const std::function<EncodeResult(ProgressReport&)>& make) {
  EncodeResult result;
  {
    ProgressReport progress = messages.progress();
    result = make(progress);
  }
  warn(input, result);
  messages.tell_result(output, result);
}

}  // namespace tributary::segmenter
