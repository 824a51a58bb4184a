import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { type TokenValue } from '../../core/secrets/secret-values';
import { InstalledExample, type RunningProgram } from '../support/package/installed-example';
import { load, type Place, placeOf, replaceCredential, sweep, tokenArn } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { RunningSystem } from './support/running-system';

const hasPython = spawnSync('python3', ['-c', 'import boto3']).status === 0;

let system: RunningSystem;
let place: Place;
const examples: Record<string, InstalledExample> = {};

beforeAll(async () => {
  for (const name of ['node-service', 'python-service']) examples[name] = new InstalledExample(name);
  await examples['node-service']!.compile();
  system = await RunningSystem.start(['--no-job']);
  place = placeOf(system, 'staging', 'global');
  await load(place);
  await sweep(place);
});
afterAll(() => system.stop());
afterAll(() => Promise.all(Object.values(examples).map((example) => example.remove())));

/** The variables that the services read, and those that lead the AWS SDKs and TLS to this system. */
const environment = () => {
  const { aws, caFile } = system.run;
  const ca = join(PROJECT_ROOT, caFile);
  return {
    AWS_ENDPOINT_URL: aws.endpoint,
    AWS_REGION: aws.region,
    AWS_DEFAULT_REGION: aws.region,
    AWS_ACCESS_KEY_ID: aws.accessKeyId,
    AWS_SECRET_ACCESS_KEY: aws.secretAccessKey,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    NODE_EXTRA_CA_CERTS: ca,
    SSL_CERT_FILE: ca,
    TENANT_ID: place.tenant.tenantId,
    CONTENT_BASE_URL: place.deployment.platform.contentBaseUrl!,
    TOKEN_REFRESH_ARN: place.deployment.functions.tokenRefresh!,
    TOKEN_SECRET_ID: tokenArn(place, 'api/read'),
    PORT: '0',
  };
};

const SERVICES: [name: string, program: string, args: string[], test: jest.It][] = [
  ['node-service', process.execPath, ['dist/server.mjs'], it],
  ['python-service', 'python3', ['service.py'], hasPython ? it : it.skip],
];

describe.each(SERVICES)('the server of %s', (name, program, args, its) => {
  let server: RunningProgram;
  let url: string;

  const start = async () => {
    server = examples[name]!.start(program, args, environment());
    const [, port] = await server.printed(/^ready.*?(\d{4,5})/m);
    url = `http://127.0.0.1:${port}/`;
  };

  its('answers with the contents of the tenant', async () => {
    const { accessToken } = await storedToken();
    const contents = await system.https('GET', `${place.deployment.platform.contentBaseUrl}/contents`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    await start();

    const answer = await fetch(url);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(contents.body);
  });

  its('answers as before after the platform revoked the credential with all its tokens', async () => {
    const before = await storedToken();
    await replaceCredential(place);

    const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const after = await storedToken();
    expect(after.accessToken).not.toBe(before.accessToken);
    for (const { accessToken } of [before, after]) expect(server.output).not.toContain(accessToken);
  });

  its('answers 503 without a token, and shows nothing of the secret', async () => {
    const kept = await storedToken();
    await system.putSecret(system.administrator, tokenArn(place, 'api/read'), {
      ...kept,
      accessToken: 'canary-7f3a\nx: y',
    });
    await start();

    const { status } = await fetch(url);

    await system.putSecret(system.administrator, tokenArn(place, 'api/read'), kept);
    expect(status).toBe(503);
    expect(server.output).not.toContain('canary');
  });
});

describe('the job of node-service', () => {
  it('prints the archived contents of the tenant', async () => {
    const run = await examples['node-service']!.node(['dist/archived.cjs'], environment());

    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout.trim().split('\n').sort()).toEqual([...place.tenant.archivedContentIds].sort());
  });
});

const storedToken = () => system.secret<TokenValue>(tokenArn(place, 'api/read'));
