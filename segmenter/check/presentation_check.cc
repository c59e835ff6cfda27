#include "segmenter/check/presentation_check.hh"

#include <numeric>

#include "presentation/json/json_index.hh"
#include "segmenter/check/dash_check.hh"
#include "segmenter/check/findings.hh"
#include "segmenter/check/hls_check.hh"
#include "segmenter/check/media_check.hh"
#include "segmenter/check/thumbnail_check.hh"
#include "segmenter/failure.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {
namespace {

void check_manifests(const std::filesystem::path& directory, const Presentation& index, const Presentation& media,
                     Findings& findings) {
  if (index.hls) check_hls(directory, *index.hls, media, findings);
  if (index.dash) check_dash(directory, *index.dash, media, findings);
}

}  // namespace

CheckResult check_presentation(const std::filesystem::path& directory, const DeepCheck& deep,
                               const std::atomic<bool>& interrupted) {
  const std::filesystem::path path = directory / kIndexName;
  const auto text = read_file(path);
  if (!text) throw Failure{ExitCode::kInput, fmt::format("cannot read {}", path.string())};
  Findings findings;
  CheckResult result;
  try {
    const Presentation index = read_index(*text);
    const Presentation media = check_media(directory, index, findings);
    if (index.sheets) check_thumbnails(directory, *index.sheets, findings);
    check_manifests(directory, index, media, findings);
    if (deep.decode) check_decoding(directory, index, deep.source, interrupted, findings);
    result.tracks = index.tracks.size();
    result.segments = index.tracks[0].sizes.size();
  } catch (const IndexError& error) {
    findings.add(kIndexName, "{}", error.what());
  }
  result.findings = findings.list();
  return result;
}

}  // namespace tributary::segmenter
