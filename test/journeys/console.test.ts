import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type AxeResults } from 'axe-core';
import { type Page } from 'playwright-core';

import { type ConsoleState } from '../../laptop/console/console-state';
import { type Browser, findChromium, startBrowser } from './support/browser';
import { latchkey } from './support/command';
import { type Place, placeOf, sweep } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { blocksOf } from './support/runbook';
import { RunningSystem } from './support/running-system';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The part of the page's DOM that functions evaluated in the browser use. */
declare const document: {
  documentElement: { scrollWidth: number };
};
declare const navigator: { clipboard: { readText: () => Promise<string> } };
declare const axe: { run: () => Promise<AxeResults> };
const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 900 };

/** Skips without a browser, unless one is required: then the suite fails. */
const describeInBrowser =
  findChromium() !== undefined || process.env.CI === 'true'
    ? describe
    : (name: string, tests: () => void) =>
        describe.skip(`${name} (skipped: no Chromium is installed)`, tests);

describeInBrowser('the console in a browser', () => {
  let system: RunningSystem;
  let url: string;
  let browser: Browser;
  let page: Page;
  let mea: Place;
  /** Errors that the browser reported. */
  const complaints: string[] = [];

  beforeAll(async () => {
    [system, browser] = await Promise.all([RunningSystem.start(), startBrowser({ viewport: DESKTOP })]);
    url = /^console (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(system.process.output)![1]!;
    mea = placeOf(system, 'staging', 'mea');
    await browser.context.addInitScript({ content: AXE });
    page = await browser.context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`);
    });
    await page.goto(url);
    await page.locator('.tenant').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  const tenant = (tenantId: string) => page.getByRole('article', { name: tenantId });
  const row = (tenantId: string, name: string) => tenant(tenantId).locator('.row').filter({ hasText: name });
  const textOf = async (tenantId: string, name: string): Promise<string> =>
    (await row(tenantId, name).locator('span').allTextContents()).join(' | ');
  const isSoon = async (holds: () => Promise<boolean>, withinMs = 20_000): Promise<void> => {
    const endsAtMs = Date.now() + withinMs;
    while (!(await holds())) {
      if (Date.now() > endsAtMs) throw new Error(`not within ${withinMs} ms: ${holds.toString()}`);
      await page.waitForTimeout(20);
    }
  };

  test('shows each environment, platform region and tenant with its tokens and credentials', async () => {
    const headings = await page.locator('.deployments h2').allTextContents();
    const tenants = await page.locator('.tenant h3').allTextContents();
    const [token, key] = [
      await textOf('eu-west-2_StagingOne', 'webhooks api/webhooks'),
      await textOf('eu-west-2_StagingOne', 'API key'),
    ];

    expect(headings).toEqual([
      'staging · global',
      'staging · mea',
      'production · global',
      'production · mea',
    ]);
    expect(tenants).toEqual(
      system.run.deployments.flatMap((deployment) => deployment.tenants.map(({ tenantId }) => tenantId)),
    );
    expect(token).toMatch(/ \| expires at \d\d:\d\d:\d\d, in (1 hour|59 minutes) \| fresh$/);
    expect(key).toMatch(/^API key \| ((due|rotates|expires) \d+ \w+ \d{4}(, )?){2,3} \| loaded$/);
    expect(await page.locator('#connection').textContent()).toBe('Live');
  });

  test('says whether the platform offers restore, and since when that is known', async () => {
    await latchkey(system, ['status']);

    const known = /^Restore offered by the platform, found out at \d\d:\d\d:\d\d$/;
    await isSoon(async () => {
      const shown = await page.locator('.availability').allTextContents();
      return shown.length === 4 && shown.every((text) => known.test(text));
    });
  });

  test('shows a change soon, without being loaded again', async () => {
    await system.advance(600);

    await isSoon(async () =>
      (await textOf('me-south-1_LiveMea', 'content api/read')).includes(', in 49 minutes'),
    );
    await isSoon(async () => (await page.locator('#ahead').textContent()) === '10 minutes ahead');
  });

  test('shows a fault, and the request that it failed', async () => {
    const { tenantId } = mea.tenant;
    await system.control('POST', '/faults', { target: 'token', status: 503, match: { tenantId }, times: 2 });
    await page.locator('#fault-list li').waitFor();
    const fault = await page.locator('#fault-list li').textContent();
    await system.control('DELETE', '/faults');
    await system.control('POST', '/faults', { target: 'token', status: 401, match: { tenantId } });
    await sweep(mea);
    await system.advance(3600);

    const failed = page.locator('#requests li').filter({ hasText: 'injected fault' }).first();
    await failed.waitFor();
    expect(fault).toBe(`activeThe token endpoint returns 503 for ${tenantId}, 2 more times`);
    expect(await failed.textContent()).toMatch(
      new RegExp(`token POST /staging/mea/auth/oauth2/token/${tenantId} ${tenantId}, \\d+ ms`),
    );
    expect(await failed.textContent()).toMatch(/injected fault: returns 401401$/);
  });

  test('lists a restore with who asked for it', async () => {
    const { tenant: other } = placeOf(system, 'production', 'mea');
    const flags = ['--environment', 'production', '--platform-region', 'mea', '--tenant', other.tenantId];
    const contentId = other.archivedContentIds[0]!;
    await latchkey(system, ['restore', contentId, '--author-ref', other.authorRefs[0]!, ...flags]);

    const entry = page.locator('#restores li').first();
    await entry.waitFor();
    expect(await entry.textContent()).toMatch(
      new RegExp(`${contentId} \\d+ ms production mea ${other.tenantId}by .+for ${other.authorRefs[0]!}`),
    );
    expect(await entry.textContent()).toMatch(/request [0-9a-f-]{36}trace 1-[0-9a-f]{8}-[0-9a-f]{24}200$/);
  });

  test('shows an alarm', async () => {
    const alarm = page.locator('.alarms li').filter({ hasText: mea.tenant.tenantId }).first();
    await alarm.waitFor();

    expect(await alarm.textContent()).toContain(`credential-refusedstaging · mea · ${mea.tenant.tenantId}`);
    expect(await alarm.locator('.state').textContent()).toBe('in alarm, notified');
    expect(await alarm.textContent()).toContain('The cause: The issuer refuses the client credential ');
  });

  test('shows the cause before the alarm, with one command', async () => {
    const cause = page.locator('#finding-list li').filter({ hasText: mea.tenant.tenantId }).first();

    expect(await cause.textContent()).toContain('The issuer refuses the client credential');
    const command = `npx latchkey credentials put --environment staging --platform-region mea --tenant ${mea.tenant.tenantId} --local`;
    expect(await cause.locator('code').allTextContents()).toEqual([command]);
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await cause.getByRole('button', { name: `Copy ${command}` }).click();
    await cause.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    expect(await page.locator('.alarms li').first().textContent()).toContain('The cause: ');
  });

  test('on a phone, findings and faults come before the tenants, and the logs after them', async () => {
    await page.setViewportSize(PHONE);
    const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!.y;

    const tops = [
      await topOf('#finding-list'),
      await topOf('#alarm-list'),
      await topOf('#fault-list'),
      await topOf('.tenant'),
      await topOf('#requests'),
    ];

    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  });

  test.each([
    ['light', DESKTOP],
    ['dark', DESKTOP],
    ['light', PHONE],
    ['dark', PHONE],
    ['light', SMALL_PHONE],
  ] as const)('everybody can use it: %s, %j', async (colorScheme, viewport) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);

    const violations = await page.evaluate(async () => {
      const { violations: found } = await axe.run();
      return found.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      );
    });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);

    expect(violations).toEqual([]);
    expect(width).toBeLessThanOrEqual(viewport.width);
  });

  test('removes the alarm once its cause is gone', async () => {
    await page.setViewportSize(DESKTOP);
    await system.control('DELETE', '/faults');
    for (let n = 0; n < 3; n += 1) await system.advance(300);

    await page.locator('.alarms').waitFor({ state: 'hidden' });
    expect(await page.locator('#faults').isVisible()).toBe(false);
  });

  test('the block of its page injects a fault and advances the clock', async () => {
    const file = 'docs/get-started.md';
    const [, text = ''] = readFileSync(join(PROJECT_ROOT, file), 'utf8').split('## Watch it');
    const [block = ''] = blocksOf({ file, text }, 'sh');
    const script = block
      .replaceAll('./.latchkey/', `${system.process.stateDir}/`)
      .replaceAll('npx latchkey', `node '${join(PROJECT_ROOT, 'bin/latchkey.cjs')}'`);
    const aheadMs = async () => ((await (await fetch(`${url}state`)).json()) as ConsoleState).aheadMs;
    const before = await aheadMs();

    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: PROJECT_ROOT,
      encoding: 'utf8',
      env: { ...process.env, LATCHKEY_STATE_DIR: system.process.stateDir },
    });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.match(/"now"/g)).toHaveLength(2);
    expect((await aheadMs()) - before).toBe(3900_000);
    const failed = page.locator('#requests li').filter({ hasText: 'injected fault: returns 503' }).first();
    expect(await failed.textContent()).toContain('me-south-1_LiveMea');
  });

  test('causes no error in the browser', () => {
    expect(complaints).toEqual([]);
  });

  test('reports the lost connection when the system stops', async () => {
    await system.stop();

    await page.locator('#connection[data-tone=bad]').waitFor();
    expect(await page.locator('#connection').textContent()).toBe('Disconnected, reconnecting');
  });
});
