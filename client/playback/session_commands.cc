#include "playback/session_commands.hh"

#include <utility>

#include "report/overloaded.hh"

namespace tributary {

SessionCommands::SessionCommands(CommandQueue& commands, std::vector<Command> first, LinkUses& uses,
                                 StatusRecorder& recorder, StatusBoard& board)
    : commands_{commands}, first_{std::move(first)}, uses_{uses}, recorder_{recorder}, board_{board} {}

void SessionCommands::advance(TimePoint now, std::deque<TimedEvent>& happened) {
  for (const Command& command : std::exchange(first_, {})) take(command, now, happened);
  for (const Command& command : commands_.take()) take(command, now, happened);
  if (now < shown_ + kShowEvery) return;
  board_.put_up(recorder_.status(now));
  shown_ = now;
}

void SessionCommands::take(const Command& command, TimePoint now, std::deque<TimedEvent>& happened) {
  std::visit(Overloaded{
                 [&](const command::Seek&) {},
                 [&](const command::ChooseQuality&) {},
                 [&](const command::UseLink& c) { uses_.set(c.name, c.use); },
                 [&](const PlayoutReport&) {},
                 [&](const command::Close&) {
                   closed_ = true;
                   happened.push_back({now, event::StopRequested{"closed by the user"}});
                 },
             },
             command);
}

}  // namespace tributary
