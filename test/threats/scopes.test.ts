import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

import { type InterfaceScope } from '../../contract/platform';
import { tokenSecretName } from '../../contract/secret-names';
import { type TokenKey } from '../../contract/token-key';
import { Authenticator } from '../../lambdas/authorizer/authenticate';
import { SecretsManagerAcceptedSecrets } from '../../lambdas/shared/adapters/secrets-manager-accepted-secrets';
import { serializeStoredToken } from '../../lambdas/shared/domain/stored-token';
import { Draw } from '../faults/support/draw';
import { tokenAnswer } from '../faults/support/platform-double';
import { VirtualWorld } from '../faults/support/virtual-world';
import { expectRed } from '../support/holes/expect-red';
import { restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { keyOf, TENANT_ID } from '../support/lambdas/token-functions';
import { VirtualClock } from '../support/lambdas/virtual-clock';

const RENEWED = { ok: true, refreshed: true };
const refused = (code: string) => ({ ok: false, error: { code } });

/** @param reported what arrives of that scope */
async function expectJudged(scope: unknown, answer: object, reported = scope) {
  const situation = { action: 'ensure', tenantId: TENANT_ID, target: 'content api/read' } as const;
  const world = new VirtualWorld({ ...situation, stored: 'ending' }, new Draw(1, 'T11'));
  world.platform.always = tokenAnswer({ scope: reported });

  const invocation = await world.invoke();

  expect(invocation.answer).toMatchObject(answer);
  expect(world.versions()).toHaveLength(world.before.length + (answer === RENEWED ? 1 : 0));
}

describe('T11: the scope that the platform says it granted, api/read having been asked for', () => {
  test.each<[string, unknown, object]>([
    ['absent', undefined, RENEWED],
    ['the requested one', 'api/read', RENEWED],
    ['the requested one with extra spaces', '  api/read ', RENEWED],
    ['the requested one, twice', 'api/read api/read', RENEWED],
    ['wider by one', 'api/read api/write', refused('bad_platform_answer')],
    ['wider by one, in another order', 'api/write api/read', refused('bad_platform_answer')],
    ['wider by all of them', 'api/all api/read api/write', refused('bad_platform_answer')],
    ['wider in one word', 'api/all', refused('scope_refused')],
    ['another', 'api/write', refused('scope_refused')],
    ['narrower: none', '', refused('scope_refused')],
    ['narrower: spaces', '   ', refused('scope_refused')],
    ['narrower: the beginning', 'api/rea', refused('scope_refused')],
    ['of the other interface', 'api/webhooks', refused('scope_refused')],
    ['in other case', 'API/READ', refused('scope_refused')],
    ['separated by a comma', 'api/read,api/write', refused('scope_refused')],
    ['separated by a tab', 'api/read\tapi/write', refused('scope_refused')],
    ['a list', ['api/read'], refused('bad_platform_answer')],
    ['an object', { 'api/read': true }, refused('bad_platform_answer')],
    ['a number', 7, refused('bad_platform_answer')],
  ])('%s: %j', (_, scope, answer) => expectJudged(scope, answer));

  test('turns red when the scope counts as the requested one', async () => {
    await expectRed(() => expectJudged('api/read api/write', refused('bad_platform_answer'), 'api/read'));
  });
});

describe('T11: a token in the secret of another key authenticates nobody', () => {
  const WRITE = { interface: 'content', scope: 'api/write' } as const;
  const OTHER = 'eu-west-2_Other';
  const clock = new VirtualClock();
  const aws = mockClient(SecretsManagerClient);
  beforeEach(() => aws.reset());

  /** What the authorizer says of a token whose entry, which names `entry`, lies in the secret api/write of the tenant. */
  async function authenticate(entry: Partial<TokenKey>, tenantId = TENANT_ID, isCompared = true) {
    const key = (of: InterfaceScope): TokenKey => ({ ...keyOf(TENANT_ID), ...of });
    const token = {
      accessToken: 'a-token-of-the-platform',
      issuedAtMs: clock.nowMs(),
      expiresAtMs: clock.nowMs() + 3_600_000,
      credentialVersionId: 'credential-1',
      writesMs: [],
    };
    const SecretString = serializeStoredToken(token, {
      ...key(WRITE),
      ...(isCompared && entry),
    } as TokenKey);
    aws.on(GetSecretValueCommand).rejects(new ResourceNotFoundException({ message: 'no', $metadata: {} }));
    aws
      .on(GetSecretValueCommand, {
        SecretId: tokenSecretName('latchkey', key(WRITE)),
        VersionStage: 'AWSCURRENT',
      })
      .resolves({ ARN: 'arn', VersionId: 'v1', SecretString });
    const deployment = restoringDeploymentOf([TENANT_ID, OTHER]);
    const client = new SecretsManagerClient({ region: 'eu-west-2' });
    const secrets = new SecretsManagerAcceptedSecrets(client, deployment);
    const authenticator = new Authenticator(deployment, secrets, clock);
    return (await authenticator.authenticate(tenantId, [`Bearer ${token.accessToken}`])).kind;
  }

  test('but its own key’s does', async () => {
    expect(await authenticate({})).toBe('allowed');
  });

  test.each<[string, Partial<TokenKey>]>([
    ['narrower scope', { scope: 'api/read' }],
    ['wider scope', { scope: 'api/all' }],
    ['interface', { interface: 'webhooks', scope: 'api/all' }],
    ['tenant', { tenantId: OTHER }],
    ['environment', { environment: 'production' }],
    ['platform region', { platformRegion: 'global' }],
  ])('another %s', async (_, entry) => {
    expect(await authenticate(entry)).toBe('unauthenticated');
  });

  test('turns red when an entry counts as what its secret is for', async () => {
    await expectRed(async () =>
      expect(await authenticate({ scope: 'api/read' }, TENANT_ID, false)).toBe('unauthenticated'),
    );
  });

  test('nor under the name of another tenant', async () => {
    expect(await authenticate({}, OTHER)).toBe('unauthenticated');
  });
});
