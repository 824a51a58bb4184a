import { usageKey } from '../../../../core/deployment/usage-key';
import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { tenant, type WrittenDeployment } from '../../../support/lib/configuration';
import { expectRed } from '../../../support/holes/expect-red';
import { CERTIFICATE, EDGES, VPC_ENDPOINTS, WEB_ACL } from '../../../support/lib/edge';
import { type PlacedResource, type Synthesis, synthesisWith } from '../../../support/lib/synthesis';

type WrittenApi = NonNullable<WrittenDeployment['restoreApi']>;

const STACK = 'latchkey-staging-global';
const withApi = (restoreApi: WrittenApi, more: Partial<WrittenDeployment> = {}): Synthesis =>
  synthesisWith({ restoreApi, ...more });
/** The logical id of the only resource of a type of API Gateway. */
const idIn = (synthesis: Synthesis, type: string) => synthesis.only(`AWS::ApiGateway::${type}`).logicalId;
/** Supported for regional and private APIs: apigateway-security-policies-list */
const STRICT_TLS = {
  SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
  EndpointAccessMode: 'STRICT',
};
const outputsOf = (synthesis: Synthesis) => JSON.stringify(synthesis.template(STACK).Outputs);

const plain = withApi({});
const iam = withApi({ auth: 'iam' });
const synthesized = Object.fromEntries(
  Object.entries(EDGES).map(([name, edge]) => [name, withApi(edge)]),
) as Record<keyof typeof EDGES, Synthesis>;

describe.each(Object.keys(EDGES) as (keyof typeof EDGES)[])('an API with %s', (name) => {
  it('keeps the ids of the API and all other resources', () => {
    const ids = (of: Synthesis) =>
      of
        .resourcesOf(STACK)
        .map(({ logicalId }) => logicalId)
        .filter((id) => !/^RestoreApiDeployment(?!Stage)/.test(id));

    expect(ids(synthesized[name])).toEqual(expect.arrayContaining(ids('auth' in EDGES[name] ? iam : plain)));
  });

  it('has the same TLS policy as any other, in strict mode', () => {
    expect(synthesized[name].only('AWS::ApiGateway::RestApi').Properties).toMatchObject(STRICT_TLS);
  });
});

it.each([
  ['auth', iam, plain],
  ['usagePlan', synthesized.usagePlan, plain],
  ['domain', synthesized.domain, plain],
  ['vpcEndpointIds', synthesized.vpcEndpointIds, plain],
  ['callerAccounts', synthesized.callerAccounts, iam],
])(
  'a change of %s creates a new API deployment, without which the stage stays as it was',
  (_, after, before) => {
    expect(idIn(after, 'Deployment')).not.toBe(idIn(before, 'Deployment'));
  },
);

describe('usagePlan', () => {
  const synthesis = synthesized.usagePlan;

  it('makes the method require a key from the authorizer', () => {
    expect(synthesis.only('AWS::ApiGateway::Method').Properties).toMatchObject({ ApiKeyRequired: true });
    expect(synthesis.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      ApiKeySourceType: 'AUTHORIZER',
    });
  });

  it('creates one plan for the stage', () => {
    const [api, stage] = ['RestApi', 'Stage'].map((type) => idIn(synthesis, type));

    expect(synthesis.only('AWS::ApiGateway::UsagePlan').Properties).toMatchObject({
      ApiStages: [{ ApiId: { Ref: api }, Stage: { Ref: stage }, Throttle: {} }],
      Throttle: { RateLimit: 2, BurstLimit: 4 },
      Quota: { Limit: 1000, Period: 'DAY' },
    });
  });

  it.each<[string, WrittenApi, object | undefined]>([
    ['a quota alone', { usagePlan: { quota: { limit: 1, period: 'week' } } }, undefined],
    ['a rate alone', { usagePlan: { rateLimit: 3 } }, { RateLimit: 3, BurstLimit: 40 }],
    ['a burst alone', { rateLimit: 9, usagePlan: { burstLimit: 3 } }, { RateLimit: 9, BurstLimit: 3 }],
  ])('sets both limits or none: %s', (_, restoreApi, throttle) => {
    const { Properties } = withApi(restoreApi).only('AWS::ApiGateway::UsagePlan');

    expect(Properties.Throttle).toEqual(throttle);
  });
});

describe('webAclArn', () => {
  it('is associated with the stage', () => {
    const synthesis = synthesized.webAclArn;
    const { Properties } = synthesis.only('AWS::WAFv2::WebACLAssociation');

    const [api, stage] = ['RestApi', 'Stage'].map((type) => idIn(synthesis, type));
    expect(Properties.WebACLArn).toBe(WEB_ACL);
    expect(JSON.stringify(Properties.ResourceArn)).toMatch(
      new RegExp(
        `:apigateway:eu-west-1::/restapis/",\\{"Ref":"${api}"\\},"/stages/",\\{"Ref":"${stage}"\\}\\]\\]\\}$`,
      ),
    );
  });
});

describe('ratePerIp', () => {
  const synthesis = synthesized.ratePerIp;

  const expectRule = (template: Pick<Synthesis, 'only'>): void => {
    const { logicalId, Properties } = template.only('AWS::WAFv2::WebACL');

    expect(Properties).toMatchObject({
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      Rules: [
        {
          Action: { Block: {} },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 300 } },
        },
      ],
    });
    expect(template.only('AWS::WAFv2::WebACLAssociation').Properties.WebACLArn).toEqual({
      'Fn::GetAtt': [logicalId, 'Arn'],
    });
  };

  it('is a rule of a web ACL that the stage has', () => expectRule(synthesis));

  it('turns red when the stage has another web ACL', async () => {
    const other = { ...synthesis.only('AWS::WAFv2::WebACLAssociation'), Properties: { WebACLArn: WEB_ACL } };
    const only = (type: string) => (type === 'AWS::WAFv2::WebACLAssociation' ? other : synthesis.only(type));

    await expectRed(() => expectRule({ only }));
  });

  it('keeps no samples of requests, which would show credentials', () => {
    const text = JSON.stringify(synthesis.only('AWS::WAFv2::WebACL').Properties);

    expect(text.match(/"SampledRequestsEnabled":false/g)).toHaveLength(2);
    expect(text).not.toContain('"SampledRequestsEnabled":true');
  });
});

describe('domain', () => {
  const synthesis = synthesized.domain;

  it('is regional, with the TLS of the API', () => {
    expect(synthesis.only('AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: 'restore.example.org',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: CERTIFICATE,
      ...STRICT_TLS,
    });
  });

  it('maps to the stage without a base path', () => {
    expect(synthesis.only('AWS::ApiGateway::BasePathMapping').Properties).toEqual({
      DomainName: { Ref: idIn(synthesis, 'DomainName') },
      RestApiId: { Ref: idIn(synthesis, 'RestApi') },
      Stage: { Ref: idIn(synthesis, 'Stage') },
    });
  });

  it('is the only address of the API, published and printed', () => {
    expect(synthesis.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      DisableExecuteApiEndpoint: true,
    });
    expect(synthesis.parameters()['restore-api-url']).toBe('https://restore.example.org');
    expect(outputsOf(synthesis)).toContain('"https://restore.example.org"');
    expect(outputsOf(synthesis)).not.toContain('execute-api');
  });

  it('has a DNS record with a hosted zone, and otherwise publishes its target', () => {
    const domain = idIn(synthesis, 'DomainName');
    const target = { 'Fn::GetAtt': [domain, 'RegionalDomainName'] };

    expect(synthesis.resources('AWS::Route53::RecordSet')).toEqual([]);
    expect(synthesis.parameters()['restore-domain-target']).toEqual(target);
    const { domainWithZone } = synthesized;
    expect(domainWithZone.only('AWS::Route53::RecordSet').Properties).toEqual({
      HostedZoneId: 'Z0123456789ABCDEFGHIJ',
      Name: 'restore.example.org',
      Type: 'A',
      AliasTarget: {
        DNSName: target,
        HostedZoneId: { 'Fn::GetAtt': [domain, 'RegionalHostedZoneId'] },
      },
    });
    expect(domainWithZone.parameters()).not.toHaveProperty('restore-domain-target');
  });
});

describe('vpcEndpointIds', () => {
  const EVERYBODY = { Principal: { AWS: '*' }, Action: 'execute-api:Invoke', Resource: 'execute-api:/*' };
  const ELSEWHERE = {
    ...EVERYBODY,
    Effect: 'Deny',
    Condition: { StringNotEquals: { 'aws:SourceVpce': VPC_ENDPOINTS } },
  };
  const statementsOf = (synthesis: Synthesis) =>
    (
      synthesis.only('AWS::ApiGateway::RestApi').Properties.Policy as { Statement: PolicyStatement[] }
    ).Statement.slice(1);

  it('makes the API private, with these endpoints', () => {
    expect(synthesized.vpcEndpointIds.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: VPC_ENDPOINTS },
    });
  });

  it('denies all other requests, and in iam mode allows nobody in the resource policy', () => {
    expect(statementsOf(synthesized.vpcEndpointIds)).toEqual([ELSEWHERE, { ...EVERYBODY, Effect: 'Allow' }]);
    expect(statementsOf(synthesized.vpcEndpointIdsIam)).toEqual([ELSEWHERE]);
  });
});

it('a disabled API has none of these, nor have its tenants', () => {
  const edge = { ...EDGES.usagePlan, ...EDGES.webAclArn, ...EDGES.domainWithZone };
  const resources = (restoreApi: WrittenApi) => withApi({ ...restoreApi, enabled: false }).resources();

  expect(resources(edge)).toEqual(resources({}));
});

describe('the usage plan and the tenant stacks', () => {
  const withTenants = (count: number) =>
    withApi(EDGES.usagePlan, { tenants: Array.from({ length: count }, (_, n) => tenant(`tenant-${n}`)) });
  const several = withTenants(2);

  it.each(['tenant-0', 'tenant-1'])(
    'match: %s has the authorizer’s key in the published plan',
    (tenantId) => {
      const [[key], [member]] = ['ApiKey', 'UsagePlanKey'].map((type) =>
        several.resourcesOf(`${STACK}-${tenantId}`, `AWS::ApiGateway::${type}`),
      ) as [PlacedResource[], PlacedResource[]];

      expect(key!.Properties).toMatchObject({
        Enabled: true,
        Value: usageKey('latchkey', { environment: 'staging', platformRegion: 'global', tenantId }),
      });
      expect(member!.Properties).toEqual({
        KeyId: { Ref: key!.logicalId },
        KeyType: 'API_KEY',
        UsagePlanId: { Ref: expect.stringMatching(/^SsmParameterValue.*restoreusageplanid/) as string },
      });
      expect(several.parameters()['restore-usage-plan-id']).toEqual({
        Ref: idIn(several, 'UsagePlan'),
      });
    },
  );

  it('have fixed ids, because a new one would reset quotas and collide with existing keys', () => {
    const found = synthesized.usagePlan
      .resources()
      .filter(({ Type }) => /::(UsagePlan|UsagePlanKey|ApiKey)$/.test(Type))
      .map(({ logicalId }) => logicalId);

    expect(found).toEqual([
      'RestoreUsagePlanA35F7555',
      'UsagePlanKey527F0DE6',
      'UsagePlanMembership2D0AB95C',
    ]);
  });
});
