/** The worker: makes the engine from the code that the page sends, then lives by loop.ts. */
import factory from 'abut-module/factory';
import { moduleEngine } from './module_engine';
import { Loop, type Host } from './loop';
import type { FromWorker, ToWorker } from './protocol';

// Of a timer, browsers make four milliseconds at least; a message to oneself comes at once, after those of the page.
const self_ = new MessageChannel();
let waiting: (() => void) | null = null;
self_.port1.onmessage = () => {
  const run = waiting;
  waiting = null;
  run?.();
};

const host: Host = {
  now: () => performance.now(),
  later: (milliseconds, run) => {
    if (milliseconds >= 1) {
      setTimeout(run, milliseconds);
    } else {
      waiting = run;
      self_.port2.postMessage(0);
    }
  },
  post: (message: FromWorker, transfer: Transferable[]) => (self as unknown as DedicatedWorkerGlobalScope).postMessage(message, transfer),
};

let loop: Loop | null = null;
const early: ToWorker[] = [];

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind !== 'start') {
    if (loop) loop.handle(message);
    else early.push(message);
    return;
  }
  moduleEngine(factory, message.wasm).then(
    (engine) => {
      loop = new Loop(engine, host);
      host.post({ kind: 'ready' }, []);
      for (const kept of early) loop.handle(kept);
      early.length = 0;
    },
    (error: unknown) => host.post({ kind: 'failed', load: 0, doing: 'start', message: error instanceof Error ? error.message : String(error) }, []));
};
