import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTokenSource } from '../../client';
import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { type TokenValue } from '../../core/secrets/secret-values';
import { type TokenKey } from '../../core/tokens/published-keys';
import { tenantKeyOf, tokenKeyOf } from '../../core/tokens/token-key';
import { type CommandResult, documentOf, runLatchkey } from './support/command';
import { PROJECT_ROOT } from './support/local-process';
import { type Place } from './support/place';
import { RunningSystem } from './support/running-system';
import { until } from './support/until';

/**
 * Credentials are loaded, rotated under load, and rotated after an interruption. Each test leaves valid credentials behind.
 * test/cli has the command's answer to each input and failure, and test/simulation what a killed rotation leaves.
 */
let system: RunningSystem;
let place: Place;

beforeAll(async () => {
  system = await RunningSystem.startConfigured(
    (deployments) => {
      deployments.splice(1);
      // The stage does not throttle the load.
      deployments[0]!.restoreApi = { rateLimit: 1_000, burstLimit: 1_000 };
    },
    ['--no-job'],
  );
  place = system.place('staging', 'global');
  await place.command('credentials put', { input: await place.newPair() });
  await place.command('api-key put', { input: await place.newKey() });
});

afterAll(() => system.stop());

const outputOf = ({ stdout, stderr }: CommandResult) => `${stdout}\n${stderr}`;

it('proves the client credentials that a person enters, makes them current and gets a token of each scope', async () => {
  const withoutCredentials = system.place('staging', 'global', 1);
  const { clientId, clientSecret } = await withoutCredentials.newPair();

  const result = await withoutCredentials.command('credentials put', {
    answers: [
      { after: /Client id/, type: `${clientId}\r` },
      { after: /Client secret/, type: `${clientSecret}\r` },
    ],
  });

  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('2 of 2 tokens stored');
  expect(outputOf(result)).not.toContain(clientSecret);
  expect((await withoutCredentials.pair()).clientId).toBe(clientId);
  expect(await withoutCredentials.labels('client-credentials')).toEqual(['AWSCURRENT']);
});

it('rotates both credentials unnoticed by services and callers of the restore API, though the platform revokes the old pair', async () => {
  const { deployment, tenant } = place;
  const tokenType = { interface: 'content', scope: 'api/read' };
  const tokenKey = tokenKeyOf(tenantKeyOf(deployment, tenant.tenantId), tokenType) as TokenKey;
  const { secrets: secretsManager, lambda } = system.administrator;
  const tokenRefresh = deployment.functions.tokenRefresh!;
  const service = createTokenSource({ tokenRefresh, secretsManager, lambda, fetch: fetchTrusting });
  const url = `${deployment.platform.contentBaseUrl}/contents`;
  const authorization = await place.basic();
  const { clientId: former } = await place.pair();
  const formerVersions = await mintedBy();
  const endService = calling(async () => (await service.authorizedFetch(tokenKey, url)).status);
  const [contentId = ''] = tenant.archivedContentIds;
  const endRestores = calling(async () => (await place.restore(contentId, { authorization })).status);

  const put = await place.command('credentials put', { input: await place.newPair() });
  await until(async () => (await mintedBy()).every((version) => !formerVersions.includes(version)));
  await place.revoke(former);
  const generated = await place.command('api-key generate', { input: await place.newSession() });

  // Longer than the authorizer keeps the key that it read.
  await system.advance(15);

  expect(await endService()).toEqual(new Set([200]));
  // Callers still have the previous key.
  expect(await endRestores()).toEqual(new Set([200, 409]));
  expect([put, generated]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect(await place.basic()).not.toBe(authorization);
});

it('says on Ctrl-C that a rotation goes on, which one more command finishes', async () => {
  const pair = await place.newPair();
  await place.fail('token', { delayMs: 1_000, times: 1 });

  const interrupted = await place.command('credentials put', {
    input: pair,
    signal: { after: /Rotating: rotate-credentials/, name: 'SIGINT' },
  });

  expect(interrupted).toMatchObject({ exitCode: 75 });
  expect(outputOf(interrupted)).not.toContain(pair.clientSecret);
  // Secrets Manager may have completed the rotation by now, which leaves nothing to promote.
  expect([0, 1]).toContain((await place.command('credentials rotate')).exitCode);
  expect((await place.pair()).clientId).toBe(pair.clientId);
  expect(await place.labels('client-credentials')).not.toContain(CANDIDATE_LABEL);
});

/** As against an AWS account: with a configuration, and credentials from the environment. */
it('loads and rotates both credentials where only the functions reach the platform, which prove them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-configured-'));
  const { endpoint, region, accountId: account } = system.run.aws;
  const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
  const { local, deployments, ...rest } = JSON.parse(
    text.replaceAll('https://127.0.0.1:8443', 'https://platform.invalid'),
  ) as { local: boolean; deployments: object[] };
  const placed = { ...rest, deployments: deployments.map((each) => ({ ...each, account, region })) };
  writeFileSync(join(folder, 'latchkey.json'), JSON.stringify(placed));
  const env = {
    LATCHKEY_CONFIG: join(folder, 'latchkey.json'),
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: system.run.operator.accessKeyId,
    AWS_SECRET_ACCESS_KEY: system.run.operator.secretAccessKey,
    AWS_CONFIG_FILE: join(folder, 'none'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
    AWS_EC2_METADATA_DISABLED: 'true',
    NODE_EXTRA_CA_CERTS: join(PROJECT_ROOT, system.run.caFile),
  };
  const run = (words: string, input: object) =>
    runLatchkey([...words.split(' '), '--json', ...place.flags], { input, env });
  const [pair, key] = [await place.newPair(), await place.newKey()];

  const here = await run('credentials put', await place.newPair());
  const put = [
    await run('credentials put --prove-by function', pair),
    await run('api-key put --prove-by function', key),
  ];
  rmSync(folder, { recursive: true });

  expect(local).toBe(true);
  expect(documentOf(here)).toMatchObject({ error: { code: 'could_not_test' } });
  expect(put).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect((await place.pair()).clientId).toBe(pair.clientId);
  expect(await place.apiKey()).toMatchObject({ apiKey: key.apiKey });
});

/** Trusts the system's authority. */
const fetchTrusting: typeof fetch = async (url, init) => {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const { status, text } = await system.send('GET', (url as URL | string).toString(), { headers });
  return new Response(text, { status });
};

/**
 * Makes one call after the other.
 * @returns ends that after one more call, and returns the statuses of all
 */
function calling(call: () => Promise<number>): () => Promise<Set<number>> {
  let isEnding = false;
  const statuses = new Set<number>();
  const ended = (async () => {
    while (!isEnding) statuses.add(await call());
    return statuses.add(await call());
  })();
  // An error is the caller's, once it waits for the end.
  ended.catch(() => undefined);
  return () => {
    isEnding = true;
    return ended;
  };
}

/** The credential versions that minted the tenant's stored tokens. */
async function mintedBy(): Promise<string[]> {
  const values = place.tenant.tokens.map(({ arn }) => system.secret<TokenValue>(arn));
  return (await Promise.all(values)).map(({ credentialVersionId }) => credentialVersionId);
}
