#pragma once

#include <string>

#include "units/data_size.hh"

namespace tributary {

/// How many bytes a link has carried.
struct CarriedByLink {
  std::string link;
  DataSize bytes;
};

}  // namespace tributary
