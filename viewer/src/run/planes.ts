/**
 * How numbers lie in the blocks of a replay page. "Planes": the lowest bytes of all numbers, then the second bytes, and so on, which deflate packs well.
 * "Float order": the bits of a float32 as an integer that grows with the number, so that differences of near numbers are small.
 */

/** Damaged data; the message says what is wrong with them. */
export class BadData extends Error {}

/** `count` int32 from their four planes, which begin at byte `at`. */
export function joinInts(bytes: Uint8Array, at: number, count: number): Int32Array {
  if (at < 0 || at + 4 * count > bytes.length) throw new BadData(`${bytes.length} bytes are too few for ${count} numbers`);
  const joined = new Int32Array(count);
  const second = at + count, third = second + count, fourth = third + count;
  for (let i = 0; i < count; i++) {
    joined[i] = bytes[at + i] | (bytes[second + i] << 8) | (bytes[third + i] << 16) | (bytes[fourth + i] << 24);
  }
  return joined;
}

/** `count` float64 from their eight planes, which begin at byte `at`. */
export function joinDoubles(bytes: Uint8Array, at: number, count: number): Float64Array {
  if (at < 0 || at + 8 * count > bytes.length) throw new BadData(`${bytes.length} bytes are too few for ${count} numbers`);
  const joined = new Float64Array(count), view = new Uint8Array(joined.buffer);
  for (let plane = 0; plane < 8; plane++) {
    const from = at + plane * count;
    for (let i = 0; i < count; i++) view[8 * i + plane] = bytes[from + i];
  }
  return joined;
}

/** Numbers in float order become the float32 that they stand for, in the same memory. */
export function floatsInPlace(ordered: Int32Array): Float32Array {
  for (let i = 0; i < ordered.length; i++) {
    const n = ordered[i];
    if (n < 0) ordered[i] = (0x80000000 - n) | 0;
  }
  return new Float32Array(ordered.buffer, ordered.byteOffset, ordered.length);
}
