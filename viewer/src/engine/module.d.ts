/** The WebAssembly module, as build.mjs hands it in. */
declare module 'abut-module/factory' {
  const factory: (settings: Record<string, unknown>) => Promise<unknown>;
  export default factory;
}
declare module 'abut-module/bytes' {
  /** gzip, base64 */
  export const scalar: string;
  export const simd: string;
}
