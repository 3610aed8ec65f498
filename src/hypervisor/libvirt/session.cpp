#include "hypervisor/libvirt/session.hpp"

#include "hypervisor/libvirt/daemon_ping.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

bool isAlive(const Connection& connection) { return connection && virConnectIsAlive(connection.get()) == 1; }

}  // namespace

// Runs on a thread of its own, so it knows nothing but the configuration.
Result<Connection> openConnection(const LibvirtConfig& config) {
  if (const std::string socket = socketIn(config.uri); !socket.empty()) TRY(ping(socket, config.openPatience));
  if (const auto host = hostIn(config.uri)) TRY(knock(host->first, host->second, config.openPatience));
  return openQuietly(config.uri, config);
}

Result<Connection> openQuietly(const std::string& uri, const LibvirtConfig& config) {
  virConnect* const opened = virConnectOpen(uri.c_str());
  if (!opened) return fail(lastError(Code::Unavailable));
  Connection connection(opened, Release<virConnectClose>{});
  const auto interval = static_cast<int>(config.keepAliveInterval.count());
  if (virConnectSetKeepAlive(opened, interval, config.keepAliveCount) < 0) return fail(lastError(Code::Unavailable));
  return connection;
}

Session::Session(EventLoop& loop, const LibvirtConfig& config) : loop_(loop), config_(config) {}

Session::~Session() {
  Connection last;
  {
    const Lock lock(mutex_);
    changed_ = nullptr;
    last = std::move(subscribed_);
  }
  last.reset();
  // An event may be on its way to this object on the loop's thread.
  loop_.flush();
}

Result<Connection> Session::connection() {
  TRY(keepSubscribed());
  Connection owned = TRY(takeIdle());
  virConnect* const lent = owned.get();
  return Connection(lent, [this, owned = std::move(owned)](virConnect*) { giveBack(owned); });
}

Result<Domain> Session::find(const std::string& domain) {
  return learn([&](const Connection& connection) { return findDomain(connection, domain); });
}

void Session::whenChanged(std::function<void(const std::string&)> changed) {
  const Lock lock(mutex_);
  changed_ = std::move(changed);
}

Result<Connection> Session::open() {
  const auto attempt = opening_.begin([config = config_] { return openConnection(config); });
  if (const auto opened = attempt->answerWithin(config_.openPatience)) return *opened;
  return fail(Code::Timeout, "the daemon does not take connections");
}

Result<Connection> Session::takeIdle() {
  {
    const Lock lock(mutex_);
    while (!idle_.empty()) {
      const Connection candidate = std::move(idle_.back());
      idle_.pop_back();
      if (isAlive(candidate)) return candidate;
    }
  }
  return open();
}

void Session::giveBack(const Connection& connection) {
  if (!isAlive(connection)) return;
  const Lock lock(mutex_);
  idle_.push_back(connection);
}

Result<> Session::keepSubscribed() {
  {
    const Lock lock(mutex_);
    if (isAlive(subscribed_)) return {};
  }
  const Connection opened = TRY(open());
  const Connection fresh = TRY(subscribe(opened));
  Connection before;
  {
    const Lock lock(mutex_);
    // Somebody else was faster; what this one would report twice it does not report at all.
    if (isAlive(subscribed_)) return {};
    before = std::exchange(subscribed_, fresh);
  }
  if (before) notifyOfAll(fresh);
  return {};
}

Result<Connection> Session::subscribe(const Connection& connection) {
  const auto onLifecycle = [](virConnectPtr, virDomainPtr domain, int event, int detail, void* session) {
    static_cast<Session*>(session)->remember(virDomainGetName(domain), event, detail);
    onEvent(domain, session);
    return 0;
  };
  const auto onBlockJob = [](virConnectPtr, virDomainPtr domain, const char*, int, int, void* session) {
    onEvent(domain, session);
  };
  const auto onJobEnd = [](virConnectPtr, virDomainPtr domain, virTypedParameterPtr, int, void* session) {
    onEvent(domain, session);
  };
  const auto onDevice = [](virConnectPtr, virDomainPtr domain, const char*, void* session) {
    onEvent(domain, session);
  };
  const std::pair<int, virConnectDomainEventGenericCallback> wanted[] = {
      {VIR_DOMAIN_EVENT_ID_LIFECYCLE, VIR_DOMAIN_EVENT_CALLBACK(+onLifecycle)},
      {VIR_DOMAIN_EVENT_ID_BLOCK_JOB_2, VIR_DOMAIN_EVENT_CALLBACK(+onBlockJob)},
      {VIR_DOMAIN_EVENT_ID_DEVICE_REMOVED, VIR_DOMAIN_EVENT_CALLBACK(+onDevice)},
      {VIR_DOMAIN_EVENT_ID_JOB_COMPLETED, VIR_DOMAIN_EVENT_CALLBACK(+onJobEnd)}};
  // A subscription holds its connection open, and knows this object, until it is cancelled.
  const auto subscriptions = std::make_shared<std::vector<int>>();
  const Connection subscribed(connection.get(), [connection, subscriptions](virConnect* ending) {
    for (const int subscription : *subscriptions) virConnectDomainEventDeregisterAny(ending, subscription);
  });
  for (const auto& [event, callback] : wanted) {
    const int made = virConnectDomainEventRegisterAny(connection.get(), nullptr, event, callback, this, nullptr);
    if (made < 0) return fail(lastError(Code::Unavailable));
    subscriptions->push_back(made);
  }
  return subscribed;
}

void Session::onEvent(virDomain* domain, void* session) {
  static_cast<Session*>(session)->notify(virDomainGetName(domain));
}

Ending Session::endingOf(const std::string& domain) {
  const Lock lock(mutex_);
  const auto known = endings_.find(domain);
  return known == endings_.end() ? Ending::Unknown : known->second;
}

void Session::remember(const std::string& domain, int event, int detail) {
  const bool crashed = event == VIR_DOMAIN_EVENT_CRASHED ||
                       (event == VIR_DOMAIN_EVENT_STOPPED &&
                        (detail == VIR_DOMAIN_EVENT_STOPPED_CRASHED || detail == VIR_DOMAIN_EVENT_STOPPED_FAILED));
  const bool poweredOff = event == VIR_DOMAIN_EVENT_STOPPED && detail == VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN;
  const Lock lock(mutex_);
  if (crashed || poweredOff)
    endings_[domain] = crashed ? Ending::Crashed : Ending::PoweredOff;
  else if (event == VIR_DOMAIN_EVENT_STARTED)
    endings_.erase(domain);
}

void Session::notify(const std::string& domain) {
  std::function<void(const std::string&)> changed;
  {
    const Lock lock(mutex_);
    changed = changed_;
  }
  if (changed) changed(domain);
}

void Session::notifyOfAll(const Connection& connection) {
  const auto domains = activeDomains(connection);
  if (!domains) return;
  for (const Domain& domain : *domains)
    loop_.post([this, name = std::string(virDomainGetName(domain.get()))] { notify(name); });
}

Result<std::vector<Domain>> activeDomains(const Connection& connection) {
  virDomainPtr* found = nullptr;
  const int count = virConnectListAllDomains(connection.get(), &found, VIR_CONNECT_LIST_DOMAINS_ACTIVE);
  if (count < 0) return fail(lastError(Code::Unavailable));
  const std::unique_ptr<virDomainPtr[], Release<free>> array(found);
  std::vector<Domain> domains;
  domains.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) domains.push_back(holdDomain(connection, array[static_cast<std::size_t>(i)]));
  return domains;
}

}  // namespace godwit::hypervisor::libvirt
