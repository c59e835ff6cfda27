#include "segmenter/index_publication.hh"

#include <fmt/chrono.h>

#include <ctime>

#include "presentation/json_index.hh"

namespace tributary::segmenter {

void publish_index(const Publication& publication, Presentation presentation) {
  presentation.generator = "tributary-segment " TRIBUTARY_VERSION;
  const std::string now = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  publication.publish(std::string{kIndexName}, write_index(presentation, now, now));
}

}  // namespace tributary::segmenter
