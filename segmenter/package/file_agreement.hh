#pragma once

#include <string>
#include <vector>

#include "segmenter/package/packaged_input.hh"
#include "segmenter/plan/key_frame_cuts.hh"

namespace tributary::segmenter {

/// Checks the properties in which all qualities must agree, so that a player can switch between them. Throws Failure
/// (input) that names both files.
void check_agreement(PackagedInput& first, PackagedInput& other);

LongestStretches longest_stretches(const SegmentPlan& wished);

/// Which files cannot be cut where the others can, where that is, and what to do.
std::string differences_text(const std::vector<KeyFrames>& files, const Agreement& found, const SegmentPlan& wished);

}  // namespace tributary::segmenter
