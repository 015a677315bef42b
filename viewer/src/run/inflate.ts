/** Text of a page to bytes: base64, then a zlib stream (RFC 1950), by what the browser has for both. */
import { BadData } from './planes';

/** A newer browser's own; others have atob() only. */
type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const own = (Uint8Array as unknown as FromBase64).fromBase64;
  try {
    if (own) return own.call(Uint8Array, text);
    const characters = atob(text), bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
    return bytes;
  } catch {
    throw new BadData('its text is not base64');
  }
}

/** Deflate shrinks nothing by more than this. */
const MOST_SHRINKING = 1032;

/** `size`: how many bytes are expected. The page says so, and it may say anything: memory is taken for what the packed bytes can hold. */
export async function inflate(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  if (!(size >= 0 && size <= MOST_SHRINKING * packed.length)) throw new BadData(`its compressed data are damaged: they cannot hold ${size} bytes`);
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  // What goes wrong is seen where it is read.
  writer.write(packed).catch(() => undefined);
  writer.close().catch(() => undefined);
  const bytes = new Uint8Array(size);
  const reader = stream.readable.getReader();
  let used = 0;
  for (;;) {
    const part = await reader.read().catch(() => {
      throw new BadData('its compressed data are damaged');
    });
    if (part.done) break;
    if (used + part.value.length > size) throw new BadData(`it has more than the ${size} bytes that were written`);
    bytes.set(part.value, used);
    used += part.value.length;
  }
  return bytes.subarray(0, used);
}
