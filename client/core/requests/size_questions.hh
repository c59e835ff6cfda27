#pragma once

#include <cstddef>

#include "units/identifiers.hh"

namespace tributary {

struct SessionState;

/// Asks for sizes of later segments that no manifest states, so that the plan of qualities knows them in time. Each
/// question is a request for one byte of a file, of an origin that is known to answer ranges, over the link that answers
/// soonest; links that cost something are not asked.
///
/// A segment is asked for in the quality of the newest segment, from which estimates of the others follow
/// (size_estimates.hh). Where those err, it is also asked for in one of the others, by turns. Where estimates are good,
/// nothing is asked.
class SizeQuestions {
 public:
  /// Asks what is to be asked now. To be called after each event, when links have been asked for bytes.
  void ask(SessionState& s);

 private:
  void ask(LinkId link, SegmentIndex segment, QualityIndex quality, SessionState& s);

  SegmentIndex next_{};                  // all before it were asked about, or are known
  SegmentIndex seen_{};                  // the next segment of the session, when it was looked at last
  RequestId next_question_{0x80000000};  // requests for bytes of segments are numbered below
};

}  // namespace tributary
