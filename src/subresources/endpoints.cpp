#include "subresources/endpoints.hpp"

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "apiserver/status.hpp"
#include "kinds/migration.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"
#include "subresources/lifecycle.hpp"
#include "subresources/refusal.hpp"
#include "subresources/volumes.hpp"

namespace godwit::subresources {
namespace {

using apiserver::EndpointCall;
using apiserver::Objects;
using apiserver::Part;
using apiserver::Resource;
using object::Document;
using object::Key;

constexpr std::string_view kVersions[] = {"v1", "v1alpha3"};
constexpr std::string_view kNamePrefix = "kubevirt-migrate-vm-";

// The objects that the verbs are about.
struct Records {
  Objects& objects;
  const Resource& machines;
  const Resource& instances;
  const Resource& migrations;

  Result<std::optional<kinds::VirtualMachineInstance>> findInstance(const Key& key) const {
    return objects.find<kinds::VirtualMachineInstance>(instances, key);
  }

  Result<kinds::VirtualMachineInstance> instance(const Key& key) const {
    return schema::view<kinds::VirtualMachineInstance>(TRY(objects.get(instances, key)));
  }
};

template <class Options>
struct Asked {
  Document body;
  Options options;
  bool dryRun = false;

  apiserver::WriteOptions writing() const { return {.dryRun = dryRun, .part = Part::Whole}; }
};

// An empty body asks for nothing in particular. What is wrong with another is told with its path: 400.
template <class Options>
Result<Asked<Options>> read(const EndpointCall& call, std::string_view kind) {
  Asked<Options> asked;
  if (call.request.body.find_first_not_of(" \t\r\n") != std::string::npos)
    asked.body = TRY(apiserver::documentIn(call.request, kind));
  const schema::Findings findings = schema::check<Options>(asked.body);
  std::vector<std::string> wrong;
  for (const FieldProblem& problem : findings.problems) wrong.push_back(problem.path + ": " + problem.problem);
  for (const std::string& field : findings.unknownFields) wrong.push_back(fmt::format("unknown field \"{}\"", field));
  if (!wrong.empty())
    return fail(apiserver::badRequest(
        fmt::format("Can not unmarshal Request body to struct, error: {}", fmt::join(wrong, ", "))));
  asked.options = schema::view<Options>(asked.body);
  asked.dryRun = !asked.options.dryRun.empty();
  return asked;
}

http::Response accepted() { return apiserver::respondText(202, ""); }

// How long the guest that is there may take to shut down.
Result<> setGracePeriod(const Records& records, const Key& key, std::int64_t seconds, bool dryRun) {
  const auto change = [&](const Document& current) -> Result<Document> {
    Document after = current;
    if (!kinds::isFinal(schema::view<kinds::VirtualMachineInstance>(current).status.phase))
      after["spec"].as_object()["terminationGracePeriodSeconds"] = seconds;
    return after;
  };
  const auto written = records.objects.modify(records.instances, key, change, {.dryRun = dryRun, .part = Part::Whole});
  if (!written && written.error().code != Code::NotFound) return fail(written.error());
  return {};
}

// Puts a wish on the machine. The decision is made anew if somebody else writes it first, and by the instance as it was
// before: a shorter time to shut down is on record before the wish itself, so that whoever acts on the wish knows it.
template <class Options>
Result<http::Response> wish(const Records& records, const EndpointCall& call, const Asked<Options>& asked,
                            Result<> (*decide)(const Machine&, const Options&, Document&),
                            std::optional<std::int64_t> gracePeriod = std::nullopt) {
  const auto instance = TRY(records.findInstance(call.key));
  const auto change = [&](const Document& current) -> Result<Document> {
    Document after = current;
    TRY(decide({schema::view<kinds::VirtualMachine>(current), instance}, asked.options, after));
    return after;
  };
  if (gracePeriod) {
    TRY(records.objects.modify(records.machines, call.key, change, {.dryRun = true, .part = Part::Whole}));
    TRY(setGracePeriod(records, call.key, *gracePeriod, asked.dryRun));
    if (asked.dryRun) return accepted();
  }
  TRY(records.objects.modify(records.machines, call.key, change, asked.writing()));
  return accepted();
}

Result<http::Response> startMachine(const Records& records, const EndpointCall& call) {
  return wish(records, call, TRY(read<StartOptions>(call, "StartOptions")), start);
}

Result<http::Response> stopMachine(const Records& records, const EndpointCall& call) {
  const auto asked = TRY(read<StopOptions>(call, "StopOptions"));
  return wish(records, call, asked, stop, asked.options.gracePeriod);
}

Result<http::Response> restartMachine(const Records& records, const EndpointCall& call) {
  const auto asked = TRY(read<RestartOptions>(call, "RestartOptions"));
  return wish(records, call, asked, restart, asked.options.gracePeriodSeconds);
}

Result<http::Response> migrateMachine(const Records& records, const EndpointCall& call) {
  const auto asked = TRY(read<MigrateOptions>(call, "MigrateOptions"));
  TRY(records.objects.get(records.machines, call.key));
  TRY(checkMigratable(TRY(records.instance(call.key))));
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.generateName = kNamePrefix;
  migration.spec.vmiName = call.key.name;
  migration.spec.addedNodeSelector = asked.options.addedNodeSelector;
  TRY(records.objects.create(records.migrations, call.key.nameSpace, schema::write(migration).as_object(),
                             {.dryRun = asked.dryRun}));
  return accepted();
}

// The same change for a guest that stands or runs.
Result<http::Response> turn(const Records& records, const EndpointCall& call,
                            Result<> (*decide)(const kinds::VirtualMachineInstance&, Document&)) {
  const auto asked = TRY(read<PauseOptions>(call, "PauseOptions"));
  const auto change = [&](const Document& current) -> Result<Document> {
    Document after = current;
    TRY(decide(schema::view<kinds::VirtualMachineInstance>(current), after));
    return after;
  };
  TRY(records.objects.modify(records.instances, call.key, change, asked.writing()));
  return accepted();
}

Result<http::Response> pauseInstance(const Records& records, const EndpointCall& call) {
  return turn(records, call, pause);
}

Result<http::Response> unpauseInstance(const Records& records, const EndpointCall& call) {
  return turn(records, call, unpause);
}

void edit(const Asked<AddVolumeOptions>& asked, json::object& spec) { addVolume(asked.body, spec); }
void edit(const Asked<RemoveVolumeOptions>& asked, json::object& spec) { removeVolume(asked.options, spec); }

// What is asked for twice, because the first answer never came, is as good as done on the instance.
bool isDone(const kinds::VirtualMachineInstance& instance, const AddVolumeOptions& options) {
  return hasVolume(instance.spec.volumes, options);
}
bool isDone(const kinds::VirtualMachineInstance& instance, const RemoveVolumeOptions& options) {
  const std::string refused = obstacle(instance.spec.volumes, options);
  return refused.ends_with("does not exist");
}

template <class Options>
Result<> changeInstance(const Records& records, const Key& key, const Asked<Options>& asked, bool mayBeDone) {
  const auto change = [&](const Document& current) -> Result<Document> {
    const auto seen = schema::view<kinds::VirtualMachineInstance>(current);
    if (mayBeDone && isDone(seen, asked.options)) return current;
    if (seen.status.phase != kinds::InstancePhase::Running) return refuse(seen, "VMI is not running");
    if (seen.moving()) return refuse(seen, "a migration is in progress; volumes cannot come or go until it has ended");
    if (const std::string why = obstacle(seen.spec.allVolumes(), asked.options); !why.empty()) return refuse(seen, why);
    Document after = current;
    edit(asked, after["spec"].as_object());
    return after;
  };
  TRY(records.objects.modify(records.instances, key, change, asked.writing()));
  return {};
}

template <class Options>
Result<> changeTemplate(const Records& records, const Key& key, const Asked<Options>& asked, bool dryRun) {
  const auto change = [&](const Document& current) -> Result<Document> {
    const auto seen = schema::view<kinds::VirtualMachine>(current);
    if (const std::string why = obstacle(seen.spec.instance.spec.allVolumes(), asked.options); !why.empty())
      return refuse(seen, why);
    Document after = current;
    edit(asked, after["spec"].as_object()["template"].as_object()["spec"].as_object());
    return after;
  };
  TRY(records.objects.modify(records.machines, key, change, {.dryRun = dryRun, .part = Part::Whole}));
  return {};
}

template <class Options>
Result<http::Response> volumeOfInstance(const Records& records, const EndpointCall& call) {
  const auto asked = TRY(read<Options>(call, "VolumeOptions"));
  TRY(checkRequest(asked.options));
  TRY(changeInstance(records, call.key, asked, false));
  return accepted();
}

// The guest first: a call that ends half-way can be repeated until the template has it too.
template <class Options>
Result<http::Response> volumeOfMachine(const Records& records, const EndpointCall& call) {
  const auto asked = TRY(read<Options>(call, "VolumeOptions"));
  TRY(checkRequest(asked.options));
  TRY(changeTemplate(records, call.key, asked, true));
  const auto instance = TRY(records.findInstance(call.key));
  if (instance && !kinds::isFinal(instance->status.phase)) TRY(changeInstance(records, call.key, asked, true));
  if (!asked.dryRun) TRY(changeTemplate(records, call.key, asked, false));
  return accepted();
}

struct Verb {
  std::string_view resource;
  std::string_view name;
  Result<http::Response> (*answer)(const Records&, const EndpointCall&);
};

constexpr std::string_view kMachines = "virtualmachines";
constexpr std::string_view kInstances = "virtualmachineinstances";

constexpr Verb kVerbs[] = {
    {kMachines, "start", startMachine},
    {kMachines, "stop", stopMachine},
    {kMachines, "restart", restartMachine},
    {kMachines, "migrate", migrateMachine},
    {kMachines, "addvolume", volumeOfMachine<AddVolumeOptions>},
    {kMachines, "removevolume", volumeOfMachine<RemoveVolumeOptions>},
    {kInstances, "pause", pauseInstance},
    {kInstances, "unpause", unpauseInstance},
    {kInstances, "addvolume", volumeOfInstance<AddVolumeOptions>},
    {kInstances, "removevolume", volumeOfInstance<RemoveVolumeOptions>},
};

}  // namespace

std::vector<apiserver::Endpoint> endpoints(Objects& objects, const apiserver::Catalog& catalog) {
  const Records records{objects, catalog.at(schema::kind<kinds::VirtualMachine>),
                        catalog.at(schema::kind<kinds::VirtualMachineInstance>),
                        catalog.at(schema::kind<kinds::VirtualMachineInstanceMigration>)};
  std::vector<apiserver::Endpoint> all;
  for (const std::string_view version : kVersions)
    for (const Verb& verb : kVerbs)
      all.push_back(
          {.group = "subresources.kubevirt.io",
           .version = std::string(version),
           .resource = std::string(verb.resource),
           .subresource = std::string(verb.name),
           .kind = verb.resource == kMachines ? "VirtualMachine" : "VirtualMachineInstance",
           .verbs = {"update"},
           .answer = [records, answer = verb.answer](const EndpointCall& call) { return answer(records, call); }});
  return all;
}

}  // namespace godwit::subresources
