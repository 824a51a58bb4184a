import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { inspect } from '../../../core/findings/inspect';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { snapshotOf, token } from './snapshots';

const tokens = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
] as const;
const tenant = { tenantId: TENANT_ID, tokens: [...tokens], adopted: {} };
const deployed = deploymentOf([], { tenants: [tenant] });
const withTenant = (change: object) => ({ ...deployed, tenants: [{ ...tenant, ...change }] });
const withPlatform = (change: object) => ({ ...deployed, platform: { ...deployed.platform, ...change } });

const found = (configured: DeploymentFile | undefined) =>
  inspect({ snapshot: { ...snapshotOf(), deployment: deployed }, nowMs: NOON_MS, configured });

test.each<[string, DeploymentFile | undefined]>([
  ['nobody has it', undefined],
  ['it is the same', structuredClone(deployed)],
  ['only undefined fields differ', withPlatform({ tenantServiceUrl: undefined })],
  [
    'it says the same in another order',
    { ...deployed, tenants: [{ adopted: {}, tokens: [...tokens].reverse(), tenantId: TENANT_ID }] },
  ],
])('there is no finding about the configuration if %s', (_, configured) => {
  expect(found(configured)).toEqual([]);
});

const MANY = Array.from({ length: 40 }, (_, n) => ({ ...tenant, tenantId: `t${n + 10}` }));

test.each<[string, DeploymentFile, string]>([
  [
    'more tenants',
    { ...deployed, tenants: [tenant, ...MANY] },
    'tenants added t10, t11, t12, t13, t14 and 35 more',
  ],
  ['a tenant less', { ...deployed, tenants: [] }, `tenants removed ${TENANT_ID}`],
  ['other tokens', withTenant({ tokens: tokens.slice(1) }), `tokens changed for ${TENANT_ID}`],
  [
    'other field names in an adopted secret',
    withTenant({ adopted: { apiKey: { arn: 'arn:a', fields: { apiKey: 'key' } } } }),
    `adopted secrets changed for ${TENANT_ID}`,
  ],
  [
    'another greatest age',
    { ...deployed, credentials: { ...deployed.credentials, maxAgeDays: 30 } },
    'credentials.maxAgeDays: deployed 90, configured 30',
  ],
  [
    'an address that it had not',
    withPlatform({ tenantServiceUrl: 'https://t.example' }),
    'platform.tenantServiceUrl: deployed none, configured https://t.example',
  ],
])('a configuration with %s is reported to differ, and how', (_, configured, difference) => {
  expect(found(configured)).toMatchObject([
    {
      kind: 'configuration_differs',
      severity: 'warning',
      place: { environment: 'staging', platformRegion: 'mea' },
      message: `The deployment differs from the configuration: ${difference}.`,
      repair: { command: "npx cdk deploy 'latchkey-staging-mea*'" },
    },
  ]);
});

test('no command is advised for a tenant that is no longer configured, since none accepts its name', () => {
  const snapshot = snapshotOf({ tokens: [token(0)] });

  const findings = inspect({ snapshot, nowMs: NOON_MS, configured: { ...deployed, tenants: [] } });

  const finding = findings.find(({ kind }) => kind === 'token_expired');
  expect(finding?.repair).toEqual({
    remedy: expect.stringContaining('no longer has this tenant') as string,
  });
});
