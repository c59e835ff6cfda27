#include "segmenter/cli/package_task.hh"

#include <fmt/format.h>

#include <algorithm>

#include "command_line/choice.hh"
#include "command_line/program_end.hh"
#include "command_line/read_option.hh"
#include "segmenter/cli/shared_options.hh"

namespace tributary::segmenter {
namespace {

const Introduction kPackageIntroduction{"Cut files that are encoded already into segments, as they are.",
                                        "",
                                        {"tributary-segment package low.mp4 high.mp4 -o /var/www/film"}};

}  // namespace

PackageTask::PackageTask(CLI::App& app, Messages& messages) : Task{app, "package", kPackageIntroduction, messages} {
  add_each(command_, "SOURCE", options_.inputs, parse_package_input,
           "A file for each quality: FILE or NAME=FILE. The sound is in one of them, or in one of its own.")
      ->required();
  declare_output(command_, options_.output, options_.manifests);
  declare_messages(command_, messages);
  declare_title(command_, options_.title);
  command_
      .add_flag("--encode-differing", options_.encode_differing,
                "Encode those files anew that have no key frames where the others have them.")
      ->group(kPictureGroup);
  declare_cutting(command_, options_.segment, options_.layout);
  declare_layout(command_, options_.layout, options_.thumbnails, options_.existing);
  add_choice<bool>(command_, "--audio", options_.sound, {{"copy", true}, {"none", false}},
                   "Take the sound as it is, or leave it out.")
      ->default_str("copy")
      ->group(kSoundGroup);
  declare_subtitles(command_, options_.source_subtitles, options_.subtitles);
}

void PackageTask::settle() {
  expect_output(options_.output);
  for (const PackageInput& input : options_.inputs) {
    if (std::ranges::count(options_.inputs, input.name, &PackageInput::name) > 1)
      throw UsageError(fmt::format("two files are called {}: name one of them as NAME={}", input.name, input.path));
    if (options_.encode_differing && input.path == "-")
      throw UsageError("--encode-differing: reads the files twice, which standard input cannot be");
  }
  check_cutting(options_.segment, options_.layout);
}

void PackageTask::run(const std::atomic<bool>& interrupted) const {
  report_on(messages_, options_.inputs[0].path, options_.output,
            [&](ProgressReport& progress) { return package(options_, interrupted, progress); });
}

}  // namespace tributary::segmenter
