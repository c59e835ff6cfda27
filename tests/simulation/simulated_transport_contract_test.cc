// The contract of all transports, kept in virtual time.
#include "simulation/simulated_transport.hh"
#include "transport/transport_contract.hh"

namespace tributary::transport {
namespace {

class SimulatedContractWorld final : public ContractWorld {
 public:
  explicit SimulatedContractWorld(const char* scenario)
      : scenario_{parse_scenario(scenario).front()}, transport_{scenario_, 1} {}

  HttpTransport& transport() override { return transport_; }
  TimePoint now() override { return now_; }
  void step() override {
    if (const auto next = transport_.next_deadline()) now_ = std::max(now_, *next);
    transport_.advance(now_);
  }
  std::string target() const override { return "/film.mp4"; }
  DataSize file_size() const override { return DataSize{2'000'000}; }
  std::optional<std::string> content(ByteRange /*range*/) const override { return std::nullopt; }
  std::optional<std::string> missing_target() const override { return std::nullopt; }

 private:
  LinkScenario scenario_;
  SimulatedTransport transport_;
  TimePoint now_;
};

ContractCase simulated_case(const std::string& name, const char* scenario) {
  return {name, [scenario] { return std::make_unique<SimulatedContractWorld>(scenario); }};
}

INSTANTIATE_TEST_SUITE_P(Simulated, TransportContract,
                         ::testing::Values(simulated_case("Fast", "a 50Mbps 20ms"),
                                           simulated_case("Slow", "a 1Mbps 200ms"),
                                           simulated_case("Lossy", "a 10Mbps 50ms, loss 2%")),
                         contract_case_name);

}  // namespace
}  // namespace tributary::transport
