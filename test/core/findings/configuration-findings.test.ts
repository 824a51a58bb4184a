import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { inspect } from '../../../core/findings/inspect';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { snapshotOf, token } from './snapshots';

const deployed = deploymentOf([TENANT_ID]);
const [tenant] = deployed.tenants;
const found = (configured: DeploymentFile | undefined) =>
  inspect({ snapshot: snapshotOf(), nowMs: NOON_MS, configured });

test.each<[string, DeploymentFile | undefined]>([
  ['nobody has it', undefined],
  ['it is the same', structuredClone(deployed)],
  [
    'only undefined fields differ',
    { ...deployed, platform: { ...deployed.platform, tenantServiceUrl: undefined } },
  ],
  [
    'it names the same in another order',
    { ...deployed, tenants: [{ adopted: {}, tokens: tenant!.tokens, tenantId: TENANT_ID }] },
  ],
])('there is no finding about the configuration if %s', (_, configured) => {
  expect(found(configured)).toEqual([]);
});

test.each<[string, DeploymentFile, string]>([
  ['a tenant more', { ...deployed, tenants: [tenant!, { ...tenant!, tenantId: 'b' }] }, 'tenants added b'],
  ['a tenant less', { ...deployed, tenants: [] }, `tenants removed ${TENANT_ID}`],
  [
    'other tokens',
    { ...deployed, tenants: [{ ...tenant!, tokens: [{ interface: 'content', scope: 'api/write' }] }] },
    `tokens changed for ${TENANT_ID}`,
  ],
  [
    'an adopted secret',
    { ...deployed, tenants: [{ ...tenant!, adopted: { apiKey: 'arn:a' } }] },
    `adopted secrets changed for ${TENANT_ID}`,
  ],
  [
    'other field names in an adopted secret',
    {
      ...deployed,
      tenants: [{ ...tenant!, adopted: { apiKey: { arn: 'arn:a', fields: { apiKey: 'key' } } } }],
    },
    `adopted secrets changed for ${TENANT_ID}`,
  ],
  [
    'another greatest age',
    { ...deployed, credentials: { ...deployed.credentials, maxAgeDays: 30 } },
    'credentials.maxAgeDays: deployed 90, configured 30',
  ],
  [
    'an address that it had not',
    { ...deployed, platform: { ...deployed.platform, tenantServiceUrl: 'https://t.example' } },
    'platform.tenantServiceUrl: deployed none, configured https://t.example',
  ],
  [
    'restore made available',
    { ...deployed, restore: { ...deployed.restore, available: true } },
    'restore.available: deployed false, configured true',
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

test('of many tenants, some are named and the others counted', () => {
  const added = Array.from({ length: 40 }, (_, n) => ({
    ...tenant!,
    tenantId: `t${String(n).padStart(2, '0')}`,
  }));

  const [finding] = found({ ...deployed, tenants: [tenant!, ...added] });

  expect(finding!.message).toContain('tenants added t00, t01, t02, t03, t04 and 35 more.');
});

test('tokens in another order are the same', () => {
  const tokens = [
    { interface: 'content', scope: 'api/read' },
    { interface: 'content', scope: 'api/write' },
  ] as const;
  const withTokens = (order: DeploymentFile['tenants'][number]['tokens']): DeploymentFile => ({
    ...deployed,
    tenants: [{ ...tenant!, tokens: order }],
  });
  const snapshot = { ...snapshotOf(), deployment: withTokens([...tokens]) };

  expect(inspect({ snapshot, nowMs: NOON_MS, configured: withTokens([...tokens].reverse()) })).toEqual([]);
});
