import { OUTCOMES } from '../../core/restore/restore-outcomes';
import { type LocalSystem } from '../../laptop/main-job/local-system';
import {
  loadCredentials,
  nameTenantsOfOwnIssuers,
  refreshTokens,
  restoreRecord,
} from '../../laptop/main-job/main-job';

const NOT_OFFERED = { status: 501, body: { detail: OUTCOMES.restoreUnavailable.detail } };
const FORBIDDEN = { status: 403, body: { code: 'forbidden' } };
const RESTORED = { status: 200, body: { status: 'published', items: [] } };
const RESTORED_BEFORE = { status: 409, body: { code: 'not_archived' } };

type Answer = Awaited<ReturnType<LocalSystem['https']>>;

/** Restores where each deployment's restore API gives these answers in turn. */
const restoring = async (answers: Readonly<Record<string, readonly Answer[]>>) => {
  const left = new Map(Object.entries(answers).map(([stack, given]) => [stack, [...given]]));
  const answer = async (_: string, url: string): Promise<Answer> => left.get(new URL(url).hostname)!.shift()!;
  const deployments = Object.keys(answers).map((stack) => ({
    restoreApiUrl: `https://${stack}`,
    platform: {},
    tenants: [
      {
        tenantId: `tenant-of-${stack}`,
        tokens: [{ interface: 'content', scope: 'api/write', arn: 'arn:token' }],
        archivedContentIds: ['content-1'],
        authorRefs: ['author-1'],
      },
    ],
  }));
  const readSecret = async () => ({ accessToken: 'token' });
  const system = { run: { deployments }, readSecret, https: answer, signed: answer };
  const lines: string[] = [];
  await restoreRecord(system as unknown as LocalSystem, (line) => lines.push(line));
  return { lines, isSpent: [...left.values()].every(({ length }) => length === 0) };
};

describe('restoring a record in the main job', () => {
  it('takes the first deployment with restore', async () => {
    const outcome = await restoring({ off: [NOT_OFFERED], on: [RESTORED, RESTORED_BEFORE] });

    expect(outcome).toEqual({
      lines: [
        'restored content-1 of tenant-of-on: published, 0 items',
        'restoring it again: 409 not_archived',
      ],
      isSpent: true,
    });
  });

  it('says that no deployment has restore', async () => {
    const { lines } = await restoring({ off: [NOT_OFFERED], 'also-off': [NOT_OFFERED] });

    expect(lines).toEqual([
      'restored nothing: no deployment with a token content api/write has restore.available',
    ]);
  });

  it('signs requests that are accepted from AWS identities only', async () => {
    const outcome = await restoring({ iam: [FORBIDDEN, RESTORED, FORBIDDEN, RESTORED_BEFORE] });

    expect(outcome).toMatchObject({ lines: [/published/, /409/].map(expect.stringMatching), isSpent: true });
  });

  it('fails if the platform lacks what the configuration says it has', async () => {
    const absent = { status: 501, body: { detail: OUTCOMES.restoreAbsent.detail } };

    await expect(restoring({ on: [absent] })).rejects.toThrow('returned 501');
  });
});

/** Deployments of other issuers: one of the sandbox's, and one of the user's own. */
const AUTH0 = {
  issuer: 'auth0',
  environment: 'production',
  platform: { tokenBaseUrl: 'https://127.0.0.1:1/issuers/auth0' },
  functions: { tokenSweep: 'arn:sweep' },
  tenants: [
    {
      tenantId: 'acme',
      clientCredentialsArn: 'arn:acme',
      tokens: [{ interface: 'api', scope: '', arn: 'arn:token' }],
    },
  ],
};
const OWN = {
  issuer: 'keycloak',
  environment: 'own',
  platform: { tokenBaseUrl: 'https://127.0.0.1:2/realms/initech' },
  functions: {},
  tenants: [{ tenantId: 'initech', clientCredentialsArn: 'arn:initech', tokens: [] }],
};

describe('loading credentials in the main job', () => {
  it('gets those of each issuer from the sandbox, and none for the user’s own', async () => {
    const tenants = [{ tenantId: 'one', clientCredentialsArn: 'arn:one', tokens: [] }];
    const staging = { environment: 'staging', platformRegion: 'mea', platform: {}, functions: {}, tenants };
    const asked: unknown[] = [];
    const stored: string[] = [];

    await loadCredentials(
      {
        run: { deployments: [staging, AUTH0, OWN] },
        control: async (_: string, path: string, who: unknown) => {
          asked.push([path, who]);
          return { body: {} };
        },
        putSecret: async (arn: string) => void stored.push(arn),
      } as unknown as LocalSystem,
      () => undefined,
    );

    expect(asked).toEqual([
      ['/credentials', { environment: 'staging', platformRegion: 'mea', tenantId: 'one' }],
      ['/issuers/auth0/credentials', { tenantId: 'acme' }],
    ]);
    expect(stored).toEqual(['arn:one', 'arn:acme']);
  });

  it.each([
    [
      '--local',
      '; to load one: npx latchkey credentials put --issuer keycloak --environment own --tenant initech --local',
    ],
    [undefined, ''],
  ])('names the tenants of the user’s own, with a command if the run goes on (%s)', (flags, command) => {
    const lines: string[] = [];
    const system = { run: { deployments: [AUTH0, OWN] } } as unknown as LocalSystem;

    nameTenantsOfOwnIssuers(system, flags, (line) => lines.push(line));

    expect(lines).toEqual([`no credential for keycloak-own initech, as its issuer is your own${command}`]);
  });
});

describe('fetching tokens in the main job', () => {
  const expiresAt = new Date(Date.now() + 3_600_500).toISOString();
  const value = { tenantId: 'acme', scope: '', accessToken: 'token', expiresAt };
  const fetching = async (answer: Answer) => {
    const lines: string[] = [];
    const asked: unknown[] = [];
    const system = {
      run: { deployments: [AUTH0] },
      invoke: async () => ({ tenants: [] }),
      readSecrets: async () => new Map([['arn:token', value]]),
      https: async (...request: unknown[]) => {
        asked.push(request);
        return answer;
      },
    } as unknown as LocalSystem;
    await refreshTokens(system, (line) => lines.push(line));
    return { lines, asked };
  };

  it('shows each of another issuer to what accepts it', async () => {
    const { lines, asked } = await fetching({ status: 200, body: { tenantId: 'acme' } });

    expect(lines).toEqual([expect.stringMatching(/^auth0-production acme api: valid for 3\d+ s$/)]);
    expect(asked).toEqual([
      ['GET', 'https://127.0.0.1:1/issuers/auth0/whoami', { headers: { authorization: 'Bearer token' } }],
    ]);
  });

  it.each([
    { status: 401, body: { error: 'Unauthorized' } },
    { status: 200, body: { tenantId: 'globex' } },
  ])('fails if the answer is %j', async (answer) => {
    await expect(fetching(answer)).rejects.toThrow(`auth0 answered ${answer.status} to a token of acme`);
  });
});
