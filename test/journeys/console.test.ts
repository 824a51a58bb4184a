import { readFileSync } from 'node:fs';

import { type AxeResults } from 'axe-core';
import { type Browser, type Page } from 'playwright-core';

import { type ConsoleState } from '../../laptop/console/console-state';
import { CHROMIUM, startBrowser } from './support/browser';
import { latchkey } from './support/command';
import { blocksOf } from './support/pages';
import { type Place } from './support/place';
import { RunningSystem } from './support/running-system';
import { blockFor, runShell } from './support/shell';
import { sharedApp } from './support/synthesized-app';

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
  CHROMIUM !== undefined || process.env.CI === 'true'
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
    [system, browser] = await Promise.all([
      RunningSystem.start(['--assembly', await sharedApp()]),
      startBrowser(),
    ]);
    url = /^console (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(system.process.output)![1]!;
    mea = system.place('staging', 'mea');
    const context = await browser.newContext({ viewport: DESKTOP });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addInitScript({ content: AXE });
    page = await context.newPage();
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

  /** The text of the first such element, once it is there. */
  const textOf = (selector: string, hasText: string | RegExp = '') =>
    page.locator(selector).filter({ hasText }).first().textContent();
  const row = (tenantId: string, name: string) =>
    page.getByRole('article', { name: tenantId }).locator('.row').filter({ hasText: name });
  const cellsOf = async (tenantId: string, name: string): Promise<string> =>
    (await row(tenantId, name).locator('span').allTextContents()).join(' | ');

  test('shows each environment, platform region and tenant with its tokens and credentials', async () => {
    const headings = await page.locator('.deployments h2').allTextContents();
    const tenants = await page.locator('.tenant h3').allTextContents();

    expect(headings).toEqual([
      'staging · global',
      'staging · mea',
      'production · global',
      'production · mea',
    ]);
    expect(tenants).toEqual(
      system.run.deployments.flatMap((deployment) => deployment.tenants.map(({ tenantId }) => tenantId)),
    );
    expect(await cellsOf('eu-west-2_StagingOne', 'webhooks api/webhooks')).toMatch(
      / \| expires at \d\d:\d\d:\d\d, in (1 hour|59 minutes) \| fresh$/,
    );
    expect(await cellsOf('eu-west-2_StagingOne', 'API key')).toMatch(
      /^API key \| ((due|rotates|expires) \d+ \w+ \d{4}(, )?){2,3} \| loaded$/,
    );
    expect(await textOf('#connection')).toBe('Live');
  });

  test('says whether the platform offers restore, and since when that is known', async () => {
    await latchkey(system, ['status']);

    const hasText = /^Restore offered by the platform, found out at \d\d:\d\d:\d\d$/;
    await page.locator('.availability').filter({ hasText }).nth(3).waitFor();
  });

  test('shows a change soon, without being loaded again', async () => {
    await system.advance(600);

    await row('me-south-1_LiveMea', 'content api/read').filter({ hasText: ', in 49 minutes' }).waitFor();
    expect(await textOf('#ahead', /^10 minutes ahead$/)).not.toBeNull();
  });

  test('shows a fault, and the request that it failed', async () => {
    const { tenantId } = mea.tenant;
    await mea.fail('token', { status: 503, times: 2 });
    const fault = await textOf('#fault-list li');
    await system.control('DELETE', '/faults');
    await mea.fail('token', { status: 401 });
    await mea.sweep();
    await system.advance(3600);

    const failed = await textOf('#requests li', 'injected fault');
    expect(fault).toBe(`activeThe token endpoint returns 503 for ${tenantId}, 2 more times`);
    expect(failed).toMatch(
      new RegExp(`token POST /staging/mea/auth/oauth2/token/${tenantId} ${tenantId}, \\d+ ms`),
    );
    expect(failed).toMatch(/injected fault: returns 401401$/);
  });

  test('lists a restore with who asked for it', async () => {
    const other = system.place('production', 'mea');
    const { tenantId, archivedContentIds, authorRefs } = other.tenant;
    await other.command(`restore ${archivedContentIds[0]} --author-ref ${authorRefs[0]}`);

    const entry = await textOf('#restores li');
    expect(entry).toMatch(
      new RegExp(
        `${archivedContentIds[0]} \\d+ ms production mea ${tenantId}by .+for ${authorRefs[0]}` +
          'request [0-9a-f-]{36}trace 1-[0-9a-f]{8}-[0-9a-f]{24}200$',
      ),
    );
  });

  test('shows an alarm with its cause', async () => {
    const { tenantId } = mea.tenant;

    const alarm = await textOf('.alarms li', tenantId);

    expect(alarm).toContain(`credential-refusedstaging · mea · ${tenantId}`);
    expect(alarm).toContain('The cause: The issuer refuses the client credential ');
    expect(await textOf('.alarms li .state')).toBe('in alarm, notified');
  });

  test('shows the cause as a finding, with one command to copy', async () => {
    const cause = page.locator('#finding-list li').filter({ hasText: mea.tenant.tenantId }).first();
    const command = `npx latchkey credentials put ${mea.flags.join(' ')} --local`;

    expect(await cause.textContent()).toContain('The issuer refuses the client credential');
    expect(await cause.locator('code').allTextContents()).toEqual([command]);
    await cause.getByRole('button', { name: `Copy ${command}` }).click();
    await cause.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
  });

  test('on a phone, findings and faults come before the tenants, and the logs after them', async () => {
    await page.setViewportSize(PHONE);

    const tops: number[] = [];
    for (const selector of ['#finding-list', '#alarm-list', '#fault-list', '.tenant', '#requests'])
      tops.push((await page.locator(selector).first().boundingBox())!.y);

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

    const { violations } = await page.evaluate(() => axe.run());
    const width = await page.evaluate(() => document.documentElement.scrollWidth);

    const html = violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
    expect(html).toEqual([]);
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
    const [block = ''] = blocksOf('get-started.md#watch-it');
    const aheadMs = async () => ((await (await fetch(`${url}state`)).json()) as ConsoleState).aheadMs;
    const before = await aheadMs();

    const { exitCode, stdout, stderr } = await runShell(blockFor(system, block), {
      ...process.env,
      LATCHKEY_STATE_DIR: system.process.stateDir,
    });

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.match(/"now"/g)).toHaveLength(2);
    expect((await aheadMs()) - before).toBe(3900_000);
    const failed = await textOf('#requests li', 'injected fault: returns 503');
    expect(failed).toContain('me-south-1_LiveMea');
  });

  test('causes no error in the browser', () => {
    expect(complaints).toEqual([]);
  });

  test('reports the lost connection when the system stops', async () => {
    await system.stop();

    await page.locator('#connection[data-tone=bad]').waitFor();
    expect(await textOf('#connection')).toBe('Disconnected, reconnecting');
  });
});
