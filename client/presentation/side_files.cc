#include "presentation/side_files.hh"

#include <algorithm>
#include <utility>

namespace tributary {

void append(SideFiles& files, const SideFiles& part, Duration begins) {
  const std::size_t before = files.stretches.size();
  for (SideStretch stretch : part.stretches) {
    if (stretch.shift) *stretch.shift += begins;
    files.stretches.push_back(std::move(stretch));
  }
  for (SideFile file : part.files) {
    file.start += begins;
    file.stretch += before;
    files.files.push_back(std::move(file));
  }
}

std::size_t tile_at(const SideFile& sheet, Duration at) {
  const std::int64_t count = std::max<std::int64_t>(std::int64_t{sheet.tiles.columns} * sheet.tiles.rows, 1);
  const Duration each = sheet.tiles.each > Duration{} ? sheet.tiles.each : sheet.duration / count;
  if (each <= Duration{} || at <= sheet.start) return 0;
  return static_cast<std::size_t>(std::min<std::int64_t>((at - sheet.start) / each, count - 1));
}

}  // namespace tributary
