#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "presentation/side_files.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"

namespace tributary {

/// Small pictures of a title, as its index lists them: sheets of equally many, row by row. Only the last may have fewer.
/// They are taken at equal distances, from the beginning of the title on.
struct ThumbnailSheets {
  std::string uri;                 // "thumbnails/{n:05}.jpg"; {n} is the number of the sheet
  std::uint64_t first_number = 1;  // the number of sheet 0
  int columns = 1, rows = 1;
  int width = 0, height = 0;    // of one picture, in pixels
  std::uint32_t timescale = 1;  // ticks per second
  std::uint64_t ticks = 1;      // from one picture to the next
  std::size_t pictures = 0;     // in all sheets
  std::vector<DataSize> sizes;  // of the files, one a sheet

  std::size_t pictures_per_sheet() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
  std::string sheet_uri(std::size_t sheet) const;
  /// The rate of the largest sheet, over the time for which a full one stands.
  DataRate bandwidth() const;
  /// The time for which a sheet stands. The last one stands only for the pictures that it has.
  std::uint64_t ticks_of(std::size_t sheet) const;

  bool operator==(const ThumbnailSheets&) const = default;
};

/// The same as files that a player fetches.
SideFiles side_files(const ThumbnailSheets& sheets);

}  // namespace tributary
