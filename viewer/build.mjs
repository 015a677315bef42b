/*
 * Builds the pages: each one file, with its script, its style and, where it needs it, the WebAssembly module inside, so that it works from a disk as well
 * as from a server and asks the network for nothing.
 *
 *   node build.mjs --module FOLDER --out FOLDER [--page NAME]
 *
 * FOLDER of the module has abut.js, abut.wasm and abut-simd.wasm (`make module`).
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    module: { type: 'string', default: join(root, '../build/viewer-module') },
    out: { type: 'string', default: join(root, '../build/release/viewer') },
    page: { type: 'string', multiple: true, default: ['replay', 'explorer', 'sandbox'] },
  },
});
const moduleFolder = resolve(values.module);

/** `abut-module/factory` is what Emscripten made, `abut-module/bytes` the code of both variants: gzip, base64. */
function abutModule() {
  // What the factory would ask of Node.js it never does in a browser.
  const node = new Set(['fs', 'path', 'url', 'crypto', 'module', 'worker_threads', 'perf_hooks']);
  return {
    name: 'abut-module',
    enforce: 'pre',
    resolveId(id) {
      if (id === 'abut-module/factory') return join(moduleFolder, 'abut.js');
      if (id === 'abut-module/bytes') return '\0abut-module/bytes';
      return node.has(id) ? `\0nothing` : null;
    },
    load(id) {
      if (id === '\0nothing') return 'export default {}; export const createRequire = () => () => ({});';
      if (id !== '\0abut-module/bytes') return null;
      const packed = (name) => JSON.stringify(gzipSync(readFileSync(join(moduleFolder, name)), { level: 9 }).toString('base64'));
      return `export const scalar = ${packed('abut.wasm')};\nexport const simd = ${packed('abut-simd.wasm')};\n`;
    },
  };
}

/** Where `abut view` puts the data. */
const DATA = '<!--abut:runs-->';

/** Moves the one script and the one style of a page into it. */
function inOneFile() {
  return {
    name: 'in-one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((part) => part.fileName.endsWith('.html'));
      for (const part of Object.values(bundle)) {
        if (part === page) continue;
        const name = part.fileName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        if (part.type === 'chunk') {
          const code = part.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
          page.source = page.source.replace(new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`), '');
          // A page that carries data begins before all of them have been read.
          page.source = page.source.includes(DATA)
            ? page.source.replace(DATA, () => `<script type="module" async>${code}</script>\n${DATA}`)
            : page.source.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
        } else {
          page.source = page.source.replace(new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`), () => `<style>${part.source}</style>`);
        }
        delete bundle[part.fileName];
      }
    },
  };
}

mkdirSync(values.out, { recursive: true });
for (const page of values.page) {
  const [result] = [await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    plugins: [abutModule(), inOneFile()],
    worker: { format: 'iife', plugins: () => [abutModule()] },
    build: {
      target: 'es2022',
      write: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      chunkSizeWarningLimit: Infinity,
      cssCodeSplit: false,
      modulePreload: false,
      rollupOptions: { input: join(root, `${page}.html`), output: { inlineDynamicImports: true } },
    },
  })].flat();
  const html = result.output.find((part) => part.fileName.endsWith('.html'));
  if (!html || result.output.length !== 1) {
    throw new Error(`${page}: not everything went into one file: ${result.output.map((part) => part.fileName).join(', ')}`);
  }
  const path = join(values.out, `${page}.html`);
  writeFileSync(`${path}.part`, html.source);
  renameSync(`${path}.part`, path);
  console.log(`${path}  ${(Buffer.byteLength(html.source) / 1024).toFixed(0)} KiB`);
}
