import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Stack } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';

import { gatewayPolicy } from '../../../lib/constructs/restore/restore-rest-api';
import { ACCOUNT_ID, REGION, type WrittenDeployment, written } from '../../support/lib/configuration';
import { DOMAIN, VPC_ENDPOINTS, WEB_ACL } from '../../support/lib/edge';
import { faultsOf } from '../../support/lib/faults';

type WrittenApi = NonNullable<WrittenDeployment['restoreApi']>;

const faultsWith = (restoreApi: WrittenApi, deployment: Partial<WrittenDeployment> = {}) =>
  faultsOf(written({ ...deployment, restoreApi }));
const anywhere = { account: undefined, region: undefined };
const endpoints = (count: number) =>
  Array.from({ length: count }, (_, index) => `vpce-${index.toString(16).padStart(17, '0')}`);

describe('the restore API’s edge settings', () => {
  it.each<[string, WrittenApi]>([
    ['a plan of rate alone', { usagePlan: { rateLimit: 20 } }],
    ['a plan of burst alone', { usagePlan: { burstLimit: 40 } }],
    ['a plan of quota alone', { usagePlan: { quota: { limit: 1, period: 'week' } } }],
    ['a web ACL', { webAclArn: WEB_ACL }],
    ['a rate per address', { ratePerIp: 10 }],
    ['a domain', { domain: DOMAIN }],
    ['a domain with its zone', { domain: { ...DOMAIN, hostedZoneId: 'Z0123456789ABCDEFGHIJ' } }],
    ['a subdomain with digits and hyphens', { domain: { ...DOMAIN, name: '1.restore-2.example.co' } }],
    ['interface endpoints', { vpcEndpointIds: VPC_ENDPOINTS }],
    ['a private API in iam mode', { auth: 'iam', vpcEndpointIds: VPC_ENDPOINTS }],
    ['all compatible settings', { usagePlan: { rateLimit: 1 }, webAclArn: WEB_ACL, domain: DOMAIN }],
    ['settings of a disabled API', { enabled: false, webAclArn: WEB_ACL, domain: DOMAIN }],
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
      'deployments[0].restoreApi.domain.hostedZoneId: found "Z0123456789ABCDEFGHIJ"; ' +
        'allowed: nothing in us-gov-west-1: create a CNAME record to the parameter restore-domain-target yourself',
    ]);
  });

  it.each([9, 10.5, 2_000_000_001])('refuse a rate of %s requests per address', (ratePerIp) => {
    expect(faultsWith({ ratePerIp })).toEqual([
      `deployments[0].restoreApi.ratePerIp: found ${ratePerIp}; allowed: whole requests per five minutes from 10 to 2000000000`,
    ]);
  });

  it('refuse a rate per address next to a web ACL of your own', () => {
    expect(faultsWith({ ratePerIp: 100, webAclArn: WEB_ACL })).toEqual([
      'deployments[0].restoreApi.ratePerIp: found 100; allowed: nothing together with webAclArn: add a rate-based rule to your web ACL',
    ]);
  });

  it.each([
    ['of CloudFront', WEB_ACL.replace('regional', 'global')],
    ['of WAF Classic', WEB_ACL.replace('wafv2', 'waf-regional')],
    ['without its id', WEB_ACL.replace(/\/[^/]+$/, '')],
    ['that is an id', '0f0f0f0f-1111-2222-3333-444444444444'],
  ])('refuse a web ACL %s', (_, webAclArn) => {
    expect(faultsWith({ webAclArn })).toEqual([
      expect.stringMatching(
        /^deployments\[0\]\.restoreApi\.webAclArn: found ".+"; allowed: the ARN of a regional web ACL, such as arn:aws:wafv2:/,
      ),
    ]);
  });

  it.each([
    ['with a wildcard', '*.example.org'],
    ['in upper case', 'Restore.example.org'],
    ['of one label', 'restore'],
    ['with a dot at its end', 'restore.example.org.'],
    ['with a label that ends with a hyphen', 'restore-.example.org'],
    ['with a label of 64 characters', `${'a'.repeat(64)}.example.org`],
    ['of more than 253 characters', `${'a.'.repeat(127)}org`],
    ['that is an address', '192.0.2.1'],
    ['that is a URL', 'https://restore.example.org'],
    ['with a path', 'restore.example.org/v1'],
    ['in other letters', 'wiederherstellung-für.example.org'],
  ])('refuse a domain name %s', (_, name) => {
    expect(faultsWith({ domain: { ...DOMAIN, name } })).toEqual([
      `deployments[0].restoreApi.domain.name: found ${shown(name)}; ` +
        'allowed: a host name in lower case, without a wildcard, such as restore.example.org',
    ]);
  });

  it.each<[string, WrittenApi, string]>([
    [
      'a certificate authority',
      {
        domain: {
          ...DOMAIN,
          certificateArn: `arn:aws:acm-pca:eu-west-1:${ACCOUNT_ID}:certificate-authority/0f0f`,
        },
      },
      'domain.certificateArn',
    ],
    ['the name of a zone', { domain: { ...DOMAIN, hostedZoneId: 'example.org' } }, 'domain.hostedZoneId'],
    ['no endpoint', { vpcEndpointIds: [] }, 'vpcEndpointIds'],
    ['one that is a VPC', { vpcEndpointIds: ['vpc-0a1b2c3d'] }, 'vpcEndpointIds[0]'],
    ['one twice', { vpcEndpointIds: [VPC_ENDPOINTS[0]!, VPC_ENDPOINTS[0]!] }, 'vpcEndpointIds'],
  ])('refuse %s', (_, restoreApi, path) => {
    const faults = faultsWith(restoreApi);

    expect(faults).toHaveLength(1);
    expect(faults[0]!.startsWith(`deployments[0].restoreApi.${path}: found `)).toBe(true);
  });
});

describe('a web ACL or certificate', () => {
  it.each([
    ['webAclArn', { webAclArn: WEB_ACL }, 'a web ACL'],
    ['domain.certificateArn', { domain: DOMAIN }, 'a certificate'],
  ])('is refused as %s if its region or account is not the deployment’s', (path, restoreApi, what) => {
    const found = expect.stringMatching(
      new RegExp(
        `^deployments\\[0\\]\\.restoreApi\\.${path.replace('.', '\\.')}: found "arn:.*; allowed: ${what} in the deployment’s account and region$`,
      ),
    ) as string;

    expect(faultsWith(restoreApi, { region: 'us-east-1' })).toEqual([found]);
    expect(faultsWith(restoreApi, { account: '999988887777' })).toEqual([found]);
  });

  it.each([
    ['webAclArn', { webAclArn: WEB_ACL }],
    ['domain.certificateArn', { domain: DOMAIN }],
    ['webAclArn', { webAclArn: WEB_ACL, domain: DOMAIN }],
  ])('needs account and region: %s', (path, restoreApi) => {
    const rest = `of restoreApi.${path}; without it, your AWS profile decides`;
    const account = `deployments[0].account: found nothing; allowed: ${ACCOUNT_ID}, the account ${rest}`;
    const region = `deployments[0].region: found nothing; allowed: ${REGION}, the region ${rest}`;

    expect(faultsWith(restoreApi, anywhere)).toEqual([account, region]);
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

describe('the interface endpoints of a private API', () => {
  it('are at most 250', () => {
    expect(faultsWith({ vpcEndpointIds: endpoints(250) })).toEqual([]);
    expect(faultsWith({ vpcEndpointIds: endpoints(251) })).toEqual([
      'deployments[0].restoreApi.vpcEndpointIds: found a list; ' +
        'allowed: at most 250 ids: API Gateway limits the resource policy to 8,192 characters',
    ]);
  });

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
  it.each(['platform', 'iam'] as const)('fit into the resource policy in %s mode in every format', (auth) => {
    expect(lengthOf(gatewayPolicy(auth, endpoints(250)))).toBeLessThanOrEqual(8192);
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

const accounts = (count: number) => Array.from({ length: count }, (_, n) => String(333300000000 + n));
const LIMIT = 'API Gateway limits the resource policy to 8,192 characters';

describe('callers of other accounts', () => {
  const PATH = 'deployments[0].restoreApi.callerAccounts';

  it.each<[string, WrittenApi]>([
    ['100', { auth: 'iam', callerAccounts: accounts(100) }],
    ['of a private API', { auth: 'iam', callerAccounts: accounts(5), vpcEndpointIds: endpoints(240) }],
  ])('are accepted: %s', (_, restoreApi) => {
    expect(faultsWith(restoreApi)).toEqual([]);
  });

  it.each<[string, WrittenApi, string]>([
    [
      'in platform mode, where nobody signs',
      { callerAccounts: accounts(1) },
      `${PATH}: found a list; allowed: nothing with auth platform: callers authenticate with the platform’s credentials`,
    ],
    [
      'if one is the deployment’s own, whose principals need grantRestore',
      { auth: 'iam', callerAccounts: [...accounts(1), ACCOUNT_ID] },
      `${PATH}[1]: found "${ACCOUNT_ID}"; allowed: other accounts: in its own, grant principals execute-api:Invoke`,
    ],
    [
      'that are no accounts',
      { auth: 'iam', callerAccounts: ['*'] },
      `${PATH}[0]: found "*"; allowed: an AWS account id of 12 digits, as a string`,
    ],
    [
      'named twice',
      { auth: 'iam', callerAccounts: [...accounts(1), ...accounts(1)] },
      `${PATH}: found a list; allowed: each account once`,
    ],
    [
      'beyond 100',
      { auth: 'iam', callerAccounts: accounts(101) },
      `${PATH}: found a list; allowed: at most 100 accounts: ${LIMIT}`,
    ],
    [
      'beyond what interface endpoints leave',
      { auth: 'iam', callerAccounts: accounts(6), vpcEndpointIds: endpoints(240) },
      `${PATH}: found a list; allowed: at most 5 accounts with 240 vpcEndpointIds: ${LIMIT}`,
    ],
  ])('are refused %s', (_, restoreApi, fault) => {
    expect(faultsWith(restoreApi)).toEqual([fault]);
  });

  it.each([
    [100, 50],
    [50, 150],
    [1, 248],
  ])('fit into the resource policy: %i with %i endpoints', (count, others) => {
    const restoreApi = {
      auth: 'iam',
      callerAccounts: accounts(count),
      vpcEndpointIds: endpoints(others),
    } as const;

    expect(faultsWith(restoreApi)).toEqual([]);
    expect(lengthOf(gatewayPolicy('iam', endpoints(others), accounts(count)))).toBeLessThanOrEqual(8192);
  });
});

describe('callers of organizations', () => {
  const longest = (count: number) =>
    Array.from({ length: count }, (_, n) => `o-${String(n).padStart(32, '0')}`);
  const PATH = 'deployments[0].restoreApi.callerOrganizations';

  it.each<[string, WrittenApi]>([
    ['one', { auth: 'iam', callerOrganizations: ['o-a1b2c3d4e5'] }],
    ['beside accounts', { auth: 'iam', callerOrganizations: longest(10), callerAccounts: accounts(100) }],
    ['of a private API', { auth: 'iam', callerOrganizations: longest(1), vpcEndpointIds: endpoints(234) }],
  ])('are accepted: %s', (_, restoreApi) => {
    expect(faultsWith(restoreApi)).toEqual([]);
  });

  it.each<[string, WrittenApi, string]>([
    [
      'in platform mode, where nobody signs',
      { callerOrganizations: longest(1) },
      `${PATH}: found a list; allowed: nothing with auth platform: callers authenticate with the platform’s credentials`,
    ],
    [
      'that are no organizations',
      { auth: 'iam', callerOrganizations: ['*'] },
      `${PATH}[0]: found "*"; allowed: the id of an organization, such as o-a1b2c3d4e5`,
    ],
    [
      'named twice',
      { auth: 'iam', callerOrganizations: [...longest(1), ...longest(1)] },
      `${PATH}: found a list; allowed: each organization once`,
    ],
    [
      'beyond ten',
      { auth: 'iam', callerOrganizations: longest(11) },
      `${PATH}: found a list; allowed: at most 10 organizations`,
    ],
    [
      'beyond what interface endpoints leave',
      { auth: 'iam', callerOrganizations: longest(2), vpcEndpointIds: endpoints(234) },
      `${PATH}: found a list; allowed: fewer with 234 vpcEndpointIds: ${LIMIT}`,
    ],
  ])('are refused %s', (_, restoreApi, fault) => {
    expect(faultsWith(restoreApi)).toEqual([fault]);
  });

  it('leave less room for accounts', () => {
    const restoreApi = {
      auth: 'iam',
      callerOrganizations: longest(1),
      vpcEndpointIds: endpoints(230),
    } as const;

    expect(faultsWith({ ...restoreApi, callerAccounts: accounts(2) })).toEqual([]);
    expect(faultsWith({ ...restoreApi, callerAccounts: accounts(3) })).toEqual([
      'deployments[0].restoreApi.callerAccounts: found a list; ' +
        `allowed: at most 2 accounts with 230 vpcEndpointIds and 1 callerOrganizations: ${LIMIT}`,
    ]);
  });

  it.each([
    [1, 0, 234],
    [10, 100, 16],
    [10, 0, 216],
  ])('fit into the resource policy: %i with %i accounts and %i endpoints', (count, others, ids) => {
    const policy = gatewayPolicy('iam', endpoints(ids), accounts(others), longest(count));

    expect(lengthOf(policy)).toBeLessThanOrEqual(8192);
  });
});

describe('the request limits', () => {
  const INT32 = 2_147_483_647;

  it('are 32-bit integers, except for the rate', () => {
    const most = { rateLimit: 3_000_000_000, burstLimit: INT32 };
    const usagePlan = { ...most, quota: { limit: INT32, period: 'month' } } as const;

    expect(faultsWith({ ...most, usagePlan })).toEqual([]);
  });

  it.each<[string, WrittenApi]>([
    ['burstLimit', { burstLimit: INT32 + 1 }],
    ['usagePlan.burstLimit', { burstLimit: INT32, usagePlan: { burstLimit: INT32 + 1 } }],
    ['usagePlan.quota.limit', { usagePlan: { quota: { limit: INT32 + 1, period: 'day' } } }],
  ])('have a maximum: %s', (path, restoreApi) => {
    expect(faultsWith(restoreApi)).toContain(
      `deployments[0].restoreApi.${path}: found 2147483648; allowed: whole requests from 1 to 2147483647`,
    );
  });

  it('accept a rate up to the largest safe integer', () => {
    expect(faultsWith({ rateLimit: 1e300 })).toEqual([
      'deployments[0].restoreApi.rateLimit: found 1e+300; ' +
        'allowed: whole requests per second from 1 to 9007199254740991',
    ]);
  });
});

describe('a usage plan', () => {
  it('cannot exceed the stage’s limits, configured or default', () => {
    expect(faultsWith({ usagePlan: { rateLimit: 21, burstLimit: 41 } })).toEqual([
      'deployments[0].restoreApi.usagePlan.rateLimit: found 21; allowed: at most 20, the rateLimit of the whole API',
      'deployments[0].restoreApi.usagePlan.burstLimit: found 41; allowed: at most 40, the burstLimit of the whole API',
    ]);
    expect(faultsWith({ rateLimit: 5, usagePlan: { rateLimit: 6 } })).toHaveLength(1);
    expect(faultsWith({ rateLimit: 100, burstLimit: 200, usagePlan: { rateLimit: 100 } })).toEqual([]);
  });

  it('is refused in iam mode, which has no authorizer', () => {
    expect(faultsWith({ auth: 'iam', usagePlan: { rateLimit: 1 } })).toEqual([
      'deployments[0].restoreApi.usagePlan: found an object; ' +
        'allowed: nothing with auth iam: without an authorizer, API Gateway does not know the calling tenant',
    ]);
  });
});

describe('a domain', () => {
  it('is refused for a private API', () => {
    expect(faultsWith({ domain: DOMAIN, vpcEndpointIds: VPC_ENDPOINTS })).toEqual([
      'deployments[0].restoreApi.domain: found an object; ' +
        'allowed: nothing together with vpcEndpointIds: API Gateway sets up the domain of a private API separately',
    ]);
  });

  it('belongs to only one deployment', () => {
    const value = written({ restoreApi: { domain: DOMAIN } });
    value.deployments.push({ ...value.deployments[0]!, platformRegion: 'mea', tenants: [] });

    expect(faultsOf(value)).toEqual([
      'deployments[1].restoreApi.domain.name: found "restore.example.org"; allowed: each name in only one deployment',
    ]);
  });
});

describe('a local configuration', () => {
  const withApi = (restoreApi: WrittenApi) => {
    const text = readFileSync(join(__dirname, '../../../config/local.json'), 'utf8');
    const value = JSON.parse(text) as { deployments: object[] };
    Object.assign(value.deployments[0]!, { restoreApi });
    return faultsOf(value);
  };

  it.each<[string, WrittenApi]>([
    ['webAclArn', { webAclArn: WEB_ACL }],
    ['domain', { domain: DOMAIN }],
    ['vpcEndpointIds', { vpcEndpointIds: VPC_ENDPOINTS }],
  ])('has no %s', (field, restoreApi) => {
    expect(withApi(restoreApi)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^deployments\\[0\\]\\.restoreApi\\.${field}: found .*; allowed: nothing: a local configuration is never deployed`,
        ),
      ),
    ]);
  });

  it('may have a usage plan and a rate per address', () => {
    expect(withApi({ usagePlan: { rateLimit: 1 }, ratePerIp: 100 })).toEqual([]);
  });
});

/** The text as messages show it. */
function shown(text: string): string {
  const json = JSON.stringify(text);
  return json.length > 120 ? `${json.slice(0, 120)}…` : json;
}
