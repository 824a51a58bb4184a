import { Stack } from 'aws-cdk-lib';

import { usageKey } from '../../../../contract/usage-key';
import { deploymentFileOf } from '../../../../lib/config/compose-deployment-file';
import { RestoreApi, type RestoreApiProps } from '../../../../lib/constructs/restore/restore-api';
import { type PolicyStatement } from '../../../../local/account';
import { configuration, tenant, type WrittenDeployment } from '../../../support/lib/configuration';
import { CERTIFICATE, DOMAIN, EDGES, VPC_ENDPOINTS, WEB_ACL } from '../../../support/lib/edge';
import { type Synthesis, synthesizeOnce, temporaryApp } from '../../../support/lib/synthesis';

type WrittenApi = NonNullable<WrittenDeployment['restoreApi']>;

const STACK = 'latchkey-staging-global';
const withApi = (restoreApi: WrittenApi, more: Partial<WrittenDeployment> = {}): Synthesis =>
  synthesizeOnce(configuration({ restoreApi, ...more }));
const parametersOf = (synthesis: Synthesis) =>
  new Map(
    synthesis
      .resources('AWS::SSM::Parameter')
      .map(({ Properties }) => [(Properties.Name as string).split('/').at(-1), Properties.Value]),
  );
const outputsOf = (synthesis: Synthesis) => JSON.stringify(synthesis.template(STACK).Outputs);

const plain = withApi({});
const synthesized = Object.fromEntries(
  Object.entries(EDGES).map(([name, edge]) => [name, withApi(edge)]),
) as Record<keyof typeof EDGES, Synthesis>;

describe.each(Object.keys(EDGES) as (keyof typeof EDGES)[])('an API with %s', (name) => {
  const synthesis = synthesized[name];

  // Supported for Regional and private APIs: apigateway-security-policies-list
  it('speaks the TLS of any other, in strict mode', () => {
    expect(synthesis.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
  });

  it('keeps its id, and everything else of its deployment that had one', () => {
    const ids = (of: Synthesis) =>
      of
        .resourcesOf(STACK)
        .map(({ logicalId }) => logicalId)
        .filter((id) => !/^RestoreApiDeployment(?!Stage)/.test(id));
    const before = name === 'vpcEndpointIdsIam' ? withApi({ auth: 'iam' }) : plain;

    expect(ids(synthesis)).toEqual(expect.arrayContaining(ids(before)));
  });
});

describe('a new deployment of the API, without which the stage would stay as it was', () => {
  it.each(['usagePlan', 'domain', 'vpcEndpointIds'] as const)('comes with %s', (name) => {
    const idOf = (synthesis: Synthesis) => synthesis.only('AWS::ApiGateway::Deployment').logicalId;

    expect(idOf(synthesized[name])).not.toBe(idOf(plain));
  });
});

describe('usagePlan', () => {
  const synthesis = synthesized.usagePlan;

  it('makes the method require a key, which the authorizer alone can give', () => {
    expect(synthesis.only('AWS::ApiGateway::Method').Properties).toMatchObject({ ApiKeyRequired: true });
    expect(synthesis.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      ApiKeySourceType: 'AUTHORIZER',
    });
  });

  it('is one plan for the one stage', () => {
    const [api, stage] = ['RestApi', 'Stage'].map(
      (type) => synthesis.only(`AWS::ApiGateway::${type}`).logicalId,
    );

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
  ])('throttles by both limits or not at all: %s', (_, restoreApi, throttle) => {
    const { Properties } = withApi(restoreApi).only('AWS::ApiGateway::UsagePlan');

    expect(Properties.Throttle).toEqual(throttle);
  });

  it('is refused in iam mode by the construct too', () => {
    expect(() => apiOf({ auth: 'iam', usagePlan: { rateLimit: 1 } })).toThrow(
      'auth: found iam; allowed with usagePlan: platform',
    );
  });
});

describe('webAclArn', () => {
  it('stands before the stage', () => {
    const synthesis = synthesized.webAclArn;
    const { Properties } = synthesis.only('AWS::WAFv2::WebACLAssociation');

    const [api, stage] = ['RestApi', 'Stage'].map(
      (type) => synthesis.only(`AWS::ApiGateway::${type}`).logicalId,
    );
    expect(Properties.WebACLArn).toBe(WEB_ACL);
    expect(JSON.stringify(Properties.ResourceArn)).toMatch(
      new RegExp(
        `:apigateway:eu-west-1::/restapis/",\\{"Ref":"${api}"\\},"/stages/",\\{"Ref":"${stage}"\\}\\]\\]\\}$`,
      ),
    );
  });
});

describe('domain', () => {
  const synthesis = synthesized.domain;

  it('is a regional one with the TLS of the API', () => {
    expect(synthesis.only('AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: 'restore.example.org',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: CERTIFICATE,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
  });

  it('leads to the stage without a path before the route', () => {
    const id = (type: string) => synthesis.only(`AWS::ApiGateway::${type}`).logicalId;

    expect(synthesis.only('AWS::ApiGateway::BasePathMapping').Properties).toEqual({
      DomainName: { Ref: id('DomainName') },
      RestApiId: { Ref: id('RestApi') },
      Stage: { Ref: id('Stage') },
    });
  });

  it('is the only name of the API, published and printed', () => {
    expect(synthesis.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      DisableExecuteApiEndpoint: true,
    });
    expect(parametersOf(synthesis).get('restore-api-url')).toBe('https://restore.example.org');
    expect(outputsOf(synthesis)).toContain('"https://restore.example.org"');
    expect(outputsOf(synthesis)).not.toContain('execute-api');
  });

  it('has its DNS record where a zone is given, and else says where it has to point to', () => {
    const domain = synthesis.only('AWS::ApiGateway::DomainName').logicalId;
    const target = { 'Fn::GetAtt': [domain, 'RegionalDomainName'] };

    expect(synthesis.resources('AWS::Route53::RecordSet')).toEqual([]);
    expect(parametersOf(synthesis).get('restore-domain-target')).toEqual(target);
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
    expect(parametersOf(domainWithZone).has('restore-domain-target')).toBe(false);
  });

  it('is refused for a private API by the construct too', () => {
    expect(() => apiOf({ domain: DOMAIN, vpcEndpointIds: VPC_ENDPOINTS })).toThrow(
      'domain: found restore.example.org; allowed with vpcEndpointIds: none',
    );
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

  it('makes the API private to these endpoints', () => {
    expect(synthesized.vpcEndpointIds.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: VPC_ENDPOINTS },
    });
  });

  it('denies what comes otherwise, and in iam mode allows nobody by it', () => {
    expect(statementsOf(synthesized.vpcEndpointIds)).toEqual([ELSEWHERE, { ...EVERYBODY, Effect: 'Allow' }]);
    expect(statementsOf(synthesized.vpcEndpointIdsIam)).toEqual([ELSEWHERE]);
  });
});

describe('an API that is off', () => {
  it('has nothing of all that, nor have its tenants', () => {
    const edge = { ...EDGES.usagePlan, ...EDGES.webAclArn, ...EDGES.domainWithZone };
    const resources = (restoreApi: WrittenApi) => withApi({ ...restoreApi, enabled: false }).resources();

    expect(resources(edge)).toEqual(resources({}));
  });
});

describe('the usage plan and the stacks of tenants', () => {
  const tenants = (count: number) => Array.from({ length: count }, (_, n) => tenant(`tenant-${n}`));
  const withTenants = (count: number) => withApi(EDGES.usagePlan, { tenants: tenants(count) });
  const several = withTenants(5);

  it('go together: each has the key that the authorizer names, in the plan that the deployment publishes', () => {
    for (const { tenantId } of tenants(5)) {
      const found = several.resourcesOf(`${STACK}-${tenantId}`);
      const [key, member] = ['ApiKey', 'UsagePlanKey'].map((type) =>
        found.filter(({ Type }) => Type === `AWS::ApiGateway::${type}`),
      );
      expect([key, member]).toMatchObject([
        [
          {
            Properties: {
              Enabled: true,
              Value: usageKey('latchkey', { environment: 'staging', platformRegion: 'global', tenantId }),
            },
          },
        ],
        [
          {
            Properties: {
              KeyId: { Ref: key![0]!.logicalId },
              KeyType: 'API_KEY',
              UsagePlanId: {
                Ref: expect.stringMatching(/^SsmParameterValue.*restoreusageplanid/) as string,
              },
            },
          },
        ],
      ]);
    }
    expect(parametersOf(several).get('restore-usage-plan-id')).toEqual({
      Ref: several.only('AWS::ApiGateway::UsagePlan').logicalId,
    });
  });

  it('leave the stack of the deployment as large as it is without any tenant', () => {
    const none = withTenants(0);

    expect(none.resources('AWS::ApiGateway::UsagePlan')).toHaveLength(1);
    expect(several.resourcesOf(STACK)).toHaveLength(none.resourcesOf(STACK).length);
  });

  it('keep their ids when a tenant is added', () => {
    const ids = (synthesis: Synthesis, stack: string) =>
      synthesis.resourcesOf(stack).map(({ logicalId }) => logicalId);
    const before = withTenants(1);

    expect(ids(several, STACK)).toEqual(ids(before, STACK));
    expect(ids(several, `${STACK}-tenant-0`)).toEqual(ids(before, `${STACK}-tenant-0`));
  });

  it('have ids that stay: with another one a quota would begin anew, and a key’s value would be taken', () => {
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

/** The construct without configuration before it. */
function apiOf(props: Partial<RestoreApiProps>): RestoreApi {
  const value = configuration();
  return new RestoreApi(new Stack(temporaryApp(), 'stack'), 'Restore', {
    deployment: deploymentFileOf(value, value.deployments[0]!),
    encryptionKeyArn: 'arn:aws:kms:eu-west-1:222233334444:key/0f0f',
    tokenRefreshArn: 'arn:aws:lambda:eu-west-1:222233334444:function:refresh',
    ...props,
  });
}
