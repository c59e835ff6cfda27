#include "link_check/checked_object.hh"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>

#include "manifests/manifest_kind.hh"
#include "presentation/segments/segment_table.hh"
#include "transport/documents/document_fetch.hh"
#include "worlds/discovery/folder_titles.hh"
#include "worlds/found_presentation.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

// An origin without ranges sends all of the file: nearly every manifest is smaller, and a film is not waited for.
constexpr DataSize kFirstBytes{1000}, kMostWithoutRanges{2'000'000};
constexpr Duration kPatienceForFirstBytes = 10s;

bool is_manifest(const std::string& url, const transport::LinkRules& rules) {
  const transport::FetchLimits limits{
      .size = kMostWithoutRanges, .time = kPatienceForFirstBytes, .range = ByteRange{DataSize{}, kFirstBytes}};
  return manifest_kind(transport::fetch_document(url, rules, limits).text).has_value();
}

/// Throws std::invalid_argument if the presentation has no segment.
std::string largest_file(const FoundPresentation& found) {
  const SegmentTable table{found.presentation};
  const Track& best = found.presentation.tracks[table.ladder().back()];
  const auto largest = std::ranges::max_element(best.sizes);
  if (largest == best.sizes.end()) throw std::invalid_argument("there is no segment");
  const auto segment = static_cast<SegmentIndex>(largest - best.sizes.begin());
  return transport::resolve_uri(found.location, best.segment(segment).uri).url();
}

}  // namespace

std::string object_to_check(const std::string& url, const std::vector<std::string>& links,
                            const transport::LinkRules& rules) {
  for (const std::string& link : links) {
    try {
      if (manifests_in(url).empty() && !is_manifest(url, rules.over(link))) continue;
      return largest_file(find_presentation({url, {link}, rules}));
    } catch (const std::exception&) {
      continue;  // the next link may do better
    }
  }
  return url;
}

}  // namespace tributary
