#include <cstdio>

#include "bin/commands.hpp"
#include "kinds/registry.hpp"
#include "object/yaml.hpp"

namespace godwit::bin {

int runCrdsCommand() {
  for (const schema::Definition& definition : kinds::custom())
    std::printf("---\n%s", object::writeYaml(schema::crd(definition)).c_str());
  return 0;
}

}  // namespace godwit::bin
