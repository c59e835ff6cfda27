#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "proxy/held/held_answer.hh"
#include "units/data_rate.hh"
#include "units/failure_reason.hh"

namespace tributary::proxy {

/// One question to an origin on its way: which links were asked, and when the next one is to be. Knows no thread.
class HeldQuestion {
 public:
  using Clock = std::chrono::steady_clock;

  struct Asked {
    std::uint64_t number = 0;
    std::string url;
    Duration held_for{};
    DataRate rate{};  // of a file; nothing of a document
    bool is_file = false;
    std::unique_ptr<HeldAnswer> answer;
    std::function<void()> otherwise{};
    std::stop_token left{};  // nobody waits any more
  };
  HeldQuestion(Asked asked, Clock::time_point now) : asked_{std::move(asked)}, began_{now} {}
  /// `tell` is called when nobody waits any more, from any thread, as long as the question lives.
  void when_left(std::function<void()> tell) { leaving_.emplace(asked_.left, std::move(tell)); }

  const Asked& asked() const { return asked_; }
  /// Links that were asked and have not failed, the one asked last at the end.
  bool asks(const std::string& link) const;
  bool asks_any() const { return !attempts_.empty(); }
  bool has_failed_over(const std::string& link) const { return failed_.contains(link); }
  /// Whether another link is to be asked now.
  bool wants_another(Clock::time_point now) const;
  /// Until wants_another() may change, or give_up_at().
  Clock::time_point next_deadline() const;
  Clock::time_point give_up_at() const { return began_ + asked_.held_for + kGiveUp; }

  void ask(const std::string& link, transport::CurlLoop& loop, const transport::LinkRules& over_link,
           Clock::time_point now);
  /// Whether there is any link; while there is none, nothing is to be done before one comes.
  void may_ask(bool any_link) { may_ask_ = any_link; }
  /// Other links have gone.
  void keep_to(const std::vector<std::string>& usable);
  /// No link can be asked now.
  void postpone(Clock::time_point now) { not_before_ = now + kPause; }
  /// No link that could be asked is left: all may be asked again, after a pause.
  void begin_again(Clock::time_point now);

  struct News {
    bool over = false;                        // came() or failed() was called
    std::optional<std::string> brought_by{};  // something new
    std::vector<std::string> late{};          // links that were given up for it
    std::vector<std::pair<std::string, DataSize>> received{};
  };
  News advance(Clock::time_point now);
  void fail(unsigned status, const std::string& why) { asked_.answer->failed(status, why); }
  /// The reason of the last failure, for people; empty: there was none.
  const std::string& last_failure() const { return last_failure_; }
  void hand_on() { asked_.otherwise(); }

 private:
  static constexpr Duration kGiveUp = std::chrono::seconds{20};
  static constexpr Duration kPause = std::chrono::milliseconds{250};

  struct Running {
    std::string link;
    std::unique_ptr<HeldAnswer::Attempt> attempt;
  };
  void has_failed(const std::string& link, FailureReason reason, const std::string& why);
  Duration patience() const;

  Asked asked_;
  std::deque<Running> attempts_;
  std::set<std::string> failed_;
  const Clock::time_point began_;
  Clock::time_point last_news_ = began_;  // or the last link was asked
  Clock::time_point not_before_ = began_;
  Duration longest_silence_{};  // between bytes
  unsigned asked_in_vain_ = 0;  // further links, since the last news
  bool comes_ = false, may_ask_ = true;
  std::optional<FailureReason> refused_;
  std::optional<std::stop_callback<std::function<void()>>> leaving_;
  std::string last_failure_;
};

}  // namespace tributary::proxy
