#pragma once

#include <boost/container/small_vector.hpp>

#include "units/identifiers.hh"

namespace tributary {

/// One for each of some links, in an order. There are few, and they are looked through with every event: that needs no memory
/// elsewhere.
template <typename T>
using OfLinks = boost::container::small_vector<T, 4>;

using LinkIds = OfLinks<LinkId>;

}  // namespace tributary
