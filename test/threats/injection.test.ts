import { CONTENT_ID, recordOf } from '../support/lambdas/restore-functions';
import {
  expectOneLineAnEvent,
  type HandedOn,
  RestoreHandlers,
} from '../support/restore-api/restore-handlers';

/** Control characters of C0, DEL and C1, line separators of some viewers, and terminal sequences. */
const HOSTILE = [
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)),
  ...['\x7f', '\u0085', '\u009b', '\u2028', '\u2029', '\ufeff', '\u202e', '\r\n', '\x1b[2J'],
];
const FORGED = '{"level":"ERROR","message":"forged"}';
const injected = (hostile: string) => `a${hostile}X-Forged: 1${hostile}${FORGED}`;

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

let handlers: RestoreHandlers;
beforeAll(async () => (handlers = await RestoreHandlers.start()), RestoreHandlers.START_TIMEOUT_MS);
afterAll(() => handlers?.stop());

/** Valid headers with these changes. */
const headersWith = (change: Record<string, string[]>) => ({
  multiValueHeaders: { Authorization: [handlers.basic()], 'Content-Type': ['application/json'], ...change },
});

/** A valid request with these changes. */
function requestWith(change: Partial<HandedOn> & { tenantId?: string; contentId?: string }): HandedOn {
  const { tenantId = handlers.tenants[0].tenantId, contentId = CONTENT_ID, ...more } = change;
  return {
    pathParameters: { tenantId, contentId },
    ...headersWith({}),
    body: '{"authorRef":"a"}',
    ...more,
  };
}

type Injection = (hostile: string) => Parameters<typeof requestWith>[0];

async function expectRefused(hostile: string, change: Injection) {
  const handled = await handlers.handle(requestWith(change(hostile)));

  expect([400, 401, 415, 422]).toContain(handled.status);
  expect(handlers.platform.requests).toEqual([]);
  expectOneLineAnEvent(handled);
  expect(handled.lines.join()).not.toContain('forged');
  expect(JSON.stringify(handled.headers ?? {})).not.toMatch(/forged|\\[rnu]/i);
  expect(handled.body).not.toContain('orged');
}

describe('T4 header and log injection', () => {
  test.each<[string, Injection]>([
    ['the tenant id', (hostile) => ({ tenantId: injected(hostile) })],
    ['the content id', (hostile) => ({ contentId: injected(hostile) })],
    ['the author', (hostile) => ({ body: JSON.stringify({ authorRef: injected(hostile) }) })],
    ['a field’s name', (hostile) => ({ body: JSON.stringify({ [injected(hostile)]: 'a' }) })],
    ['a malformed body', (hostile) => ({ body: injected(hostile) })],
    ['the media type', (hostile) => headersWith({ 'Content-Type': [injected(hostile)] })],
    [
      'the user-id',
      (hostile) =>
        headersWith({ Authorization: [handlers.basic({ tenantId: injected(hostile), apiKey: 'k' })] }),
    ],
    [
      'another header, which is ignored',
      (hostile) => ({ ...headersWith({ [injected(hostile)]: [injected(hostile)] }), contentId: '..' }),
    ],
    [
      'the trace headers',
      (hostile) => ({
        ...headersWith({
          traceparent: [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01${hostile}`, injected(hostile)],
          'X-Amzn-Trace-Id': [injected(hostile)],
        }),
        contentId: '..',
      }),
    ],
  ])('by %s: refused, one line an event, and not a header of it', async (_, change) => {
    for (const hostile of HOSTILE) await expectRefused(hostile, change);
  });

  test('by an acting user of printable text: the line has it as it came, and the fields of any other', async () => {
    const actingUser = { authorRef: `"}\\u000a${FORGED}`, collaborationId: '\\n","caller":"forged' };
    handlers.platform.behavior = (response) => response.end(recordOf(CONTENT_ID));
    const fieldsWith = async (user: object) => {
      const handled = await handlers.handle(requestWith({ body: JSON.stringify(user) }));
      expectOneLineAnEvent(handled);
      const fields = JSON.parse(handled.lines[1]!) as Record<string, unknown>;
      return { ...fields, timestamp: '', durationMs: 0 };
    };
    const usual = await fieldsWith({ authorRef: 'a', collaborationId: 'c' });

    const fields = await fieldsWith(actingUser);

    expect(fields).toEqual({ ...usual, ...actingUser });
    expect(usual).toMatchObject({ scheme: 'basic', caller: 'api-key', code: 'restored' });
  });

  test('by the platform’s answer: its text stays inside the record', async () => {
    for (const hostile of HOSTILE) {
      const text = injected(hostile);
      const items = [{ id: text, summary: text, status: text }];
      handlers.platform.behavior = (response) => response.end(recordOf(CONTENT_ID, { status: text, items }));

      const handled = await handlers.handle(requestWith({}));

      expect(handled.status).toBe(200);
      expectOneLineAnEvent(handled);
      expect(handled.lines.join()).not.toContain('forged');
      expect(JSON.parse(handled.body)).toMatchObject({ status: text, items: [{ summary: text }] });
    }
  });
});
