import { createTokenSource, TokenUnavailableError } from '../../client';
import { parameterName } from '../../core/deployment/parameter-names';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../core/secrets/secret-names';
import { type TokenKey } from '../../core/tokens/published-keys';
import { tenantKeyOf, tokenKeyOf } from '../../core/tokens/token-key';
import { type Outage, type Principal } from 'cdk-on-loopback/testing';
import { lambdaOf } from '../support/live/programs';
import { clientOf } from '../support/aws/simulated-secrets-manager';
import { configured, TENANTS } from '../support/live/configured';
import { LiveAccount } from '../support/live/live-account';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const READ_EVERY_MS = 30_000;
const [TENANT] = TENANTS;
const PRIMARY = 'eu-west-1';
const REPLICA = 'eu-central-1';
/** A token lives for an hour, and is renewed in its last 20 minutes. */
const RENEWALS_APART_MS = 30 * MINUTE_MS;

type Token = { accessToken: string; expiresAt: string };

/** Cuts off the region of a deployment for an hour, while readers in another region read each token all the time. */
async function hourCutOff(functions: Outage) {
  const { tenantId } = TENANT!;
  const live = new LiveAccount([tenantId]);
  const { account, time, secrets, outside } = live;
  const assembly = configured({ tenants: [TENANT!], replicaRegions: [REPLICA] });
  const deployment = assembly.deployments[0]!;
  const tenant = tenantKeyOf(deployment, tenantId);
  const keys = TENANT!.tokens.map((token) => tokenKeyOf(tenant, token) as TokenKey);
  await live.deploy(assembly);
  for (const kind of CREDENTIAL_KINDS)
    secrets.put(credentialSecretName('latchkey', tenant, kind), live.platform.issueValue(tenantId, kind));
  await time.advance(6 * MINUTE_MS);

  const { accountId } = account;
  const principal: Principal = { kind: 'administrator', accountId, arn: `arn:aws:iam::${accountId}:root` };
  const lambda = lambdaOf({
    invoke: (arn, payload) => {
      if (account.isCutOff(PRIMARY)) throw Object.assign(new Error('hang up'), { code: 'ECONNREFUSED' });
      return live.functions.invoke(arn, payload);
    },
  });
  const newReader = (regions: string[]) =>
    createTokenSource({
      regions,
      random: outside.random,
      clock: outside.clock,
      lambda,
      secretsManagerIn: (region) => clientOf((command) => secrets.sendAs(principal, command, region)),
      tokenRefresh: account.parameters.get(parameterName('latchkey', deployment, 'token-refresh-arn'))!.value,
    });
  // By order of the regions: a program that begins anew, and one that has run since the beginning.
  const readers = [
    [PRIMARY, REPLICA],
    [REPLICA, PRIMARY],
  ].flatMap((regions) => {
    const kept = newReader(regions);
    return [() => newReader(regions), () => kept];
  });

  const storedIn = (region: string, name: string) => {
    const secret = [...account.inRegion(region).secrets.values()].find((each) => each.name === name);
    return [...(secret?.versions.values() ?? [])].find(({ stages }) => stages.has('AWSCURRENT'))
      ?.secretString;
  };
  const tokenIn = (region: string, key: TokenKey) =>
    JSON.parse(storedIn(region, tokenSecretName('latchkey', key)) ?? '{}') as Partial<Token>;
  const isValid = ({ expiresAt = '' }: Partial<Token>) => Date.parse(expiresAt) > time.nowMs();

  const figures = {
    reads: 0,
    /** Answered with a token that the replica held. */
    fromReplica: 0,
    /** Answered with a token of which the deployment's region had a newer one. */
    stale: 0,
    /** Answered with an expired token. */
    expired: 0,
    /** Failed although a region that could be reached had a valid token. */
    avoidable: 0,
    /** Failed because the last token that was replicated had expired. */
    withoutToken: 0,
  };
  let isOver = false;
  async function readOne(key: TokenKey, reader: ReturnType<typeof newReader>): Promise<void> {
    figures.reads += 1;
    try {
      const token = await reader.getToken(key);
      if (token.region === REPLICA) figures.fromReplica += 1;
      if (tokenIn(PRIMARY, key).accessToken !== token.accessToken) figures.stale += 1;
      if (!isValid(token)) figures.expired += 1;
    } catch (error) {
      if (!(error instanceof TokenUnavailableError)) throw error;
      const reachable = account.isCutOff(PRIMARY) ? [REPLICA] : [PRIMARY, REPLICA];
      const isThere = reachable.some((region) => isValid(tokenIn(region, key)));
      figures[isThere ? 'avoidable' : 'withoutToken'] += 1;
    }
  }
  async function read(): Promise<void> {
    while (!isOver) {
      for (const key of keys) for (const reader of readers) void readOne(key, reader());
      await time.sleep(READ_EVERY_MS);
    }
  }

  void read();
  account.outages.set(PRIMARY, functions);
  await time.advance(HOUR_MS);
  account.outages.clear();
  await time.advance(HOUR_MS / 2);
  isOver = true;
  await time.advance(MINUTE_MS);
  const renewals = keys.flatMap((key) => {
    const { versions } = secrets.secret(tokenSecretName('latchkey', key));
    const times = [...versions.values()].map(({ createdAtMs }) => createdAtMs);
    return times.slice(1).map((ms, index) => ms - times[index]!);
  });
  return {
    ...figures,
    renewals: renewals.length,
    /** Tokens that were written again although the one before was still good. */
    writtenTwice: renewals.filter((apartMs) => apartMs < RENEWALS_APART_MS).length,
    /** Replicas that differ from their primary secret in the end. */
    different: [...account.secrets.values()].filter(
      ({ name }) => storedIn(PRIMARY, name) !== storedIn(REPLICA, name),
    ).length,
  };
}

test.each(['go-on', 'cut-off'] as const)(
  'an hour without the deployment’s region costs readers in another no expired token, no avoidable failure and no second write, if its functions %s',
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
