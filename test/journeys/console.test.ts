import { readFileSync } from 'node:fs';
import { get } from 'node:http';

import { type AxeResults } from 'axe-core';
import { type Page } from 'playwright-core';

import { type Canary, findCanaries, type VisibleText } from '../support/canaries';
import { type Browser, findChromium, startBrowser } from './support/browser';
import { latchkey } from './support/command';
import { load, type Place, placeOf } from './support/journeys';
import { RunningSystem } from './support/running-system';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The part of the page's DOM that functions evaluated in the browser use. */
declare const document: {
  activeElement: { ariaLabel: string | null; textContent: string };
  documentElement: { scrollWidth: number };
};
declare const getComputedStyle: (element: object) => { outlineStyle: string };
declare const layoutFaults: (row: unknown) => string[];
declare const axe: { run: () => Promise<AxeResults> };
/** In the page: what is wrong with how a tenant's row is laid out. */
const LAYOUT_FAULTS = `globalThis.layoutFaults = (row) => {
  const cells = [...row.children].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    return { cell, lines, box: cell.matches('.bar') ? cell.getBoundingClientRect() : range.getBoundingClientRect() };
  });
  const touch = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return cells.flatMap(({ cell, lines, box }, at) => [
    ...(cell.matches('.value, .end') && lines > 1 ? [cell.textContent + ': ' + lines + ' lines'] : []),
    ...cells
      .slice(at + 1)
      .filter((other) => box.width > 0 && other.box.width > 0 && touch(box, other.box))
      .map((other) => cell.textContent + ' overlaps ' + other.cell.textContent),
  ]);
}`;

const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 900 };
const PLANTED = 'kX7-planted-in-many-places-9fQ2';

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
  /** All that the console has sent. */
  const sent: VisibleText[] = [];
  let endEvents: () => void;

  beforeAll(async () => {
    [system, browser] = await Promise.all([RunningSystem.start(), startBrowser({ viewport: DESKTOP })]);
    url = /^console (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(system.process.output)![1]!;
    mea = placeOf(system, 'staging', 'mea');
    endEvents = recordEvents();
    await browser.context.addInitScript({ content: AXE });
    await browser.context.addInitScript({ content: LAYOUT_FAULTS });
    page = await browser.context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => {
      if (!request.url().endsWith('/events')) complaints.push(`${request.url()} failed`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`);
      if (!response.url().endsWith('/events')) {
        void response.text().then((text) => sent.push({ place: response.url(), text }));
      }
    });
    await page.goto(url);
    await page.locator('.tenant').first().waitFor();
  });
  afterAll(async () => {
    endEvents?.();
    await browser?.close();
    await system?.stop();
  });

  /** The browser gives no body of a stream that stays open, so the events are read directly. */
  function recordEvents(): () => void {
    const opened = get(`${url}events`, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => sent.push({ place: 'events', text }));
      response.on('error', () => undefined);
    });
    return () => opened.destroy();
  }

  const tenant = (tenantId: string) => page.getByRole('article', { name: tenantId });
  const meter = (tenantId: string, name: string) => tenant(tenantId).getByRole('meter', { name });
  const lifeSec = async (tenantId: string, token: string): Promise<number> =>
    Number(await meter(tenantId, `${token}: time left`).getAttribute('aria-valuenow'));
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Waits for the outcome of the last action. */
  const outcome = async (tone: 'good' | 'bad'): Promise<string> =>
    (await page.locator(`#outcome[data-tone=${tone}]`).textContent()) ?? '';
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
      await meter('eu-west-2_StagingOne', 'webhooks api/webhooks: time left').getAttribute('aria-valuetext'),
      await meter('eu-west-2_StagingOne', 'API key: time left').getAttribute('aria-valuetext'),
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
    expect(token).toMatch(/^(1 hour|59 minutes) left, fresh$/);
    expect(key).toMatch(/^\d+ (days?|hours?) left, (due|rotates) \d+ \w+, loaded$/);
    const end = tenant('eu-west-2_StagingOne').locator('.row.credential .end').last();
    expect(await end.textContent()).toMatch(/^(due|rotates) \d+ \w+$/);
    expect(await end.getAttribute('title')).toMatch(/due .*, expires /);
    expect(await page.locator('#connection').textContent()).toBe('Live');
    expect(await page.locator('#tenants-filter').isVisible()).toBe(false);
  });

  test('a token’s bar moves between events', async () => {
    const before = await lifeSec('me-south-1_LiveMea', 'content api/read');

    // Events come at least every 10 s, so the change within 5 s is the page's own.
    await isSoon(async () => (await lifeSec('me-south-1_LiveMea', 'content api/read')) < before, 5000);

    expect(await page.locator('.fill').first().getAttribute('style')).toMatch(/scaleX\(0\.9\d+\)/);
  });

  test('a full bar means that all of the time is left, for tokens and credentials alike', async () => {
    const shares = async (kind: string): Promise<number[]> => {
      const fills = await page.locator(`.row.${kind} .fill`).all();
      const styles = await Promise.all(fills.map((fill) => fill.getAttribute('style')));
      return styles.map((style) => Number(/scaleX\(([\d.]+)\)/.exec(style ?? '')?.[1]));
    };

    for (const share of [...(await shares('token')), ...(await shares('credential'))]) {
      expect(share).toBeGreaterThan(0.9);
    }
  });

  test('says whether the platform offers restore, and since when that is known', async () => {
    await latchkey(system, ['status']);

    const known = /^Restore offered by the platform, found out at \d\d:\d\d:\d\d$/;
    await isSoon(async () => {
      const shown = await page.locator('.availability').allTextContents();
      return shown.length === 4 && shown.every((text) => known.test(text));
    });
  });

  test('shows at once a change made outside the console', async () => {
    await system.advance(600);

    await isSoon(async () => (await lifeSec('me-south-1_LiveMea', 'content api/read')) <= 3000);

    await isSoon(async () => (await page.locator('#ahead').textContent()) === '10 min ahead');
  });

  test('refreshes a token by its button', async () => {
    await button('Refresh content api/read of me-south-1_LiveMea').click();

    expect(await outcome('good')).toMatch(/^Content api\/read of me-south-1_LiveMea was renewed and expires/);
    await isSoon(async () => (await lifeSec('me-south-1_LiveMea', 'content api/read')) > 3590);
    expect(await lifeSec('me-south-1_LiveMea', 'content api/write')).toBeLessThanOrEqual(3000);
  });

  test('an injected fault makes a refresh fail, and clearing it lets the next one succeed', async () => {
    await page.getByLabel('What happens').selectOption('503');
    await page.getByLabel('Tenant').selectOption({ label: 'me-south-1_LiveMea' });
    await button('Inject fault').click();
    await page.locator('#fault-list li').waitFor();
    const inForce = await page.locator('#fault-list li').textContent();
    await button('Refresh content api/write of me-south-1_LiveMea').click();
    const failure = await outcome('bad');
    await page.locator('#requests .state[data-tone=bad]').first().waitFor();
    const logged = page.locator('#requests li').filter({ hasText: 'injected fault' }).first();
    await logged.locator('summary').focus();
    await page.keyboard.press('Enter');
    const request = await logged.textContent();
    await page.getByLabel('Search').first().fill('webhooks');
    const found = await page.locator('#requests li:visible').allTextContents();
    const count = await page.locator('#requests-count').textContent();
    await page.getByLabel('Search').first().fill('');
    await button('Clear faults').click();
    await page.locator('#fault-list:empty').waitFor({ state: 'attached' });
    // token-refresh caches a failure.
    await button('+5 min').click();
    await outcome('good');
    await button('Refresh content api/write of me-south-1_LiveMea').click();
    await isSoon(async () => (await lifeSec('me-south-1_LiveMea', 'content api/write')) > 3590);

    expect(inForce).toContain(
      'The token endpoint returns 503 for production mea me-south-1_LiveMea, until cleared',
    );
    expect(failure).toMatch(/was not renewed: platform_unavailable, /);
    expect(request).toContain('token POST /production/mea/auth/oauth2/token/me-south-1_LiveMea503');
    expect(request).toMatch(/Tenantme-south-1_LiveMeaStatus503Duration\d+ msFaultinjected: returns 503$/);
    // What a person has opened stays open while other requests arrive.
    expect(await page.locator('#requests details[open]').count()).toBe(1);
    expect(found.length).toBeGreaterThan(0);
    for (const text of found) expect(text).toContain('webhooks');
    expect(count).toMatch(new RegExp(`^${found.length} of \\d+ shown$`));
  });

  test('restores a record, and lists it', async () => {
    await button('Restore a record of me-south-1_LiveMea').click();

    expect(await outcome('good')).toMatch(/^Record [0-9a-f]{24} of me-south-1_LiveMea was restored \(200\)$/);
    await page.locator('#restores code').waitFor();
    const { archivedContentIds } = placeOf(system, 'production', 'mea').tenant;
    const entry = (await page.locator('#restores li').first().textContent())!;
    expect(entry).toContain(`${archivedContentIds[0]}production mea me-south-1_LiveMeaby content api/write`);
    expect(entry).toMatch(/Duration\d+ msSchemebearerCallercontent api\/writeCredentialcurrentAuthor/);
    expect(entry).toMatch(/Request id[0-9a-f-]{36}Trace id1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  });

  test('every action works with the keyboard alone', async () => {
    const wanted = 'Refresh content api/read of eu-west-2_LiveGlobal';
    await page.locator('h1').click();
    const reached: string[] = [];
    while (reached.at(-1) !== wanted) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const focused = document.activeElement;
        const outline = getComputedStyle(focused).outlineStyle;
        return outline === 'none' ? 'no visible focus' : (focused.ariaLabel ?? focused.textContent);
      });
      reached.push(name);
      if (reached.length > 60) throw new Error(`not reached: ${reached.join(', ')}`);
    }
    await page.keyboard.press('Enter');

    expect(await outcome('good')).toContain('Content api/read of eu-west-2_LiveGlobal was renewed');
    expect(await page.evaluate(() => document.activeElement.ariaLabel)).toBe(wanted);
    expect(reached).not.toContain('no visible focus');
    expect(reached.slice(0, 3)).toEqual(['+5 min', '+1 h', '+1 day']);
  });

  test('shows an alarm', async () => {
    await page.getByLabel('What happens').selectOption('401');
    await page.getByLabel('Tenant').selectOption({ label: mea.tenant.tenantId });
    await button('Inject fault').click();
    await page.locator('#fault-list li').waitFor();
    await button('+1 h').click();

    const alarm = page.locator('.alarms li').filter({ hasText: mea.tenant.tenantId }).first();
    await alarm.waitFor();
    expect(await alarm.textContent()).toContain(`credential-refusedstaging · mea · ${mea.tenant.tenantId}`);
    expect(await alarm.locator('.state').textContent()).toBe('in alarm, notified');
    expect(await alarm.textContent()).toContain('The cause: The platform refuses the client credential ');
    expect(await outcome('good')).toBe('The clock was advanced by 1 hour');
  });

  test('shows the cause before the alarm, with one command', async () => {
    const cause = page.locator('#finding-list li').filter({ hasText: mea.tenant.tenantId }).first();

    expect(await cause.textContent()).toContain('The platform refuses the client credential');
    expect(await cause.locator('code').allTextContents()).toEqual([
      `latchkey credentials put --environment staging --platform-region mea --tenant ${mea.tenant.tenantId} --local`,
    ]);
    expect(await page.locator('.alarms li').first().textContent()).toContain('The cause: ');
  });

  test.each([DESKTOP, PHONE, SMALL_PHONE])(
    'times and dates are on one line each, and nothing overlaps: %j',
    async (viewport) => {
      await page.setViewportSize(viewport);

      const faults = await page.locator('.row').evaluateAll((rows) => rows.map((row) => layoutFaults(row)));

      expect(faults.length).toBeGreaterThan(20);
      expect(faults.flat()).toEqual([]);
    },
  );

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
    await button('Clear faults').click();
    await page.locator('#fault-list:empty').waitFor({ state: 'attached' });
    for (let n = 0; n < 3 && (await page.locator('.alarms li').count()) > 0; n += 1) {
      await button('+5 min').click();
      await outcome('good');
    }

    await page.locator('.alarms').waitFor({ state: 'hidden' });
  });

  test('shows no secret on the page, not even one planted elsewhere', async () => {
    await plantSecrets();
    const canaries = await knownSecrets();
    await isSoon(async () => (await page.locator('#restores').textContent())!.includes('…'));
    sent.push({ place: 'page', text: await page.content() });

    expect(canaries.length).toBeGreaterThan(20);
    expect(findCanaries(canaries, sent)).toEqual([]);
    expect(sent.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['events', url, `${url}console.js`]),
    );
  });

  /** Plants secrets wherever the console reads from. */
  async function plantSecrets(): Promise<void> {
    const { contentTokenBaseUrl, contentBaseUrl } = mea.deployment.platform;
    await system.https('POST', `${contentTokenBaseUrl}/oauth2/token/${PLANTED}`, {
      body: { client_secret: PLANTED },
    });
    await system.https('GET', `${contentBaseUrl}/contents/${PLANTED}?key=${PLANTED}`, {
      headers: { authorization: `Bearer ${PLANTED}` },
    });
    await system.control('POST', '/faults', {
      target: 'tenants',
      body: { leak: PLANTED },
      headers: { 'x-leak': PLANTED },
    });
    await system.https(
      'POST',
      `${mea.deployment.restoreApiUrl}/tenants/${PLANTED}/contents/${PLANTED}/restore`,
      {
        headers: { authorization: `Bearer ${PLANTED}` },
        body: { authorRef: PLANTED },
      },
    );
    await load(mea);
  }

  async function knownSecrets(): Promise<Canary[]> {
    const { aws, operator, deployments } = system.run;
    const tenants = deployments.flatMap((deployment) => deployment.tenants);
    const arns = tenants.flatMap(({ clientCredentialsArn, apiKeyArn, tokens }) => [
      clientCredentialsArn,
      apiKeyArn,
      ...tokens.map(({ arn }) => arn),
    ]);
    const values = await Promise.all(arns.map((arn) => system.secret<Record<string, string>>(arn)));
    const secrets = values.flatMap(({ clientSecret, apiKey, accessToken }) =>
      [clientSecret, apiKey, accessToken].filter((value) => value !== undefined),
    );
    return [PLANTED, aws.secretAccessKey, operator.secretAccessKey, ...secrets].map((value, index) => ({
      name: `secret ${index}`,
      value,
    }));
  }

  test('causes no error in the browser', () => {
    expect(complaints).toEqual([]);
  });

  test('reports the lost connection when the system stops', async () => {
    await system.stop();

    await page.locator('#connection[data-tone=bad]').waitFor();
    expect(await page.locator('#connection').textContent()).toBe('Disconnected, reconnecting');
  });
});
