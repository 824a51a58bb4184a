import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of an installed Chromium; undefined if there is none. */
export const CHROMIUM = PATHS.find((path) => existsSync(path));

/** Starts a headless browser that sends no requests of its own. @throws {Error} if Chromium is not installed */
export function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(`no Chromium at ${PATHS.join(', ')}`);
  return chromium.launch({
    executablePath: CHROMIUM,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
