import { Stack } from 'aws-cdk-lib';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as sqs from 'aws-cdk-lib/aws-sqs';

import { Latchkey } from '../../lib/constructs/latchkey';
import { schemaFaults } from '../support/events/published-schema';
import { Synthesis, temporaryApp } from '../support/lib/synthesis';
import { command } from './support/operating';
import { ensure, issue, loadWithTokens, type Place, placeOf } from './support/journeys';
import { RunningSystem } from './support/running-system';

const MINUTE_MS = 60_000;

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
  system = await RunningSystem.startConfigured((configuration) => {
    configuration.deployments = [Object.assign(configuration.deployments[0]!, { events: true })];
  });
  place = placeOf(system, 'staging', 'global');
  await system.deployStacks(listener());
  queueUrl = `${system.run.aws.endpoint}/${system.run.aws.accountId}/changes`;
  await loadWithTokens(place);
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
    found.push(...messages.map(({ body }) => JSON.parse(body) as ChangeEvent));
    if (messages.length === 0) break;
  }
  received.push(...found);
  return found;
}

/** The same after a command, which has a function announce what it changed and does not wait for it. */
async function announced(): Promise<ChangeEvent[]> {
  for (let look = 0; look < 500; look += 1) {
    const found = await changes();
    if (found.length > 0) return found;
  }
  return [];
}

/** Makes the first tenant's token of a scope due, and the next call renew it. */
async function expire(scope: string): Promise<void> {
  const arn = place.tenant.tokens.find((token) => token.scope === scope)!.arn;
  const value = await system.secret<Record<string, unknown>>(arn);
  const expiresAt = new Date(Date.now() + MINUTE_MS).toISOString();
  await system.putSecret(system.administrator, arn, { ...value, expiresAt });
}

it('each way to change a token or a credential sends its event, as its schema describes', async () => {
  await expire('api/read');
  const answer = await ensure(place, 'api/read', { minValiditySec: 600 });
  const renewed = await changes();
  // Of another client secret, by which a sweep replaces the tokens of the former.
  await loadWithTokens(place);
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
  expect(received.map(schemaFaults).flat()).toEqual([]);
});

it('a rotation by the command, and the revocation of the previous credential, are events too', async () => {
  const put = await command(place, ['api-key', 'put'], await issue(place, 'api-keys'));
  const rotated = await announced();
  const revoke = await command(place, ['credentials', 'revoke-previous', '--kind', 'api-key', '--yes']);
  const revoked = await announced();

  expect([put.stderr, revoke.stderr, put.exitCode, revoke.exitCode]).toEqual([
    expect.not.stringContaining('No event'),
    expect.not.stringContaining('No event'),
    0,
    0,
  ]);
  expect(rotated).toMatchObject([{ 'detail-type': 'Credential Rotated', detail: { credential: 'api-key' } }]);
  expect(revoked).toMatchObject([{ 'detail-type': 'Credential Revoked', detail: { credential: 'api-key' } }]);
  expect(received.map(schemaFaults).flat()).toEqual([]);
});

it('no event holds a token or a credential', async () => {
  const { clientCredentialsArn, apiKeyArn, tokens } = place.tenant;
  const values = await Promise.all(
    [clientCredentialsArn, apiKeyArn!, ...tokens.map(({ arn }) => arn)].map((arn) =>
      system.secret<Record<string, string>>(arn),
    ),
  );
  const secrets = values.flatMap(({ clientSecret, clientId, apiKey, accessToken }) =>
    [clientSecret, clientId, apiKey, accessToken].filter((each) => each !== undefined),
  );

  expect(received.length).toBeGreaterThan(5);
  expect(secrets.length).toBeGreaterThan(4);
  for (const secret of secrets) expect(JSON.stringify(received)).not.toContain(secret);
});
