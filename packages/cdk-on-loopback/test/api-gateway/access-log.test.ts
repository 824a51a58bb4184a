import { NOW_MS, roleFor } from '../../src/testing/stacks';
import { type Resources } from './api-template';
import { Gateway } from './gateway';

const FORMAT = JSON.stringify({
  id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.path',
  resource: '$context.resourcePath',
  status: '$context.status',
  length: '$context.responseLength',
  integration: '$context.integration.status',
  error: '$context.error.responseType',
  principal: '$context.authorizer.principalId',
  ip: '$context.identity.sourceIp',
  agent: '$context.identity.userAgent',
  tls: '$context.tlsVersion',
});
const LOGS: Resources = { Logs: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'access' } } };
const stage = { AccessLogSetting: { DestinationArn: { 'Fn::GetAtt': ['Logs', 'Arn'] }, Format: FORMAT } };

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway(() => ({ statusCode: 201, body: 'abc' }))));
afterEach(() => gateway.close());

const lines = (): string[] => gateway.account.logGroups.get('access')!.events.map(({ message }) => message);

/** API Gateway developer guide: api-gateway-metrics-and-dimensions. */
describe('the request callback', () => {
  it('is called for every request to a stage, successful or not, and for no other', async () => {
    await gateway.serve();

    await gateway.call('/items', { method: 'POST' });
    await gateway.call('/none', { method: 'POST' });
    gateway.addFunction('backend', () => ({ statusCode: 'no number' }));
    await gateway.call('/items', { method: 'POST' });
    await gateway.fetch('/none/v1/items', { method: 'POST' });

    const told = { apiName: 'api', stageName: 'v1', receivedAtMs: NOW_MS, latencyMs: 0 };
    expect(gateway.answered).toEqual([
      { ...told, statusCode: 201 },
      { ...told, statusCode: 403 },
      { ...told, statusCode: 502 },
    ]);
  });
});

/** API Gateway developer guide: set-up-logging, api-gateway-variables-for-access-logging. */
describe('access logs', () => {
  it('have a line for each request in the stage’s format, written with the role in the account settings', async () => {
    await startLogged();

    const reply = await gateway.call('/items?q=hidden', {
      method: 'POST',
      headers: { 'User-Agent': 'a"b' },
      body: 'hidden',
    });

    expect(lines().map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        id: reply.headers['x-amzn-requestid'],
        time: '01/Jan/2026:00:00:00 +0000',
        method: 'POST',
        path: '/v1/items',
        resource: '/items',
        status: '201',
        length: '3',
        integration: '201',
        error: '-',
        principal: '-',
        ip: '127.0.0.1',
        agent: 'a"b',
        tls: 'TLSv1.3',
      },
    ]);
  });

  it('include failed requests', async () => {
    await startLogged();

    await gateway.call('/unknown');

    expect(JSON.parse(lines()[0]!)).toMatchObject({
      status: '403',
      resource: '-',
      integration: '-',
      error: 'MISSING_AUTHENTICATION_TOKEN',
    });
  });

  it.each([
    ['may not be assumed', 'lambda.amazonaws.com', 'logs:*'],
    ['lacks permissions', 'apigateway.amazonaws.com', 'logs:CreateLogStream'],
  ])(
    'that cannot be written, because the role %s, cause one warning, and requests succeed',
    async (_, service, Action) => {
      await startLogged(service, Action);

      const replies = [
        await gateway.call('/items', { method: 'POST' }),
        await gateway.call('/items', { method: 'POST' }),
      ];

      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
      expect(lines()).toEqual([]);
      expect(gateway.reporter.warnings).toEqual([
        expect.stringContaining('cannot write access logs') as string,
      ]);
    },
  );
});

/** An API with an access log, in an account whose settings name a role that `service` may assume for `Action`. */
async function startLogged(service = 'apigateway.amazonaws.com', Action = 'logs:*'): Promise<void> {
  const document = { Statement: { Effect: 'Allow', Action, Resource: '*' } };
  const [Type, Properties] = roleFor(service, {
    Policies: [{ PolicyName: 'logs', PolicyDocument: document }],
  });
  const Account = {
    Type: 'AWS::ApiGateway::Account',
    Properties: { CloudWatchRoleArn: { 'Fn::GetAtt': ['LoggingRole', 'Arn'] } },
  };
  await gateway.serve({ more: { ...LOGS, LoggingRole: { Type, Properties }, Account }, stage });
}
