/** The library in the page, as the explorer asks it: the WebAssembly module without vectors, for one question at a time needs none. */
import createAbut from 'abut-module/factory';
import { scalar } from 'abut-module/bytes';
import type { Vec3 } from '../run/run';
import { createEngine, EngineError } from '../engine/engine';
import type { Engine } from './question';

const triples = (flat: number[]): Vec3[] => Array.from({ length: flat.length / 3 }, (_, i) => flat.slice(3 * i, 3 * i + 3) as Vec3);

async function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

export async function loadEngine(): Promise<Engine> {
  const engine = await createEngine(createAbut, await unpacked(scalar));
  return {
    command: (args) => engine.command(args),
    writeFile: (path, bytes) => engine.writeFile(path, bytes),
    shape(argument, hull) {
      try {
        const drawing = engine.shapeJson(argument, hull);
        return { ...drawing, gauss: drawing.gauss && { ...drawing.gauss, normals: triples(drawing.gauss.normals) } };
      } catch (error) {
        if (error instanceof EngineError) return { problem: error.message };
        throw error;
      }
    },
  };
}
