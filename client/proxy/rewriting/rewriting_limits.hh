#pragma once

#include <cstddef>

namespace tributary::proxy {

// What manifests may ask of the proxy's memory and time. A manifest beyond one of these bounds is refused.

/// Bytes of a manifest, and of one as it is handed on: a short name may become a long one.
inline constexpr std::size_t kMostText = std::size_t{16} << 20;
inline constexpr std::size_t kMostRewrittenText = 4 * kMostText;
/// Bytes of a list of assets (JSON).
inline constexpr std::size_t kMostAssetList = std::size_t{1} << 20;
/// Bytes of an address. Longer ones are replaced by one that leads nowhere.
inline constexpr std::size_t kLongestAddress = 8'192;
/// Names that are looked at in one manifest, one for each representation that inherits it.
inline constexpr std::size_t kMostNames = 4'000'000;
/// Web servers that the manifests of a title name.
inline constexpr std::size_t kMostOrigins = 1'000;
/// Addresses that all manifests of a title announce, and their bytes. The listings that were taken in first are
/// forgotten beyond them; one manifest alone is refused.
inline constexpr std::size_t kMostAddresses = 2'000'000;
inline constexpr std::size_t kMostAddressBytes = std::size_t{256} << 20;
/// Templates of one MPD, once for each representation and base address.
inline constexpr std::size_t kMostPatterns = 20'000;
inline constexpr std::size_t kMostManifests = 2'000;
/// Addresses that the latest listing of a live manifest does not have any more, and that may still be asked for.
inline constexpr std::size_t kKeptBehind = 1'000;
/// Renditions of a picture that can stand for each other. Each is fetched before players are told of one.
inline constexpr std::size_t kMostRungs = 32;
/// Lists of segments that are kept of one manifest. They are made again when they are needed.
inline constexpr std::size_t kMostKeptLists = 16;

}  // namespace tributary::proxy
