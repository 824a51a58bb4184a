import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type BrowserContext, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Keeps Chromium from sending requests of its own. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of an installed Chromium; undefined if there is none. */
export function findChromium(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

/** A headless browser with an empty profile, and a function that closes it and removes the profile. */
export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** @throws {Error} if Chromium is not installed */
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
