#include "segmenter/cli/check_task.hh"

#include <fmt/format.h>

#include "segmenter/check/presentation_check.hh"
#include "segmenter/cli/shared_options.hh"
#include "segmenter/failure.hh"
#include "units/text/printed_text.hh"

namespace tributary::segmenter {
namespace {

const Introduction kCheckIntroduction{"Compare the files of a presentation with its index and manifests.",
                                      "",
                                      {"tributary-segment check /var/www/film --deep --source film.mp4"}};

}  // namespace

CheckTask::CheckTask(CLI::App& app, Messages& messages) : Task{app, "check", kCheckIntroduction, messages} {
  add_presentation(command_, presentation_);
  command_.add_flag("--deep", deep_.decode, "Decode everything as well.");
  command_.add_option("--source", deep_.source, "With --deep, compare the pictures with this video.")
      ->needs("--deep")
      ->option_text("FILE");
  command_.add_flag("-q,--quiet", messages.quiet, "Print only what is wrong.");
  group(command_, "Check", {"--deep", "--source", "--quiet"});
}

void CheckTask::run(const std::atomic<bool>& interrupted) const {
  const CheckResult result = check_presentation(presentation_, deep_, interrupted);
  for (const std::string& finding : result.findings) print_text(stdout, "{}\n", printable_line(finding));
  if (!result.findings.empty()) {
    throw Failure{ExitCode::kCheckFailed,
                  fmt::format("{}: wrong places: {}", presentation_.string(), result.findings.size())};
  }
  if (messages_.quiet) return;
  print_text(stdout, "{}: tracks: {}, segments: {}, all as they should be\n", presentation_.string(), result.tracks,
             result.segments);
}

}  // namespace tributary::segmenter
