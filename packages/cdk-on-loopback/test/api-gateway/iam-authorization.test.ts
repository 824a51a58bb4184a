import { type PolicyStatement } from '../../src/account';
import { addRole } from '../../src/testing/account-parts';
import { gatewayResponse } from './api-template';
import { Gateway, type Reply } from './gateway';
import { allow } from '../support/policies';

const ALLOW = allow('execute-api:Invoke', 'arn:aws:execute-api:eu-west-1:111111111111:*/v1/POST/items/*');
const invoke = (effect: string, more: object = {}): object => ({
  Effect: effect,
  Principal: '*',
  Action: 'execute-api:Invoke',
  Resource: 'execute-api:/*',
  ...more,
});

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway()));
afterEach(() => gateway.close());

const start = (AuthorizationType: 'AWS_IAM' | 'NONE', statements?: object[], more = {}) =>
  gateway.serve({
    api: statements ? { Policy: { Version: '2012-10-17', Statement: statements } } : {},
    more,
    routes: { 'POST /items/{id}': { AuthorizationType } },
  });
const role = (...statements: PolicyStatement[]) => gateway.roleKey(...statements);

/** IAM user guide: reference_sigv; API Gateway developer guide: permissions, supported-gateway-response-types. */
describe('AWS_IAM authorization', () => {
  it('allows a role that may invoke the method, and passes its identity on', async () => {
    await start('AWS_IAM');
    const key = role(ALLOW);

    const reply = await gateway.callSigned('/items/a%20b', key, { body: '{"a":1}' });

    const { requestContext, headers } = gateway.events[0]!.event;
    expect(reply.status).toBe(200);
    expect(requestContext).toMatchObject({
      identity: {
        accountId: '111111111111',
        accessKey: key.accessKeyId,
        userArn: 'arn:aws:sts::111111111111:assumed-role/caller/session',
        user: 'AROALOCAL:session',
        caller: 'AROALOCAL:session',
      },
    });
    expect(headers).not.toHaveProperty('authorization');
  });

  it('allows the administrator', async () => {
    await start('AWS_IAM');

    const administrator = gateway.credentials.issueForAdministrator();
    expect((await gateway.callSigned('/items/1', administrator)).status).toBe(200);
  });

  it('names the caller and the method in a denial, and masks the account id', async () => {
    await start('AWS_IAM');

    const reply = await gateway.callSigned('/items/1', role());

    const method = `${gateway.api.id}/v1/POST/items/1`;
    expect(reply).toMatchObject({ status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } });
    expect(JSON.parse(reply.text)).toEqual({
      Message:
        'User: arn:aws:sts::111111111111:assumed-role/caller/session is not authorized to perform: execute-api:Invoke ' +
        `on resource: arn:aws:execute-api:eu-west-1:********1111:${method} because no identity-based policy allows the execute-api:Invoke action`,
    });
    expect(gateway.reporter.warnings.join()).toContain(
      `arn:aws:execute-api:eu-west-1:111111111111:${method}`,
    );
    expect(gateway.events).toEqual([]);
  });

  const callWith = (headers: Record<string, string>) => gateway.call('/items/1', { method: 'POST', headers });
  it.each<[string, string, () => Promise<Reply>, string]>([
    ['no signature', 'MISSING_AUTHENTICATION_TOKEN', () => callWith({}), 'MissingAuthenticationToken'],
    [
      'another scheme',
      'INVALID_SIGNATURE',
      () => callWith({ Authorization: 'Bearer t' }),
      'IncompleteSignature',
    ],
    [
      'a signature of another key',
      'INVALID_SIGNATURE',
      () => gateway.callSigned('/items/1', { ...role(ALLOW), secretAccessKey: 'another' }),
      'InvalidSignature',
    ],
    [
      'an expired key',
      'EXPIRED_TOKEN',
      async () => {
        const key = role(ALLOW);
        await gateway.clock.advance(12 * 3600);
        return gateway.callSigned('/items/1', key);
      },
      'ExpiredToken',
    ],
  ])('%s is %s', async (_, type, call, error) => {
    await start('AWS_IAM', undefined, { Custom: gatewayResponse(type, { StatusCode: '499' }) });

    const reply = await call();

    expect(reply).toMatchObject({ status: 499, headers: { 'x-amzn-errortype': `${error}Exception` } });
    expect(reply.text).not.toContain('Bearer');
  });

  it('covers the method sent, not the one in X-HTTP-Method-Override', async () => {
    await start('AWS_IAM');

    const reply = await gateway.callSigned('/items/1', role(ALLOW), {
      method: 'GET',
      headers: { 'x-http-method-override': 'POST' },
    });

    expect(reply.status).toBe(200);
  });
});

/** apigateway-authorization-flow: "IAM authentication and resource policy", table B. */
describe('AWS_IAM with a resource policy, for a role of another account', () => {
  const OTHER = '333344445555';
  const ofOther = { Principal: { AWS: `arn:aws:iam::${OTHER}:root` } };

  it.each([
    ['allow', 'allow', [ALLOW], [invoke('Allow', ofOther)], 200],
    ['allow', 'neither', [ALLOW], [invoke('Allow', { Principal: { AWS: '444455556666' } })], 403],
    ['neither', 'allow', [], [invoke('Allow', ofOther)], 403],
    ['allow', 'no policy', [ALLOW], undefined, 403],
  ])('%s, and the API’s policy %s: %#', async (_, _policy, identity, statements, status) => {
    await start('AWS_IAM', statements);
    const arn = addRole(gateway.account, 'partner', identity, { Statement: [] }, OTHER);
    const key = gateway.credentials.issueForRole(arn, 'session', { withSessionToken: true });

    expect((await gateway.callSigned('/items/1', key)).status).toBe(status);
  });
});

/** apigateway-authorization-flow: "API Gateway resource policy only"; apigateway-resource-policies-create-attach. */
describe('a resource policy alone', () => {
  const anonymous = 'User: anonymous is not authorized to perform: execute-api:Invoke on resource: ';
  const callWithout = () => gateway.call('/items/1', { method: 'POST' });
  const insecure = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };

  it.each<[string, object[], number, string]>([
    ['that allows', [invoke('Allow')], 200, ''],
    ['that denies plain HTTP only', [invoke('Deny', insecure), invoke('Allow')], 200, ''],
    ['that does not allow', [invoke('Deny', insecure)], 403, anonymous],
    ['that allows a role only', [invoke('Allow', { Principal: { AWS: '111111111111' } })], 403, anonymous],
    [
      'that denies',
      [invoke('Deny'), invoke('Allow')],
      403,
      'with an explicit deny in a resource-based policy',
    ],
    [
      'that denies because something is not understood',
      [invoke('Deny', { Condition: { IpAddress: { 'aws:SourceIp': '192.0.2.1' } } }), invoke('Allow')],
      403,
      'with an explicit deny in a resource-based policy',
    ],
  ])('%s', async (_, statements, status, message) => {
    await start('NONE', statements);

    const reply = await callWithout();

    expect(reply.status).toBe(status);
    expect(reply.text).toContain(message);
  });

  it('without one, everybody may invoke', async () => {
    await start('NONE');

    expect((await callWithout()).status).toBe(200);
  });
});
