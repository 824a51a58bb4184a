import { type SecretVersion } from '../../../local/account';
import { nextVersionId } from '../../../lambdas/shared/domain/compare-and-set';
import { serializeStoredToken, type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { assertCommonSet } from '../support/common-set';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation, type World } from '../support/world';

const MINUTE_MS = 60_000;

interface Variant extends Situation {
  /** What the other writer wrote. `and moved back`: somebody moved the label back to the earlier version. */
  other: 'a fresh token' | 'a due token' | 'an expired token' | 'and moved back';
}

const LIFE_LEFT_MS = {
  'a fresh token': 59 * MINUTE_MS,
  'a due token': 10 * MINUTE_MS,
  'an expired token': -MINUTE_MS,
  'and moved back': 59 * MINUTE_MS,
} as const;

/** F19: another writer that read the same version wrote first. */
export const WRITE_CONFLICTS = tokenRow<Variant>({
  id: 'F19',
  fault: 'the next version of the token secret exists already',
  variant: (draw) => {
    const other = draw.oneOf(['an expired token', 'a due token', 'a fresh token', 'and moved back']);
    const stored = draw.oneOf(other === 'and moved back' ? ['old', 'ending'] : ['none', 'old', 'ending']);
    return { ...drawSituation(draw), stored, other };
  },
  async virtual(world, variant) {
    const { secrets, tokenSecret } = world;
    secrets.meanwhile = ({ input }) => {
      secrets.meanwhile = () => undefined;
      const versionId = String(input.ClientRequestToken);
      world.putToken(versionId, tokenOfOther(world, variant));
      const seen = world.before.at(-1)?.versionId;
      if (variant.other === 'and moved back') moveBack(tokenSecret.versions, seen!, versionId);
    };

    await expectNoneLost(world, variant);
  },
  async wire(world, variant) {
    const { gate, tokenSecret } = world;
    const passOn = gate.intercept;
    gate.intercept = (call, held) => {
      if (call.operation === 'PutSecretValue') {
        gate.intercept = passOn;
        const seen = world.before.at(-1)?.versionId;
        const versionId = nextVersionId({ secretArn: tokenSecret.arn, versionId: seen });
        world.putByHand(
          tokenSecret,
          versionId,
          serializeStoredToken(tokenOfOther(world, variant), world.key),
        );
        if (variant.other === 'and moved back') moveBack(tokenSecret.versions, seen!, versionId);
      }
      return passOn(call, held);
    };

    await expectNoneLost(world, variant);
  },
  hole: {
    words: 'the store overwrites what another writer wrote',
    with: { other: 'a fresh token' },
    open(world) {
      const { tokens } = world;
      const { compareAndSet } = tokens;
      tokens.compareAndSet = async (key, seen, token) => {
        const outcome = await compareAndSet.call(tokens, key, seen, token);
        if (outcome.kind === 'written') return outcome;
        const versionId = 'written-over-what-another-writer-wrote';
        world.putToken(versionId, token);
        return { kind: 'written', versionId };
      };
    },
  },
});

/** A token that was issued to the other writer, with the remaining validity of the variant. */
function tokenOfOther({ platform, key }: World, { other }: Variant): StoredToken {
  const issuedAtMs = platform.nowMs() + LIFE_LEFT_MS[other] - 60 * MINUTE_MS;
  const { accessToken, expiresAtMs } = platform.issue(key.tenantId, key, issuedAtMs);
  const credentialVersionId = 'credential-version-of-another-writer';
  return { accessToken, issuedAtMs, expiresAtMs, credentialVersionId, writesMs: [issuedAtMs] };
}

/** Moves the label back to the version that both writers read. */
function moveBack(versions: ReadonlyMap<string, SecretVersion>, to: string, from: string): void {
  for (const { stages } of versions.values()) stages.clear();
  versions.get(to)!.stages.add('AWSCURRENT');
  versions.get(from)!.stages.add('AWSPREVIOUS');
}

/** The other writer's token is used or becomes the previous one, but is never lost. */
async function expectNoneLost(world: World, { other, action }: Variant): Promise<void> {
  const { answer } = await world.invoke();

  const isUsed = other === 'a fresh token';
  const written = world.versions().slice(world.before.length);
  expect(written).toHaveLength(isUsed ? 1 : 2);
  expect(written.at(-1)!.stages).toEqual(['AWSCURRENT']);
  if (!isUsed && other !== 'and moved back') expect(written[0]!.stages).toEqual(['AWSPREVIOUS']);
  expect(answer).toMatchObject({ ok: true });
  if (action === 'ensure')
    expect(answer).toMatchObject({ refreshed: !isUsed, versionId: written.at(-1)!.versionId });
  expect(world.platform.requests).toHaveLength(1);
  assertCommonSet(world, { write_conflict: 1 });
}
