import { type Page } from 'playwright-core';

import { consoleView } from '../../local/console/console-view';
import { type ConsoleServer, startConsoleServer } from '../../local/console/console-server';
import { LiveState } from '../../local/console/live-state';
import { NOW_MS } from '../local/console/shown-account';
import { ShownTenants } from '../local/console/shown-tenants';
import { RecordingReporter } from '../support/local/recording-reporter';
import { type Browser, findChromium, startBrowser } from './support/browser';

const TENANTS = 300;
const READ = { interface: 'content', scope: 'api/read' } as const;

/** Skips without a browser, unless one is required: then the suite fails. */
const describeInBrowser =
  findChromium() !== undefined || process.env.CI === 'true' ? describe : describe.skip;

describeInBrowser('the console with many tenants', () => {
  const shown = new ShownTenants(TENANTS);
  let live: LiveState;
  let server: ConsoleServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    live = new LiveState({
      readState: async () => consoleView(shown.input()),
      onError: (error) => {
        throw error;
      },
    });
    const runAction = async () => ({ ok: true, message: 'Done' });
    [server, browser] = await Promise.all([
      startConsoleServer({ live, runAction, reporter: new RecordingReporter(), port: 0 }),
      startBrowser({ viewport: { width: 1280, height: 900 } }),
    ]);
    page = await browser.context.newPage();
    await page.goto(server.url);
    await page.locator('.row').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    live?.close();
    await server?.close();
  });

  const firstName = () => page.locator('.tenant h3').first().textContent();
  const count = () => page.locator('#tenants-count').textContent();

  test('names every tenant, and draws those near the window', async () => {
    const names = await page.locator('.tenant h3').count();
    const drawn = await page.locator('.tenant:has(.row)').count();

    expect(names).toBe(TENANTS);
    expect(drawn).toBeGreaterThan(2);
    expect(drawn).toBeLessThan(30);
    expect(await count()).toBe('300 tenants, those with problems first');
  });

  test('draws a tenant that comes near the window, and updates it', async () => {
    const last = page.getByRole('article', { name: 'eu-west-2_T0299' });
    await last.scrollIntoViewIfNeeded();
    const meter = last.getByRole('meter', { name: 'content api/read: time left' });
    await meter.waitFor();

    shown.store('eu-west-2_T0299', READ, NOW_MS + 1_500_000);

    await last
      .locator('.row', { hasText: 'renewal due' })
      .or(last.locator('.row', { hasText: '24:' }))
      .first()
      .waitFor();
    expect(Number(await meter.getAttribute('aria-valuenow'))).toBeLessThanOrEqual(1_500);
  });

  test('shows a tenant whose token has expired first, unless the focus is in the list', async () => {
    await page.evaluate('scrollTo(0, 0)');
    const button = page.getByRole('button', { name: 'Refresh content api/read of eu-west-2_T0000' });
    await button.focus();
    shown.store('eu-west-2_T0150', READ, NOW_MS - 1);
    await page.locator('#finding-list li').waitFor();
    const whileFocused = await firstName();

    await page.locator('#tenants-search').focus();
    await page.locator('.tenant:first-child h3', { hasText: 'T0150' }).waitFor();

    expect(whileFocused).toBe('eu-west-2_T0000');
  });

  test('finds tenants by name and by state', async () => {
    const search = page.locator('#tenants-search');
    await search.fill('t029');
    const byName = await count();
    await search.fill('expired');
    const byState = [await count(), await page.locator('.tenant:visible h3').allTextContents()];
    await search.fill('');

    expect(byName).toBe('10 of 300 tenants');
    expect(byState).toEqual(['1 of 300 tenants', ['eu-west-2_T0150']]);
  });

  test('is reached with the keyboard from one tenant to the next, beyond what was drawn', async () => {
    await page.getByRole('button', { name: 'Refresh webhooks api/webhooks of eu-west-2_T0000' }).focus();
    const reached = new Set<string>();
    for (let n = 0; n < 60; n += 1) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate('document.activeElement.closest(".tenant")?.ariaLabel ?? ""'));
    }

    expect(reached.has('eu-west-2_T0012')).toBe(true);
  });
});
