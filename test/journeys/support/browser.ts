import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type BrowserContext, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** A browser that does nothing on its own account: it reaches no further than the page. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where Chromium is installed; undefined where it is not. */
export function findChromium(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

/** A headless browser with an empty profile, and what ends it with all it left. */
export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** @throws {Error} where no Chromium is installed */
export async function startBrowser(
  options: { deviceScaleFactor?: number; viewport?: { width: number; height: number } } = {},
): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`no Chromium at ${PLACES.join(', ')}`);
  const profile = mkdtempSync(join(tmpdir(), 'latchkey-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    chromiumSandbox: false,
    args: FLAGS,
    ...options,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
