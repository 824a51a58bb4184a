import { Stack } from 'aws-cdk-lib';

import { Latchkey, type LatchkeyProps } from '../../../lib';
import { ConfigurationError } from '../../../lib/options/configuration-error';
import { parseConfiguration } from '../../../lib/options/load';
import { ACCOUNT_ID, addressesOf, REGION, tenant, written } from '../../support/lib/configuration';
import { temporaryApp } from '../../support/lib/synthesis';

const ARN = (service: string, resource: string, region = REGION, account = ACCOUNT_ID) =>
  `arn:aws:${service}:${service === 'iam' ? '' : region}:${account}:${resource}`;
const TENANT = tenant('tenant-a');
const withToken = (token: object) => ({ tenants: [{ tenantId: 'tenant-a', tokens: [token] }] });
const withAddresses = (addresses: object) => ({
  endpoints: { ...addressesOf('staging-global'), ...addresses },
});
const CERTIFICATE = ARN('acm', 'certificate/c');

/** What somebody writes, and how the one line of the error begins: the option, the value, what is allowed. */
const MISTAKES: [mistake: string, options: Record<string, unknown>, line: string][] = [
  // Names.
  ['a misspelt option', { tenant: [] }, 'tenant: found a field of this name; allowed: tenants, or else '],
  [
    'an option of another case',
    { kmskeyarn: 'x' },
    'kmskeyarn: found a field of this name; allowed: kmsKeyArn, ',
  ],
  [
    'a misspelt part',
    { restoreApi: { authh: 'iam' } },
    'restoreApi.authh: found a field of this name; allowed: auth, ',
  ],
  [
    'a misspelt threshold',
    { alarms: { tokenLifeMinute: 3 } },
    'alarms.tokenLifeMinute: found a field of this name; allowed: tokenLifeMinutes, ',
  ],
  [
    'a misspelt address',
    withAddresses({ webhookBaseUrl: 'https://x.example' }),
    'endpoints.webhookBaseUrl: found a field of this name; allowed: webhooksBaseUrl, ',
  ],
  [
    'a secret as an option',
    { clientSecret: 'hunter2' },
    'clientSecret: found a field of this name; allowed: ',
  ],
  // Values of another type.
  ['a text for a number', { readerCacheSec: '300' }, 'readerCacheSec: found "300"; allowed: whole seconds'],
  ['a text for true', { dashboard: 'yes' }, 'dashboard: found "yes"; allowed: a value of type boolean'],
  ['a tenant for tenants', { tenants: TENANT }, 'tenants: found an object; allowed: a list of tenants'],
  [
    'a text for an object',
    { credentials: '90 days' },
    'credentials: found "90 days"; allowed: a value of type object',
  ],
  ['null for nothing', { vpc: null }, 'vpc: found null; allowed: a value of type object'],
  [
    'an address for a list',
    { alarms: { emails: 'a@b.example' } },
    'alarms.emails: found "a@b.example"; allowed: a list of e-mail addresses',
  ],
  [
    'a region that is no text',
    { replicaRegions: [7] },
    'replicaRegions[0]: found 7; allowed: an AWS region such as eu-central-1, or an object',
  ],
  // Values out of bounds.
  ['another environment', { environment: 'prod' }, 'environment: found "prod"; allowed: staging, production'],
  [
    'an AWS region as platform region',
    { platformRegion: 'eu-west-1' },
    'platformRegion: found "eu-west-1"; allowed: global, mea',
  ],
  [
    'an age of a week',
    { credentials: { maxAgeDays: 7 } },
    'credentials.maxAgeDays: found 7; allowed: whole days from 15 to 365',
  ],
  [
    'a schedule every day',
    { credentials: { rotationSchedule: 'rate(1 day)' } },
    'credentials.rotationSchedule: found "rate(1 day)"; allowed: "none", or cron(0 HOUR',
  ],
  [
    'a grace of months',
    { restoreApi: { apiKeyGraceHours: 2000 } },
    'restoreApi.apiKeyGraceHours: found 2000; allowed: hours from 0 to 720',
  ],
  [
    'a cache longer than a token',
    { readerCacheSec: 3600 },
    'readerCacheSec: found 3600; allowed: less than 600 s',
  ],
  [
    'a hundred requests a second',
    { tokenRequestsPerSec: 100 },
    'tokenRequestsPerSec: found 100; allowed: whole requests per second from 5 to 25',
  ],
  [
    'a retention that AWS does not have',
    { logRetentionDays: 100 },
    'logRetentionDays: found 100; allowed: 1, 3, 5, 7,',
  ],
  ['a concurrency of two', { reservedConcurrency: 2 }, 'reservedConcurrency: found 2; allowed: 1, "none"'],
  [
    'half a minute',
    { alarms: { tokenLifeMinutes: 0.5 } },
    'alarms.tokenLifeMinutes: found 0.5; allowed: whole minutes from 1 to 10',
  ],
  [
    'a notice longer than the age',
    { alarms: { rotationNoticeDays: 90 } },
    'alarms.rotationNoticeDays: found 90; allowed: less than credentials.maxAgeDays, 90 days',
  ],
  [
    'a prefix in capitals',
    { prefix: 'Team' },
    'prefix: found "Team"; allowed: 1–29 lower-case letters, digits and -',
  ],
  [
    'a prefix that AWS reserves',
    { prefix: 'aws-team' },
    'prefix: found "aws-team"; allowed: one that does not start with aws',
  ],
  [
    'a region that AWS does not have',
    { replicaRegions: ['eu-central-9'] },
    'replicaRegions[0]: found "eu-central-9"; allowed: an AWS region, such as eu-central-',
  ],
  [
    'a name that is no e-mail address',
    { alarms: { emails: ['team'] } },
    'alarms.emails[0]: found "team"; allowed: an e-mail address',
  ],
  // Addresses.
  [
    'no TLS',
    withAddresses({ contentBaseUrl: 'http://api.platform.example' }),
    'endpoints.contentBaseUrl: found "http://api.platform.example (scheme http)"; allowed: an https URL',
  ],
  [
    'the whole address of the token endpoint',
    withAddresses({ contentTokenBaseUrl: 'https://auth.platform.example/oauth2/token' }),
    'endpoints.contentTokenBaseUrl: found "https://auth.platform.example/oauth2/token"; allowed: the address before /oauth2/token',
  ],
  [
    'a password in an address',
    withAddresses({ contentBaseUrl: 'https://u:p@api.platform.example' }),
    'endpoints.contentBaseUrl: found "https://… (has user info)"; allowed: an https URL',
  ],
  [
    'no token address',
    withAddresses({ contentTokenBaseUrl: undefined }),
    'endpoints.contentTokenBaseUrl: found nothing; allowed: an https URL',
  ],
  [
    'one address for two interfaces',
    withAddresses({ webhooksBaseUrl: addressesOf('staging-global').contentBaseUrl }),
    'endpoints.webhooksBaseUrl: found "https://api.staging-global.platform.example/rest/v1"; allowed: an address that differs from endpoints.',
  ],
  [
    'webhooks without their token address',
    {
      ...withAddresses({ webhooksTokenBaseUrl: undefined }),
      ...withToken({ interface: 'webhooks', scope: 'api/webhooks' }),
    },
    'tenants[0].tokens[0]: found "webhooks api/webhooks"; allowed: webhooks tokens only with endpoints.',
  ],
  // Tenants and tokens.
  [
    'an id that is none',
    { tenants: [tenant('school a')] },
    'tenants[0].tenantId: found "school a"; allowed: 1–128 letters, digits, _ and -',
  ],
  [
    'a tenant twice',
    { tenants: [TENANT, TENANT] },
    'tenants[1].tenantId: found "tenant-a"; allowed: each tenant only once per deployment',
  ],
  [
    'a token twice',
    { tenants: [tenant('tenant-a', [TENANT.tokens[0]!, TENANT.tokens[0]!])] },
    'tenants[0].tokens[1]: found "content api/read"; allowed: each token only once per tenant',
  ],
  [
    'no token',
    { tenants: [tenant('tenant-a', [])] },
    'tenants[0].tokens: found a list; allowed: at least one token',
  ],
  [
    'a scope of the other interface',
    withToken({ interface: 'content', scope: 'api/webhooks' }),
    'tenants[0].tokens[0].scope: found "api/webhooks"; allowed: on the content interface api/all, api/read, api/write',
  ],
  [
    'an interface that is none',
    withToken({ interface: 'contents', scope: 'api/read' }),
    'tenants[0].tokens[0].interface: found "contents"; allowed: content, webhooks',
  ],
  [
    'restore without a token to write',
    { restore: { available: true } },
    'tenants[0].tokens: found "content api/read"; allowed: a list that includes content api/write',
  ],
  [
    'an account that is a number',
    withToken({ interface: 'content', scope: 'api/read', readerAccounts: [123] }),
    'tenants[0].tokens[0].readerAccounts[0]: found 123; allowed: an AWS account id',
  ],
  [
    'a key to adopt for a tenant without one',
    {
      tenants: [{ ...TENANT, apiKey: false, adopt: { apiKey: ARN('secretsmanager', 'secret:key-AbCdEf') } }],
    },
    `tenants[0].adopt.apiKey: found "${ARN('secretsmanager', 'secret:key-AbCdEf')}"; allowed: nothing with apiKey false`,
  ],
  // Resources of AWS.
  [
    'an alias of a key',
    { kmsKeyArn: 'alias/team' },
    'kmsKeyArn: found "alias/team"; allowed: the full ARN of a kms resource',
  ],
  [
    'an ARN of another service',
    { kmsKeyArn: ARN('sns', 'key/k') },
    `kmsKeyArn: found "${ARN('sns', 'key/k')}"; allowed: the full ARN of a kms resource`,
  ],
  [
    'a key of another region',
    { kmsKeyArn: ARN('kms', 'key/k', 'us-east-1') },
    `kmsKeyArn: found "${ARN('kms', 'key/k', 'us-east-1')}"; allowed: a key in eu-west-1`,
  ],
  [
    'a topic with addresses for a new one',
    { alarms: { topicArn: ARN('sns', 't'), emails: ['a@b.example'] } },
    'alarms.emails: found a list; allowed: nothing together with topicArn',
  ],
  [
    'an ARN of another partition',
    { kmsKeyArn: ARN('kms', 'key/k').replace('aws', 'aws-cn') },
    `kmsKeyArn: found "${ARN('kms', 'key/k').replace('aws', 'aws-cn')}"; allowed: an ARN of aws, the partition of eu-west-1`,
  ],
  [
    'a role for emergencies of another account',
    { secretReaders: { breakGlassRoleArn: ARN('iam', 'role/r', '', '999988887777') } },
    `secretReaders.breakGlassRoleArn: found "${ARN('iam', 'role/r', '', '999988887777')}"; allowed: a principal of 222233334444`,
  ],
  [
    'a domain without its certificate',
    { restoreApi: { domain: { name: 'restore.example.org' } } },
    'restoreApi.domain.certificateArn: found nothing; allowed: the ARN of a certificate',
  ],
  [
    'a domain in capitals',
    { restoreApi: { domain: { name: 'Restore.example.org', certificateArn: CERTIFICATE } } },
    'restoreApi.domain.name: found "Restore.example.org"; allowed: a host name in lower case',
  ],
  [
    'two web ACLs',
    { restoreApi: { ratePerIp: 300, webAclArn: ARN('wafv2', 'regional/webacl/n/i') } },
    'restoreApi.ratePerIp: found 300; allowed: nothing together with webAclArn',
  ],
  [
    'limits per tenant that IAM mode cannot apply',
    { restoreApi: { auth: 'iam', usagePlan: { rateLimit: 1 } } },
    'restoreApi.usagePlan: found an object; allowed: nothing with auth iam',
  ],
  [
    'a VPC without subnets',
    { vpc: { vpcId: 'vpc-0a', subnetIds: [], securityGroupIds: ['sg-0a'] } },
    'vpc.subnetIds: found a list; allowed: at least one subnet id',
  ],
  [
    'credentials in the proxy’s address',
    { proxy: { url: 'http://u:p@proxy.example.org:3128' } },
    'proxy.url: found "http://…"; allowed: an http or https URL with host and port alone',
  ],
];

const OPTIONS = { environment: 'staging', endpoints: addressesOf('staging-global'), tenants: [TENANT] };

function linesOf(create: () => unknown): readonly string[] {
  try {
    create();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues;
    throw error;
  }
  return [];
}

it.each(MISTAKES)('says what is wrong with %s, in a construct', (_, options, line) => {
  const stack = new Stack(temporaryApp(), 'learning', { env: { account: ACCOUNT_ID, region: REGION } });

  const lines = linesOf(() => new Latchkey(stack, 'L', { ...OPTIONS, ...options } as LatchkeyProps));

  expect(lines).toEqual([expect.stringContaining(line)]);
  expect(lines[0]!.startsWith(line)).toBe(true);
});

it.each(MISTAKES)('says the same of %s in a file, with its place there', (_, options, line) => {
  const { endpoints, prefix, ...deployment } = { ...OPTIONS, ...options } as Record<string, unknown>;
  const file = written(deployment);
  const value = {
    ...file,
    ...(prefix !== undefined && { prefix }),
    endpoints: { staging: { global: endpoints, mea: addressesOf('staging-mea') } },
  };
  const inFile = /^(endpoints|prefix)/.test(line)
    ? line.replace(/^endpoints/, 'endpoints.staging.global')
    : `deployments[0].${line}`;

  const lines = linesOf(() => parseConfiguration(value, 'file'));

  expect(lines).toEqual([expect.stringContaining(inFile.replace(/ endpoints\.$/, ''))]);
});
