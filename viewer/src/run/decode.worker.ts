/** Unpacks blocks beside the page, which goes on drawing meanwhile. */
import { blockBuffers, readBlock, type BlockSpec } from './blocks';
import { fromBase64, inflate } from './inflate';

const scope = self as unknown as DedicatedWorkerGlobalScope;

scope.onmessage = async (event: MessageEvent<{ id: number; text: string; spec: BlockSpec }>) => {
  const { id, text, spec } = event.data;
  try {
    const block = readBlock(await inflate(fromBase64(text), spec.entry.bytes), spec);
    scope.postMessage({ id, block }, blockBuffers(block));
  } catch (error) {
    scope.postMessage({ id, error: (error as Error).message });
  }
};
