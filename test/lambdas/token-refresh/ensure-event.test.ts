import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenError } from '../../../core/tokens/token-errors';
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

function expectRefusal(event: unknown, code: string, message: string, deployment = DEPLOYMENT): void {
  const refusal = expect.objectContaining({ code, message }) as TokenError;
  expect(() => parseEnsureEvent(event, deployment)).toThrow(refusal);
}

const BY_DEFAULT = { key: KEY, minValidityMs: 60_000, rejectedTokenSha256: undefined, byOperator: false };
const WEBHOOKS = { interface: 'webhooks', scope: 'api/all' } as const;
const REFUSED = { rejectedTokenSha256: DIGEST, byOperator: true };
test.each<[string, object, object]>([
  ['a token of this deployment, with a minute of validity by default', {}, {}],
  ['no validity', { minValiditySec: 0 }, { minValidityMs: 0 }],
  ['20 minutes of validity', { minValiditySec: 1_200 }, { minValidityMs: 1_200_000 }],
  ['any declared token', WEBHOOKS, { key: { ...KEY, ...WEBHOOKS } }],
  ['another token than a refused one, by its digest', REFUSED, REFUSED],
])('a valid event asks for %s', (_, change, parsed) => {
  const event = { ...EVENT, ...change };

  expect(parseEnsureEvent(event, severalTokens())).toEqual({ ...BY_DEFAULT, ...parsed });
});

const DECLARED = 'a tenant that the configuration of staging mea declares';
const CONTENT = 'on content api/all, api/read, api/write';
const SECONDS = 'whole seconds from 0 to 1200';
const FIELDS = 'action, tenantId, interface, scope, minValiditySec, rejectedTokenSha256, byOperator';

describe('an invalid event causes an error with the field, the value found and the allowed values', () => {
  test.each<[unknown, string]>([
    [[], 'event: found a list; allowed: an object'],
    [{}, 'action: found nothing; allowed: "ensure"'],
    [{ action: 'sweep' }, 'action: found "sweep"; allowed: "ensure"'],
  ])('%j', (event, message) => {
    expectRefusal(event, 'invalid_request', message);
  });

  test.each<[string, unknown, string, string]>([
    ['tenant', 'x', 'a field of this name', FIELDS],
    ['tenantId', undefined, 'nothing', DECLARED],
    ['interface', undefined, 'nothing', 'content, webhooks'],
    ['interface', 'tenants', '"tenants"', 'content, webhooks'],
    // It would fit the other interface.
    ['scope', 'api/webhooks', '"api/webhooks"', CONTENT],
    ['scope', ['api/read'], 'a list', CONTENT],
    ['minValiditySec', '60', '"60"', SECONDS],
    ['minValiditySec', -1, '-1', SECONDS],
    ['minValiditySec', 0.5, '0.5', SECONDS],
    ['minValiditySec', 1201, '1201', SECONDS],
    ['minValiditySec', null, 'null', SECONDS],
    ['byOperator', 'yes', '"yes"', 'true or false'],
  ])('%s: %j', (field, value, found, allowed) => {
    const message = `${field}: found ${found}; allowed: ${allowed}`;

    expectRefusal({ ...EVENT, [field]: value }, 'invalid_request', message);
  });

  test.each<[string, unknown, string]>([
    ['the token itself', 'canary-token', 'a string of 12 characters'],
    ['upper case', DIGEST.toUpperCase(), 'a string of 64 characters'],
    ['too long', `${DIGEST}0`, 'a string of 65 characters'],
    ['ending in a line break', `${DIGEST}\n`, 'a string of 65 characters'],
    ['after another character', `0${DIGEST}`, 'a string of 65 characters'],
    ['a list', [DIGEST], 'a list'],
  ])('but never shows an invalid digest: %s', (_, rejectedTokenSha256, found) => {
    const message = `rejectedTokenSha256: found ${found}; allowed: 64 lower-case hexadecimal digits, the SHA-256 of the token`;

    expectRefusal({ ...EVENT, rejectedTokenSha256 }, 'invalid_request', message);
  });
});

describe('a token key that the deployment does not declare is unknown', () => {
  test.each([
    ['eu-west-2_Other', '"eu-west-2_Other"'],
    ['../x', 'a text of 4 characters'],
  ])('because of the tenant %s', (tenantId, found) => {
    expectRefusal(
      { ...EVENT, tenantId },
      'unknown_token_key',
      `tenantId: found ${found}; allowed: ${DECLARED}`,
    );
  });

  test.each([
    ['content api/all', DEPLOYMENT, 'content api/read'],
    ['content api/all', severalTokens(), 'content api/read, webhooks api/all'],
  ])('because of %s', (token, deployment, declared) => {
    const [platformInterface, scope] = token.split(' ');

    const message =
      `interface and scope: found ${token}; ` +
      `allowed: what the configuration of staging mea declares for this tenant: ${declared}`;

    expectRefusal(
      { ...EVENT, interface: platformInterface, scope },
      'unknown_token_key',
      message,
      deployment,
    );
  });
});
