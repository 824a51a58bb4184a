import { type TokenSourceOptions } from '../../../client';
import { type WireWorld } from '../support/wire-world';
import { type TokenValue } from '../../../core/secrets/secret-values';
import { CallerProcess } from '../support/caller-process';
import { assertCommonSet } from '../support/common-set';
import { deployFunction } from '../support/invoked-function';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

const CALLS = 20;

interface Variant extends Situation {
  /** When the platform revokes the previous credential with all its tokens. */
  revoked: 'before the sweep' | 'after the sweep';
}

/** F27: a rotation promoted a credential while tokens of the previous one are stored and cached. */
export const ROTATED_CREDENTIALS = tokenRow<Variant>({
  id: 'F27',
  fault: 'the stored and the cached token belong to a credential that was rotated',
  variant: (draw) => ({
    ...drawSituation(draw),
    revoked: draw.oneOf(['before the sweep', 'after the sweep']),
  }),
  async run(world, variant) {
    await world.invoke('sweep');
    const caller = new PlatformCaller(world, { tokenRefresh: deployFunction(world, 1) });

    await caller.call();
    const versionId = 'credential-version-of-the-tenant-002';
    world.loadCredential(versionId);
    await expectRetiredInOrder(world, variant, caller, versionId);
  },
});

async function expectRetiredInOrder(
  world: WireWorld,
  { revoked }: Variant,
  caller: PlatformCaller,
  versionId: string,
): Promise<void> {
  const ofOldCredential = new Set(world.platform.issued.map(({ accessToken }) => accessToken));
  const revoke = () => (caller.revoked = ofOldCredential);
  const grantsBefore = world.platform.requests.length;
  if (revoked === 'before the sweep') {
    revoke();
    await caller.call();
  }

  await world.invoke('sweep');

  const stored = JSON.parse(world.versions().at(-1)!.secretString) as TokenValue;
  expect(stored.credentialVersionId).toBe(versionId);
  expect(world.platform.requests).toHaveLength(grantsBefore + 1);
  if (revoked === 'after the sweep') revoke();
  for (let call = 0; call < CALLS; call += 1) await caller.call();
  expect(caller.refusals).toBe(1);
  expect(caller.failures).toBe(0);
  expect(world.platform.requests).toHaveLength(grantsBefore + 1);
  caller.expectNothingSpilled();
  assertCommonSet(world, {});
}

/** A service that calls the platform with its token. */
class PlatformCaller extends CallerProcess {
  /** Tokens that the platform rejects. */
  revoked: ReadonlySet<string> = new Set();
  /** Number of 401 answers of the platform. */
  refusals = 0;
  /** Calls that failed because of a 401. */
  failures = 0;
  readonly #key: WireWorld['key'];

  constructor(world: WireWorld, options: TokenSourceOptions) {
    super(world, { ...options, fetch: (_, init) => Promise.resolve(this.#platform(init)) });
    this.#key = world.key;
  }

  async call(): Promise<void> {
    const { status } = await this.source.authorizedFetch(this.#key, 'https://content.example/contents');
    if (status !== 200) this.failures += 1;
  }

  #platform(init: RequestInit | undefined): Response {
    const token = new Headers(init?.headers).get('authorization')!.replace('Bearer ', '');
    if (!this.revoked.has(token)) return new Response('{}');
    this.refusals += 1;
    return new Response('{}', { status: 401 });
  }
}
