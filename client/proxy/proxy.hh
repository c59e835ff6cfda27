#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proxy/link_uses.hh"
#include "proxy/open_titles.hh"
#include "proxy/page_reporter.hh"
#include "proxy/requests/exchange.hh"
#include "proxy/titles/documents.hh"
#include "proxy/titles/proxied_title.hh"
#include "units/carried_by_link.hh"

namespace tributary::proxy {

/// The titles that players of this machine play over all links, and the page that shows them. Answers the requests of a
/// ProxyServer. Thread-safe.
class Proxy : public RequestHandler {
 public:
  /// `wishes`: makes those of one title, which no other thread uses. `version`: of the program, for the page.
  Proxy(std::function<LinkWishes()> wishes, ProxyRules rules, std::string version);
  ~Proxy() override;

  /// The address of the server ("http://127.0.0.1:PORT/TOKEN"), behind which all targets are. To be told before anything
  /// is opened.
  void served_at(std::string address);

  struct Opened {
    std::size_t number = 0;
    std::string local;  // address for players; empty: it cannot be opened
    std::string error;
    std::string not_led{};  // lead mode: why the player chooses the quality all the same
  };
  /// Fetches the manifest, and makes a title of it. Of a list of channels, players get a list whose channels become titles
  /// when they are asked for. `done` is called once, in any thread.
  void open(const std::string& url, std::function<void(Opened)> done);
  /// Players lose the title.
  void close(std::size_t number);
  void use_link(const std::string& name, LinkUse use);

  void handle(Request request, std::function<void(Answer)> done) override;
  void left(const std::shared_ptr<IncomingFile>& file) override;
  void reads(const std::shared_ptr<IncomingFile>& file, bool reads) override;

  /// By all titles so far, also closed ones.
  std::vector<CarriedByLink> carried() const;

 private:
  /// `of_internet`: it may lead to no address near this machine.
  void open(const std::string& url, bool of_internet, std::function<void(Opened)> done);
  /// Fetches the manifest and makes a title of it, or a list of channels. Throws std::exception.
  Opened made(const std::string& url, LinkWishes wishes);
  void open_channel(const OpenTitles::Channel& channel, std::function<void(Answer)> done);
  Answer led_to(const OpenTitles::Target& target) const;
  void answer_page(const Request& request, const std::function<void(Answer)>& done);
  void answer_wish(const Request& request, const std::function<void(Answer)>& done);
  std::string status() const;
  /// Of the address: "/TOKEN".
  std::string path() const { return address_.substr(address_.rfind('/')); }

  const std::function<LinkWishes()> wishes_;
  const ProxyRules rules_;
  const std::string version_;
  std::string address_;
  OpenTitles titles_;
  LinkUses uses_;
  PageReporter reporter_;
  Documents documents_;  // last: its threads use all of the above
};

}  // namespace tributary::proxy
