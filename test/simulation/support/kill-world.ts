import { tokenSecretName, credentialSecretName } from '../../../contract/secret-names';
import { sha256Hex } from '../../../lambdas/shared/domain/digest';
import { parseStoredToken } from '../../../lambdas/shared/domain/stored-token';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { deploymentOf, KEY, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { SimulatedPlatform } from './simulated-platform';
import { type Send, SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { type Outside, startProcess } from './token-process';

const DEPLOYMENT = deploymentOf([TENANT_ID]);
const TOKEN_SECRET = tokenSecretName(DEPLOYMENT.prefix, KEY);
const CREDENTIAL_SECRET = credentialSecretName(DEPLOYMENT.prefix, KEY, 'client-credentials');

/** What a process is started for. */
export type Errand = (outside: Outside) => Promise<unknown>;

/** One tenant with one token, and what is outside of the processes that keep it fresh. */
export class KillWorld {
  readonly clock = new VirtualClock();
  readonly secrets = new SimulatedSecretsManager(this.clock);
  readonly platform = new SimulatedPlatform(this.clock);
  /** What happens to the coming writes instead of their being done, one each, taken in order. */
  readonly writes: ((write: () => Promise<object>) => Promise<object>)[] = [];
  /** Every call that came from a process, by name. */
  readonly calls: string[] = [];
  /** How many of them failed. */
  failedCalls = 0;

  static async create(): Promise<KillWorld> {
    const world = new KillWorld();
    world.secrets.create(TOKEN_SECRET);
    world.secrets.create(CREDENTIAL_SECRET);
    world.loadCredential('first');
    return world;
  }

  loadCredential(clientSecret: string): void {
    this.platform.accept(TENANT_ID, clientSecret);
    this.secrets.put(CREDENTIAL_SECRET, JSON.stringify({ clientId: 'id', clientSecret }));
  }

  /** What a process finds outside of itself. */
  outside(): Outside {
    const { clock, platform, secrets } = this;
    const send: Send = async (command) => {
      this.calls.push(command.constructor.name.replace(/Command$/, ''));
      const isWrite = this.calls.at(-1) === 'PutSecretValue';
      const write = (isWrite ? this.writes.shift() : undefined) ?? ((done) => done());
      return write(() => secrets.send(command)).catch((error: unknown) => {
        this.failedCalls += 1;
        throw error;
      });
    };
    return {
      clock: {
        nowMs: () => clock.nowMs(),
        monotonicMs: () => clock.monotonicMs(),
        sleep: (ms) => {
          this.calls.push('wait');
          return clock.sleep(ms);
        },
      },
      random: () => 0.5,
      send,
      sendRequest: (request) => {
        this.calls.push('token request');
        return platform.sendRequest(request);
      },
    };
  }

  /** Another process does the same, start to end, and its calls are not counted. */
  async elsewhere(errand: Errand): Promise<void> {
    const { calls, failedCalls } = this;
    const callCount = calls.length;
    await errand(this.outside());
    calls.length = callCount;
    this.failedCalls = failedCalls;
  }

  /** The token that is current, if any. */
  get current(): string | undefined {
    return this.#tokens('AWSCURRENT')[0];
  }

  /** Versions that the token secret ever got. */
  get versionCount(): number {
    return this.secrets.secret(TOKEN_SECRET).versions.size;
  }

  /**
   * What must hold whenever a process may have been killed: nothing is stored but whole values with tokens of this
   * tenant and scope that the platform really issued; one of them at most is current, and it has not run out; the one
   * before it can still be read.
   */
  expectNoHalfState(): void {
    const versions = [...this.secrets.secret(TOKEN_SECRET).versions.values()];
    const tokens = versions.map(({ secretString = '' }) => parseStoredToken(secretString, KEY)?.accessToken);
    const owners = tokens.map((token) => {
      const grant = this.platform.grants.get(token ?? 'none');
      return [grant?.tenantId, grant?.interface, grant?.scope];
    });
    expect(owners).toEqual(versions.map(() => [TENANT_ID, KEY.interface, KEY.scope]));
    expect(this.#tokens('AWSCURRENT')).toEqual(tokens.slice(-1));
    expect(this.#tokens('AWSPREVIOUS')).toEqual(tokens.slice(-2, -1));
    expect(versions.length === 0 || this.platform.accepts(this.current!, KEY)).toBe(true);
  }

  /** The tokens of all versions with that label. */
  #tokens(label: string): string[] {
    const versions = [...this.secrets.secret(TOKEN_SECRET).versions.values()];
    return versions
      .filter(({ stages }) => stages.has(label))
      .map(({ secretString = '' }) => parseStoredToken(secretString, KEY)!.accessToken);
  }
}

/** Someone asks for a usable token, and says which one was refused, if any. */
export const ensureErrand =
  (refused?: string): Errand =>
  (outside) => {
    const rejectedTokenSha256 = refused === undefined ? undefined : sha256Hex(refused);
    const request = { action: 'ensure', key: KEY, minValidityMs: MINUTE_MS, rejectedTokenSha256 } as const;
    return ensure(startProcess(outside, DEPLOYMENT), request, outside.clock.monotonicMs() + MINUTE_MS);
  };

/** The schedule starts a sweep. */
export const sweepErrand: Errand = (outside) =>
  sweep(startProcess(outside, DEPLOYMENT), DEPLOYMENT, outside.clock.monotonicMs() + 4 * MINUTE_MS);
