/**
 * A browser for the tests of the pages: Debian's Chromium without a window, drawing by software. Everything that a page prints as a warning or an error,
 * every request that leaves the page, and every exception is kept, and closing the page fails when there was one.
 *
 * The environment says where things are: ABUT_PAGES, the folder of the built pages; ABUT_TEST_COMMAND, the abut command; ABUT_TEST_SOURCE_DIR;
 * ABUT_TEST_SCRATCH_DIR; ABUT_SCREENSHOTS, the folder of pictures, kept as artefacts of the build.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const setting = (name: string, otherwise: string) => process.env[name] ?? otherwise;

export const sources = setting('ABUT_TEST_SOURCE_DIR', root);
export const pages = setting('ABUT_PAGES', join(root, 'build/release/viewer'));
export const command = setting('ABUT_TEST_COMMAND', join(root, 'build/release/abut'));
export const scratch = setting('ABUT_TEST_SCRATCH_DIR', '/tmp/abut-viewer-test');
export const screenshots = setting('ABUT_SCREENSHOTS', join(root, 'build/release/screenshots'));
mkdirSync(scratch, { recursive: true });
mkdirSync(screenshots, { recursive: true });

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: setting('ABUT_CHROMIUM', '/usr/bin/chromium'),
    args: [
      '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  });
}

export const LAPTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1, colorScheme: 'dark', reducedMotion: 'reduce',
};

/** Runs in a page before all that is its own: a browser that cannot draw in three dimensions. */
export function withoutWebGL(): void {
  const whole = HTMLCanvasElement.prototype.getContext as (kind: string, ...rest: unknown[]) => unknown;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    return kind.startsWith('webgl') ? null : whole.call(this, kind, ...rest);
  } as typeof HTMLCanvasElement.prototype.getContext;
}

export class Visit {
  private readonly complaints: string[] = [];

  private constructor(readonly page: Page) {
    page.on('console', (message) => {
      // What the software renderer says of itself is not the page's.
      if (['warning', 'error'].includes(message.type()) && !/GPU stall due to ReadPixels|GroupMarkerNotSet|swiftshader/i.test(message.text())) {
        this.complaints.push(`${message.type()}: ${message.text()}`);
      }
    });
    page.on('pageerror', (error) => this.complaints.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) this.complaints.push(`a request to ${request.url()}`);
    });
  }

  /** Opens a page of the disk: a path, or a page's name; `hash` goes behind its address, and `before` runs in the page before all that is its own. */
  static async open(browser: Browser, path: string, options: BrowserContextOptions = LAPTOP, hash = '', before?: () => void): Promise<Visit> {
    const context = await browser.newContext(options);
    if (before) await context.addInitScript(before);
    const visit = new Visit(await context.newPage());
    await visit.page.goto(pathToFileURL(path.endsWith('.html') ? path : join(pages, `${path}.html`)).href + hash);
    return visit;
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** What axe-core finds wrong with the page: rules of WCAG 2.2, levels A and AA, and its best practices. */
  async accessibility(): Promise<string[]> {
    await this.page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    return this.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
      const found = await axe.run();
      return found.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' | ')}`);
    });
  }

  /** Ends the visit; throws when the page complained. */
  async close(): Promise<void> {
    await this.page.context().close();
    if (this.complaints.length > 0) throw new Error(`the page complained:\n${this.complaints.join('\n')}`);
  }
}
