#include "presentation/thumbnail_sheets.hh"

#include <algorithm>

#include "presentation/resource_uri.hh"

namespace tributary {

std::string ThumbnailSheets::sheet_uri(std::size_t sheet) const { return numbered(uri, first_number + sheet); }

std::uint64_t ThumbnailSheets::ticks_of(std::size_t sheet) const {
  const std::size_t before = sheet * pictures_per_sheet();
  return ticks * std::min(pictures_per_sheet(), pictures - before);
}

DataRate ThumbnailSheets::bandwidth() const {
  const auto largest = std::ranges::max_element(sizes);
  if (largest == sizes.end()) return {};
  const double seconds = static_cast<double>(ticks * pictures_per_sheet()) / timescale;
  return DataRate::bits_per_second(8 * static_cast<double>(largest->bytes()) / seconds);
}

SideFiles side_files(const ThumbnailSheets& sheets) {
  const auto time = [&](std::uint64_t ticks) { return from_seconds(static_cast<double>(ticks) / sheets.timescale); };
  SideFiles files;
  files.stretches.emplace_back();
  const Tiles tiles{sheets.columns, sheets.rows, time(sheets.ticks)};
  for (std::size_t i = 0; i < sheets.sizes.size(); ++i) {
    const Resource file{sheets.sheet_uri(i), {{}, sheets.sizes[i]}, true};
    const std::uint64_t start = i * sheets.pictures_per_sheet() * sheets.ticks;
    files.files.push_back({file, time(start), time(sheets.ticks_of(i)), 0, tiles});
  }
  return files;
}

}  // namespace tributary
