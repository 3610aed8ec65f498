#include "hypervisor/libvirt/processors.hpp"

#include <cstring>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "hypervisor/libvirt/xml.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

// What domains are made with; see domainXml().
constexpr const char* kArchitecture = "x86_64";
constexpr const char* kMachineType = "pc";

bool says(pugi::xml_node node, const char* attribute, const char* value) {
  return std::strcmp(node.attribute(attribute).value(), value) == 0;
}

pugi::xml_node modeOf(const pugi::xml_document& capabilities, const char* name) {
  return capabilities.child("domainCapabilities").child("cpu").find_child_by_attribute("mode", "name", name);
}

std::set<std::string> requiredIn(pugi::xml_node cpu) {
  std::set<std::string> names;
  for (const pugi::xml_node feature : cpu.children("feature"))
    if (says(feature, "policy", "require")) names.insert(feature.attribute("name").value());
  return names;
}

Result<pugi::xml_document> parseCapabilities(const std::string& capabilities) {
  pugi::xml_document document;
  if (!document.load_string(capabilities.c_str()) || !document.child("domainCapabilities"))
    return fail(Code::Internal, "unreadable domain capabilities");
  if (!says(modeOf(document, "host-model"), "supported", "yes"))
    return fail(Code::Unavailable, "the hypervisor does not know the model of the host's processor");
  return document;
}

}  // namespace

Result<Processors> readProcessors(const std::string& capabilities) {
  const pugi::xml_document document = TRY(parseCapabilities(capabilities));
  const pugi::xml_node host = modeOf(document, "host-model");
  Processors found{.vendor = host.child("vendor").text().get(), .hostModel = host.child("model").text().get()};
  found.hostFeatures = requiredIn(host);
  for (const pugi::xml_node model : modeOf(document, "custom").children("model"))
    if (says(model, "usable", "yes")) found.models.insert(model.text().get());
  return found;
}

Result<std::string> hostProcessorXml(const std::string& capabilities) {
  const pugi::xml_document document = TRY(parseCapabilities(capabilities));
  pugi::xml_document alone;
  pugi::xml_node cpu = alone.append_child("cpu");
  set(cpu, "mode", "custom");
  set(cpu, "match", "exact");
  for (const pugi::xml_node part : modeOf(document, "host-model").children()) cpu.append_copy(part);
  return textOf(alone);
}

std::set<std::string> requiredFeatures(const std::string& cpu) {
  pugi::xml_document document;
  document.load_string(cpu.c_str());
  return requiredIn(document.child("cpu"));
}

Result<Processors> processorsOf(const Connection& connection, const Machine& machine) {
  const std::string type(domainType(machine.accelerator));
  const std::string capabilities = takeText(virConnectGetDomainCapabilities(
      connection.get(), machine.emulator.c_str(), kArchitecture, kMachineType, type.c_str(), 0));
  if (capabilities.empty()) return fail(lastError());
  Processors found = TRY(readProcessors(capabilities));
  found.inHardware = machine.accelerator == Accelerator::Kvm;
  const std::string host = TRY(hostProcessorXml(capabilities));
  const char* const hosts[] = {host.c_str()};
  // Of a single one it says what that is made of.
  const std::string expanded = takeText(virConnectBaselineHypervisorCPU(
      connection.get(), machine.emulator.c_str(), kArchitecture, kMachineType, type.c_str(),
      const_cast<const char**>(hosts), 1, VIR_CONNECT_BASELINE_CPU_EXPAND_FEATURES));
  if (expanded.empty()) return fail(lastError());
  found.features = requiredFeatures(expanded);
  return found;
}

}  // namespace godwit::hypervisor::libvirt
