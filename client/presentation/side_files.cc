#include "presentation/side_files.hh"

#include <algorithm>

namespace tributary {

std::size_t tile_at(const SideFile& sheet, Duration at) {
  const std::int64_t count = std::max<std::int64_t>(std::int64_t{sheet.tiles.columns} * sheet.tiles.rows, 1);
  const Duration each = sheet.tiles.each > Duration{} ? sheet.tiles.each : sheet.duration / count;
  if (each <= Duration{} || at <= sheet.start) return 0;
  return static_cast<std::size_t>(std::min<std::int64_t>((at - sheet.start) / each, count - 1));
}

}  // namespace tributary
