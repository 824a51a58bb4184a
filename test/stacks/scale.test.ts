import { statSync } from 'node:fs';

import { type Configuration } from '../../lib/options/schema';
import { tenantStackName } from '../../core/deployment/stack-names';
import {
  ACCOUNT_ID,
  ALL_TOKENS,
  configuration,
  REGION,
  tenant,
  type WrittenDeployment,
  type WrittenTenant,
} from '../support/lib/configuration';
import { provisionSynthesis } from '../support/lib/provisioned';
import { type Synthesis, synthesizeOnce, synthesizeDeploymentStack } from '../support/lib/synthesis';

const TENANTS = 100;
const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'global' } as const;
const STACK = 'latchkey-staging-global';
// Three-digit ids, so that all have the same length.
const idOf = (n: number): string => `eu-west-2_Tenant${String(n).padStart(3, '0')}`;

/** One deployment whose tenants all have all five tokens. */
function deploymentWith(
  tenants: number,
  more: (tenantId: string) => Partial<WrittenTenant> = () => ({}),
): Configuration {
  const ids = Array.from({ length: tenants }, (_, n) => idOf(n));
  return configuration({ tenants: ids.map((id) => ({ ...tenant(id, ALL_TOKENS), ...more(id) })) });
}

const one = synthesizeOnce(deploymentWith(1));
const many = synthesizeOnce(deploymentWith(TENANTS));

describe(`a deployment of ${TENANTS} tenants with all tokens`, () => {
  it('has at most 450 resources per stack (the limit is 500)', () => {
    const counts = many.stackNames().map((stack) => many.resourcesOf(stack).length);

    expect(counts).toHaveLength(TENANTS + 2);
    expect(Math.max(...counts)).toBeLessThanOrEqual(450);
  });

  it('has templates of less than 250 kB (the limit is 1 MB)', () => {
    const sizes = many.assembly.stacks.map(({ templateFullPath }) => statSync(templateFullPath).size);

    expect(Math.max(...sizes)).toBeLessThan(250_000);
  });

  it('has one stack per tenant with only its secrets, their rotation and its alarms', () => {
    const types = many
      .resourcesOf(tenantStackName('latchkey', DEPLOYMENT_KEY, idOf(TENANTS - 1)))
      .map(({ Type }) => Type);

    expect(types.filter((type) => type === 'AWS::SecretsManager::Secret')).toHaveLength(7);
    expect([...new Set(types)].sort()).toEqual([
      'AWS::CloudWatch::Alarm',
      'AWS::SecretsManager::ResourcePolicy',
      'AWS::SecretsManager::RotationSchedule',
      'AWS::SecretsManager::Secret',
    ]);
  });

  it('has the same deployment stack as with one tenant, except for code and request threshold', () => {
    const alike = (synthesis: Synthesis) =>
      synthesis
        .resourcesOf(STACK)
        .filter(({ logicalId }) => !/tokenrequests/.test(logicalId))
        .map((resource) => JSON.stringify(resource).replaceAll(/[0-9a-f]{64}\.zip/g, 'code.zip'));

    expect(alike(many)).toEqual(alike(one));
    expect(many.resourcesOf(STACK)).toHaveLength(alike(many).length + 1);
  });
});

/**
 * AWS's limits, in characters per policy.
 * @see IAM user guide, reference_iam-quotas (managed 6,144; all inline policies of a role 10,240); KMS developer guide, resource-limits (32,768)
 */
const LIMITS: Record<string, number> = {
  'AWS::IAM::ManagedPolicy': 6144,
  'AWS::IAM::Policy': 10_240,
  'AWS::KMS::Key': 32_768,
};

/** The policies that are too large, with their length in characters. */
function tooLarge(synthesis: Synthesis): string[] {
  const policies = synthesis.resources().filter(({ Type }) => Type in LIMITS);
  expect(policies.length).toBeGreaterThan(5);
  return policies
    .map(({ logicalId, Type, Properties: { PolicyDocument, KeyPolicy } }) => ({
      logicalId,
      limit: LIMITS[Type]!,
      size: JSON.stringify(PolicyDocument ?? KeyPolicy).length,
    }))
    .filter(({ size, limit }) => size > limit)
    .map(({ logicalId, size }) => `${logicalId}: ${size}`);
}

const withLongestPrefix = (deployment: Partial<WrittenDeployment>) =>
  synthesizeDeploymentStack({
    ...configuration({ restore: { available: true }, restoreApi: { auth: 'iam' }, ...deployment }),
    prefix: 'p'.repeat(29),
  });

describe('AWS’s policy size limits', () => {
  it('are met', () => {
    expect(tooLarge(many)).toEqual([]);
  });

  it('are met if another account may read every token, and all credentials are adopted', () => {
    const tokens = ALL_TOKENS.map((token) => ({ ...token, readerAccounts: ['333344445555'] }));
    const arn = (tenantId: string, kind: string) =>
      `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:latchkey/staging/global/${tenantId}/${kind}-AbCdEf`;
    const largest = deploymentWith(TENANTS, (id) => ({
      tokens,
      adopt: { clientCredentials: arn(id, 'client-credentials'), apiKey: arn(id, 'api-key') },
    }));

    expect(tooLarge(synthesizeDeploymentStack(largest))).toEqual([]);
  });

  it('are met by as many former keys as the configuration allows, with the longest prefix', () => {
    const keyArn = (n: number) => `arn:aws:kms:me-central-1:${ACCOUNT_ID}:key/${String(n).repeat(36)}`;
    const longest = withLongestPrefix({
      region: 'me-central-1',
      kmsKeyArn: keyArn(1),
      formerKmsKeyArns: [keyArn(2), keyArn(3)],
      tenants: [tenant(idOf(0), ALL_TOKENS)],
    });

    expect(JSON.stringify(longest.only('AWS::IAM::ManagedPolicy'))).toContain(keyArn(3));
    expect(tooLarge(longest)).toEqual([]);
  });

  // Policies are largest in China, where Secrets Manager has two names.
  it('are met by as many adopted secrets of other names as the configuration allows, with the longest prefix', () => {
    const arn = (name: string) =>
      `arn:aws-cn:secretsmanager:cn-northwest-1:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
    // The shortest names have the most separators.
    const count = Math.floor(800 / arn('aa').length);
    const longest = withLongestPrefix({
      environment: 'production',
      region: 'cn-northwest-1',
      tenants: Array.from({ length: count }, (_, n) => ({
        ...tenant(idOf(n), ALL_TOKENS),
        adopt: { apiKey: arn(`a${String.fromCharCode(97 + n)}`) },
      })),
    });
    const [policy] = provisionSynthesis(longest).account.managedPolicies.values();
    // As AWS counts it, with the names that CloudFormation generates.
    const text = JSON.stringify(policy!.document)
      .replaceAll('arn:aws:', 'arn:aws-cn:')
      .replaceAll('amazonaws.com"', 'amazonaws.com.cn"');

    expect(text).toContain(arn('aa'));
    expect(text.length).toBeLessThanOrEqual(LIMITS['AWS::IAM::ManagedPolicy']!);
    expect(tooLarge(longest)).toEqual([]);
  });
});
