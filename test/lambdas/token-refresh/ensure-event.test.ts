import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { TokenError } from '../../../core/tokens/token-errors';
import { parseEnsureEvent } from '../../../lambdas/token-refresh/ensure-event';
import { deploymentOf, KEY, TENANT_ID } from '../../support/lambdas/token-functions';

const DEPLOYMENT = deploymentOf([TENANT_ID]);
const EVENT = { action: 'ensure', tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };
const DIGEST = 'ab'.repeat(32);

/** A deployment with one tenant, which has two tokens. */
function severalTokens(): DeploymentFile {
  const [tenant] = DEPLOYMENT.tenants;
  const tokens = [...tenant!.tokens, { interface: 'webhooks', scope: 'api/all' } as const];
  return { ...DEPLOYMENT, tenants: [{ ...tenant!, tokens }] };
}

function refusalOf(event: unknown, deployment = DEPLOYMENT): TokenError {
  try {
    parseEnsureEvent(event, deployment);
  } catch (error) {
    if (error instanceof TokenError) return error;
    throw error;
  }
  throw new Error('the event was accepted');
}

describe('a valid event', () => {
  test('asks for a token key of this deployment, with a minute of validity by default', () => {
    expect(parseEnsureEvent(EVENT, DEPLOYMENT)).toEqual({
      key: KEY,
      minValidityMs: 60_000,
      rejectedTokenSha256: undefined,
      byOperator: false,
    });
  });

  test.each([0, 1, 1_200])('may ask for %d s of validity', (minValiditySec) => {
    expect(parseEnsureEvent({ ...EVENT, minValiditySec }, DEPLOYMENT)).toMatchObject({
      minValidityMs: minValiditySec * 1000,
    });
  });

  test.each([
    ['content', 'api/read'],
    ['webhooks', 'api/all'],
  ])('may ask for any declared token: %s %s', (of, scope) => {
    expect(parseEnsureEvent({ ...EVENT, interface: of, scope }, severalTokens())).toMatchObject({
      key: { ...KEY, interface: of, scope },
    });
  });

  test('may name the digest of a refused token', () => {
    const event = { ...EVENT, rejectedTokenSha256: DIGEST, byOperator: true };

    expect(parseEnsureEvent(event, DEPLOYMENT)).toMatchObject({
      rejectedTokenSha256: DIGEST,
      byOperator: true,
    });
  });
});

describe('an invalid event causes an error with the field, the value found and the allowed values', () => {
  const content = 'on content api/all, api/read, api/write';
  const seconds = 'whole seconds from 0 to 1200';
  const fields = 'action, tenantId, interface, scope, minValiditySec, rejectedTokenSha256, byOperator';

  test.each<[string, unknown, string]>([
    ['a list', [], 'event: found a list; allowed: an object'],
    ['no action', {}, 'action: found nothing; allowed: "ensure"'],
    ['another action', { action: 'renew' }, 'action: found "renew"; allowed: "ensure"'],
    ['a sweep', { action: 'sweep' }, 'action: found "sweep"; allowed: "ensure"'],
    ['a further field', { ...EVENT, tenant: 'x' }, `tenant: found a field of this name; allowed: ${fields}`],
    [
      'no tenant',
      { ...EVENT, tenantId: undefined },
      'tenantId: found nothing; allowed: a tenant that the configuration of staging mea declares',
    ],
    [
      'no interface',
      { ...EVENT, interface: undefined },
      'interface: found nothing; allowed: content, webhooks',
    ],
    [
      'another interface',
      { ...EVENT, interface: 'tenants' },
      'interface: found "tenants"; allowed: content, webhooks',
    ],
    ['no scope', { ...EVENT, scope: undefined }, `scope: found nothing; allowed: ${content}`],
    [
      'the other interface’s scope',
      { ...EVENT, scope: 'api/webhooks' },
      `scope: found "api/webhooks"; allowed: ${content}`,
    ],
    ['a scope in a list', { ...EVENT, scope: ['api/read'] }, `scope: found a list; allowed: ${content}`],
    [
      'a scope that hides its text',
      { ...EVENT, scope: { toString: 1 } },
      `scope: found an object; allowed: ${content}`,
    ],
    [
      'validity as a string',
      { ...EVENT, minValiditySec: '60' },
      `minValiditySec: found "60"; allowed: ${seconds}`,
    ],
    [
      'a negative validity',
      { ...EVENT, minValiditySec: -1 },
      `minValiditySec: found -1; allowed: ${seconds}`,
    ],
    [
      'a part of a second',
      { ...EVENT, minValiditySec: 0.5 },
      `minValiditySec: found 0.5; allowed: ${seconds}`,
    ],
    [
      'too long a validity',
      { ...EVENT, minValiditySec: 1201 },
      `minValiditySec: found 1201; allowed: ${seconds}`,
    ],
    [
      'null as validity',
      { ...EVENT, minValiditySec: null },
      `minValiditySec: found null; allowed: ${seconds}`,
    ],
    ['another word', { ...EVENT, byOperator: 'yes' }, 'byOperator: found "yes"; allowed: true or false'],
  ])('%s', (_, event, message) => {
    expect(refusalOf(event)).toMatchObject({ code: 'invalid_request', message });
  });

  test.each<[string, unknown, string]>([
    ['the token itself', 'canary-token', 'a string of 12 characters'],
    ['upper case', DIGEST.toUpperCase(), 'a string of 64 characters'],
    ['too long', `${DIGEST}0`, 'a string of 65 characters'],
    ['ending in a line break', `${DIGEST}\n`, 'a string of 65 characters'],
    ['a list', [DIGEST], 'a list'],
    ['null', null, 'null'],
  ])('but never shows an invalid digest: %s', (_, rejectedTokenSha256, found) => {
    const refusal = refusalOf({ ...EVENT, rejectedTokenSha256 });

    expect(refusal).toMatchObject({
      code: 'invalid_request',
      message:
        `rejectedTokenSha256: found ${found}; ` +
        'allowed: 64 lower-case hexadecimal digits, the SHA-256 of the token',
    });
  });

  test.each([
    ['a value', { ...EVENT, interface: 'x'.repeat(10_000) }],
    ['a field name', { ...EVENT, ['x'.repeat(10_000)]: 1 }],
  ])('and truncates %s that is long', (_, event) => {
    expect(refusalOf(event).message.length).toBeLessThan(200);
  });
});

describe('a token key that the deployment does not declare is unknown', () => {
  test.each([
    ['eu-west-2_Other', '"eu-west-2_Other"'],
    [TENANT_ID.toUpperCase(), `"${TENANT_ID.toUpperCase()}"`],
    ['../x', 'a text of 4 characters'],
  ])('because of the tenant %s', (tenantId, found) => {
    expect(refusalOf({ ...EVENT, tenantId })).toMatchObject({
      code: 'unknown_token_key',
      message: `tenantId: found ${found}; allowed: a tenant that the configuration of staging mea declares`,
    });
  });

  test.each([
    { interface: 'content', scope: 'api/all' },
    { interface: 'webhooks', scope: 'api/all' },
  ])('because of %j', (tokenType) => {
    expect(refusalOf({ ...EVENT, ...tokenType })).toMatchObject({
      code: 'unknown_token_key',
      message:
        `interface and scope: found ${tokenType.interface} ${tokenType.scope}; ` +
        'allowed: what the configuration of staging mea declares for this tenant: content api/read',
    });
  });

  test('because the scope is declared for the other interface only', () => {
    expect(refusalOf({ ...EVENT, scope: 'api/all' }, severalTokens())).toMatchObject({
      code: 'unknown_token_key',
      message: expect.stringMatching(/: content api\/read, webhooks api\/all$/) as string,
    });
  });
});
