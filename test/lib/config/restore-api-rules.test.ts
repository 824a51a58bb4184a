import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ACCOUNT_ID, type WrittenDeployment, written } from '../../support/lib/configuration';
import { DOMAIN, VPC_ENDPOINTS, WEB_ACL } from '../../support/lib/edge';
import { faultsOf } from '../../support/lib/faults';

type WrittenApi = NonNullable<WrittenDeployment['restoreApi']>;

const faultsWith = (restoreApi: WrittenApi, deployment: Partial<WrittenDeployment> = {}) =>
  faultsOf(written({ ...deployment, restoreApi }));
const anywhere = { account: undefined, region: undefined };

describe('the edge of a restore API', () => {
  it.each<[string, WrittenApi]>([
    ['a plan of rate alone', { usagePlan: { rateLimit: 20 } }],
    ['a plan of burst alone', { usagePlan: { burstLimit: 40 } }],
    ['a plan of quota alone', { usagePlan: { quota: { limit: 1, period: 'week' } } }],
    ['a web ACL', { webAclArn: WEB_ACL }],
    ['a domain', { domain: DOMAIN }],
    ['a domain with its zone', { domain: { ...DOMAIN, hostedZoneId: 'Z0123456789ABCDEFGHIJ' } }],
    ['a subdomain with digits and hyphens', { domain: { ...DOMAIN, name: '1.restore-2.example.co' } }],
    ['interface endpoints', { vpcEndpointIds: VPC_ENDPOINTS }],
    ['a private API in iam mode', { auth: 'iam', vpcEndpointIds: VPC_ENDPOINTS }],
    ['all that go together', { usagePlan: { rateLimit: 1 }, webAclArn: WEB_ACL, domain: DOMAIN }],
    ['all of them for an API that is off', { enabled: false, webAclArn: WEB_ACL, domain: DOMAIN }],
  ])('may be %s', (_, restoreApi) => {
    expect(faultsWith(restoreApi)).toEqual([]);
  });

  it.each([
    ['of CloudFront', WEB_ACL.replace('regional', 'global')],
    ['of WAF Classic', WEB_ACL.replace('wafv2', 'waf-regional')],
    ['without its id', WEB_ACL.replace(/\/[^/]+$/, '')],
    ['that is an id', '0f0f0f0f-1111-2222-3333-444444444444'],
  ])('is no web ACL %s', (_, webAclArn) => {
    expect(faultsWith({ webAclArn })).toEqual([
      expect.stringMatching(
        /^deployments\[0\]\.restoreApi\.webAclArn: found ".+"; allowed: the ARN of a regional web ACL, as in arn:aws:wafv2:/,
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
  ])('has no name %s', (_, name) => {
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
  ])('is not %s', (_, restoreApi, path) => {
    const faults = faultsWith(restoreApi);

    expect(faults).toHaveLength(1);
    expect(faults[0]!.startsWith(`deployments[0].restoreApi.${path}: found `)).toBe(true);
  });
});

describe('what stands elsewhere', () => {
  it.each([
    ['webAclArn', { webAclArn: WEB_ACL }, 'a web ACL'],
    ['domain.certificateArn', { domain: DOMAIN }, 'a certificate'],
  ])('is refused as %s: in another region or account than the deployment', (path, restoreApi, what) => {
    const found = expect.stringMatching(
      new RegExp(
        `^deployments\\[0\\]\\.restoreApi\\.${path.replace('.', '\\.')}: found "arn:.*; allowed: ${what} in the deployment’s account and region$`,
      ),
    ) as string;

    expect(faultsWith(restoreApi, { region: 'us-east-1' })).toEqual([found]);
    expect(faultsWith(restoreApi, { account: '999988887777' })).toEqual([found]);
    expect(faultsWith(restoreApi, anywhere)).toEqual([]);
  });
});

describe('a usage plan', () => {
  it('gives no tenant more than the stage gives to all, whether configured or by default', () => {
    expect(faultsWith({ usagePlan: { rateLimit: 21, burstLimit: 41 } })).toEqual([
      'deployments[0].restoreApi.usagePlan.rateLimit: found 21; allowed: at most 20, the rateLimit of the whole API',
      'deployments[0].restoreApi.usagePlan.burstLimit: found 41; allowed: at most 40, the burstLimit of the whole API',
    ]);
    expect(faultsWith({ rateLimit: 5, usagePlan: { rateLimit: 6 } })).toHaveLength(1);
    expect(faultsWith({ rateLimit: 100, burstLimit: 200, usagePlan: { rateLimit: 100 } })).toEqual([]);
  });

  it('is refused in iam mode, where there is no authorizer', () => {
    expect(faultsWith({ auth: 'iam', usagePlan: { rateLimit: 1 } })).toEqual([
      'deployments[0].restoreApi.usagePlan: found an object; ' +
        'allowed: nothing with auth iam, where no authorizer tells API Gateway which tenant calls',
    ]);
  });
});

describe('a domain', () => {
  it('is refused for a private API', () => {
    expect(faultsWith({ domain: DOMAIN, vpcEndpointIds: VPC_ENDPOINTS })).toEqual([
      'deployments[0].restoreApi.domain: found an object; ' +
        'allowed: nothing beside vpcEndpointIds: a private API has its domain elsewhere in API Gateway',
    ]);
  });

  it('stands at one deployment', () => {
    const value = written({ restoreApi: { domain: DOMAIN } });
    value.deployments.push({ ...value.deployments[0]!, platformRegion: 'mea', tenants: [] });

    expect(faultsOf(value)).toEqual([
      'deployments[1].restoreApi.domain.name: found "restore.example.org"; allowed: each name at one deployment',
    ]);
  });
});

describe('a configuration marked local', () => {
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
          `^deployments\\[0\\]\\.restoreApi\\.${field}: found .*; allowed: nothing: a configuration marked local is never deployed`,
        ),
      ),
    ]);
  });

  it('may have a usage plan', () => {
    expect(withApi({ usagePlan: { rateLimit: 1 } })).toEqual([]);
  });
});

/** As a message shows a text. */
function shown(text: string): string {
  const json = JSON.stringify(text);
  return json.length > 120 ? `${json.slice(0, 120)}…` : json;
}
