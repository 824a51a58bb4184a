import { apiTemplate, gatewayResponse, type Resources } from './api-template';
import { Gateway } from './gateway';

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway()));
afterEach(() => gateway.close());

const rule = (statement: object, more: object = {}) => ({
  Name: 'rate',
  Priority: 0,
  Action: { Block: {} },
  Statement: { RateBasedStatement: { AggregateKeyType: 'IP', ...statement } },
  VisibilityConfig: {},
  ...more,
});

const aclWith = (...Rules: object[]): Resources => ({
  Acl: {
    Type: 'AWS::WAFv2::WebACL',
    Properties: { Scope: 'REGIONAL', DefaultAction: { Allow: {} }, VisibilityConfig: {}, Rules },
  },
});

const ASSOCIATION: Resources = {
  Association: {
    Type: 'AWS::WAFv2::WebACLAssociation',
    Properties: {
      ResourceArn: { 'Fn::Sub': 'arn:aws:apigateway:eu-west-1::/restapis/${Api}/stages/${Stage}' },
      WebACLArn: { 'Fn::GetAtt': ['Acl', 'Arn'] },
    },
  },
};

function serve(...rules: object[]): Promise<unknown> {
  const api = apiTemplate({
    routes: { 'GET /a': {} },
    stage: {
      MethodSettings: [
        { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 12 },
      ],
    },
    more: {
      Custom: gatewayResponse('WAF_FILTERED', {
        ResponseTemplates: { 'application/json': '{"refused":"$context.error.responseType"}' },
      }),
    },
  });
  gateway.provision({ ...api, ...aclWith(...rules), ...ASSOCIATION });
  return gateway.start();
}

async function statuses(count: number, path = '/a'): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < count; n += 1) found.push((await gateway.call(path)).status);
  return found;
}
const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

/** AWS WAF developer guide: waf-rule-statement-type-rate-based. */
describe('the rate rule of a web ACL', () => {
  it('blocks an address beyond the limit, until fewer came in the last five minutes', async () => {
    await serve(rule({ Limit: 10 }));

    const first = await statuses(11);
    await gateway.clock.advance(299);
    const within = await statuses(1);
    await gateway.clock.advance(2);
    const after = await statuses(1);

    expect(first).toEqual([...times(10, 200), 403]);
    expect(within).toEqual([403]);
    expect(after).toEqual([200]);
  });

  it('uses its own window', async () => {
    await serve(rule({ Limit: 10, EvaluationWindowSec: 60 }));

    const first = await statuses(11);
    await gateway.clock.advance(61);

    expect([first.at(-1), ...(await statuses(1))]).toEqual([403, 200]);
  });

  it('gives the gateway response WAF_FILTERED and invokes nothing', async () => {
    await serve(rule({ Limit: 10 }));
    await statuses(10);

    const reply = await gateway.call('/a');

    expect(reply).toMatchObject({ status: 403, text: '{"refused":"WAF_FILTERED"}' });
    expect(gateway.events).toHaveLength(10);
  });

  it('counts unknown paths too, and what it blocks uses up no throttling', async () => {
    await serve(rule({ Limit: 10 }));

    await statuses(10, '/unknown');
    const blocked = await statuses(30);
    await gateway.clock.advance(301);

    expect(blocked).toEqual(times(30, 403));
    expect(await statuses(10)).toEqual(times(10, 200));
  });

  it.each([
    ['another action', rule({ Limit: 10 }, { Action: { Count: {} } }), /Count/],
    ['another key', rule({ Limit: 10, AggregateKeyType: 'FORWARDED_IP' }), /AggregateKeyType/],
    ['a limit below 10', rule({ Limit: 9 }), /Limit/],
    ['another statement', { ...rule({}), Statement: { GeoMatchStatement: {} } }, /GeoMatchStatement/],
  ])('rejects a template with %s', (_, refused, message) => {
    expect(() => gateway.provision(aclWith(refused))).toThrow(message);
  });

  it('rejects a stage that does not exist', () => {
    const { Association } = ASSOCIATION;
    const ResourceArn = 'arn:aws:apigateway:eu-west-1::/restapis/other/stages/v1';
    const elsewhere = { ...Association!, Properties: { ...Association!.Properties, ResourceArn } };

    expect(() => gateway.provision({ ...aclWith(), Association: elsewhere })).toThrow(/no REST API other/);
  });
});
