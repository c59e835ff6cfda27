#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/requests/outstanding_requests.hh"
#include "units/identifiers.hh"

namespace tributary {

struct SessionState;

/// The observers hear that the quality is left out for a while.
void tell_left_out(QualityIndex quality, SessionState& s);

/// The file of the request is not there: its segment is asked for in another quality. `may_come_yet`: live, it may only be
/// late. False if no other quality may have it; then nothing changed.
bool ask_for_another_quality(const OutstandingRequest& request, const std::string& why, bool may_come_yet,
                             SessionState& s);

enum class OtherQuality {
  kAsked,
  kNoneYet,  // live: no quality has the segment yet, and it is asked for in the first of them again
  kNone,     // the file itself is to be asked for again, or given up
};
/// The origin says that the file of the request is not there. On demand that is final, and another quality is asked for at
/// once. A live segment that may come yet is asked for twice first; after that all qualities are tried, which is done
/// again only after a while.
OtherQuality look_for_other_quality(const OutstandingRequest& request, const std::string& why, bool may_come_yet,
                                    SessionState& s);

/// Where it plays: the segment of the request comes without the sound that is not there. If several in a row lack it, or
/// its init part, all go on with another sound of the same language, or silent. `left_out`: sounds that were left out
/// before. False if the request was not for sound.
bool goes_on_without_sound(const OutstandingRequest& request, const std::string& why,
                           std::vector<std::size_t>& left_out, SessionState& s);

}  // namespace tributary
