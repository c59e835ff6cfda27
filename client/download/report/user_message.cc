#include "download/report/user_message.hh"

#include "download/report/exit_status.hh"
#include "program/check_advice.hh"
#include "program/real_link_costs.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary {

void tell_user(const std::string& text) { print_text(stderr, "tributary-get: {}\n", text); }

void advise_user(int exit_status, const std::string& url) {
  if (exit_status == kUsedUp) {
    tell_user(kWhatToDoWhenUsedUp);
  } else if (exit_status != 0 && exit_status != kInterrupted) {
    tell_user(check_advice(redacted(url)));
  }
}

}  // namespace tributary
