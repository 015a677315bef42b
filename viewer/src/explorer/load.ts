/** The library in the page: the WebAssembly module, as the explorer asks it. */
import createAbut from 'abut-module/factory';
import { scalar } from 'abut-module/bytes';
import type { GaussMap } from '../scene/gaussmap';
import type { Vec3 } from '../run/run';
import type { Done, Drawn, Engine } from './question';

interface Module {
  callMain(args: string[]): number;
  FS: { writeFile(path: string, bytes: Uint8Array): void; mkdirTree(path: string): void };
  stringToUTF8(text: string, at: number, most: number): void;
  lengthBytesUTF8(text: string): number;
  UTF8ToString(at: number): string;
  _malloc(size: number): number;
  _free(at: number): void;
  _module_shape_json(argument: number, hull: number): number;
  _module_error(): number;
}

/** Normals come as a flat list. */
interface Told extends Omit<Drawn, 'gauss'> { gauss: { normals: number[]; edges: [number, number][]; vertices: number[][] } | null }

function triples(flat: number[]): Vec3[] {
  return Array.from({ length: flat.length / 3 }, (_, i) => flat.slice(3 * i, 3 * i + 3) as Vec3);
}

export async function loadEngine(): Promise<Engine> {
  const packed = Uint8Array.from(atob(scalar), (c) => c.charCodeAt(0));
  const wasmBinary = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  let out: string[] = [], err: string[] = [];
  const module = await (createAbut as (settings: object) => Promise<Module>)({ wasmBinary, print: (line: string) => out.push(line), printErr: (line: string) => err.push(line) });
  return {
    command(args): Done {
      out = [];
      err = [];
      let status: number;
      try {
        status = module.callMain([...args]);
      } catch (error) {
        status = (error as { status?: number }).status ?? 1;
      }
      return { status, out: `${out.join('\n')}\n`, err: err.join('\n') };
    },
    shape(argument, hull) {
      const size = module.lengthBytesUTF8(argument) + 1, at = module._malloc(size);
      module.stringToUTF8(argument, at, size);
      const text = module._module_shape_json(at, hull ? 1 : 0);
      module._free(at);
      if (text === 0) return { problem: module.UTF8ToString(module._module_error()) };
      const told = JSON.parse(module.UTF8ToString(text)) as Told;
      const gauss: GaussMap | null = told.gauss && { ...told.gauss, normals: triples(told.gauss.normals) };
      return { ...told, gauss };
    },
    writeFile(path, bytes) {
      const folder = path.replace(/\/?[^/]*$/, '');
      if (folder) module.FS.mkdirTree(folder);
      module.FS.writeFile(path, bytes);
    },
  };
}
