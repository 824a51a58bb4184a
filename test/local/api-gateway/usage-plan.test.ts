import { apiTemplate, gatewayResponse, type Resources, uriOf } from './api-template';
import { Gateway } from './gateway';

const DAY_SEC = 86_400;
const TENANT_KEYS = { a: 'a'.repeat(64), b: 'b'.repeat(64) };

let gateway: Gateway;
beforeEach(() => {
  gateway = new Gateway();
  gateway.addFunction('guard', (event) => {
    const tenant = (event.pathParameters as { tenant: string }).tenant;
    if (tenant === 'forbidden') return policy('Deny', event, TENANT_KEYS.a);
    return policy('Allow', event, (TENANT_KEYS as Record<string, string>)[tenant]);
  });
});
afterEach(() => gateway.close());

function policy(Effect: string, event: Record<string, unknown>, usageIdentifierKey?: string): object {
  const Statement = [{ Effect, Action: 'execute-api:Invoke', Resource: event.methodArn }];
  return { principalId: 'p', usageIdentifierKey, policyDocument: { Version: '2012-10-17', Statement } };
}

const GUARD: Resources = {
  Guard: {
    Type: 'AWS::ApiGateway::Authorizer',
    Properties: {
      Name: 'g',
      RestApiId: { Ref: 'Api' },
      Type: 'REQUEST',
      AuthorizerUri: uriOf('guard'),
      AuthorizerResultTtlInSeconds: 0,
    },
  },
};
const GUARDED = { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Guard' } };

/** A plan for the stage, and a key in it for each tenant. */
function planned(plan: object, keys: Record<string, object> = { a: {}, b: {} }): Resources {
  const resources: Resources = {
    Plan: {
      Type: 'AWS::ApiGateway::UsagePlan',
      Properties: { ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' } }], ...plan },
    },
  };
  for (const [tenant, properties] of Object.entries(keys)) {
    const Value = TENANT_KEYS[tenant as keyof typeof TENANT_KEYS];
    resources[`Key${tenant}`] = {
      Type: 'AWS::ApiGateway::ApiKey',
      Properties: { Value, Enabled: true, ...properties },
    };
    resources[`Member${tenant}`] = memberOf('Plan', `Key${tenant}`);
  }
  return resources;
}
const memberOf = (plan: string, key: string): Resources[string] => ({
  Type: 'AWS::ApiGateway::UsagePlanKey',
  Properties: { KeyId: { Ref: key }, KeyType: 'API_KEY', UsagePlanId: { Ref: plan } },
});

interface Shape {
  plan?: object;
  keys?: Record<string, object>;
  source?: 'HEADER' | 'AUTHORIZER';
  stage?: object;
}

async function start({ plan = {}, keys, source = 'AUTHORIZER', stage = {} }: Shape): Promise<void> {
  const method = { ApiKeyRequired: true, ...(source === 'AUTHORIZER' ? GUARDED : {}) };
  const template = apiTemplate({
    api: { ApiKeySourceType: source },
    routes: { 'POST /{tenant}': method },
    stage,
    more: {
      ...(source === 'AUTHORIZER' ? GUARD : {}),
      Custom: gatewayResponse('QUOTA_EXCEEDED', {
        ResponseParameters: { 'gatewayresponse.header.X-Custom': "'q'" },
      }),
    },
  });
  gateway.provision({ ...template, ...planned(plan, keys) });
  await gateway.start();
}

const post = (tenant: string, headers = {}) => gateway.call(`/${tenant}`, { method: 'POST', headers });
async function statuses(...tenants: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const tenant of tenants) found.push((await post(tenant)).status);
  return found;
}
const FORBIDDEN = {
  status: 403,
  text: '{"message":"Forbidden"}',
  headers: { 'x-amzn-errortype': 'ForbiddenException' },
};

/** API Gateway developer guide: api-gateway-api-key-source, api-gateway-lambda-authorizer-output. */
describe('a method that requires an API key', () => {
  it('passes the key’s id to the function', async () => {
    await start({});

    await post('a');

    const [{ requestContext }] = gateway.eventsOf('backend') as [{ requestContext: { identity: object } }];
    expect(requestContext.identity).toMatchObject({
      apiKey: TENANT_KEYS.a,
      apiKeyId: [...gateway.apis.usage.keys.keys()][0],
    });
  });

  it('rejects a missing or unknown key from the authorizer, and invokes nothing', async () => {
    await start({ keys: { a: {} } });

    expect([await post('nobody'), await post('b')]).toMatchObject([FORBIDDEN, FORBIDDEN]);
    expect(gateway.eventsOf('guard')).toHaveLength(2);
    expect(gateway.eventsOf('backend')).toEqual([]);
  });

  it('ignores the caller’s X-API-Key', async () => {
    await start({ plan: { Throttle: { RateLimit: 0, BurstLimit: 1 } } });
    const otherKey = { 'X-API-Key': TENANT_KEYS.b };

    const replies = [await post('nobody', otherKey), await post('a', otherKey), await post('a', otherKey)];

    expect(replies.map(({ status }) => status)).toEqual([403, 200, 429]);
    expect(await statuses('b')).toEqual([200]);
  });

  it.each<[string, Shape]>([
    ['a disabled key', { keys: { a: { Enabled: false } } }],
    ['a key whose plan is for another stage', { plan: { ApiStages: [] } }],
  ])('refuses %s', async (_, shape) => {
    await start(shape);

    expect(await post('a')).toMatchObject(FORBIDDEN);
  });

  it('does not look up the key if the authorizer denies', async () => {
    await start({ plan: { Quota: { Limit: 1, Period: 'DAY' } } });

    expect(await statuses('forbidden', 'forbidden', 'a', 'a')).toEqual([403, 403, 200, 429]);
  });

  it('takes the key from the header if the API’s key source is HEADER', async () => {
    await start({ source: 'HEADER' });

    const replies = [
      await post('a'),
      await post('a', { 'X-API-Key': 'wrong' }),
      await post('a', { 'x-api-key': TENANT_KEYS.a }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 200]);
  });
});

/** API Gateway developer guide: api-gateway-api-usage-plans, api-gateway-request-throttling. */
describe('the throttle of a usage plan', () => {
  it('is a bucket for each key, refilled on the run’s clock', async () => {
    await start({ plan: { Throttle: { RateLimit: 0.5, BurstLimit: 2 } } });

    const burst = await statuses('a', 'a', 'a', 'b');
    await gateway.clock.advance(2);
    const refilled = await statuses('a', 'a', 'b', 'b', 'b');

    expect([burst, refilled]).toEqual([
      [200, 200, 429, 200],
      [200, 429, 200, 200, 429],
    ]);
  });

  it('answers THROTTLED without invoking the function', async () => {
    await start({ plan: { Throttle: { RateLimit: 0, BurstLimit: 0 } } });

    expect(await post('a')).toMatchObject({ status: 429, text: '{"message":"Too Many Requests"}' });
    expect(gateway.eventsOf('backend')).toEqual([]);
  });

  it('applies in addition to the stage’s, which all keys share', async () => {
    const MethodSettings = [
      { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 0, ThrottlingBurstLimit: 3 },
    ];
    await start({ plan: { Throttle: { RateLimit: 0, BurstLimit: 2 } }, stage: { MethodSettings } });

    expect(await statuses('b', 'a', 'a', 'b')).toEqual([200, 200, 200, 429]);
  });
});

/** AWS CloudFormation Template Reference, AWS::ApiGateway::UsagePlan QuotaSettings. */
describe('the quota of a usage plan', () => {
  const quota = (Period: string, Limit = 1): Shape => ({ plan: { Quota: { Limit, Period } } });

  it('is counted for each key', async () => {
    await start(quota('DAY', 2));

    expect(await statuses('a', 'a', 'a', 'b', 'b', 'b')).toEqual([200, 200, 429, 200, 200, 429]);
  });

  it('answers QUOTA_EXCEEDED without invoking the function', async () => {
    await start(quota('DAY', 0));

    const reply = await post('a');

    expect(reply).toMatchObject({
      status: 429,
      text: '{"message":"Limit Exceeded"}',
      headers: { 'x-amzn-errortype': 'LimitExceededException', 'x-custom': 'q' },
    });
    expect(gateway.eventsOf('backend')).toEqual([]);
  });

  // The run's clock is at Thursday, 1 January 2026, midnight UTC.
  it.each([
    ['DAY', DAY_SEC],
    ['WEEK', 3 * DAY_SEC],
    ['MONTH', 31 * DAY_SEC],
  ])('is reset at the next %s', async (period, untilNextSec) => {
    await start(quota(period));

    const first = await statuses('a', 'a');
    await gateway.clock.advance(untilNextSec - 1);
    const before = await statuses('a');
    await gateway.clock.advance(1);
    const after = await statuses('a', 'a');

    expect([first, before, after]).toEqual([[200, 429], [429], [200, 429]]);
  });

  it('does not count throttled requests', async () => {
    await start({
      plan: { Throttle: { RateLimit: 1, BurstLimit: 1 }, Quota: { Limit: 2, Period: 'DAY' } },
    });

    const throttled = await statuses('a', 'a', 'a');
    await gateway.clock.advance(1);
    const later = await statuses('a');
    await gateway.clock.advance(1);
    const spent = await post('a');

    expect([throttled, later]).toEqual([[200, 429, 429], [200]]);
    expect(spent.text).toBe('{"message":"Limit Exceeded"}');
  });
});

/** AWS CloudFormation Template Reference, AWS::ApiGateway::UsagePlan, ApiKey, UsagePlanKey. */
describe('a template', () => {
  const withPlan = (plan: object, keys?: Record<string, object>): Resources => ({
    ...apiTemplate(),
    ...planned(plan, keys),
  });

  it.each<[string, Resources, RegExp]>([
    [
      'limits of single methods',
      withPlan({ ApiStages: [{ ApiId: 'a', Stage: 'v1', Throttle: { '/a/GET': {} } }] }),
      /"\/a\/GET"/,
    ],
    ['a rate without a burst', withPlan({ Throttle: { RateLimit: 1 } }), /BurstLimit/],
    ['a quota with an offset', withPlan({ Quota: { Limit: 1, Period: 'DAY', Offset: 1 } }), /Offset/],
    ['another period', withPlan({ Quota: { Limit: 1, Period: 'HOUR' } }), /Period/],
    [
      'a plan for an unknown stage',
      withPlan({ ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: 'v2' }] }),
      /no stage v2/,
    ],
    ['a key of 19 characters', withPlan({}, { a: { Value: 'a'.repeat(19) } }), /20–128/],
    ['a key with other characters', withPlan({}, { a: { Value: 'a'.repeat(20) + '/' } }), /20–128/],
    ['two keys with the same value', withPlan({}, { a: {}, b: { Value: TENANT_KEYS.a } }), /already exists/],
    [
      'a key with two plans for one stage',
      {
        ...withPlan({}),
        Second: planned({})['Plan']!,
        Again: memberOf('Second', 'Keya'),
      },
      /a usage plan for stage v1 already/,
    ],
  ])('is refused with %s', (_, template, message) => {
    expect(() => gateway.provision(template)).toThrow(message);
  });

  it('is refused without showing the value of a key', () => {
    const provision = () => gateway.provision(withPlan({}, { a: {}, b: { Value: TENANT_KEYS.a } }));

    expect(provision).not.toThrow(TENANT_KEYS.a);
  });
});
