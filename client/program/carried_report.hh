#pragma once

#include <string>
#include <vector>

#include "units/carried_by_link.hh"

namespace tributary {

/// What each link carried, for people: a line for each. Empty if nothing came.
std::string to_text(const std::vector<CarriedByLink>& carried);
/// The same as an object in one line.
std::string to_json(const std::vector<CarriedByLink>& carried);

}  // namespace tributary
