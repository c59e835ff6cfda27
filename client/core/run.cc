#include "core/run.hh"

namespace tributary {

void run(Session& session, World& world, std::span<SessionObserver* const> observers) {
  while (!session.finished()) {
    const TimedEvent next = world.next_event(session.next_deadline());
    for (SessionObserver* observer : observers) observer->on_event(next.event, next.at);
    session.handle(next.event, next.at);
    while (const auto action = session.next_action()) {
      for (SessionObserver* observer : observers) observer->on_action(*action, next.at);
      world.perform(*action, next.at);
    }
  }
}

}  // namespace tributary
