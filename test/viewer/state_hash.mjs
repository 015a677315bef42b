// What state_hash.c does, in the WebAssembly module: node state_hash.mjs MODULE NAME STEPS SCENE [STEPS SCENE]... MODULE is the folder that `make module`
// fills, NAME abut or abut-simd. Scenes are found with all that is in their folder.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, name, ...rest] = process.argv.slice(2);
const { default: factory } = await import(pathToFileURL(join(folder, `${name}.js`)).href);
const abut = await factory({ wasmBinary: readFileSync(join(folder, `${name}.wasm`)) });

function copyFolder(path) {
  abut.FS.mkdirTree(path);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) copyFolder(inside);
    else abut.FS.writeFile(inside, readFileSync(inside));
  }
}

function load(path) {
  const size = abut.lengthBytesUTF8(path) + 1, text = abut._malloc(size);
  abut.stringToUTF8(path, text, size);
  const status = abut._module_load(text);
  abut._free(text);
  return status;
}

function run(path, steps) {
  let status = load(path);
  for (let i = 0; i < steps && status === 0 && !abut._module_finished(); i++) status = abut._module_step(1, 1);
  return abut.UTF8ToString(status === 0 ? abut._module_state_hash() : abut._module_error());
}

if ((abut._module_has_simd() !== 0) !== name.endsWith('simd')) {
  throw new Error(`${name} is not the variant that its name says`);
}
for (const path of new Set(rest.filter((_, i) => i % 2 === 1).map((path) => join(path, '..')))) copyFolder(path);
for (let i = 0; i + 1 < rest.length; i += 2) {
  const began = process.cpuUsage();
  console.log(run(rest[i + 1], Number(rest[i])));
  if (process.env.ABUT_TEST_TIMES) console.error(rest[i + 1], (process.cpuUsage(began).user / 1e6).toFixed(2), 's');
}
