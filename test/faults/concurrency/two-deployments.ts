import { sha256Hex } from '../../../core/secrets/sha256';
import { type WireWorld } from '../support/wire-world';
import { tokenTypeOf } from '../../../core/tokens/token-key';
import { parseTokenValue } from '../../../core/tokens/token-value';
import { inspect } from '../../../core/findings/inspect';
import { SecretsManagerInspector } from '../../../lambdas/shared/adapters/secrets-manager-inspector';
import { clientOf } from '../../support/aws/simulated-secrets-manager';
import { deploymentFor } from '../support/arrangement';
import { assertCommonSet } from '../support/common-set';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

interface Variant extends Situation {
  /** Whether each new token ends the one before, of either deployment. */
  isOneAtATime: boolean;
}

/** F36 */
export const TWO_DEPLOYMENTS = tokenRow<Variant>({
  id: 'F36',
  fault: 'another deployment uses the credential, and the platform keeps one token at a time',
  variant: (draw) => ({
    ...drawSituation(draw, { action: 'ensure', stored: 'none' }),
    isOneAtATime: draw.oneOf([true, false]),
  }),
  variants: (variant) => [true, false].map((isOneAtATime) => ({ ...variant, isOneAtATime })),
  run: expectDetected,
});

async function expectDetected(world: WireWorld, variant: Variant): Promise<void> {
  const { platform, key } = world;
  const accepts = (token: string | undefined) =>
    !variant.isOneAtATime || platform.issued.at(-1)?.accessToken === token;
  let others: string | undefined;
  let refusals = 0;

  await world.invoke();
  for (let call = 0; call < 3; call += 1) {
    if (others === undefined || !accepts(others)) others = platform.issue(key.tenantId, key).accessToken;
    const ours = storedToken(world);
    if (!accepts(ours)) {
      refusals += 1;
      await world.invoke('ensure', undefined, { rejectedTokenSha256: sha256Hex(ours) });
    }
  }

  expect(refusals).toBe(variant.isOneAtATime ? 3 : 0);
  expect(await findingsOf(world)).toEqual(variant.isOneAtATime ? ['token_refused_early'] : []);
  assertCommonSet(world, {});
}

function storedToken(world: WireWorld): string {
  return parseTokenValue(world.versions().at(-1)!.secretString, world.key)!.accessToken;
}

/** What `latchkey doctor` finds. */
async function findingsOf(world: WireWorld): Promise<string[]> {
  const { key, situation } = world;
  const { versionId, secretString } = world.versions().at(-1)!;
  const secrets = clientOf(async () => ({ ARN: 'arn', VersionId: versionId, SecretString: secretString }));
  const deployment = deploymentFor(situation, 'https://platform.example');
  const token = await new SecretsManagerInspector(secrets, deployment).token(key, tokenTypeOf(key), 1_000);
  const tenants = [{ tenantId: key.tenantId, credentials: [], tokens: [token] }];
  const snapshot = { takenAt: new Date(world.nowMs()).toISOString(), deployment, tenants };
  return inspect({ snapshot, nowMs: world.nowMs() }).map(({ kind }) => kind);
}
