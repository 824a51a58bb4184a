import { statSync } from 'node:fs';
import { join } from 'node:path';

import { startBrowser } from '../../test/journeys/support/browser';
import { PROJECT_ROOT } from '../../test/journeys/support/local-process';
import { RunningSystem } from '../../test/journeys/support/running-system';

/**
 * Takes the screenshots of the console: one tenant's tokens cannot be renewed, and the others are unaffected. Writes
 * docs/images/console*.png.
 */
const FOLDER = join(PROJECT_ROOT, 'docs/images');
const MAX_BYTES = 120_000;
const SIZE = { width: 1280, height: 720 };
const PICTURES = [
  { name: 'console.png', colorScheme: 'light', size: SIZE },
  { name: 'console-dark.png', colorScheme: 'dark', size: SIZE },
  { name: 'console-phone.png', colorScheme: 'light', size: { width: 390, height: 1040 } },
] as const;

async function takePicture(): Promise<void> {
  const system = await RunningSystem.startAsUsersDo();
  const browser = await startBrowser({ viewport: SIZE });
  try {
    const page = await browser.context.newPage();
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(/^console (\S+)$/m.exec(system.process.output)![1]!);
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator('#outcome[data-tone=good], #outcome[data-tone=bad]').waitFor();
    };
    // Two minutes after a sweep, so that a later sweep finds tokens close to their expiry.
    await system.advance(120);
    await press('Refresh content api/read of eu-west-2_StagingTwo');
    await press('Refresh content api/write of eu-west-2_StagingTwo');
    await press('Restore a record of eu-west-2_StagingOne');
    await page.getByLabel('What happens').selectOption('503');
    await page.getByLabel('Tenant').selectOption({ label: 'eu-west-2_StagingTwo' });
    await press('Inject fault');
    await system.advance(3530);
    await press('Restore a record of me-south-1_StagingMea');
    await page.locator('h1').click();
    await page.locator('#outcome:empty').waitFor({ state: 'attached' });
    for (const { name, colorScheme, size } of PICTURES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      await page.screenshot({ path: join(FOLDER, name) });
    }
  } finally {
    await browser.close();
    await system.stop();
  }
  for (const { name } of PICTURES) {
    const { size } = statSync(join(FOLDER, name));
    if (size > MAX_BYTES) throw new Error(`${name}: found ${size} bytes; allowed: ${MAX_BYTES}`);
  }
}

takePicture().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
