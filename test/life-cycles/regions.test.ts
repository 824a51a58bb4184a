import { createTokenSource, TokenUnavailableError } from '../../client';
import { parameterName } from '../../core/deployment/parameter-names';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../core/secrets/secret-names';
import { type TokenKey } from '../../core/tokens/published-keys';
import { tenantKeyOf, tokenKeyOf } from '../../core/tokens/token-key';
import { type Outage, type Principal } from 'cdk-on-loopback/testing';
import { lambdaOf } from '../support/live/programs';
import { clientOf } from '../support/aws/simulated-secrets-manager';
import { expectRed } from '../support/holes/expect-red';
import { configured, TENANTS } from '../support/live/configured';
import { LiveAccount } from '../support/live/live-account';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const READ_EVERY_MS = 30_000;
const USED_TENANTS = TENANTS.slice(0, 1);
const PRIMARY = 'eu-west-1';
const REPLICA = 'eu-central-1';
/** A token lives for an hour, and is renewed in its last 20 minutes. */
const RENEWALS_APART_MS = 30 * MINUTE_MS;

/** What readers in the other region met. */
interface Figures {
  reads: number;
  /** Answered with a token that the replica held. */
  fromReplica: number;
  /** Answered with a token of which the deployment's region had a newer one. */
  stale: number;
  /** Answered with an expired token. */
  expired: number;
  /** Failed although a region that could be reached had a valid token. */
  avoidable: number;
  /** Failed because the last token that was replicated had expired. */
  withoutToken: number;
  /** New tokens, after the first ones. */
  renewals: number;
  /** Tokens that were written again although the one before was still good. */
  writtenTwice: number;
  /** Replicas that differ from their primary secret in the end. */
  different: number;
}

/** A deployment with readers in another region, on virtual time. */
class Regions {
  readonly live = new LiveAccount(USED_TENANTS.map(({ tenantId }) => tenantId));
  readonly figures: Figures = {
    reads: 0,
    fromReplica: 0,
    stale: 0,
    expired: 0,
    avoidable: 0,
    withoutToken: 0,
    renewals: 0,
    writtenTwice: 0,
    different: 0,
  };
  readonly #assembly = configured({ tenants: USED_TENANTS, replicaRegions: [REPLICA] });
  readonly #readers: (() => (key: TokenKey) => Promise<{ accessToken: string; expiresAt: string }>)[];
  #isOver = false;

  /** @param orders in which each reader asks the regions */
  constructor(orders: readonly (readonly string[])[]) {
    this.#readers = orders.flatMap((regions) => {
      let kept: ReturnType<Regions['newReader']> | undefined;
      // A program that begins anew, and one that has run since the beginning.
      return [() => this.newReader(regions), () => (kept ??= this.newReader(regions))];
    });
  }

  async begin(): Promise<void> {
    const { live } = this;
    await live.deploy(this.#assembly);
    const [deployment] = this.#assembly.deployments;
    for (const { tenantId } of deployment!.tenants) {
      for (const kind of CREDENTIAL_KINDS) {
        const name = credentialSecretName(deployment!.prefix, { ...deployment!, tenantId }, kind);
        live.secrets.put(name, live.platform.issueValue(tenantId, kind));
      }
    }
    await live.time.advance(6 * MINUTE_MS);
    void this.#read();
  }

  /** Cuts the deployment's region off for an hour. */
  async cutOff(functions: Outage): Promise<void> {
    const { outages } = this.live.account;
    outages.set(PRIMARY, functions);
    await this.live.time.advance(HOUR_MS);
    outages.clear();
  }

  async end(): Promise<Figures> {
    const { live, figures } = this;
    await live.time.advance(30 * MINUTE_MS);
    this.#isOver = true;
    await live.time.advance(MINUTE_MS);
    for (const key of this.#keys()) {
      const times = this.#writesOf(tokenSecretName('latchkey', key));
      figures.renewals += times.length - 1;
      figures.writtenTwice += times.filter(
        (ms, index) => index > 0 && ms - times[index - 1]! < RENEWALS_APART_MS,
      ).length;
    }
    figures.different = [...live.account.secrets.values()].filter(
      ({ name }) => this.#stored(PRIMARY, name) !== this.#stored(REPLICA, name),
    ).length;
    return figures;
  }

  newReader(regions: readonly string[]) {
    const { live } = this;
    const { outside, functions, account } = live;
    const [deployment] = this.#assembly.deployments;
    const { accountId } = account;
    const principal: Principal = { kind: 'administrator', accountId, arn: `arn:aws:iam::${accountId}:root` };
    const lambda = lambdaOf({
      invoke: (arn, payload) => {
        if (account.isCutOff(PRIMARY)) throw Object.assign(new Error('hang up'), { code: 'ECONNREFUSED' });
        return functions.invoke(arn, payload);
      },
    });
    const source = createTokenSource({
      regions,
      random: outside.random,
      clock: outside.clock,
      lambda,
      secretsManagerIn: (region) => clientOf((command) => live.secrets.sendAs(principal, command, region)),
      tokenRefresh: account.parameters.get(parameterName('latchkey', deployment!, 'token-refresh-arn'))!
        .value,
    });
    return (key: TokenKey) => source.getToken(key);
  }

  #keys(): TokenKey[] {
    const [deployment] = this.#assembly.deployments;
    return deployment!.tenants.flatMap(({ tenantId, tokens }) =>
      tokens.map((token) => tokenKeyOf(tenantKeyOf(deployment!, tenantId), token) as TokenKey),
    );
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      for (const key of this.#keys()) for (const reader of this.#readers) void this.#readOne(key, reader());
      await this.live.time.sleep(READ_EVERY_MS);
    }
  }

  async #readOne(
    key: TokenKey,
    getToken: (key: TokenKey) => Promise<{ accessToken: string; expiresAt: string; region?: string }>,
  ): Promise<void> {
    const { figures, live } = this;
    figures.reads += 1;
    try {
      const { accessToken, expiresAt, region } = await getToken(key);
      if (region === REPLICA) figures.fromReplica += 1;
      if (this.#tokenIn(PRIMARY, key)?.accessToken !== accessToken) figures.stale += 1;
      if (Date.parse(expiresAt) <= live.time.nowMs()) figures.expired += 1;
    } catch (error) {
      if (!(error instanceof TokenUnavailableError)) throw error;
      const reachable = live.account.isCutOff(PRIMARY) ? [REPLICA] : [PRIMARY, REPLICA];
      const isThere = reachable.some(
        (region) => Date.parse(this.#tokenIn(region, key)?.expiresAt ?? '') > live.time.nowMs(),
      );
      figures[isThere ? 'avoidable' : 'withoutToken'] += 1;
    }
  }

  #writesOf(name: string): number[] {
    const secret = [...this.live.account.secrets.values()].find((each) => each.name === name)!;
    return [...secret.versions.values()].map(({ createdAtMs }) => createdAtMs);
  }

  #tokenIn(region: string, key: TokenKey): { accessToken: string; expiresAt: string } | undefined {
    const text = this.#stored(region, tokenSecretName('latchkey', key));
    return text === undefined ? undefined : (JSON.parse(text) as { accessToken: string; expiresAt: string });
  }

  #stored(region: string, name: string): string | undefined {
    const { secrets } = this.live.account.inRegion(region);
    const secret = [...secrets.values()].find((each) => each.name === name);
    return [...(secret?.versions.values() ?? [])].find(({ stages }) => stages.has('AWSCURRENT'))
      ?.secretString;
  }
}

async function hourCutOff(
  functions: Outage,
  orders: readonly (readonly string[])[] = [
    [PRIMARY, REPLICA],
    [REPLICA, PRIMARY],
  ],
): Promise<Figures> {
  const regions = new Regions(orders);
  await regions.begin();
  await regions.cutOff(functions);
  return regions.end();
}

describe('an hour without the deployment’s region, for readers in another', () => {
  test.each(['go-on', 'cut-off'] as const)(
    'costs no expired token, no avoidable failure and no second write, if its functions %s',
    async (functions) => {
      const figures = await hourCutOff(functions);

      expect(figures).toMatchObject({ expired: 0, avoidable: 0, writtenTwice: 0, different: 0 });
      expect(figures.fromReplica).toBeGreaterThan(figures.reads / 2);
      expect(figures.renewals).toBeGreaterThan(1);
      // The token that was replicated last has at most an hour to live.
      expect(figures.withoutToken).toBeGreaterThan(0);
      expect(figures.stale > 0).toBe(functions === 'go-on');
    },
  );

  test('would cost tokens that are there, if readers had the deployment’s region only', async () => {
    const figures = await hourCutOff('go-on', [[PRIMARY]]);

    await expectRed(() => expect(figures).toMatchObject({ avoidable: 0 }));
  });
});
