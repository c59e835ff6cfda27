#pragma once

#include <boost/container/small_vector.hpp>

#include "units/identifiers.hh"

namespace tributary {

/// Of some links, in an order. There are few, and they are looked for with every event: that needs no memory elsewhere.
using LinkIds = boost::container::small_vector<LinkId, 4>;

}  // namespace tributary
