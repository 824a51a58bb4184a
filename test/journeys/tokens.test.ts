import { createHash } from 'node:crypto';

import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { InvokeCommand } from '@aws-sdk/client-lambda';

import { type TokenValue } from '../../core/secrets/secret-values';
import { type Finding } from '../../core/findings/finding';
import { documentOf, runLatchkey } from './support/command';
import { command, findings } from './support/operating';
import { ensure, issue, type Place, placeOf, sweep, tokenArn } from './support/journeys';
import { tokenRequests } from './support/restore-calls';
import { RunningSystem } from './support/running-system';

const HOURS = 6;

let system: RunningSystem;
let place: Place;

beforeAll(async () => {
  system = await RunningSystem.start();
  place = placeOf(system, 'staging', 'mea');
});
afterAll(() => system.stop());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it('sends the platform one request per declared token before the system is ready', async () => {
  for (const deployment of system.run.deployments) {
    for (const tenant of deployment.tenants) {
      expect(await tokenRequests({ system, tenant })).toBe(tenant.tokens.length);
    }
  }
});

it('stores tokens that the platform accepts, in the shape that readers expect', async () => {
  const { deployment, tenant } = place;
  const value = await system.secret<TokenValue>(tokenArn(place, 'api/read'));

  const answer = await system.https('GET', `${deployment.platform.contentBaseUrl}/contents`, {
    headers: { authorization: `Bearer ${value.accessToken}` },
  });

  expect(answer.status).toBe(200);
  expect(value).toMatchObject({
    tokenType: 'Bearer',
    tenantId: tenant.tenantId,
    environment: 'staging',
    platformRegion: 'mea',
    interface: 'content',
    scope: 'api/read',
    issuedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
    credentialVersionId: expect.any(String) as string,
  });
  expect(Date.parse(value.expiresAt) - Date.parse(value.issuedAt)).toBe(3600_000);
});

it('replaces a token that callers report as rejected, once however many report it', async () => {
  const before = await tokenRequests(place);
  const refused = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
  const report = { rejectedTokenSha256: sha256(refused.accessToken) };

  const answers = [await ensure(place, 'api/read', report), await ensure(place, 'api/read', report)];

  expect(answers.map((answer) => answer.ok && answer.refreshed)).toEqual([true, false]);
  expect(await tokenRequests(place)).toBe(before + 1);
  const next = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
  expect(next.accessToken).not.toBe(refused.accessToken);
});

it('lets an operator load credentials but not read them', async () => {
  for (const arn of [place.tenant.clientCredentialsArn, place.tenant.apiKeyArn]) {
    await expect(
      system.operator.secrets.send(new GetSecretValueCommand({ SecretId: arn })),
    ).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('secretsmanager:GetSecretValue') as string,
    });
  }
});

it('throttles callers while token-refresh is busy, so that one renewal sends one request', async () => {
  const busyPlace = placeOf(system, 'production', 'mea');
  const { tenant, deployment } = busyPlace;
  const before = await tokenRequests(busyPlace);
  const { accessToken } = await system.secret<TokenValue>(tokenArn(busyPlace, 'api/read'));
  const event = {
    action: 'ensure',
    tenantId: tenant.tenantId,
    interface: 'content',
    scope: 'api/read',
    rejectedTokenSha256: sha256(accessToken),
  };
  await system.control('POST', '/faults', {
    target: 'token',
    match: { tenantId: tenant.tenantId },
    delayMs: 500,
    times: 1,
  });

  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      system.administrator.lambda.send(
        new InvokeCommand({
          FunctionName: deployment.functions.tokenRefresh!,
          Payload: Buffer.from(JSON.stringify(event)),
        }),
      ),
    ),
  );

  const refused = attempts.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) {
    expect(reason).toMatchObject({
      name: 'TooManyRequestsException',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
    });
  }
  expect(await tokenRequests(busyPlace)).toBe(before + 1);
});

it('replaces tokens of a replaced credential at the next sweep', async () => {
  const { tenant } = place;
  const before = await system.secret<TokenValue>(tokenArn(place, 'api/write'));
  await system.putSecret(system.operator, tenant.clientCredentialsArn, await issue(place, 'credentials'));

  await sweep(place);

  const after = await system.secret<TokenValue>(tokenArn(place, 'api/write'));
  expect(after.credentialVersionId).not.toBe(before.credentialVersionId);
  expect(after.accessToken).not.toBe(before.accessToken);
});

it('serves through a credential that the platform refuses, with an alarm, until the printed command repairs it', async () => {
  const { tenant, deployment } = place;
  const refused = { clientId: 'app', clientSecret: 'wrong' };
  const proven = (await system.secret<TokenValue>(tokenArn(place, 'api/read'))).credentialVersionId;
  await system.putSecret(system.operator, tenant.clientCredentialsArn, refused);

  for (let minute = 0; minute < 65; minute += 5) await system.advance(300);

  const { accessToken, credentialVersionId } = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
  const answer = await system.https('GET', `${deployment.platform.contentBaseUrl}/contents`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(200);
  expect(credentialVersionId).toBe(proven);
  const shown = documentOf<{
    findings: Finding[];
    deployments: { alarms: { name: string; state: string }[] }[];
  }>(await command(place, ['status', '--json']));
  const { environment, platformRegion } = deployment;
  const alarm = `latchkey-${environment}-${platformRegion}/${tenant.tenantId}/credential-refused`;
  const { alarms } = shown.deployments.find((each) => each.alarms.some(({ name }) => name === alarm))!;
  expect(alarms).toContainEqual(expect.objectContaining({ name: alarm, state: 'ALARM' }));
  const found = shown.findings.find(({ kind }) => kind === 'credential_refused');
  expect(found).toMatchObject({ severity: 'warning', place: { tenantId: tenant.tenantId } });

  const [, ...words] = found!.repair.command!.split(' ');
  const repaired = await runLatchkey(words, { input: JSON.stringify(await issue(place, 'credentials')) });

  expect(repaired).toMatchObject({ exitCode: 0 });
  expect(await findings(place)).not.toContain('credential_refused');
  const now = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
  expect(now.credentialVersionId).not.toBe(proven);
});

it(`keeps every token valid through ${HOURS} hours by the schedule alone`, async () => {
  const life = async () => (await system.secret<TokenValue>(tokenArn(place, 'api/read'))).expiresAt;
  let nowMs = Date.now();
  const requestsBefore = await tokenRequests(place);
  let shortestMs = Infinity;

  for (let minute = 0; minute < HOURS * 60; minute += 5) {
    await system.advance(300);
    nowMs += 300_000;
    shortestMs = Math.min(shortestMs, Date.parse(await life()) - nowMs);
  }

  expect(shortestMs).toBeGreaterThanOrEqual(10 * 60_000);
  const perToken = ((await tokenRequests(place)) - requestsBefore) / place.tenant.tokens.length;
  expect(perToken).toBeGreaterThanOrEqual((HOURS * 4) / 3);
  expect(perToken).toBeLessThanOrEqual((HOURS * 3) / 2);
});

it('answers a caller while twelve sweeps are requested at once, and token-refresh sweeps for nobody', async () => {
  const { tokenRefresh } = place.deployment.functions;
  const sweeps = Array.from({ length: 12 }, () => sweep(place));
  // One runs at a time, so AWS throttles most of them.
  const ended = Promise.allSettled(sweeps);

  const answer = await ensure(place, 'api/read');
  const refused = await system.invoke(system.operator, tokenRefresh!, { action: 'sweep' });

  expect(answer).toMatchObject({ ok: true });
  expect(refused).toEqual({
    ok: false,
    error: { code: 'invalid_request', message: 'action: found "sweep"; allowed: "ensure"' },
  });
  expect((await ended).some(({ status }) => status === 'fulfilled')).toBe(true);
});
