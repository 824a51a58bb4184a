import { type Page } from 'playwright-core';

import { consoleView } from '../../../local/console/console-view';
import { startConsoleServer } from '../../../local/console/console-server';
import { LiveState } from '../../../local/console/live-state';
import { startBrowser } from '../../../test/journeys/support/browser';
import { ShownTenants } from '../../../test/local/console/shown-tenants';
import { count, kilobytes, median, milliseconds } from '../figures';
import { tenantCount } from '../many-tenants';
import { type Answer, type BenchOptions, roundsOf } from '../question';

const TENANTS = tenantCount(1_000);
const LIMIT_MS = 100;
/** Tokens renewed at once. */
const RENEWED = 50;
const PAGE_TIMEOUT_MS = 120_000;

/** In the page. */
interface Seen {
  updates: { bytes: number; paintedMs: number }[];
  longTasksMs: number[];
}

/** In the page: measures each event from its arrival to the frame that shows it, and records tasks of over 50 ms. */
const OBSERVE = `
  globalThis.seen = { updates: [], longTasksMs: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasksMs.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const Source = globalThis.EventSource;
  globalThis.EventSource = class extends Source {
    constructor(url) {
      super(url);
      super.addEventListener('message', ({ data }) => {
        const receivedMs = performance.now();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () =>
            seen.updates.push({ bytes: data.length, paintedMs: performance.now() - receivedMs });
          port2.postMessage(0);
        });
      });
    }
  };`;

/** Measures the console's page in Chromium, and what its server reads and sends, while tokens of many tenants are renewed. */
export async function consolePage(options: BenchOptions): Promise<Answer> {
  options.progress(`console: ${TENANTS} tenants`);
  const shown = new ShownTenants(TENANTS);
  const readMs: number[] = [];
  const live = new LiveState({
    readState: async () => {
      const before = process.cpuUsage();
      const state = consoleView(shown.input());
      const { user, system } = process.cpuUsage(before);
      readMs.push((user + system) / 1_000);
      return state;
    },
    onError: (error) => {
      throw error;
    },
  });
  const server = await startConsoleServer({
    live,
    runAction: async () => ({ ok: true, message: '' }),
    reporter: { step: () => {}, warning: () => {}, functionLog: () => {} },
    port: 0,
  });
  const browser = await startBrowser({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await browser.context.newPage();
    await page.addInitScript({ content: OBSERVE });
    await page.goto(server.url);
    await updated(page, 1);
    const opened = await takeSeen(page);
    const rounds = roundsOf(options, 20, 3);
    for (let round = 1; round <= rounds; round += 1) {
      options.progress(`console: round ${round} of ${rounds}`);
      shown.renew(RENEWED);
      await updated(page, round);
    }
    const changed = await takeSeen(page);
    const elements = await page.locator('*').count();
    return answerOf({ opened, changed, elements, readMs });
  } finally {
    await browser.close();
    live.close();
    await server.close();
  }
}

/** Waits until the page has shown so many events. Its content security policy forbids `waitForFunction`. */
async function updated(page: Page, events: number): Promise<void> {
  const endMs = performance.now() + PAGE_TIMEOUT_MS;
  while ((await page.evaluate<number>('seen.updates.length')) < events) {
    if (performance.now() > endMs) throw new Error(`the page has not shown ${events} events`);
    await page.waitForTimeout(50);
  }
}

/** What was seen since the last call. */
async function takeSeen(page: Page): Promise<Seen> {
  return page.evaluate<Seen>(
    '(() => { const taken = seen; seen = { updates: [], longTasksMs: [] }; return taken; })()',
  );
}

interface Measured {
  opened: Seen;
  changed: Seen;
  elements: number;
  readMs: readonly number[];
}

function answerOf({ opened, changed, elements, readMs }: Measured): Answer {
  const [first] = opened.updates;
  const paintedMs = changed.updates.map((each) => each.paintedMs);
  const sizes = changed.updates.map((each) => each.bytes);
  const typicalMs = median(paintedMs);
  const longest = ({ longTasksMs }: Seen) =>
    longTasksMs.length === 0 ? 'none' : milliseconds(Math.max(...longTasksMs));
  return {
    tables: [
      {
        title: `Console: ${count(TENANTS)} tenants with three tokens each, of which ${RENEWED} are renewed at once, in Chromium`,
        columns: ['', 'first event', 'updates, median', 'updates, most'],
        rows: [
          [
            'from an event’s arrival to its frame',
            milliseconds(first!.paintedMs),
            milliseconds(typicalMs),
            milliseconds(Math.max(...paintedMs)),
          ],
          [
            'size of an event',
            kilobytes(first!.bytes),
            kilobytes(median(sizes)),
            kilobytes(Math.max(...sizes)),
          ],
          ['longest task over 50 ms', longest(opened), '', longest(changed)],
          [
            'CPU of one read',
            milliseconds(readMs[0]!),
            milliseconds(median(readMs)),
            milliseconds(Math.max(...readMs)),
          ],
          ['elements of the page', '', '', count(elements)],
        ],
      },
    ],
    goals: [
      {
        number: 17,
        subject: `the console shows an update of ${count(TENANTS)} tenants`,
        wanted: `< ${milliseconds(LIMIT_MS)}`,
        measured: milliseconds(typicalMs),
        isMet: typicalMs < LIMIT_MS,
        isTimed: true,
      },
    ],
  };
}
