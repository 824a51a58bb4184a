import * as fc from 'fast-check';

import { CANDIDATE_LABEL, KIND_TAG, PROVEN_LABEL } from '../../core/secrets/credential-labels';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../core/secrets/secret-names';
import { type TenantKey, tokenKeyOf } from '../../core/tokens/token-key';
import { parseStoredToken } from '../../core/tokens/stored-token';
import { type Secret } from 'cdk-on-loopback/testing';
import { findCanaries } from '../support/canaries';
import { BundledFunctions } from '../support/lambdas/bundled-functions';
import { captureOutput } from '../support/lambdas/captured-output';
import { type Behavior } from '../support/lambdas/loopback-server';
import { restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { TENANT_ID } from '../support/lambdas/token-functions';
import { IS_FULL } from '../support/test-size';
import { forAny } from './support/for-any';
import { outcomeOf, requestWith } from './support/function-outcome';
import { anyJson, changed } from './support/fuzzed-json';

/** Each set is used by every function, and takes a third of a second. */
const RUNS = IS_FULL ? 10_000 : 15;
const TIMEOUT_MS = IS_FULL ? 10_800_000 : 180_000;

const TENANT: TenantKey = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID };
const TOKEN_TYPES = restoringDeploymentOf().tenants[0]!.tokens;
/** Enough to test a credential once, and too short to test a refused API key again, which takes half a minute. */
const REMAINING_MS = 10_400;
/** In every valid value of a secret. Nothing that anyone can see may hold it. */
const CANARY = { name: 'a value of a secret', value: 'Qz7-canary-9f8e7d6c5b4a3210' };
/** The only client secret that the platform accepts, and the tokens that it issues. */
const GOOD_SECRET = { name: 'the accepted secret', value: 'Wk3-accepted-0a1b2c3d4e5f6071' };
const ISSUED = { name: 'an issued token', value: 'Xv5-issued-1f2e3d4c5b6a7988' };
const VERSION = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;

const HOUR_MS = 3_600_000;
/** Stand for times around the run's. */
const TIMES = { ISSUED_AT: -HOUR_MS, EXPIRES_AT: HOUR_MS / 2 };
const validToken = (n: number) => ({
  accessToken: CANARY.value,
  tokenType: 'Bearer',
  ...tokenKeyOf(TENANT, TOKEN_TYPES[n]!),
  issuedAt: 'ISSUED_AT',
  expiresAt: 'EXPIRES_AT',
  credentialVersionId: VERSION(1),
  writesMs: [1],
});
const VALID = [
  { clientId: 'client', clientSecret: CANARY.value },
  { clientId: 'client', clientSecret: GOOD_SECRET.value },
  { apiKey: CANARY.value, validUntil: '2099-01-01T00:00:00Z' },
  ...TOKEN_TYPES.map((_, n) => validToken(n)),
];
const times = fc.constantFrom<unknown>(
  ...['+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '0000-01-01', '9999-12-31T23:59:60Z', 'Infinity'],
  ...[[1e300], Array(96).fill(1e300), Array(97).fill(-1), Array(200).fill(4e15), Number.MAX_VALUE],
);

/** A value as anybody with PutSecretValue may write it, or nothing. */
type Value = string | Buffer | undefined;
const text = fc.oneof(
  { weight: 6, arbitrary: changed(VALID, times).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.constantFrom(...VALID.map((value) => JSON.stringify(value))) },
  anyJson.map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 60 }).map((junk) => `${CANARY.value}${junk}`),
  fc.integer({ min: 1, max: 32_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1, max: 60_000 }).map((length) => CANARY.value.padEnd(length, 'x')),
  fc
    .integer({ min: 1, max: 2_000 })
    .map((count) => `{${Array.from({ length: count }, (_, n) => `"k${n}":"${n}"`).join()}}`),
);
const secretValue: fc.Arbitrary<Value> = fc.oneof(
  { weight: 9, arbitrary: text },
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from(CANARY.value), bytes])),
  fc.constant(undefined),
);
/** The current, the previous and the pending version. */
const secretValues = fc.tuple(secretValue, secretValue, secretValue);
const world = fc.record({
  credentials: fc.tuple(secretValues, secretValues),
  tokens: fc.array(secretValues, { minLength: TOKEN_TYPES.length, maxLength: TOKEN_TYPES.length }),
  labels: fc.subarray([CANDIDATE_LABEL, PROVEN_LABEL]),
});
type World = typeof world extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Issues tokens for the accepted secret, and refuses every other one. */
const answersTo: Behavior = (response, { path, body }) => {
  response.setHeader('Content-Type', 'application/json');
  if (path.includes('/oauth2/token/') && body.includes(GOOD_SECRET.value)) {
    const { scope } = JSON.parse(body) as { scope: string };
    response.end(
      JSON.stringify({ access_token: ISSUED.value, token_type: 'Bearer', expires_in: 3600, scope }),
    );
    return;
  }
  response.statusCode = 401;
  response.end('{"error":"invalid_client"}');
};

function inTime(value: string): string {
  return Object.entries(TIMES).reduce(
    (text, [name, ms]) => text.replaceAll(name, new Date(Date.now() + ms).toISOString()),
    value,
  );
}

function write(secret: Secret, values: readonly Value[], labels: readonly string[]): void {
  const stages = [['AWSCURRENT'], ['AWSPREVIOUS'], ['AWSPENDING', ...labels]];
  for (const [n, value] of values.entries()) {
    if (value === undefined) continue;
    const versionId = VERSION(n + 1);
    const content = typeof value === 'string' ? { secretString: inTime(value) } : { secretBinary: value };
    secret.versions.set(versionId, {
      versionId,
      createdAtMs: Date.now() - HOUR_MS,
      ...content,
      stages: new Set(stages[n]),
    });
  }
}

/** Invokes every function once with these secrets. Returns what they said. */
async function useSecrets({ credentials, tokens, labels }: World, functions: BundledFunctions) {
  const { aws } = functions;
  aws.account.secrets.clear();
  const secrets = CREDENTIAL_KINDS.map((kind) =>
    aws.addSecret(credentialSecretName('latchkey', TENANT, kind), { tags: { [KIND_TAG]: kind } }),
  );
  secrets.forEach((secret, n) => write(secret, credentials[n]!, labels));
  const tokenSecrets = TOKEN_TYPES.map((type, n) => {
    const secret = aws.addSecret(tokenSecretName('latchkey', tokenKeyOf(TENANT, type)));
    write(secret, tokens[n]!, []);
    return secret;
  });
  const basic = Buffer.from(`${TENANT_ID}:presented-key`).toString('base64');
  const events: [string, object][] = [
    ['token-refresh', { action: 'ensure', tenantId: TENANT_ID, ...TOKEN_TYPES[0] }],
    ['token-sweep', { action: 'sweep' }],
    ['credential-watch', { action: 'report' }],
    ['credential-watch', { action: 'watch' }],
    ['authorizer', requestWith(`Basic ${basic}`)],
    ['authorizer', requestWith('Bearer presented-token')],
    ['restore', requestWith(`Basic ${basic}`)],
    ...secrets.flatMap(({ arn }) =>
      ['createSecret', 'testSecret', 'finishSecret'].map((Step): [string, object] => [
        'rotate-credentials',
        { SecretId: arn, ClientRequestToken: VERSION(3), Step },
      ]),
    ),
  ];
  const said: string[] = [];
  for (const [name, event] of events) {
    said.push((await outcomeOf(functions.handlerOf(name), event, REMAINING_MS)).said);
  }
  return { said, secrets, tokenSecrets };
}

/** Only a credential that the platform accepts became current, and tokens are those that it issued. */
function checkWritten(
  { credentials }: World,
  secrets: readonly Secret[],
  tokenSecrets: readonly Secret[],
): void {
  for (const [n, secret] of secrets.entries()) {
    const current = [...secret.versions.values()].find(({ stages }) => stages.has('AWSCURRENT'));
    const before = credentials[n]![0];
    if (current === undefined || current.versionId === VERSION(1)) continue;
    const now = expect.stringContaining(GOOD_SECRET.value) as string;
    expect({ before, now: current.secretString }).toEqual({ before, now });
  }
  for (const [n, secret] of tokenSecrets.entries()) {
    for (const { versionId, secretString } of secret.versions.values()) {
      if (/^0000000[123]-/.test(versionId)) continue;
      const stored = parseStoredToken(secretString ?? '', tokenKeyOf(TENANT, TOKEN_TYPES[n]!));
      expect(stored?.accessToken).toBe(ISSUED.value);
      expect(secretString!.length).toBeLessThan(65_536);
    }
  }
}

async function checkAll(functions: BundledFunctions): Promise<number> {
  functions.deployment = restoringDeploymentOf();
  functions.server.behavior = answersTo;
  let renewed = 0;
  let elapsedMs = 0;
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    jest.spyOn(clock, 'now').mockImplementation(() => now() + elapsedMs);
  }
  await forAny(world, RUNS, async (drawn) => {
    const output = captureOutput();
    // So that the functions read everything again.
    elapsedMs += 2 * HOUR_MS;

    const { said, secrets, tokenSecrets } = await useSecrets(drawn, functions);
    checkWritten(drawn, secrets, tokenSecrets);
    const visible = [
      { place: 'answers', text: said.join('\n') },
      { place: 'output', text: output() },
    ];
    expect(findCanaries([CANARY, GOOD_SECRET, ISSUED], visible)).toEqual([]);
    for (const line of output().split('\n')) expect(line.length).toBeLessThan(20_000);
    renewed += said.filter((each) => each.includes('"refreshed":true')).length;
  });
  return renewed;
}

test(
  'whatever others write into secrets, no function crashes, shows a value, or makes an unproven credential current',
  () =>
    BundledFunctions.use(async (functions) => {
      expect(await checkAll(functions)).toBeGreaterThan(0);
    }),
  TIMEOUT_MS,
);
