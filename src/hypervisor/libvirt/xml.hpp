#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include <pugixml.hpp>

// Small words for documents that are built as trees.
namespace godwit::hypervisor::libvirt {

inline pugi::xml_node addText(pugi::xml_node parent, const char* name, const std::string& text) {
  pugi::xml_node child = parent.append_child(name);
  child.text().set(text.c_str());
  return child;
}

inline void set(pugi::xml_node node, const char* name, std::string_view value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(std::string(value).c_str());
}

inline std::string textOf(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
  return text.str();
}

}  // namespace godwit::hypervisor::libvirt
