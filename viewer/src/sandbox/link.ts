/**
 * The page's end of the worker: unpacks the WebAssembly module, the variant with vectors where the browser has them, and hands it over. The packed code is
 * in the page once; the worker's own script does not have it.
 */
import { scalar, simd } from 'abut-module/bytes';
import { hasVectors } from '../engine/engine';
import type { FromWorker, ToWorker } from './protocol';
import SandboxWorker from './worker?worker&inline';

async function unpack(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

export class Link {
  readonly vectors = hasVectors();
  private readonly worker = new SandboxWorker();

  constructor(listen: (message: FromWorker) => void, broken: (message: string) => void) {
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => listen(event.data);
    this.worker.onerror = (event) => broken(event.message || 'the worker could not be started');
    unpack(this.vectors ? simd : scalar).then(
      (wasm) => this.worker.postMessage({ kind: 'start', wasm } satisfies ToWorker, [wasm]),
      (error: unknown) => broken(String(error)));
  }

  send(message: ToWorker): void {
    const arrays = message.kind === 'drawn' && message.spare ? Object.values(message.spare) : [];
    this.worker.postMessage(message, (arrays as Float64Array[]).map((array) => array.buffer as ArrayBuffer));
  }
}
