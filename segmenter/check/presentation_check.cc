#include "segmenter/check/presentation_check.hh"

#include <numeric>

#include "presentation/json/json_index.hh"
#include "segmenter/check/dash_check.hh"
#include "segmenter/check/findings.hh"
#include "segmenter/check/hls_check.hh"
#include "segmenter/check/manifest_files.hh"
#include "segmenter/check/media_check.hh"
#include "segmenter/check/part_check.hh"
#include "segmenter/check/thumbnail_check.hh"
#include "segmenter/publish/dash_parts.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {
namespace {

void check_manifests(const ManifestFiles& files, const Presentation& index, const Presentation& media,
                     Findings& findings) {
  if (index.hls) check_hls(files, *index.hls, media, findings);
  if (index.dash) check_dash(files, *index.dash, media, findings);
  if (index.dash && has_parts(index)) check_dash(files, std::string{kDashPartsName}, media, findings);
}

}  // namespace

CheckResult check_presentation(const std::filesystem::path& directory, const DeepCheck& deep,
                               const std::atomic<bool>& interrupted) {
  const ManifestFiles files{directory};
  Findings findings;
  CheckResult result;
  try {
    const Presentation index = read_index(files.index());
    const Presentation media = check_media(directory, index, findings);
    for (const Track& track : index.tracks) check_parts(directory, track, findings);
    if (index.sheets) check_thumbnails(directory, *index.sheets, findings);
    check_manifests(files, index, media, findings);
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
