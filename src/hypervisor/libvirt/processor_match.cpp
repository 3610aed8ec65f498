#include "hypervisor/libvirt/processor_match.hpp"

#include <algorithm>

#include <libvirt/virterror.h>

#include "hypervisor/libvirt/xml.hpp"

namespace godwit::hypervisor::libvirt {

Result<std::string> processorIn(const std::string& domainXml) {
  pugi::xml_document parsed;
  if (!parsed.load_string(domainXml.c_str()))
    return fail(Code::Internal, "libvirt's document of the domain is unreadable");
  const pugi::xml_node domain = parsed.child("domain");
  pugi::xml_document made;
  pugi::xml_node processor = made.append_child("processor");
  set(processor, "virttype", domain.attribute("type").value());
  set(processor, "arch", domain.child("os").child("type").attribute("arch").value());
  if (const pugi::xml_node cpu = domain.child("cpu")) processor.append_copy(cpu);
  return textOf(made);
}

Result<std::string> processorOf(virDomain& domain) {
  const std::string xml = takeText(virDomainGetXMLDesc(&domain, VIR_DOMAIN_XML_MIGRATABLE));
  if (xml.empty()) return fail(lastError());
  return processorIn(xml);
}

Result<std::vector<std::string>> lackingFeatures(virConnect& connection, const std::string& processor) {
  pugi::xml_document parsed;
  if (!parsed.load_string(processor.c_str()) || !parsed.child("processor"))
    return fail(Code::Invalid, "this is not the description of a processor: " + processor);
  const pugi::xml_node described = parsed.child("processor");
  pugi::xml_document cpu;
  if (!cpu.append_copy(described.child("cpu"))) return std::vector<std::string>();
  const int compared = virConnectCompareHypervisorCPU(&connection, nullptr, described.attribute("arch").value(),
                                                      nullptr, described.attribute("virttype").value(),
                                                      textOf(cpu).c_str(), VIR_CONNECT_COMPARE_CPU_FAIL_INCOMPATIBLE);
  if (compared >= 0) return std::vector<std::string>();
  if (virGetLastErrorCode() != VIR_ERR_CPU_INCOMPATIBLE) return fail(lastError());
  return featuresIn(virGetLastErrorMessage());
}

std::vector<std::string> featuresIn(const std::string& complaint) {
  static constexpr std::string_view kBefore = "required features: ";
  const std::size_t found = complaint.rfind(kBefore);
  if (found == std::string::npos) return {complaint};
  std::vector<std::string> features;
  std::size_t from = found + kBefore.size();
  while (from < complaint.size()) {
    const std::size_t comma = std::min(complaint.find(", ", from), complaint.size());
    features.push_back(complaint.substr(from, comma - from));
    from = comma + 2;
  }
  return features;
}

}  // namespace godwit::hypervisor::libvirt
