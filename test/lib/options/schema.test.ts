import { parseConfiguration } from '../../../lib/options/load';
import { faultsOf } from '../../support/lib/faults';
import { addressesOf, tenant, written } from '../../support/lib/configuration';

describe('the address table', () => {
  it.each(Object.keys(addressesOf('staging-global')))('checks that %s is a valid address', (field) => {
    const value = written();
    Object.assign(value.endpoints.staging!.global!, { [field]: 'http://user:hunter2@platform.example' });

    const faults = faultsOf(value);

    expect(faults).toEqual([
      `endpoints.staging.global.${field}: found "http://… (scheme http)"; ` +
        'allowed: an https URL with a host name, without user info, port, query or fragment',
    ]);
  });

  it('requires only the content addresses of every deployment key', () => {
    const value = { ...written(), endpoints: { staging: { global: {} } } };

    expect(faultsOf(value).map((fault) => fault.split(';')[0])).toEqual([
      'endpoints.staging.global.contentBaseUrl: found nothing',
      'endpoints.staging.global.contentTokenBaseUrl: found nothing',
    ]);
  });

  it.each([
    ['an environment', { live: {} }, 'endpoints.live', 'staging, production'],
    [
      'a platform region',
      { staging: { ...written().endpoints.staging, emea: {} } },
      'endpoints.staging.emea',
      'mea, or else global',
    ],
  ])('refuses an unknown name of %s', (_, endpoints, path, allowed) => {
    expect(faultsOf({ ...written(), endpoints })).toContain(
      `${path}: found a field of this name; allowed: ${allowed}`,
    );
  });
});

describe('a field of a deployment', () => {
  const ARN = 'the full ARN of a kms resource';
  const VPC = { vpcId: 'vpc-0a', subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] };

  it.each([
    ['environment', 'live', 'staging, production'],
    ['platformRegion', 'constructor', 'global, mea'],
    ['account', '11112222333x', 'an AWS account id of 12 digits, as a string'],
    ['region', 'eu-west-9', 'an AWS region, such as eu-west-1'],
    ['awsProfile', 'my profile', 'the name of an AWS profile: letters, digits and _@+.%:/-'],
    ['readerCacheSec', 1.5, 'whole seconds'],
    ['readerCacheSec', -1, 'whole seconds from 0'],
    ['tokenRequestsPerSec', 4, 'whole requests per second from 5 to 25'],
    ['tokenRequestsPerSec', 26, 'whole requests per second from 5 to 25'],
    ['reservedConcurrency', 2, '1, "none"'],
    ['kmsKeyArn', 'alias/aws/secretsmanager', ARN],
    ['kmsKeyArn', 'arn:aws:kms:eu-west-1:111122223333:alias/mine', ARN],
    ['kmsKeyArn', 'arn:aws:kms:eu-west-1:111122223333:key/*', ARN],
    ['permissionsBoundaryArn', 'arn:aws:iam::111122223333:role/x', 'the ARN of a managed policy'],
    ['logRetentionDays', 91, '1, 3, 5, 7, 14, 30, 60, 90, 120'],
    ['tenants', 'all', 'a list of tenants'],
  ])('%s: %j is refused', (field, found, allowed) => {
    const value = written({ [field]: found });

    expect(faultsOf(value)).toContainEqual(
      expect.stringContaining(`deployments[0].${field}: found ${JSON.stringify(found)}; allowed: ${allowed}`),
    );
  });

  it.each<[field: string, found: unknown, path: string]>([
    ['tags', { 'aws:team': 'a' }, 'tags.aws:team'],
    ['tags', { 'Latchkey:kind': 'api-key' }, 'tags.Latchkey:kind'],
    ['tags', { 'team,cost': 'a' }, 'tags.team,cost'],
    ['tags', { ['k'.repeat(129)]: 'a' }, `tags.${'k'.repeat(120)}…`],
    ['tags', { team: 'v'.repeat(257) }, 'tags.team'],
    ['tags', { team: '<b>' }, 'tags.team'],
    ['tags', Object.fromEntries(Array.from({ length: 46 }, (_, n) => [`tag-${n}`, ''])), 'tags'],
    ['tenants', [tenant('../b')], 'tenants[0].tenantId'],
    ['tenants', [tenant('a*')], 'tenants[0].tenantId'],
    ['tenants', [tenant('a'.repeat(129))], 'tenants[0].tenantId'],
    ['tenants', [tenant('a', [{ interface: 'users', scope: 'api/all' }])], 'tenants[0].tokens[0].interface'],
    ['vpc', { ...VPC, subnetIds: ['subnet-0a', 'subnet-0a'] }, 'vpc.subnetIds'],
    ['vpc', { ...VPC, securityGroupIds: ['sg-0a', 'sg-0a'] }, 'vpc.securityGroupIds'],
    ['vpc', { ...VPC, vpcId: 'x' }, 'vpc.vpcId'],
    ['vpc', { ...VPC, subnetIds: [] }, 'vpc.subnetIds'],
    ['vpc', { ...VPC, securityGroupIds: ['x'] }, 'vpc.securityGroupIds[0]'],
    ['credentials', { maxAgeDays: 14 }, 'credentials.maxAgeDays'],
    ['credentials', { maxAgeDays: 366 }, 'credentials.maxAgeDays'],
    ['restore', { method: 'GET' }, 'restore.method'],
    ['restore', { path: '/contents/restore' }, 'restore.path'],
    ['restore', { path: '/contents/{contentId}/../restore?x' }, 'restore.path'],
    ['restore', { path: '/contents/{contentId}/..' }, 'restore.path'],
    ['restore', { path: '/./contents/{contentId}?x' }, 'restore.path'],
    ['restore', { path: '/contents/{contentId}/{contentId}' }, 'restore.path'],
    ['restore', { path: '/contents/{id}/restore' }, 'restore.path'],
    ['restore', { path: '/contents/{contentId}/restore#x' }, 'restore.path'],
    ['restore', { path: '/contents/{contentId}/a b' }, 'restore.path'],
    ['restore', { path: 'https://evil.example/{contentId}' }, 'restore.path'],
    ['restore', { path: '//evil.example/{contentId}' }, 'restore.path'],
    ['restore', { successStatus: 302 }, 'restore.successStatus'],
    ['restore', { actingUserHeaders: { authorRef: 'Acting User' } }, 'restore.actingUserHeaders.authorRef'],
    [
      'restore',
      { actingUserHeaders: { collaborationId: 'AUTHORIZATION' } },
      'restore.actingUserHeaders.collaborationId',
    ],
    ['restore', { actingUserHeaders: { authorRef: 'x-collaboration-id' } }, 'restore.actingUserHeaders'],
    ['restore', { failureReasonField: '' }, 'restore.failureReasonField'],
    ['restoreApi', { auth: 'none' }, 'restoreApi.auth'],
    ['restoreApi', { apiKeyGraceHours: -1 }, 'restoreApi.apiKeyGraceHours'],
    ['restoreApi', { apiKeyGraceHours: 721 }, 'restoreApi.apiKeyGraceHours'],
    ['restoreApi', { rateLimit: 0 }, 'restoreApi.rateLimit'],
    ['restoreApi', { usagePlan: {} }, 'restoreApi.usagePlan'],
    ['restoreApi', { usagePlan: { quota: { limit: 1 } } }, 'restoreApi.usagePlan.quota.period'],
    ['restoreApi', { domain: { name: 'restore.example.org' } }, 'restoreApi.domain.certificateArn'],
    ['alarms', { topicArn: 'arn:aws:sqs:eu-west-1:111122223333:pager' }, 'alarms.topicArn'],
    ['alarms', { emails: ['pager'] }, 'alarms.emails[0]'],
    ['alarms', { emails: ['a@example.com', 'b@example.com', 'a@example.com'] }, 'alarms.emails'],
    // Above the guaranteed validity, the alarm would fire in normal operation.
    ['alarms', { tokenLifeMinutes: 11 }, 'alarms.tokenLifeMinutes'],
    ['alarms', { missedSweeps: 0 }, 'alarms.missedSweeps'],
    ['alarms', { restoreErrorPercent: 101 }, 'alarms.restoreErrorPercent'],
  ])('%s %j is refused with the exact path', (field, found, path) => {
    expect(faultsOf(written({ [field]: found }))).toEqual([
      expect.stringMatching(`^deployments\\[0\\]\\.${path.replace(/[[\].]/g, '\\$&')}: found `),
    ]);
  });

  it.each(['eu-west-2_AbcdEfghI', 'a'.repeat(128)])('tenantId: %j is accepted', (tenantId) => {
    expect(faultsOf(written({ tenants: [tenant(tenantId)] }))).toEqual([]);
  });
});

describe('the prefix', () => {
  it.each(['aws-team', 'ssm'])('%s is refused, because AWS refuses such parameters', (prefix) => {
    expect(faultsOf({ ...written(), prefix })).toEqual([
      `prefix: found "${prefix}"; allowed: one that does not start with aws or ssm, which AWS reserves for parameters of its own`,
    ]);
  });

  it.each(['', '1st', 'a/b', 'a'.repeat(30)])('%j is refused', (prefix) => {
    expect(faultsOf({ ...written(), prefix })).toEqual([
      `prefix: found "${prefix}"; allowed: 1–29 lower-case letters, digits and -, starting with a letter`,
    ]);
  });

  it('defaults to latchkey', () => {
    expect(parseConfiguration(written(), 'x').prefix).toBe('latchkey');
  });
});
