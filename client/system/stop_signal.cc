#include "system/stop_signal.hh"

#include <sys/signalfd.h>

#include <csignal>
#include <initializer_list>

namespace tributary {

namespace {

int new_stop_signal_fd() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(&signals, signal);  // nohup ignores it, to let the program go on
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

}  // namespace

int stop_signal_fd() {
  static const int fd = new_stop_signal_fd();
  return fd;
}

}  // namespace tributary
