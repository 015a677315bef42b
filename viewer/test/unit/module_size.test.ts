/** What a page must load: either code of the module takes at most 785 kB, packed as servers send it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';

const folder = process.env['ABUT_MODULE'] ?? resolve(import.meta.dirname, '../../../build/viewer-module');

it.each(['abut.wasm', 'abut-simd.wasm'])('%s takes at most 785 kB', (name) => {
  const packed = brotliCompressSync(readFileSync(join(folder, name)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  console.log(`${name}: ${packed.length} bytes by brotli`);
  expect(packed.length).toBeLessThanOrEqual(785_000);
});
