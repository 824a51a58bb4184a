import { type PolicyStatement } from '../../../local/account';
import { changeRole } from '../support/aws-faults';
import { assertCommonSet } from '../support/common-set';
import { alterStoreFailures, storeOutage } from '../support/holes';
import { expectFailed } from '../support/store-outcome';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation, type World } from '../support/world';

/** Permissions on ARNs do not cover a secret that does not exist, so AWS would deny every call on its name. */
const DESCRIBES_ANY_NAME: PolicyStatement = {
  Effect: 'Allow',
  Action: 'secretsmanager:DescribeSecret',
  Resource: '*',
  Condition: { StringLike: { 'secretsmanager:SecretId': 'latchkey/*' } },
};

interface Variant extends Situation {
  missing: 'the credential' | 'the credential secret' | 'the token secret';
}

/** F17: a secret does not exist, or was never loaded. */
export const MISSING_SECRETS = tokenRow<Variant>({
  id: 'F17',
  fault: 'a secret does not exist, or has no current version',
  variant: (draw, where) => ({
    ...drawSituation(draw),
    missing: draw.oneOf(
      where === 'wire'
        ? ['the credential secret', 'the token secret']
        : ['the credential', 'the credential secret', 'the token secret'],
    ),
  }),
  async virtual(world, variant) {
    const { secrets } = world.secrets.account;
    if (variant.missing === 'the token secret') secrets.delete(world.tokenSecret.arn);
    else if (variant.missing === 'the credential secret') secrets.delete(world.credentialSecret.arn);
    else world.credentialSecret.versions.clear();

    await expectMissed(world, variant);
  },
  onWire: (variant) =>
    (['the credential secret', 'the token secret'] as const).map((missing) => ({ ...variant, missing })),
  async wire(world, variant) {
    const { secrets } = world.aws.account;
    changeRole(world.aws, DESCRIBES_ANY_NAME);
    if (variant.missing === 'the credential secret') secrets.delete(world.credentialSecret.arn);
    else secrets.delete(world.tokenSecret.arn);
    const existing = [...secrets.keys()];

    await expectMissed(world, variant);

    expect([...secrets.keys()]).toEqual(existing);
    const asked = new Set(world.gate.calls.map(({ operation }) => operation));
    expect([...asked].filter((operation) => !/^(Get|Describe)/.test(operation))).toEqual([]);
  },
  hole: {
    words: 'a missing secret counts as an unreachable store',
    with: { missing: 'the token secret' },
    open: (world) => alterStoreFailures(world, storeOutage),
  },
});

async function expectMissed(world: World, { missing, action, stored }: Variant): Promise<void> {
  const invocation = await world.invoke();

  if (missing === 'the token secret') {
    expectFailed(world, invocation, 'store_unavailable', { fault: 'store_not_found', isRead: true });
  } else if (action === 'sweep' && stored === 'none') {
    // A secret that was never loaded is a normal state, and logs no error.
    expect(invocation.answer).toMatchObject({ ok: true, tenants: [{ tokens: [{ outcome: 'not_loaded' }] }] });
    expect(world.log().filter(({ level }) => /error/i.test(level))).toEqual([]);
  } else {
    expectFailed(world, invocation, 'not_loaded', { fault: 'not_loaded' });
  }
  if (missing !== 'the token secret' && action === 'ensure') {
    expect(world.log().map(({ detail }) => detail)).toEqual([
      expect.stringMatching(
        /^no client credentials are loaded in \S+client-credentials; to load them, run latchkey credentials put --environment \S+ --platform-region \S+ --tenant \S+$/,
      ),
    ]);
  }
  expect(world.platform.requests).toEqual([]);
  expect(world.versions()).toEqual(world.before);
  assertCommonSet(world);
}
