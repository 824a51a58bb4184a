import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Stack } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';

import { gatewayPolicy } from '../../../lib/constructs/restore/restore-rest-api';
import { ACCOUNT_ID, REGION, type WrittenDeployment, written } from '../../support/lib/configuration';
import { DOMAIN, VPC_ENDPOINTS, WEB_ACL } from '../../support/lib/edge';
import { faultsOf } from '../../support/lib/faults';

type WrittenApi = NonNullable<WrittenDeployment['restoreApi']>;

const AT = 'deployments[0].restoreApi.';
const faultsWith = (restoreApi: WrittenApi, deployment: Partial<WrittenDeployment> = {}) =>
  faultsOf(written({ ...deployment, restoreApi }));
const endpoints = (count: number) =>
  Array.from({ length: count }, (_, index) => `vpce-${index.toString(16).padStart(17, '0')}`);
const accounts = (count: number) => Array.from({ length: count }, (_, n) => String(333300000000 + n));
/** Organizations with ids of the maximum length. */
const organizations = (count: number) =>
  Array.from({ length: count }, (_, n) => `o-${String(n).padStart(32, '0')}`);

describe('the restore API’s edge settings', () => {
  it.each<[string, WrittenApi]>([
    ['the lowest rate per address', { ratePerIp: 10 }],
    ['a subdomain with digits and hyphens', { domain: { ...DOMAIN, name: '1.restore-2.example.co' } }],
    ['all compatible settings', { usagePlan: { rateLimit: 1 }, webAclArn: WEB_ACL, domain: DOMAIN }],
  ])('accept %s', (_, restoreApi) => {
    expect(faultsWith(restoreApi)).toEqual([]);
  });

  it('refuse a zone for the DNS record in AWS GovCloud (US), where it could not be created', () => {
    const region = 'us-gov-west-1';
    const certificateArn = DOMAIN.certificateArn
      .replace('arn:aws:', 'arn:aws-us-gov:')
      .replace(REGION, region);
    const domain = { ...DOMAIN, certificateArn };
    const zoned = { ...domain, hostedZoneId: 'Z0123456789ABCDEFGHIJ' };

    expect(faultsWith({ domain }, { region })).toEqual([]);
    expect(faultsWith({ domain: zoned }, { region })).toEqual([
      `${AT}domain.hostedZoneId: found "Z0123456789ABCDEFGHIJ"; ` +
        'allowed: nothing in us-gov-west-1: create a CNAME record to the parameter restore-domain-target yourself',
    ]);
  });

  it.each([9, 10.5, 2_000_000_001])('refuse a rate of %s requests per address', (ratePerIp) => {
    expect(faultsWith({ ratePerIp })).toEqual([
      `${AT}ratePerIp: found ${ratePerIp}; allowed: whole requests per five minutes from 10 to 2000000000`,
    ]);
  });

  it.each([
    ['of CloudFront', WEB_ACL.replace('regional', 'global')],
    ['of WAF Classic', WEB_ACL.replace('wafv2', 'waf-regional')],
    ['without its id', WEB_ACL.replace(/\/[^/]+$/, '')],
  ])('refuse a web ACL %s', (_, webAclArn) => {
    expect(faultsWith({ webAclArn })).toEqual([
      expect.stringContaining(
        `webAclArn: found "${webAclArn}"; allowed: the ARN of a regional web ACL, such as`,
      ),
    ]);
  });

  it.each([
    ['with a wildcard', '*.example.org'],
    ['of one label', 'restore'],
    ['with a dot at its end', 'restore.example.org.'],
    ['with a label that ends with a hyphen', 'restore-.example.org'],
    ['with a label of 64 characters', `${'a'.repeat(64)}.example.org`],
    ['of more than 253 characters', `${'a.'.repeat(127)}org`],
    ['that is an address', '192.0.2.1'],
  ])('refuse a domain name %s', (_, name) => {
    const rule = 'a host name in lower case, without a wildcard, such as restore.example.org';

    expect(faultsWith({ domain: { ...DOMAIN, name } })).toEqual([
      expect.stringMatching(`^deployments\\[0\\]\\.restoreApi\\.domain\\.name: found .*; allowed: ${rule}$`),
    ]);
  });

  const authority = `arn:aws:acm-pca:eu-west-1:${ACCOUNT_ID}:certificate-authority/0f0f`;
  it.each<[string, WrittenApi]>([
    ['domain.certificateArn', { domain: { ...DOMAIN, certificateArn: authority } }],
    ['domain.hostedZoneId', { domain: { ...DOMAIN, hostedZoneId: 'example.org' } }],
    ['vpcEndpointIds', { vpcEndpointIds: [] }],
    ['vpcEndpointIds[0]', { vpcEndpointIds: ['vpc-0a1b2c3d'] }],
    ['vpcEndpointIds', { vpcEndpointIds: [VPC_ENDPOINTS[0]!, VPC_ENDPOINTS[0]!] }],
  ])('refuse a wrong %s: %j', (path, restoreApi) => {
    expect(faultsWith(restoreApi)).toEqual([expect.stringContaining(`${AT}${path}: found `)]);
  });

  it.each(
    Object.entries<WrittenApi>({
      'ratePerIp: found 100; allowed: nothing together with webAclArn: add a rate-based rule to your web ACL':
        {
          ratePerIp: 100,
          webAclArn: WEB_ACL,
        },
      'domain: found an object; allowed: nothing together with vpcEndpointIds: API Gateway sets up the domain of a private API separately':
        { domain: DOMAIN, vpcEndpointIds: VPC_ENDPOINTS },
      'usagePlan: found an object; allowed: nothing with auth iam: without an authorizer, API Gateway does not know the calling tenant':
        { auth: 'iam', usagePlan: { rateLimit: 1 } },
    }),
  )('refuse what excludes each other: %s', (fault, restoreApi) => {
    expect(faultsWith(restoreApi)).toEqual([AT + fault]);
  });

  it('allow a domain to only one deployment', () => {
    const value = written({ restoreApi: { domain: DOMAIN } });
    value.deployments.push({ ...value.deployments[0]!, platformRegion: 'mea', tenants: [] });

    expect(faultsOf(value)).toEqual([
      'deployments[1].restoreApi.domain.name: found "restore.example.org"; allowed: each name in only one deployment',
    ]);
  });

  it.each<[string, WrittenApi]>([
    ['webAclArn', { webAclArn: WEB_ACL }],
    ['domain', { domain: DOMAIN }],
    ['vpcEndpointIds', { vpcEndpointIds: VPC_ENDPOINTS }],
  ])('have no %s in a local configuration', (field, restoreApi) => {
    const text = readFileSync(join(__dirname, '../../../config/local.json'), 'utf8');
    const local = JSON.parse(text) as { deployments: object[] };
    Object.assign(local.deployments[0]!, { restoreApi });

    expect(faultsOf(local)).toEqual([
      expect.stringMatching(
        `restoreApi\\.${field}: found .*; allowed: nothing: a local configuration is never`,
      ),
    ]);
  });
});

describe('a web ACL or certificate', () => {
  it.each([
    ['webAclArn', { webAclArn: WEB_ACL }, 'a web ACL'],
    ['domain.certificateArn', { domain: DOMAIN }, 'a certificate'],
  ])('is refused as %s if its region or account is not the deployment’s', (path, restoreApi, what) => {
    const found = expect.stringMatching(
      `restoreApi\\.${path}: found "arn:.*; allowed: ${what} in the deployment’s account and region$`,
    ) as string;

    expect(faultsWith(restoreApi, { region: 'us-east-1' })).toEqual([found]);
    expect(faultsWith(restoreApi, { account: '999988887777' })).toEqual([found]);
  });

  it.each([
    ['domain.certificateArn', { domain: DOMAIN }],
    ['webAclArn', { webAclArn: WEB_ACL, domain: DOMAIN }],
  ])('needs account and region: %s', (path, restoreApi) => {
    const rest = `of restoreApi.${path}; without it, your AWS profile decides`;
    const account = `deployments[0].account: found nothing; allowed: ${ACCOUNT_ID}, the account ${rest}`;
    const region = `deployments[0].region: found nothing; allowed: ${REGION}, the region ${rest}`;

    expect(faultsWith(restoreApi, { account: undefined, region: undefined })).toEqual([account, region]);
    expect(faultsWith(restoreApi, { account: undefined })).toEqual([account]);
    expect(faultsWith(restoreApi, { region: undefined })).toEqual([region]);
  });

  it('is refused if the two are in different regions', () => {
    const certificateArn = DOMAIN.certificateArn.replace(REGION, 'us-east-1');
    const restoreApi = { webAclArn: WEB_ACL, domain: { ...DOMAIN, certificateArn } };

    expect(faultsWith(restoreApi, { region: undefined }).map((fault) => fault.split(':')[0])).toEqual([
      'deployments[0].region',
      'deployments[0].restoreApi.domain.certificateArn',
    ]);
  });

  it('reports a malformed region only as malformed', () => {
    expect(faultsWith({ webAclArn: WEB_ACL }, { region: 5 as never })).toEqual([
      'deployments[0].region: found 5; allowed: an AWS region such as eu-central-1',
    ]);
  });
});

describe('callers and interface endpoints', () => {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
  it.each([
    [250, 0, 0],
    [50, 100, 0],
    [248, 1, 0],
    [234, 0, 1],
    [16, 100, 10],
    [216, 0, 10],
  ])('fit into the resource policy: %i endpoints, %i accounts, %i organizations', (...counts) => {
    const [ids, callers, groups] = [endpoints(counts[0]), accounts(counts[1]), organizations(counts[2])];
    const settings = { vpcEndpointIds: ids, callerAccounts: callers, callerOrganizations: groups };

    expect(faultsWith({ auth: 'iam', ...settings })).toEqual([]);
    expect(lengthOf(gatewayPolicy('iam', ids, callers, groups))).toBeLessThanOrEqual(8192);
    expect(lengthOf(gatewayPolicy('platform', ids))).toBeLessThanOrEqual(8192);
  });

  const LIMIT = 'API Gateway limits the resource policy to 8,192 characters';
  const UNSIGNED = 'nothing with auth platform: callers authenticate with the platform’s credentials';
  it.each(
    Object.entries<WrittenApi>({
      // In platform mode, nobody signs.
      [`callerAccounts: found a list; allowed: ${UNSIGNED}`]: {
        auth: 'platform',
        callerAccounts: accounts(1),
      },
      [`callerOrganizations: found a list; allowed: ${UNSIGNED}`]: {
        auth: 'platform',
        callerOrganizations: organizations(1),
      },
      // Principals of the deployment's own account need grantRestore.
      [`callerAccounts[1]: found "${ACCOUNT_ID}"; allowed: other accounts: in its own, grant principals execute-api:Invoke`]:
        { callerAccounts: [...accounts(1), ACCOUNT_ID] },
      'callerAccounts[0]: found "*"; allowed: an AWS account id of 12 digits, as a string': {
        callerAccounts: ['*'],
      },
      'callerAccounts: found a list; allowed: each account once': {
        callerAccounts: [...accounts(1), ...accounts(1)],
      },
      [`callerAccounts: found a list; allowed: at most 100 accounts: ${LIMIT}`]: {
        callerAccounts: accounts(101),
      },
      [`callerAccounts: found a list; allowed: at most 5 accounts with 240 vpcEndpointIds: ${LIMIT}`]: {
        callerAccounts: accounts(6),
        vpcEndpointIds: endpoints(240),
      },
      [`callerAccounts: found a list; allowed: at most 2 accounts with 230 vpcEndpointIds and 1 callerOrganizations: ${LIMIT}`]:
        {
          callerAccounts: accounts(3),
          callerOrganizations: organizations(1),
          vpcEndpointIds: endpoints(230),
        },
      [`vpcEndpointIds: found a list; allowed: at most 250 ids: ${LIMIT}`]: {
        vpcEndpointIds: endpoints(251),
      },
      'callerOrganizations[0]: found "*"; allowed: the id of an organization, such as o-a1b2c3d4e5': {
        callerOrganizations: ['*'],
      },
      'callerOrganizations: found a list; allowed: each organization once': {
        callerOrganizations: [...organizations(1), ...organizations(1)],
      },
      'callerOrganizations: found a list; allowed: at most 10 organizations': {
        callerOrganizations: organizations(11),
      },
      [`callerOrganizations: found a list; allowed: fewer with 234 vpcEndpointIds: ${LIMIT}`]: {
        callerOrganizations: organizations(2),
        vpcEndpointIds: endpoints(234),
      },
    }),
  )('are refused: %s', (fault, restoreApi) => {
    expect(faultsWith({ auth: 'iam', ...restoreApi })).toEqual([AT + fault]);
  });
});

/** The length of a resource policy as AWS counts it, in the format of API Gateway's answers. */
function lengthOf(policy: iam.PolicyDocument): number {
  const stack = new Stack(undefined, 'api', { env: { account: ACCOUNT_ID, region: 'ap-southeast-1' } });
  const resolved = JSON.stringify(stack.resolve(policy))
    .replaceAll('{"Ref":"AWS::AccountId"}', `"${ACCOUNT_ID}"`)
    .replaceAll(
      /\{"Fn::Join":\["",\["arn:",\{"Ref":"AWS::Partition"\},"([^"]+)"\]\]\}/g,
      '"arn:aws-us-gov$1"',
    );
  const api = `arn:aws-us-gov:execute-api:ap-southeast-1:${ACCOUNT_ID}:abcdefghij/`;
  expect(resolved).not.toMatch(/"Ref"|"Fn::/);
  return JSON.stringify(resolved.replaceAll('execute-api:/', api)).length;
}

describe('the request limits', () => {
  const INT32 = 2_147_483_647;

  it('are 32-bit integers, except for the rate', () => {
    const most = { rateLimit: 3_000_000_000, burstLimit: INT32 };
    const usagePlan = { ...most, quota: { limit: INT32, period: 'month' } } as const;

    expect(faultsWith({ ...most, usagePlan })).toEqual([]);
    expect(faultsWith({ burstLimit: INT32 + 1 })).toEqual([
      `${AT}burstLimit: found 2147483648; allowed: whole requests from 1 to 2147483647`,
    ]);
    expect(faultsWith({ rateLimit: 1e300 })).toEqual([
      `${AT}rateLimit: found 1e+300; allowed: whole requests per second from 1 to 9007199254740991`,
    ]);
  });

  it('of a usage plan cannot exceed the stage’s limits, configured or default', () => {
    expect(faultsWith({ usagePlan: { rateLimit: 21, burstLimit: 41 } })).toEqual([
      `${AT}usagePlan.rateLimit: found 21; allowed: at most 20, the rateLimit of the whole API`,
      `${AT}usagePlan.burstLimit: found 41; allowed: at most 40, the burstLimit of the whole API`,
    ]);
    expect(faultsWith({ rateLimit: 5, usagePlan: { rateLimit: 6 } })).toHaveLength(1);
    expect(faultsWith({ rateLimit: 100, burstLimit: 200, usagePlan: { rateLimit: 100 } })).toEqual([]);
  });
});
