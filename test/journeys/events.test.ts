import { Stack } from 'aws-cdk-lib';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as sqs from 'aws-cdk-lib/aws-sqs';

import { Latchkey } from '../../lib/constructs/latchkey';
import { schemaFaults } from '../support/events/published-schema';
import { Synthesis, temporaryApp } from '../support/lib/synthesis';
import { type Place } from './support/place';
import { RunningSystem } from './support/running-system';
import { until } from './support/until';

interface ChangeEvent {
  'detail-type': string;
  detail: { tenantId: string; scope?: string; versionId: string; credential?: string };
  [more: string]: unknown;
}

let system: RunningSystem;
let place: Place;
let queueUrl: string;
/** Everything that the queue got. */
const received: ChangeEvent[] = [];

beforeAll(async () => {
  system = await RunningSystem.startConfigured((deployments) => {
    deployments.splice(1);
    deployments[0]!.events = true;
  });
  place = system.place('staging', 'global');
  await system.callLaptop('stacks', { action: 'deploy', assemblyDir: listener() });
  queueUrl = `${system.run.aws.endpoint}/${system.run.aws.accountId}/changes`;
  await place.loadWithTokens();
  await changes();
});
afterAll(() => system.stop());

/** The assembly of a team's stack with a queue that gets the events. */
function listener(): string {
  const { accountId: account, region } = system.run.aws;
  const cdkApp = temporaryApp();
  const stack = new Stack(cdkApp, 'listener', { env: { account, region } });
  const queue = new sqs.Queue(stack, 'Queue', { queueName: 'changes' });
  const latchkey = Latchkey.fromLookup(stack, 'Latchkey', { environment: 'staging' });
  const target = new targets.SqsQueue(queue);
  latchkey.onTokenRenewed('Renewed', { target });
  latchkey.onCredentialRotated('Rotated', { target });
  latchkey.onCredentialRevoked('Revoked', { target });
  return new Synthesis(cdkApp).assembly.directory;
}

/** The events since the last call. */
async function changes(): Promise<ChangeEvent[]> {
  const found: ChangeEvent[] = [];
  for (;;) {
    const messages = await system.messages(queueUrl);
    found.push(...messages.map(({ Body }) => JSON.parse(Body!) as ChangeEvent));
    if (messages.length === 0) break;
  }
  received.push(...found);
  return found;
}

/** The same after a command, which has a function announce what it changed and does not wait for it. */
async function announced(): Promise<ChangeEvent[]> {
  let found: ChangeEvent[] = [];
  await until(async () => (found = await changes()).length > 0);
  return found;
}

it('each way to change a token or a credential sends its event, as its schema describes', async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  await system.putSecret(place.tokenArn('api/read'), { ...(await place.token('api/read')), expiresAt });
  const answer = await place.ensure('api/read', { minValiditySec: 600 });
  const renewed = await changes();
  // Of another client secret, by which a sweep replaces the tokens of the former.
  await place.loadWithTokens();
  const swept = await changes();

  expect(answer).toMatchObject({ ok: true, refreshed: true });
  expect(renewed).toMatchObject([
    {
      'detail-type': 'Token Renewed',
      detail: { scope: 'api/read', ...(answer.ok && { versionId: answer.versionId }) },
    },
  ]);
  expect(swept.map((event) => [event['detail-type'], event.detail.scope]).sort()).toEqual([
    ['Token Renewed', 'api/read'],
    ['Token Renewed', 'api/webhooks'],
    ['Token Renewed', 'api/write'],
  ]);
  expect(received.flatMap(schemaFaults)).toEqual([]);
});

it('a rotation by the command, and the revocation of the previous credential, are events too', async () => {
  const put = await place.command('api-key put', { input: await place.newKey() });
  const rotated = await announced();
  const revoke = await place.command('credentials revoke-previous --kind api-key --yes');
  const revoked = await announced();

  expect([put.stderr, revoke.stderr, put.exitCode, revoke.exitCode]).toEqual([
    expect.not.stringContaining('No event'),
    expect.not.stringContaining('No event'),
    0,
    0,
  ]);
  expect(rotated).toMatchObject([{ 'detail-type': 'Credential Rotated', detail: { credential: 'api-key' } }]);
  expect(revoked).toMatchObject([{ 'detail-type': 'Credential Revoked', detail: { credential: 'api-key' } }]);
  expect(received.flatMap(schemaFaults)).toEqual([]);
});

it('no event holds a token or a credential', async () => {
  const tokens = place.tenant.tokens.map(({ scope }) => place.token(scope));
  const values = await Promise.all([place.pair(), place.apiKey(), ...tokens]);
  const secrets = values
    .flatMap((value) => Object.entries(value))
    .filter(([field]) => /^(clientId|clientSecret|apiKey|accessToken)$/.test(field));

  expect(received.length).toBeGreaterThan(5);
  expect(secrets).toHaveLength(6);
  for (const [, secret] of secrets) expect(JSON.stringify(received)).not.toContain(secret);
});
