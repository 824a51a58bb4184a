import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { restorePathPattern } from '../../core/restore/restore-operation';
import { addRole, type PolicyDocument, type PolicyStatement } from 'cdk-on-loopback/testing';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { restorePath } from '../support/restore-api/restore-path';
import { type CommandOptions, documentOf, runLatchkey } from './support/command';
import { sendHttps } from './support/https-request';
import { signedHeaders } from './support/signed-request';

/*
 * A deployment's account and others: one that it names, one of its organization, and one of another organization. All reads
 * and requests are signed by roles of these accounts and go over sockets.
 */
const [OWN, NAMED, MEMBER, STRANGER] = [
  '111111111111',
  '333344445555',
  '444455556666',
  '666677778888',
] as const;
const [OURS, THEIRS] = ['o-a1b2c3d4e5', 'o-f6a7b8c9d0'] as const;
const READ = { interface: 'content', scope: 'api/read' } as const;
const TENANTS = ['me-south-1_Under', 'me-south-1_Neighbor'] as const;
const TOKEN = `latchkey/staging/mea/${TENANTS[0]}/token/content/api-read`;

let api: RestoreApiUnderTest;
beforeAll(async () => {
  const write = { interface: 'content', scope: 'api/write' } as const;
  const shared = { ...READ, readerAccounts: [NAMED], readerOrganizations: [OURS] };
  api = await RestoreApiUnderTest.start(
    {
      tenants: TENANTS.map((tenantId, index) => ({ tenantId, tokens: [index === 0 ? shared : READ, write] })),
      restoreApi: { callerAccounts: [NAMED], callerOrganizations: [OURS] },
    },
    { auth: 'iam' },
  );
  const { organizations } = api.account;
  organizations.set(OWN, OURS).set(MEMBER, OURS).set(STRANGER, THEIRS).set(NAMED, THEIRS);
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());

const everything: PolicyStatement = { Effect: 'Allow', Action: '*', Resource: '*' };

/** Settings for SDK clients of a role of an account, which has these statements. */
function roleOf(accountId: string, statements: PolicyStatement[] = [everything], trust?: PolicyDocument) {
  const roleArn = addRole(api.account, 'service', statements, trust, accountId);
  const credentials = api.credentials.issueForRole(roleArn, 'session', { withSessionToken: false });
  return { region: api.account.region, endpoint: process.env.AWS_ENDPOINT_URL!, credentials, maxAttempts: 1 };
}

const secretOf = (name: string) => [...api.account.secrets.values()].find((secret) => secret.name === name)!;

async function readToken(accountId: string, name = TOKEN, statements?: PolicyStatement[]): Promise<string> {
  const client = new SecretsManagerClient(roleOf(accountId, statements));
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretOf(name).arn }));
  return (JSON.parse(SecretString!) as { accessToken: string }).accessToken;
}

async function requestToken(accountId: string, statements?: PolicyStatement[]): Promise<string | undefined> {
  const { arn } = [...api.account.functions.values()].find(({ name }) => name.includes('TokenRefresh'))!;
  const requirement = { action: 'ensure', tenantId: TENANTS[0], ...READ };
  const answer = await new LambdaClient(roleOf(accountId, statements)).send(
    new InvokeCommand({ FunctionName: arn, Payload: JSON.stringify(requirement) }),
  );
  return answer.FunctionError ?? Buffer.from(answer.Payload!).toString();
}

async function restore(accountId: string, statements: PolicyStatement[] = [everything]): Promise<number> {
  await api.sandbox.control('POST', 'reset');
  const { credentials, region } = roleOf(accountId, statements);
  const request = {
    method: 'POST',
    url: `${api.url}${restorePath(TENANTS[0], await api.content())}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authorRef: api.tenants[0].authorRefs[0] }),
  };
  const headers = await signedHeaders({ service: 'execute-api', region, credentials }, request);
  return (await sendHttps(api.ca, 'POST', request.url, { headers, body: request.body })).status;
}

const denied = { name: 'AccessDeniedException' };

describe('a token', () => {
  it.each([
    ['that the token names', NAMED],
    ['of an organization that it names', MEMBER],
  ])('is read and requested by a role of an account %s', async (_, accountId) => {
    expect(await readToken(accountId)).toMatch(/^[\w-]{20,}$/);
    expect(await requestToken(accountId)).toContain('expiresAt');
  });

  it('is refused to an administrator of another organization', async () => {
    await expect(readToken(STRANGER)).rejects.toMatchObject(denied);
    await expect(requestToken(STRANGER)).rejects.toMatchObject(denied);
  });

  it('is refused to roles without a policy of their own, in every account', async () => {
    for (const accountId of [NAMED, MEMBER, OWN])
      await expect(readToken(accountId, TOKEN, [])).rejects.toMatchObject(denied);
    for (const accountId of [NAMED, MEMBER])
      await expect(requestToken(accountId, [])).rejects.toMatchObject(denied);
  });

  it.each([
    ['another scope', TOKEN.replace('api-read', 'api-write')],
    ['another tenant', TOKEN.replace(TENANTS[0], TENANTS[1])],
  ])('of %s is refused to them all', async (_, name) => {
    for (const accountId of [NAMED, MEMBER])
      await expect(readToken(accountId, name)).rejects.toMatchObject(denied);
  });
});

describe('the restore API', () => {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html (tables A and B)
  it.each<[number, string, string, PolicyStatement[]]>([
    [200, 'of an account that it names', NAMED, [everything]],
    [200, 'of an organization that it names', MEMBER, [everything]],
    [403, 'of another organization', STRANGER, [everything]],
    [403, 'of an account that it names, without a policy', NAMED, []],
    [403, 'of its organization, without a policy', MEMBER, []],
    [403, 'of its own account, which is in the organization, without a policy', OWN, []],
    [200, 'of its own account, with a policy', OWN, [everything]],
  ])('answers %i to a role %s', async (status, _, accountId, statements) => {
    expect(await restore(accountId, statements)).toBe(status);
  });

  it('leaves it to each account which of its roles may restore for which tenant', async () => {
    const { id } = [...api.apis.apis.values()][0]!;
    const path = restorePathPattern(TENANTS[1]);
    const other: PolicyStatement = {
      Effect: 'Allow',
      Action: 'execute-api:Invoke',
      Resource: `arn:aws:execute-api:${api.account.region}:${OWN}:${id}/v1/POST${path}`,
    };

    expect(await restore(MEMBER, [other])).toBe(403);
  });

  it.each([
    ['accounts', NAMED, 0],
    ['organizations', MEMBER, 1],
  ])('without the statement about %s, it refuses them', async (_, accountId, index) => {
    const { definition } = [...api.apis.apis.values()][0]!.stages.get('v1')!;
    const { policy } = definition;
    const allowing = [policy!.Statement].flat().filter(({ Effect }) => Effect === 'Allow');
    const Statement = [policy!.Statement].flat().filter((statement) => statement !== allowing[index]);
    definition.policy = { ...policy!, Statement };
    try {
      expect(await restore(accountId)).toBe(403);
    } finally {
      definition.policy = policy;
    }
  });
});

describe('the command with the AWS profile of a deployment', () => {
  const ROLE = `arn:aws:iam::${OWN}:role/operators`;
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'latchkey-accounts-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Adds the role, which trusts a principal under a condition. */
  function addOperators(AWS: string, Condition?: PolicyStatement['Condition']): void {
    const trust: PolicyStatement = {
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { AWS },
      Condition,
    };
    addRole(api.account, 'operators', [everything], { Statement: [trust] }, OWN);
  }

  /**
   * Runs the command in a deployment with `awsProfile`, which assumes the role with somebody's access key.
   * @param settings of the profile besides `source_profile` and `role_arn`
   */
  function run(
    settings: Record<string, string>,
    key: { accessKeyId: string; secretAccessKey: string },
    {
      words = 'token show --scope api/read --json',
      awsProfile = 'operators',
      ...more
    }: CommandOptions & { words?: string; awsProfile?: string } = {},
  ) {
    const profiles = {
      base: { aws_access_key_id: key.accessKeyId, aws_secret_access_key: key.secretAccessKey },
      operators: { source_profile: 'base', role_arn: ROLE, ...settings },
    };
    const sections = Object.entries(profiles).map(([name, fields]) =>
      [`[profile ${name}]`, ...Object.entries(fields).map(([field, value]) => `${field} = ${value}`)].join(
        '\n',
      ),
    );
    writeFileSync(join(folder, 'config'), sections.join('\n'));
    const platform = {
      contentBaseUrl: 'https://platform.invalid/v1',
      contentTokenBaseUrl: 'https://auth.invalid',
    };
    const tenants = [{ tenantId: TENANTS[0], tokens: [READ] }];
    const place = { environment: 'staging', platformRegion: 'mea', account: OWN, region: api.account.region };
    const configuration = {
      endpoints: { staging: { mea: platform } },
      deployments: [{ ...place, tenants, restoreApi: { auth: 'iam' }, awsProfile }],
    };
    const file = join(folder, 'latchkey.json');
    writeFileSync(file, JSON.stringify(configuration));
    return runLatchkey(words.split(' '), {
      ...more,
      env: {
        LATCHKEY_CONFIG: file,
        AWS_ACCESS_KEY_ID: undefined,
        AWS_SECRET_ACCESS_KEY: undefined,
        AWS_SESSION_TOKEN: undefined,
        AWS_CONFIG_FILE: join(folder, 'config'),
        AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
        AWS_EC2_METADATA_DISABLED: 'true',
      },
    });
  }
  const errorOf = (result: Awaited<ReturnType<typeof run>>) =>
    documentOf<{ error: { code: string; message: string; advice: string } }>(result).error;

  it('works in an account that the caller’s own credentials are not of', async () => {
    addOperators(`arn:aws:iam::${MEMBER}:root`);
    const { credentials } = roleOf(MEMBER, [{ ...everything, Action: 'sts:AssumeRole', Resource: ROLE }]);

    const inRole = await run({}, credentials);
    const without = await run({}, credentials, { awsProfile: 'base' });

    expect(inRole).toMatchObject({ exitCode: 0, stderr: '' });
    expect(documentOf(inRole)).toMatchObject({ tenantId: TENANTS[0], scope: 'api/read' });
    expect(without.exitCode).toBe(77);
  });

  it('names the role and the statement that a caller lacks', async () => {
    addOperators(`arn:aws:iam::${STRANGER}:root`);
    const result = await run({}, roleOf(STRANGER, []).credentials);

    expect(result.exitCode).toBe(77);
    expect(errorOf(result)).toMatchObject({ code: 'role_denied' });
    expect(errorOf(result).advice).toContain(
      `{"Effect":"Allow","Action":"sts:AssumeRole","Resource":"${ROLE}"}`,
    );
  });
});
