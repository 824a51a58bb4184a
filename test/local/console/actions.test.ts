import { type LocalDeployment } from '../../../contract/local-run';
import { standingClock } from '../../support/local/standing-clock';
import { ConsoleActions } from '../../../local/console/actions';
import { type ActionOutcome } from '../../../local/console/console-state';
import { type SandboxFault } from '../../../local/sandbox-control';
import { CannedInvoker } from '../aws/local-account';
import {
  DEPLOYMENT_KEY,
  CONTENT_ID,
  NOW_MS,
  PLACE,
  ShownAccount,
  TENANT_ID,
  WRITE_TOKEN,
} from './shown-account';

/** SHA-256 of `CANARY-access-token`. */
const TOKEN_SHA256 = '62248082';

class World {
  readonly shown = new ShownAccount();
  readonly clock = standingClock(NOW_MS);
  readonly invoker = new CannedInvoker();
  readonly faults: SandboxFault[] = [];
  archivedContentIds = [CONTENT_ID];
  restoreAnswer = { status: 200, text: '{}' };
  readonly restoreCalls: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = [];
  readonly deployment: LocalDeployment = {
    ...DEPLOYMENT_KEY,
    stack: 'latchkey-staging-mea',
    functions: { tokenRefresh: 'arn:token-refresh' },
    restoreApiUrl: 'https://127.0.0.1:1/api/v1',
    platform: { contentBaseUrl: '', contentTokenBaseUrl: '' },
    tenants: [
      {
        tenantId: TENANT_ID,
        clientCredentialsArn: '',
        apiKeyArn: '',
        tokens: [
          {
            interface: 'content',
            scope: 'api/write',
            arn: this.shown.put(WRITE_TOKEN, { versionId: 'v-old', stages: new Set() }).arn,
          },
        ],
        archivedContentIds: [],
        authorRefs: ['author-1'],
        collaborationIds: [],
      },
    ],
  };
  readonly actions = new ConsoleActions({
    account: this.shown.account,
    clock: this.clock,
    invoker: this.invoker,
    deployments: [this.deployment],
    sandbox: {
      clearFaults: async () => void this.faults.splice(0),
      injectFault: async (fault) => void this.faults.push(fault),
      tenants: async () => [
        { ...PLACE, archivedContentIds: this.archivedContentIds, authorRefs: [], collaborationIds: [] },
      ],
    },
    callRestoreApi: async (url, headers, body) => {
      this.restoreCalls.push({ url, headers, body });
      return this.restoreAnswer;
    },
  });

  run(name: string, input: object): Promise<ActionOutcome> {
    return this.actions.run(name, JSON.stringify(input));
  }

  answer(answer: object): void {
    this.invoker.result = {
      kind: 'ok',
      payload: Buffer.from(JSON.stringify(answer)),
      logTail: '',
      requestId: 'r',
    };
  }
}

const TOKEN = { ...PLACE, interface: 'content', scope: 'api/write' };
const NAMED = `Content api/write of ${TENANT_ID}`;

let world: World;
beforeEach(() => (world = new World()));

describe('refresh-token', () => {
  test('replaces the stored token, identified by its digest', async () => {
    const expiresAt = '2026-07-26T13:00:00.000Z';
    world.answer({ ok: true, arn: '', versionId: '', expiresAt, refreshed: true });

    const outcome = await world.run('refresh-token', TOKEN);

    const message = `${NAMED} was renewed and expires at 13:00:00 UTC`;
    expect(outcome).toEqual({ ok: true, message });
    const { arn, payload } = world.invoker.invoked[0]!;
    expect(arn).toBe('arn:token-refresh');
    expect(JSON.parse(payload)).toEqual({
      action: 'ensure',
      tenantId: TENANT_ID,
      interface: 'content',
      scope: 'api/write',
      rejectedTokenSha256: expect.stringMatching(`^${TOKEN_SHA256}[0-9a-f]{56}$`) as string,
    });
  });

  test('requests a token without a digest if none is stored', async () => {
    world.shown.put(WRITE_TOKEN, {}).versions.clear();
    const error = { code: 'platform_unavailable', message: 'no answer', retryAfterSec: 30 };
    world.answer({ ok: false, error });

    const outcome = await world.run('refresh-token', TOKEN);

    expect(outcome).toEqual({
      ok: false,
      message: `${NAMED} was not renewed: platform_unavailable, no answer; try again in 30 s`,
    });
    expect(world.invoker.invoked[0]?.payload).not.toContain('rejectedTokenSha256');
  });

  test('reports that the function is busy, or failed', async () => {
    world.invoker.result = { kind: 'throttled', reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' };
    const throttled = await world.run('refresh-token', TOKEN);
    world.invoker.result = {
      kind: 'function-error',
      functionError: 'Unhandled',
      payload: Buffer.from('{"errorMessage":"CANARY"}'),
      logTail: 'CANARY',
      requestId: 'r',
    };
    const failed = await world.run('refresh-token', TOKEN);

    expect([throttled, failed]).toEqual([
      { ok: false, message: `${NAMED}: token-refresh is busy, try again in a moment` },
      { ok: false, message: `${NAMED}: token-refresh failed; see its log` },
    ]);
  });

  test.each([{ tenantId: 'nobody' }, { platformRegion: 'global' }, { scope: 'api/all' }])(
    'invokes nothing for a token that does not exist: %j',
    async (other) => {
      const message = 'No deployment has this token';
      expect(await world.run('refresh-token', { ...TOKEN, ...other })).toEqual({ ok: false, message });
      expect(world.invoker.invoked).toEqual([]);
    },
  );
});

describe('restore-record', () => {
  test('restores the first archived record, as a caller of the API does', async () => {
    const outcome = await world.run('restore-record', PLACE);

    const message = `Record ${CONTENT_ID} of ${TENANT_ID} was restored (200)`;
    expect(outcome).toEqual({ ok: true, message });
    expect(world.restoreCalls).toEqual([
      {
        url: `https://127.0.0.1:1/api/v1/tenants/${TENANT_ID}/contents/${CONTENT_ID}/restore`,
        headers: { Authorization: 'Bearer CANARY-access-token', 'Content-Type': 'application/json' },
        body: '{"authorRef":"author-1"}',
      },
    ]);
  });

  test.each([
    ['{"code":"platform_failed","detail":"CANARY"}', '502 platform_failed'],
    ['{"code":"CANARY"}', '502'],
    ['CANARY', '502'],
  ])('shows only status and code of a refusal: %s', async (text, told) => {
    world.restoreAnswer = { status: 502, text };

    const outcome = await world.run('restore-record', PLACE);

    expect(outcome).toEqual({ ok: false, message: `Restoring record ${CONTENT_ID} returned ${told}` });
  });

  test('sends nothing without an archived record, a stored token or an API', async () => {
    world.archivedContentIds = [];
    const withoutRecord = await world.run('restore-record', PLACE);
    world.shown.put(WRITE_TOKEN, {}).versions.clear();
    const withoutToken = await world.run('restore-record', PLACE);
    delete world.deployment.restoreApiUrl;
    const withoutApi = await world.run('restore-record', PLACE);

    expect([withoutRecord, withoutToken, withoutApi].map(({ message }) => message)).toEqual([
      `No archived records are left for ${TENANT_ID}`,
      `No content api/write token is stored for ${TENANT_ID}`,
      'No deployment has a restore API for this tenant',
    ]);
    expect(world.restoreCalls).toEqual([]);
  });
});

describe('faults', () => {
  test('are injected and cleared', async () => {
    const fault = { target: 'token', status: 503, times: 2, match: PLACE };

    await world.run('inject-fault', fault);
    const injected = [...world.faults];
    const outcome = await world.run('clear-faults', {});

    expect(injected).toEqual([fault]);
    expect(world.faults).toEqual([]);
    expect(outcome).toEqual({ ok: true, message: 'All sandbox faults are cleared' });
  });

  test('for a tenant that does not exist are not injected', async () => {
    const match = { ...PLACE, tenantId: 'nobody' };

    const outcome = await world.run('inject-fault', { target: 'token', status: 503, match });

    expect(outcome).toEqual({ ok: false, message: 'No deployment has this tenant' });
    expect(world.faults).toEqual([]);
  });
});

describe('advance-clock', () => {
  test('advances the run’s clock', async () => {
    const outcome = await world.run('advance-clock', { sec: 3600 });

    expect(world.clock.nowMs()).toBe(NOW_MS + 3_600_000);
    expect(outcome).toEqual({ ok: true, message: 'The clock was advanced by 1 hour' });
  });

  test('does not wait for another advance', async () => {
    let end: () => void = () => undefined;
    world.clock.hold(new Promise<void>((resolve) => (end = resolve)));
    const first = world.run('advance-clock', { sec: 86_400 });
    await new Promise((resolve) => setImmediate(resolve));

    const second = await world.run('advance-clock', { sec: 300 });
    end();

    expect(second).toEqual({ ok: false, message: 'The clock is already being advanced' });
    expect((await first).ok).toBe(true);
  });
});

test.each([
  ['delete-everything', {}, 'unknown_action', /^unknown action; allowed: refresh-token, /],
  ['toString', {}, 'unknown_action', /^unknown action/],
  ['clear-faults', { all: true }, 'invalid_input', /^Unrecognized key: "all"$/],
  ['refresh-token', { ...TOKEN, tenantId: 7 }, 'invalid_input', /^tenantId: .*string/],
  ['inject-fault', { target: 'token' }, 'invalid_input', /^give either status or reset$/],
  [
    'inject-fault',
    { target: 'token', status: 500, reset: 'after' },
    'invalid_input',
    /^give either status or/,
  ],
  ['inject-fault', { target: 'token', status: 500, times: 0 }, 'invalid_input', /^times: /],
  ['inject-fault', { target: 'token', status: 500, match: {} }, 'invalid_input', /^match\.environment: /],
  ['inject-fault', { target: 'token', status: 500, headers: {} }, 'invalid_input', /^Unrecognized key/],
  ['advance-clock', { sec: 1 }, 'invalid_input', /^sec: /],
])('invalid input is rejected: %s %j', async (name, input, code, message) => {
  await expect(world.run(name, input)).rejects.toMatchObject({
    name: 'ActionInputError',
    code,
    message: expect.stringMatching(message) as string,
  });
});

test('a body that is not JSON is rejected without being repeated', async () => {
  await expect(world.actions.run('clear-faults', 'CANARY')).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'the body is not valid JSON',
  });
});
