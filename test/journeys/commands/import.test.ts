import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

import { type AccessKey } from '../../../contract/local-run';
import {
  type ApiKeyValue,
  type ClientCredentialsValue,
  type TokenValue,
} from '../../../contract/secret-values';
import { COMMAND } from '../support/command';
import { tokenArn } from '../support/journeys';
import { PROJECT_ROOT } from '../support/local-process';
import { OperatedTenant } from '../support/operated-tenant';
import { blocksOf, runShell, type ShellResult } from '../support/runbook';
import { RunningSystem } from '../support/running-system';

/** Three tenants come with credentials in three kinds of places, as docs/import.md says, and go back. */
const PAGE = readFileSync(join(PROJECT_ROOT, 'docs/import.md'), 'utf8');
const [MAP = ''] = blocksOf({ file: 'import.md', text: PAGE }, 'json');
const [DRY_RUN = '', IMPORT = '', BACK = ''] = blocksOf({ file: 'import.md', text: PAGE }, 'sh');

let folder: string;
let system: RunningSystem;
let ssm: SSMClient;
let one: OperatedTenant;
let two: OperatedTenant;
let mea: OperatedTenant;
let pairs: ClientCredentialsValue[];
let key: ApiKeyValue;
const secrets: string[] = [];
const shown: string[] = [];

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  folder = mkdtempSync(join(tmpdir(), 'latchkey-import-'));
  one = new OperatedTenant(system, 'staging', 'global');
  two = new OperatedTenant(system, 'staging', 'global', 1);
  mea = new OperatedTenant(system, 'staging', 'mea');
  pairs = [await one.newPair(), await two.newPair(), await mea.newPair()];
  key = await one.newKey();
  secrets.push(key.apiKey, ...pairs.map(({ clientSecret }) => clientSecret));
  const { endpoint, region } = system.run.aws;
  ssm = new SSMClient({ endpoint, region, credentials: system.run.aws });
  const ofOne = { client_id: pairs[0]!.clientId, client_secret: pairs[0]!.clientSecret, owner: 'team' };
  await put('/platform/one/client', JSON.stringify(ofOne), 'SecureString');
  await put('/platform/one/api-key', key.apiKey, 'SecureString');
  const ofMea = { user: pairs[2]!.clientId, password: pairs[2]!.clientSecret };
  await system.administrator.secrets.send(
    new CreateSecretCommand({ Name: 'platform/mea', SecretString: JSON.stringify(ofMea) }),
  );
  writeFileSync(join(folder, 'sources.json'), MAP);
  writeFileSync(join(folder, 'latchkey.json'), configuration());
  writeFileSync(join(folder, 'latchkey'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`, {
    mode: 0o755,
  });
}, 120_000);

afterAll(async () => {
  ssm.destroy();
  await system.stop();
  rmSync(folder, { recursive: true });
});

const put = (Name: string, Value: string, Type: 'String' | 'SecureString') =>
  ssm.send(new PutParameterCommand({ Name, Value, Type }));
const parameter = async (Name: string) =>
  (await ssm.send(new GetParameterCommand({ Name, WithDecryption: true }))).Parameter!.Value!;

/** The laptop system's configuration at this place, with addresses that are valid for a real account. */
function configuration(): string {
  const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
  const written = JSON.parse(text.replaceAll('https://127.0.0.1:8443', 'https://platform.invalid')) as {
    deployments: object[];
  };
  const { accountId: account, region } = system.run.aws;
  const deployments = written.deployments.map((each) => ({ ...each, account, region }));
  return JSON.stringify({ ...written, local: false, deployments });
}

/** Runs a block of the page in a shell, with that access key. */
function run(block: string, { accessKeyId, secretAccessKey }: AccessKey): ShellResult {
  const result = runShell(`cd '${folder}'\n${block}`, {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    LATCHKEY_CONFIG: join(folder, 'latchkey.json'),
    AWS_ENDPOINT_URL: system.run.aws.endpoint,
    AWS_REGION: system.run.aws.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_CONFIG_FILE: join(folder, 'none'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
    AWS_EC2_METADATA_DISABLED: 'true',
    NODE_EXTRA_CA_CERTS: join(PROJECT_ROOT, system.run.caFile),
    PLATFORM_TWO_CLIENT_ID: pairs[1]!.clientId,
    PLATFORM_TWO_CLIENT_SECRET: pairs[1]!.clientSecret,
  });
  shown.push(result.output);
  return result;
}

const loaded = async () =>
  Promise.all(
    [one, two, mea].map(async (tenant) => 'AWSCURRENT' in (await tenant.labels('client-credentials'))),
  );

it('only looks at the places with --dry-run', async () => {
  const { exitCode, output } = run(DRY_RUN, system.run.aws);

  expect(output.match(/the first one$/gm)).toHaveLength(4);
  expect(exitCode).toBe(0);
  expect(await loaded()).toEqual([false, false, false]);
});

it('tells an operator, who may read no places, what is missing', async () => {
  const { exitCode, output } = run(DRY_RUN, system.run.operator);

  expect(exitCode).toBe(77);
  expect(output).toContain('You need ssm:GetParameter on it');
  expect(output).toContain('You need secretsmanager:GetSecretValue on it');
});

it('loads all tenants, whose tokens services read and the platform accepts', async () => {
  const { exitCode, output } = run(IMPORT, system.run.aws);

  expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  for (const [index, { place }] of [one, two, mea].entries()) {
    expect(await system.secret(place.tenant.clientCredentialsArn)).toEqual(pairs[index]);
    const { accessToken } = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
    const { status } = await system.https('GET', `${place.deployment.platform.contentBaseUrl}/contents`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(status).toBe(200);
    secrets.push(accessToken);
  }
  expect(
    await one.restoreStatus(
      `Basic ${Buffer.from(`${one.place.tenant.tenantId}:${key.apiKey}`).toString('base64')}`,
    ),
  ).toBe(404);
});

it('leaves everything alone the second time', async () => {
  const before = await one.labels('client-credentials');

  const { exitCode, output } = run(IMPORT, system.run.aws);

  expect(exitCode).toBe(0);
  expect(output.match(/loaded already/g)).toHaveLength(4);
  expect(await one.labels('client-credentials')).toEqual(before);
});

it('goes back after a rotation: the old places hold the current credentials', async () => {
  const [newOne, newMea] = [await one.newPair(), await mea.newPair()];
  secrets.push(newOne.clientSecret, newMea.clientSecret);
  await one.give('credentials put', newOne);
  await mea.give('credentials put', newMea);

  const denied = run(BACK, system.run.operator);
  const { exitCode, output } = run(BACK, system.run.aws);

  expect(denied).toMatchObject({
    exitCode: 77,
    output: expect.stringContaining('For the way back, you need secretsmanager:GetSecretValue') as string,
  });
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  expect(output).toContain('set environment PLATFORM_TWO_CLIENT_ID by hand');
  expect(JSON.parse(await parameter('/platform/one/client'))).toEqual({
    client_id: newOne.clientId,
    client_secret: newOne.clientSecret,
    owner: 'team',
  });
  expect(await system.secret('platform/mea')).toEqual({
    user: newMea.clientId,
    password: newMea.clientSecret,
  });
});

it('has shown no secret in all of this', () => {
  expect(shown).toHaveLength(6);
  for (const secret of secrets) expect(shown.join('\n')).not.toContain(secret);
});
