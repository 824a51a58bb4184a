import { chooseDeployments, chooseTenant, pickToken, type TokenFlags } from '../../cli/choose-tenant';
import { type CommandFlags } from '../../cli/command';
import { tenantFlagsText } from '../../cli/command-text';
import { putApiKey } from '../../cli/credentials/put-credential';
import { doctor } from '../../cli/doctor-command';
import { writtenDeployment } from '../../cli/init/written-configuration';
import { status } from '../../cli/status-command';
import { type Deployment, type System } from '../../cli/system';
import { withVariables } from '../../cli/variables';
import { type DeploymentKey, deploymentName } from '../../core/tokens/token-key';
import { credential, MINUTE_MS, snapshotOf, token } from '../core/findings/snapshots';
import { flagsOf, wordsOf } from './support/command-line';
import { FakeTerminal } from './support/fake-terminal';
import { DEPLOYMENT_KEY, failureOf, OperatedSystem, operatedTenant } from './support/operated-system';
import { TENANT_ID } from '../support/lambdas/token-functions';

const AUTH0: DeploymentKey = { issuer: 'auth0', environment: 'production' };
const PRODUCTION: DeploymentKey = { environment: 'production', platformRegion: 'mea' };
const USERS = { interface: 'management', scope: 'read:users update:users' };
const FUNCTIONS = ['token-refresh', 'token-sweep', 'rotate-credentials'];
const UNSCOPED = { interface: 'management', scope: '' };

/** A tenant of Auth0: without API key, with a token of two scopes and one without any. */
const TENANT: Deployment['tenants'][number] = {
  tenantId: 'acme',
  apiKey: false,
  secretIds: { 'client-credentials': 'arn:client-credentials', 'api-key': '' },
  tokens: [
    { ...USERS, secretId: 'arn:users' },
    { ...UNSCOPED, secretId: 'arn:unscoped' },
  ],
};

/** A healthy deployment of the learning platform. */
function operatedPlatform(): OperatedSystem {
  const operated = operatedTenant();
  for (const each of FUNCTIONS) operated.functions[each] = () => ({});
  return operated;
}

/** Auth0's deployment, with a token that has this time left. */
function operatedAuth0(lifeLeftMs = 50 * MINUTE_MS): OperatedSystem {
  const operated = new OperatedSystem();
  operated.tenants = [TENANT];
  operated.functions['credential-watch'] = () => {
    const { takenAt, deployment } = snapshotOf();
    const tenants = [{ tenantId: 'acme', tokens: [USERS], apiKey: false as const, adopted: {} }];
    return {
      takenAt,
      deployment: { ...deployment, ...AUTH0, platformRegion: undefined, tenants },
      tenants: [
        {
          tenantId: 'acme',
          credentials: [credential('client-credentials')],
          tokens: [{ ...token(lifeLeftMs), ...USERS, secretId: 'arn:users' }],
        },
      ],
    };
  };
  for (const each of FUNCTIONS) operated.functions[each] = () => ({});
  return operated;
}

/** One system of the learning platform's deployments and Auth0's. */
function systemOf(auth0 = operatedAuth0(), keys = [DEPLOYMENT_KEY]): System {
  const system = operatedPlatform().system(keys);
  const deployment = auth0.deployment(AUTH0);
  const issuing = { ...deployment.issuing, profile: { tokenEndpoint: { path: '/oauth/token' } } };
  return { ...system, deployments: [...system.deployments, { ...deployment, issuing }] };
}

const run = (command: typeof status | typeof doctor, flags: object, system: System) =>
  new OperatedSystem().run<object>(command, flags, new FakeTerminal(), system);

describe('choosing among several issuers', () => {
  const namesOf = (flags: object, system = systemOf()) =>
    chooseDeployments(system, flags).map(({ deployment }) => deploymentName(deployment));

  it.each([
    [{ issuer: 'auth0' }, ['auth0-production']],
    [{ issuer: 'learning-platform' }, ['staging-mea', 'production-mea']],
    [{ environment: 'production' }, ['production-mea', 'auth0-production']],
    [{ platformRegion: 'mea' }, ['staging-mea', 'production-mea']],
  ])('takes the deployments that the flags name: %j', (flags, expected) => {
    expect(namesOf(flags, systemOf(undefined, [DEPLOYMENT_KEY, PRODUCTION]))).toEqual(expected);
  });

  it('takes an environment and a region for those of the learning platform, as commands without an issuer say', () => {
    const system = operatedPlatform().system([PRODUCTION, { ...PRODUCTION, issuer: 'own' }]);

    expect(namesOf(PRODUCTION, system)).toEqual(['production-mea']);
    expect(namesOf({ ...PRODUCTION, issuer: 'own' }, system)).toEqual(['own-production-mea']);
    expect(namesOf({ environment: 'production' }, system)).toEqual(['production-mea', 'own-production-mea']);
  });

  it('asks for the issuer first', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: ['auth0', ''] });

    await pickToken(new OperatedSystem().context(terminal, systemOf()), {});

    expect(terminal.questions.map(({ question }) => question)).toEqual(['Issuer', 'Scope of the token']);
  });

  it('lists the matches by what each of them has', async () => {
    const failure = await failureOf(() => chooseTenant(systemOf(), {}));

    expect(failure).toMatchObject({
      exitCode: 2,
      message: '--issuer: found nothing; allowed: learning-platform, auth0',
      advice: [
        'Matches:',
        `  --issuer learning-platform --environment staging --platform-region mea --tenant ${TENANT_ID}`,
        '  --issuer auth0 --environment production --tenant acme',
      ].join('\n'),
    });
  });

  const onlyPlatform = new OperatedSystem().system();
  const SCOPES = 'api/all, api/read, api/write, api/webhooks';
  it.each([
    [systemOf(), { issuer: 'okta' }, '--issuer: found okta; allowed: learning-platform, auth0'],
    [systemOf(), { ...AUTH0, environment: 'live' }, '--environment: found live; allowed: production'],
    [systemOf(), { ...AUTH0, platformRegion: 'mea' }, '--platform-region: found mea; allowed: nothing'],
    [systemOf(), AUTH0, "--scope: found nothing; allowed: read:users update:users, ''"],
    [onlyPlatform, { interface: 'users' }, '--interface: found users; allowed: content, webhooks'],
    [onlyPlatform, { scope: 'a secret' }, `--scope: found something else; allowed: ${SCOPES}`],
  ])(
    'says what the deployments have, or the learning platform if there is no other',
    async (system, flags, message) => {
      const context = new OperatedSystem().context(new FakeTerminal(), system);

      expect(await failureOf(() => pickToken(context, flags))).toMatchObject({ exitCode: 2, message });
    },
  );

  it('takes the issuer from LATCHKEY_ISSUER', async () => {
    const choose = (env: Record<string, string>, flags: CommandFlags<'environment'> = {}) =>
      chooseTenant(systemOf(), withVariables(flags, env)).tenant.tenantId;

    expect(choose({ LATCHKEY_ISSUER: 'auth0' })).toBe('acme');
    const failure = await failureOf(() => choose({ LATCHKEY_ISSUER: 'auth0' }, { environment: 'staging' }));
    expect(failure.message).toBe('LATCHKEY_ISSUER: found auth0; allowed: learning-platform');
  });

  it.each([USERS, UNSCOPED])('prints flags that choose the same token: %j', async (tokenType) => {
    const context = new OperatedSystem().context(new FakeTerminal(), systemOf());
    const chosen = await pickToken(context, { issuer: 'auth0', ...tokenType });

    const flags = tenantFlagsText(chosen, chosen.token);

    expect(flags).toMatch(
      /^--issuer auth0 --environment production --tenant acme --interface management --scope '/,
    );
    expect(
      (await pickToken(context, (await flagsOf(wordsOf(`latchkey token show ${flags}`))) as TokenFlags))
        .token,
    ).toMatchObject(tokenType);
  });
});

it('init does not take a deployment of another issuer for one of the platform', () => {
  const own = { environment: 'production', platformRegion: 'mea' };
  const configuration = { endpoints: {}, deployments: [{ ...own, issuer: 'own' }, own] };

  expect(writtenDeployment(configuration, PRODUCTION)).toBe(own);
});

it('says that the issuer has no API keys', async () => {
  const context = new OperatedSystem().context(new FakeTerminal(), systemOf());

  expect(await failureOf(putApiKey(context, { issuer: 'auth0' }))).toMatchObject({
    exitCode: 2,
    message: 'issuer: found auth0; allowed: one that has API keys',
  });
});

describe('what commands say of an issuer without regions', () => {
  it('names the deployment without a region, and the tenant has no API key', async () => {
    const { text, document } = await run(status, {}, systemOf());

    expect(text).toContain('\nauth0 production  latchkey-auth0-production\n');
    expect(text).toMatch(/^ {2}acme +due in 89 days +– +1 of 1, 50 min$/m);
    expect(text).not.toContain('undefined');
    expect(document).toMatchObject({
      deployments: [
        { environment: 'staging', platformRegion: 'mea' },
        { issuer: 'auth0', environment: 'production' },
      ],
    });
    const [platform, auth0] = (document as { deployments: object[] }).deployments;
    expect(Object.keys(platform!)).not.toContain('issuer');
    expect(Object.keys(auth0!)).not.toContain('platformRegion');
  });

  it('gives commands that inspect the same deployment and tenant', async () => {
    const system = systemOf(operatedAuth0(-MINUTE_MS));

    const { text, document } = await run(status, {}, system);

    const [, command = ''] = /→ (latchkey .*)/.exec(text) ?? [];
    expect(command).toBe('latchkey doctor --issuer auth0 --environment production --tenant acme --local');
    expect(text).toContain('✗ critical  auth0 production acme\n');
    expect(document).toMatchObject({ findings: [{ place: { ...AUTH0, tenantId: 'acme' } }] });
    const [chosen, ...others] = chooseDeployments(system, await flagsOf(wordsOf(command)));
    expect(others).toEqual([]);
    expect(chosen).toMatchObject({ deployment: AUTH0, tenantIds: ['acme'] });
  });

  it('has doctor check it, and name it in what fails', async () => {
    const auth0 = operatedAuth0();
    delete auth0.functions['token-sweep'];

    const { exitCode, text, document } = await run(doctor, {}, systemOf(auth0));

    expect(exitCode).toBe(1);
    expect(text).toContain('✗ Check failed  auth0 production  token-sweep\n');
    expect(text).not.toContain('undefined');
    const { checks } = document as { checks: object[] };
    expect(checks).toContainEqual({ ...AUTH0, name: 'token-refresh', ok: true });
    expect(checks).not.toContainEqual(
      expect.objectContaining({ ...AUTH0, name: 'permission to describe api-key' }),
    );
  });
});
