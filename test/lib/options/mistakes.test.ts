import { parseConfiguration } from '../../../lib/options/load';
import { ACCOUNT_ID, addressesOf, REGION, tenant, written } from '../../support/lib/configuration';
import { faultsIn } from '../../support/lib/faults';
import { latchkeyIn, learningStack, OPTIONS } from '../../support/lib/learning';

const ARN = (service: string, resource: string, region = REGION, account = ACCOUNT_ID) =>
  `arn:aws:${service}:${service === 'iam' ? '' : region}:${account}:${resource}`;
const TENANT = tenant('tenant-a');
const withAddresses = (addresses: object) => ({
  endpoints: { ...addressesOf('staging-global'), ...addresses },
});

/**
 * One mistake for each way from a rule of the file to a construct: its option, an address, its stack's account and region. How
 * the one line of the error begins: the option, the value, what is allowed.
 */
const MISTAKES: [mistake: string, options: Record<string, unknown>, line: string][] = [
  ['a misspelt option', { tenant: [] }, 'tenant: found a field of this name; allowed: tenants, or else '],
  [
    'a misspelt address',
    withAddresses({ webhookBaseUrl: 'https://x.example' }),
    'endpoints.webhookBaseUrl: found a field of this name; allowed: webhooksBaseUrl, ',
  ],
  [
    'a prefix in capitals',
    { prefix: 'Team' },
    'prefix: found "Team"; allowed: 1–29 lower-case letters, digits and -',
  ],
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
    'one address for two interfaces',
    withAddresses({ webhooksBaseUrl: addressesOf('staging-global').contentBaseUrl }),
    'endpoints.webhooksBaseUrl: found "https://api.staging-global.platform.example/rest/v1"; allowed: an address that differs from endpoints.',
  ],
  [
    'webhooks without their token address',
    {
      ...withAddresses({ webhooksTokenBaseUrl: undefined }),
      tenants: [tenant('tenant-a', [{ interface: 'webhooks', scope: 'api/webhooks' }])],
    },
    'tenants[0].tokens[0]: found "webhooks api/webhooks"; allowed: webhooks tokens only with endpoints.',
  ],
  [
    'a tenant twice',
    { tenants: [TENANT, TENANT] },
    'tenants[1].tenantId: found "tenant-a"; allowed: each tenant only once per deployment',
  ],
  [
    'a key to adopt for a tenant without one',
    {
      tenants: [{ ...TENANT, apiKey: false, adopt: { apiKey: ARN('secretsmanager', 'secret:key-AbCdEf') } }],
    },
    `tenants[0].adopt.apiKey: found "${ARN('secretsmanager', 'secret:key-AbCdEf')}"; allowed: nothing with apiKey false`,
  ],
  [
    'a key of another region',
    { kmsKeyArn: ARN('kms', 'key/k', 'us-east-1') },
    `kmsKeyArn: found "${ARN('kms', 'key/k', 'us-east-1')}"; allowed: a key in eu-west-1`,
  ],
  [
    'a role for emergencies of another account',
    { secretReaders: { breakGlassRoleArn: ARN('iam', 'role/r', '', '999988887777') } },
    `secretReaders.breakGlassRoleArn: found "${ARN('iam', 'role/r', '', '999988887777')}"; allowed: a principal of 222233334444`,
  ],
];

it.each(MISTAKES)('says what is wrong with %s, in a construct', (_, options, line) => {
  const lines = faultsIn(() => latchkeyIn(learningStack(), options));

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

  const lines = faultsIn(() => parseConfiguration(value, 'file'));

  expect(lines).toEqual([expect.stringContaining(inFile.replace(/ endpoints\.$/, ''))]);
});
