#pragma once

namespace tributary {

/// Colours of pictures in the codes of ISO/IEC 23091-2 (ITU-T H.273): 1, 1, 1 is BT.709.
struct ColorCodes {
  int primaries = 2, transfer = 2, matrix = 2;  // 2: unspecified

  /// Transfer characteristics of high dynamic range: PQ (SMPTE ST 2084) and HLG (ARIB STD-B67).
  bool is_pq() const { return transfer == 16; }
  bool is_hlg() const { return transfer == 18; }

  bool operator==(const ColorCodes&) const = default;
};

}  // namespace tributary
