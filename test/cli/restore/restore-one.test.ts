import { createHash } from 'node:crypto';

import { type RestoreFlags } from '../../../cli/restore/restore-command';
import { type RestoreApi } from '../../../cli/system';
import { type ProblemCode } from '../../../core/restore/restore-outcomes';
import { failureOf } from '../support/operated-system';
import { broken, problem, REQUEST_ID } from './support/fake-restore-api';
import { Restoring, TENANT_ID } from './support/restoring';

let restoring: Restoring;
beforeEach(() => (restoring = new Restoring()));
afterEach(() => expect(restoring.terminal.visibleText()).not.toContain('canary'));

const restore = () => restoring.run({ contentId: 'id-1' });
/** The headers of each request. */
const sentHeaders = () => restoring.api.requests.map(({ request }) => request.headers);

/** The restore API answers every request with this record. */
const alwaysAnswer = (record: object) =>
  restoring.api.always(() => ({ status: 200, headers: {}, body: JSON.stringify({ id: 'id-1', ...record }) }));

describe('latchkey restore CONTENT_ID', () => {
  it('restores once, and shows the record', async () => {
    expect(await restoring.run({ contentId: 'id-1', authorRef: 'jo' })).toBe(0);

    expect(restoring.document()).toEqual({
      environment: 'staging',
      platformRegion: 'mea',
      tenantId: TENANT_ID,
      contentId: 'id-1',
      outcome: 'restored',
      record: { id: 'id-1', status: 'published', items: [expect.objectContaining({ status: 'ok' })] },
    });
    expect(restoring.terminal.results[0]!.text).toMatch(/id-1 is published\n.*rank.*\n.*0 +file +ok +Part 1/);
    expect(restoring.api.requests).toHaveLength(1);
    const { request } = restoring.api.requests[0]!;
    expect(request.url.href).toBe(`https://restore.example/v1/tenants/${TENANT_ID}/contents/id-1/restore`);
    expect(request).toMatchObject({
      method: 'POST',
      body: '{"authorRef":"jo","collaborationId":"team-1"}',
      headers: { authorization: 'Bearer canary-token-1', 'content-type': 'application/json' },
      totalTimeoutMs: 35_000,
    });
    expect(request.headers).not.toHaveProperty('traceparent');
  });

  it.each<[string, Partial<RestoreApi>]>([
    ['beside the token', {}],
    ['outside the signature, because a proxy may change it', { auth: 'iam' }],
  ])('continues the trace of its caller: %s', async (_, restoreApi) => {
    const { system } = restoring;
    system.traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    Object.assign(system.restoreApi, restoreApi);

    await restore();

    const [headers] = sentHeaders();
    expect(headers).toHaveProperty('traceparent', system.traceparent);
    expect(headers!.authorization).not.toContain('traceparent');
  });

  it.each<[number, ProblemCode, number]>([
    [401, 'unauthorized', 77],
    [403, 'forbidden', 77],
    [404, 'content_not_found', 1],
    [404, 'unknown_tenant', 1],
    [409, 'not_archived', 1],
    [415, 'unsupported_media_type', 1],
    [422, 'rejected_by_platform', 1],
    [429, 'too_many_requests', 69],
    [500, 'internal_error', 69],
    [501, 'restore_unavailable', 69],
    [502, 'platform_failed', 69],
    [502, 'token_unavailable', 69],
    [504, 'outcome_unknown', 75],
  ])('explains %d %s, and exits with %d', async (status, code, exitCode) => {
    restoring.api.always(problem(status, code));

    const failure = await failureOf(restore());

    expect(failure).toMatchObject({ exitCode, code, details: { status, requestId: REQUEST_ID } });
    expect(failure.message).toContain(`${code} (${status}, request ${REQUEST_ID}): `);
    // No command deploys to the laptop.
    const restart = /Stop the laptop system \(Ctrl-C\) and start it again/;
    expect(failure.advice).toMatch(code === 'restore_unavailable' ? restart : /\.$|latchkey doctor/);
    expect(failure.advice).not.toContain('cdk deploy');
    // Even the renewed token is refused.
    expect(restoring.api.requests).toHaveLength(status === 401 ? 2 : 1);
  });

  it.each([
    [false, 69, 'api_unreachable', 'ECONNREFUSED', /Nothing was modified/],
    [true, 75, 'outcome_unknown', 'ECONNRESET', /Check whether the content is published/],
  ])(
    'if the connection breaks (after sending: %s), exits with %d',
    async (isSent, exitCode, code, why, advice) => {
      restoring.api.always(broken(isSent));

      const failure = await failureOf(restore());

      expect(failure).toMatchObject({ exitCode, code, message: expect.stringContaining(why) as string });
      expect(failure.advice).toMatch(advice);
      expect(restoring.api.requests).toHaveLength(1);
    },
  );

  it('says so if the platform reports success with another status than published', async () => {
    alwaysAnswer({ status: 'ready', items: [] });

    expect(await restore()).toBe(0);

    expect(restoring.document()).toMatchObject({ outcome: 'restored', record: { status: 'ready' } });
    expect(restoring.terminal.results[0]!.text).toBe(
      '! id-1 is ready; the platform’s specification says published',
    );
    expect(restoring.terminal.said.join('\n')).not.toContain('✓ Restored');
  });

  it('renews a refused token by its digest, and sends once more', async () => {
    restoring.api.script('id-1', problem(401, 'unauthorized'));

    expect(await restore()).toBe(0);

    const digest = createHash('sha256').update('canary-token-1').digest('hex');
    expect(restoring.system.invoked.map(({ event }) => event.rejectedTokenSha256)).toEqual([
      undefined,
      digest,
    ]);
    expect(sentHeaders().map(({ authorization }) => authorization)).toEqual([
      'Bearer canary-token-1',
      'Bearer canary-token-2',
    ]);
  });

  it('sends nothing if no token can be had, or the tenant has none for restore', async () => {
    const error = { code: 'credential_refused', message: 'why' };
    restoring.system.functions['token-refresh'] = () => ({ ok: false, error });

    const failure = await failureOf(restore());

    expect(failure).toMatchObject({ exitCode: 77, code: 'credential_refused' });
    expect(failure.advice).toContain(
      `latchkey doctor --environment staging --platform-region mea --tenant ${TENANT_ID}`,
    );

    restoring.system.tenants = [{ ...restoring.system.tenants[0]!, tokens: [] }];
    expect(await failureOf(restore())).toMatchObject({ code: 'no_token' });
    expect(restoring.api.requests).toEqual([]);
  });

  it('signs as an AWS principal in iam mode, without a token', async () => {
    restoring.system.restoreApi = { url: 'https://restore.example/v1', auth: 'iam' };

    expect(await restore()).toBe(0);

    expect(restoring.system.invoked).toEqual([]);
    expect(sentHeaders()[0]!.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/20260131\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=[^,]*host/,
    );
  });

  it('waits for the answer when interrupted after sending', async () => {
    restoring.api.script('id-1', (contentId, request) => {
      restoring.terminal.interrupt();
      return restoring.api.restore(contentId, request);
    });

    expect(await restore()).toBe(0);

    expect(restoring.terminal.said.join()).toContain('Ctrl-C again leaves the outcome unknown');
  });

  // The platform's specification, "Item": the failure reason is there when the status is `error`.
  it('shows why an item failed, and shortens long texts, but not with --json', async () => {
    const long = 'x'.repeat(100_000);
    const failed = {
      rank: 0,
      type: 'file',
      summary: 'Part 1',
      status: 'error',
      failureReason: 'a broken file',
    };
    const items = [failed, { rank: 0, type: long, summary: long, status: long, failureReason: long }];
    alwaysAnswer({ status: long, items });

    expect(await restore()).toBe(0);

    const { text } = restoring.terminal.results[0]!;
    expect(text).toMatch(/0 +file +error +Part 1 +a broken file/);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(500);
    expect(text).toContain('xxx…');
    expect(restoring.document()).toMatchObject({ record: { status: long, items } });
  });

  it('shows no control characters from the platform', async () => {
    const items = [null, { rank: 'first', type: 7 }, { status: 'error', failureReason: 'why\u202e' }];
    alwaysAnswer({ status: 'published\u001b[2J', items });

    await restore();

    const { text } = restoring.terminal.results[0]!;
    expect([...'\u001b\u202e'].filter((each) => text.includes(each))).toEqual([]);
  });

  it.each<[string, RestoreFlags, RegExp]>([
    ['no id', { contentId: undefined }, /found no content id/],
    ['an id that climbs', { contentId: '..' }, /content id: found something else; allowed: 1–128 letters/],
    ['an id with a slash', { contentId: 'a/b?canary' }, /content id: found something else/],
    ['nobody who acts', { contentId: 'id-1', collaborationId: undefined }, /neither --author-ref nor/],
    ['an author with a line break', { authorRef: 'canary\nx' }, /^--author-ref: found something else/],
    ['an empty reference', { collaborationId: '' }, /^--collaboration-id: found an empty text/],
    ['an id and a list', { contentId: 'id-1', from: 'ids.txt' }, /a content id and --from/],
    ['--retry-unknown without a list', { retryUnknown: true }, /^--retry-unknown: found without --from/],
    ['--yes without a list', { yes: true }, /^--yes: found without --from/],
  ])('refuses %s before anything is sent', async (_, flags, says) => {
    const failure = await failureOf(restoring.run(flags));

    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringMatching(says) as string });
    expect(failure.message).not.toContain('canary');
    expect(restoring.system.invoked).toEqual([]);
  });
});
