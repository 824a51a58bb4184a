import { type EventBridgeClient, type PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { changeEvents, type ChangeEventsPorts } from '../../../lambdas/optional/change-events';
import { type ChangeEvents, type TokenEntry } from '../../../lambdas/shared/ports';
import { schemaFaults } from '../../support/events/published-schema';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { deploymentOf, KEY, TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS, VirtualClock } from '../../support/lambdas/virtual-clock';

const BUS = 'arn:aws:events:eu-west-1:111111111111:event-bus/default';
const ARN = 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:latchkey/staging/mea/x-AbCdEf';
const CHANGE = {
  tenantId: TENANT_ID,
  credential: 'api-key',
  secretArn: ARN,
  versionId: 'version-2',
} as const;

function entry(part: Partial<TokenEntry> = {}): TokenEntry {
  return {
    secretArn: ARN,
    versionId: 'version-1',
    token: {
      accessToken: 'canary-token',
      issuedAtMs: NOON_MS,
      expiresAtMs: NOON_MS + 3_600_000,
      credentialVersionId: 'credential-1',
      writesMs: [],
    },
    ...part,
  };
}

let sent: PutEventsCommand['input'][];
/** What EventBridge does with each request, in order; then it accepts. */
let answers: (() => Promise<object>)[];
let log: RecordingLog;
let metrics: CountingMetrics;
let events: ChangeEvents;

const accepted = () => Promise.resolve({ FailedEntryCount: 0, Entries: [{ EventId: 'e' }] });
const ENTRY_FAILURE = { ErrorCode: 'InternalFailure', ErrorMessage: 'later' };
const refused = () => Promise.resolve({ FailedEntryCount: 1, Entries: [ENTRY_FAILURE] });
const failing = () =>
  Promise.reject(Object.assign(new Error('not allowed'), { name: 'AccessDeniedException' }));
/** Answers only once its time limit aborts it, as a network without a way to EventBridge does. */
const silent = (options: { abortSignal: AbortSignal }) =>
  new Promise<never>((_, reject) =>
    options.abortSignal.addEventListener('abort', () => reject(options.abortSignal.reason as Error)),
  );

/** Takes no notice of its time limit, as the SDK does while it waits before another attempt. */
const deaf = () => new Promise<never>(() => undefined);

const client = {
  send: (command: PutEventsCommand, options: { abortSignal: AbortSignal }) => {
    sent.push(command.input);
    return ((answers.shift() ?? accepted) as (given: typeof options) => Promise<object>)(options);
  },
} as unknown as EventBridgeClient;

const eventsOf = (deployment: ChangeEventsPorts['deployment']) =>
  changeEvents({ eventBusArn: BUS, deployment, log, metrics, clock: new VirtualClock(), client });

beforeEach(() => {
  sent = [];
  answers = [];
  log = new RecordingLog();
  metrics = new CountingMetrics();
  events = eventsOf(deploymentOf([TENANT_ID]));
});

const details = () => sent.map(({ Entries }) => JSON.parse(Entries![0]!.Detail!) as Record<string, unknown>);

/** The event that EventBridge makes of a request. */
const envelopes = () =>
  sent.map(({ Entries: [one] = [] }) => ({
    version: '0',
    id: 'e',
    'detail-type': one!.DetailType,
    source: one!.Source,
    account: '111111111111',
    time: one!.Time!.toISOString(),
    region: 'eu-west-1',
    resources: one!.Resources,
    detail: JSON.parse(one!.Detail!) as unknown,
  }));

test('a renewal is sent with ids and times', async () => {
  events.tokenRenewed(KEY, entry());
  await events.settle();

  const Detail = expect.any(String) as string;
  const header = { EventBusName: BUS, Source: 'latchkey', DetailType: 'Token Renewed' };
  expect(sent).toEqual([{ Entries: [{ ...header, Resources: [ARN], Time: new Date(NOON_MS), Detail }] }]);
  expect(details()).toEqual([
    {
      schemaVersion: '1',
      prefix: 'latchkey',
      ...KEY,
      secretArn: ARN,
      versionId: 'version-1',
      renewedAt: '2026-01-31T12:00:00.000Z',
      expiresAt: '2026-01-31T13:00:00.000Z',
    },
  ]);
});

test('an event of another issuer names it, and no region if it has none', async () => {
  const deployment = { issuer: 'auth0', environment: 'production' };
  const key = { ...deployment, tenantId: TENANT_ID, interface: 'api', scope: 'read:users' };
  const ofAuth0 = eventsOf(deployment);
  ofAuth0.tokenRenewed(key, entry());
  ofAuth0.credentialChanged('Credential Rotated', CHANGE);
  await ofAuth0.settle();

  expect(details()).toMatchObject([key, { ...deployment, tenantId: TENANT_ID }]);
  expect(JSON.stringify(details())).not.toContain('platformRegion');
  expect(envelopes().map(schemaFaults)).toEqual([[], []]);
});

test('every event is what its published schema describes, and holds no token', async () => {
  events.tokenRenewed(KEY, entry());
  events.credentialChanged('Credential Rotated', CHANGE);
  events.credentialChanged('Credential Revoked', CHANGE);
  await events.settle();

  expect(envelopes().map(schemaFaults)).toEqual([[], [], []]);
  expect(details()[2]).toMatchObject({ ...CHANGE, revokedAt: '2026-01-31T12:00:00.000Z' });
  expect(schemaFaults({ ...envelopes()[0], detail: { ...details()[0], accessToken: 'x' } })).not.toEqual([]);
  expect(JSON.stringify(sent) + JSON.stringify(log.lines)).not.toContain('canary-token');
});

test('events are sent before anything settles, each in its own request', () => {
  events.tokenRenewed(KEY, entry());
  events.tokenRenewed(KEY, entry({ versionId: 'version-2' }));

  expect(details().map(({ versionId }) => versionId)).toEqual(['version-1', 'version-2']);
});

test.each([
  ['fails', failing, 'AccessDeniedException', 'not allowed'],
  ['fails the entry', refused, 'InternalFailure', 'later'],
])(
  'an event is counted, logged and sent again with the next if EventBridge %s',
  async (_, answer, code, detail) => {
    answers = [answer];
    events.tokenRenewed(KEY, entry());
    await events.settle();

    expect(metrics.counts).toEqual({ EventFailed: 1 });
    const { tenantId, interface: tokenInterface, scope } = KEY;
    const line = { level: 'warn', message: 'event not sent', code, detail };
    expect(log.lines).toEqual([{ ...line, tenantId, interface: tokenInterface, scope }]);
    events.credentialChanged('Credential Rotated', CHANGE);
    await events.settle();

    expect(details().map(({ versionId }) => versionId)).toEqual(['version-1', 'version-2', 'version-1']);
    expect(metrics.counts).toEqual({ EventFailed: 1 });
    await events.settle();
    expect(sent).toHaveLength(3);
  },
);

test('an event is given up after five attempts', async () => {
  answers = Array.from({ length: 9 }, () => failing);
  events.tokenRenewed(KEY, entry());
  for (let run = 0; run < 9; run += 1) await events.settle();

  expect(sent).toHaveLength(5);
});

test('at most a hundred events wait, the newest ones', async () => {
  answers = Array.from({ length: 120 }, () => failing);
  for (let n = 0; n < 120; n += 1) events.tokenRenewed(KEY, entry({ versionId: `version-${n}` }));
  await new Promise((resolve) => setImmediate(resolve));
  sent.length = 0;
  await events.settle();

  expect(details().map(({ versionId }) => versionId)).toEqual(
    Array.from({ length: 100 }, (_, n) => `version-${n + 20}`),
  );
});

test.each([
  ['EventBridge never answers', silent],
  ['the SDK waits for longer', deaf],
])('settling takes a second at most, even if %s', async (_, answer) => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), ms);
    return controller.signal;
  });
  answers = [answer, answer] as unknown as typeof answers;
  events.tokenRenewed(KEY, entry());
  const settled = jest.fn();
  const settling = events.settle().then(settled);

  await jest.advanceTimersByTimeAsync(999);
  expect(settled).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  await settling;

  expect(log.lines).toMatchObject([{ code: 'TimeoutError' }]);
  timeout.mockRestore();
  jest.useRealTimers();
});

test('an entry without a token or a version is no renewal', async () => {
  events.tokenRenewed(KEY, entry({ token: undefined }));
  events.tokenRenewed(KEY, entry({ versionId: undefined }));
  await events.settle();

  expect(sent).toEqual([]);
});
