import { type LocalDeployment } from '../../core/deployment/local-run';
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
type Answers = readonly Answer[];

/** A running system with a deployment for each list of answers, whose restore API gives them in turn. */
const runningWith = (answers: Readonly<Record<string, Answers>>) => {
  const left = new Map(Object.entries(answers).map(([stack, given]) => [stack, [...given]]));
  const answer = async (_: string, url: string): Promise<Answer> => left.get(new URL(url).hostname)!.shift()!;
  const deployments = Object.keys(answers).map(
    (stack) =>
      ({
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
      }) as unknown as LocalDeployment,
  );
  const system = {
    run: { deployments },
    readSecret: async () => ({ accessToken: 'token' }),
    https: answer,
    signed: answer,
  } as unknown as LocalSystem;
  return { system, isSpent: () => [...left.values()].every(({ length }) => length === 0) };
};

const restoring = async (answers: Readonly<Record<string, Answers>>) => {
  const { system, isSpent } = runningWith(answers);
  const lines: string[] = [];
  await restoreRecord(system, (line) => lines.push(line));
  return { lines, isSpent: isSpent() };
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

describe('loading credentials in the main job', () => {
  it('gets those of each issuer from the sandbox, and none for the user’s own', async () => {
    const tenantOf = (tenantId: string) => ({
      tenantId,
      clientCredentialsArn: `arn:${tenantId}`,
      tokens: [],
    });
    const deployments = [
      {
        environment: 'staging',
        platformRegion: 'mea',
        platform: {},
        functions: {},
        tenants: [tenantOf('one')],
      },
      {
        issuer: 'auth0',
        environment: 'production',
        platform: { tokenBaseUrl: 'https://127.0.0.1:1/issuers/auth0' },
        functions: {},
        tenants: [tenantOf('acme')],
      },
      {
        issuer: 'keycloak',
        environment: 'own',
        platform: { tokenBaseUrl: 'https://127.0.0.1:1/realms/initech' },
        functions: {},
        tenants: [tenantOf('initech')],
      },
    ];
    const asked: unknown[] = [];
    const stored: string[] = [];

    await loadCredentials(
      {
        run: { deployments },
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
});

describe('the tenants of the user’s own issuers', () => {
  const deploymentAt = (issuer: string, tokenBaseUrl: string) => ({
    issuer,
    environment: 'production',
    platform: { tokenBaseUrl },
    tenants: [{ tenantId: 'acme' }],
  });
  const deployments = [
    deploymentAt('auth0', 'https://127.0.0.1:1/issuers/auth0'),
    deploymentAt('keycloak', 'https://127.0.0.1:2/realms/acme'),
  ];
  const lines = (flags: string | undefined) => {
    const told: string[] = [];
    const system = { run: { deployments } } as unknown as LocalSystem;
    nameTenantsOfOwnIssuers(system, flags, (line) => told.push(line));
    return told;
  };

  it('are named with the command that loads a credential, if the run goes on', () => {
    expect(lines('--local')).toEqual([
      'no credential for keycloak-production acme, as its issuer is your own; to load one: ' +
        'npx latchkey credentials put --issuer keycloak --environment production --tenant acme --local',
    ]);
    expect(lines(undefined)).toEqual([
      'no credential for keycloak-production acme, as its issuer is your own',
    ]);
  });
});

describe('fetching tokens in the main job', () => {
  const token = { interface: 'api', scope: '', arn: 'arn:token' };
  const value = {
    tenantId: 'acme',
    scope: '',
    accessToken: 'token',
    expiresAt: new Date(Date.now() + 3_600_500).toISOString(),
  };
  const fetching = async (answer: Answer) => {
    const lines: string[] = [];
    const asked: unknown[] = [];
    const system = {
      run: {
        deployments: [
          {
            issuer: 'auth0',
            environment: 'production',
            functions: { tokenSweep: 'arn:sweep' },
            platform: { tokenBaseUrl: 'https://127.0.0.1:1/issuers/auth0' },
            tenants: [{ tenantId: 'acme', tokens: [token] }],
          },
        ],
      },
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
    expect(await fetching({ status: 200, body: { tenantId: 'acme' } })).toEqual({
      lines: [expect.stringMatching(/^auth0-production acme api: valid for 3\d+ s$/)],
      asked: [
        ['GET', 'https://127.0.0.1:1/issuers/auth0/whoami', { headers: { authorization: 'Bearer token' } }],
      ],
    });
  });

  it.each([
    { status: 401, body: { error: 'Unauthorized' } },
    { status: 200, body: { tenantId: 'globex' } },
  ])('fails if the answer is %j', async (answer) => {
    await expect(fetching(answer)).rejects.toThrow(`auth0 answered ${answer.status} to a token of acme`);
  });
});
