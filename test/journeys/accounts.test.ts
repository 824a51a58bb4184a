import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { addRole, type PolicyStatement } from 'cdk-on-loopback/testing';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { type CommandOptions, documentOf, runLatchkey } from './support/command';

/** The deployment's account, and two others. */
const [OWN, MEMBER, STRANGER] = ['111111111111', '444455556666', '666677778888'] as const;
const READ = { interface: 'content', scope: 'api/read' } as const;
const TENANT_ID = 'me-south-1_Under';

let api: RestoreApiUnderTest;
beforeAll(async () => {
  api = await RestoreApiUnderTest.start({}, { auth: 'iam' });
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());

const everything: PolicyStatement = { Effect: 'Allow', Action: '*', Resource: '*' };

/** An access key of a role of an account, which has these statements. */
function keyOf(accountId: string, statements: PolicyStatement[]) {
  const roleArn = addRole(api.account, 'service', statements, undefined, accountId);
  return api.credentials.issueForRole(roleArn, 'session', { withSessionToken: false });
}

describe('the command with the AWS profile of a deployment', () => {
  const ROLE = `arn:aws:iam::${OWN}:role/operators`;
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'latchkey-accounts-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Adds the role, which trusts a principal. */
  function addOperators(AWS: string): string {
    const trust: PolicyStatement = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS } };
    return addRole(api.account, 'operators', [everything], { Statement: [trust] }, OWN);
  }

  /**
   * Runs the command in a deployment with `awsProfile`, which assumes the role with somebody's access key.
   * @param settings of the profile besides `source_profile` and `role_arn`
   */
  function run(
    settings: Record<string, string>,
    key: { accessKeyId: string; secretAccessKey: string },
    { awsProfile = 'operators', ...more }: CommandOptions & { awsProfile?: string } = {},
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
    const tenants = [{ tenantId: TENANT_ID, tokens: [READ] }];
    const place = { environment: 'staging', platformRegion: 'mea', account: OWN, region: api.account.region };
    const configuration = {
      endpoints: { staging: { mea: platform } },
      deployments: [{ ...place, tenants, restoreApi: { auth: 'iam' }, awsProfile }],
    };
    const file = join(folder, 'latchkey.json');
    writeFileSync(file, JSON.stringify(configuration));
    return runLatchkey(['token', 'show', '--scope', 'api/read', '--json'], {
      ...more,
      env: {
        LATCHKEY_CONFIG: file,
        AWS_ACCESS_KEY_ID: undefined,
        AWS_SECRET_ACCESS_KEY: undefined,
        AWS_SESSION_TOKEN: undefined,
        AWS_CONFIG_FILE: join(folder, 'config'),
        AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
        AWS_EC2_METADATA_DISABLED: 'true',
        ...more.env,
      },
    });
  }
  const errorOf = (result: Awaited<ReturnType<typeof run>>) =>
    documentOf<{ error: { code: string; message: string; advice: string } }>(result).error;

  it('works in an account that the caller’s own credentials are not of', async () => {
    addOperators(`arn:aws:iam::${MEMBER}:root`);
    const key = keyOf(MEMBER, [{ ...everything, Action: 'sts:AssumeRole', Resource: ROLE }]);

    const inRole = await run({}, key);
    const without = await run({}, key, { awsProfile: 'base' });

    expect(inRole).toMatchObject({ exitCode: 0, stderr: '' });
    expect(documentOf(inRole)).toMatchObject({ tenantId: TENANT_ID, scope: 'api/read' });
    expect(without.exitCode).toBe(77);
  });

  it('names the role and the statement that a caller lacks', async () => {
    addOperators(`arn:aws:iam::${STRANGER}:root`);
    const result = await run({}, keyOf(STRANGER, []));

    expect(result.exitCode).toBe(77);
    expect(errorOf(result)).toMatchObject({ code: 'role_denied' });
    expect(errorOf(result).advice).toContain(
      `{"Effect":"Allow","Action":"sts:AssumeRole","Resource":"${ROLE}"}`,
    );
  });

  it('asks at the terminal for the code of a profile with MFA, and shows it nowhere', async () => {
    const roleArn = addOperators(`arn:aws:iam::${MEMBER}:root`);
    const { accessKeyId, secretAccessKey, sessionToken } = api.credentials.issueForRole(roleArn, 'session', {
      withSessionToken: true,
    });
    const asked: URLSearchParams[] = [];
    // The laptop's STS has no devices.
    const sts = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push(new URLSearchParams(body));
        response.setHeader('content-type', 'text/xml');
        response.end(
          '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>' +
            `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>` +
            `<SessionToken>${sessionToken!}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>` +
            '</Credentials></AssumeRoleResult></AssumeRoleResponse>',
        );
      });
    });
    await new Promise<void>((resolve) => sts.listen(0, '127.0.0.1', resolve));
    const { port } = sts.address() as AddressInfo;

    const shown = await run({ mfa_serial: 'arn:aws:iam::444455556666:mfa/anna' }, keyOf(MEMBER, []), {
      answers: [{ after: /Enter MFA code for \S+mfa\/anna:/, type: '123456\r' }],
      env: { AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${port}` },
    });
    sts.close();

    expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(TENANT_ID) as string });
    expect(shown.stdout).not.toContain('123456');
    expect(asked.map((form) => [form.get('SerialNumber'), form.get('TokenCode')])).toEqual([
      ['arn:aws:iam::444455556666:mfa/anna', '123456'],
    ]);
  });
});
