import { inspect } from 'node:util';

import { createTokenSource } from '../../../client';
import { type DeploymentFile } from '../../../contract/deployment-file';
import { type EnsureAnswer, type EnsureEvent, type SweepAnswer } from '../../../contract/token-refresh';
import { type TokenKey } from '../../../contract/token-key';
import { type Log } from '../../../lambdas/shared/ports';
import { PlatformTokenIssuer } from '../../../lambdas/shared/adapters/platform-token-issuer';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { parseEvent } from '../../../lambdas/token-refresh/ensure-event';
import { type RefreshTokenPorts } from '../../../lambdas/token-refresh/refresh-token';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { type VisibleText } from '../../support/canaries';
import { InMemoryCredentialStore } from '../../support/lambdas/in-memory-credential-store';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { type Draw } from './draw';
import { deploymentFor, earlierTokens, keyOf } from './arrangement';
import { PlatformDouble } from './platform-double';
import { SummedMetrics } from './summed-metrics';
import { TimedTokenStore } from './timed-token-store';
import { VirtualTransport } from './virtual-transport';
import { type Invocation, type LogLine, type Situation, type Version, type World } from './world';

/** Left at the end of an invocation, as the handler leaves it. */
const RESERVE_MS = 1_500;

export type VirtualPorts = RefreshTokenPorts & { log: Log };

/** The use cases and the real issuer on virtual time; the rest in memory. */
export class VirtualWorld implements World {
  readonly where = 'virtual';
  readonly clock = new VirtualClock();
  readonly platform = new PlatformDouble(() => this.clock.monotonicMs());
  readonly transport = new VirtualTransport(this.platform, this.clock);
  readonly tokens = new TimedTokenStore(this.clock);
  readonly credentials = new PlantedCredentials(this.platform);
  readonly situation: Situation;
  readonly key: TokenKey;
  readonly before: readonly Version[];
  /** What a test puts between the use cases and their ports. */
  between = (ports: VirtualPorts): VirtualPorts => ports;
  createSource = createTokenSource;
  readonly #deployment: DeploymentFile;
  readonly #log = new RecordingLog();
  readonly #metrics = new SummedMetrics();
  readonly #answers: VisibleText[] = [];
  readonly #random: () => number;
  #memory = new RefreshMemory();

  constructor(situation: Situation, draw: Draw) {
    this.situation = situation;
    this.key = keyOf(situation);
    this.#random = draw.next;
    this.#deployment = deploymentFor(this.key, 'https://platform.example');
    this.credentials.load(situation.tenantId, 'credential-1');
    for (const { token, versionId } of earlierTokens(
      this.platform,
      this.key,
      situation,
      this.clock.nowMs(),
    )) {
      this.tokens.put(this.key, versionId, { ...token, credentialVersionId: 'credential-1' });
    }
    this.before = this.versions();
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  setClock(byMs: number): void {
    this.clock.set(byMs);
  }

  async takePlatformDown(): Promise<void> {
    this.platform.script.length = 0;
    this.platform.always = () => ({ kind: 'unreachable', code: 'ECONNREFUSED' });
  }

  /** What a cold start loses. */
  startNewProcess(): void {
    this.#memory = new RefreshMemory();
  }

  async invoke(
    action = this.situation.action,
    remainingMs = 30_000,
    change: Partial<EnsureEvent> = {},
  ): Promise<Invocation> {
    const startedMs = this.clock.monotonicMs();
    const { tenantId, interface: of, scope } = this.key;
    const event = action === 'sweep' ? { action } : { action, tenantId, interface: of, scope, ...change };
    try {
      const answer = await this.#handle(event, remainingMs);
      this.#answers.push({ place: 'answer', text: JSON.stringify(answer) });
      return { answer, elapsedMs: this.clock.monotonicMs() - startedMs };
    } catch (error) {
      this.#answers.push({ place: 'error', text: inspect(error, { depth: 8 }) });
      throw error;
    }
  }

  /** As the handler does it. */
  async #handle(event: object, remainingMs: number): Promise<EnsureAnswer | SweepAnswer> {
    const ports = this.between({
      platform: this.#deployment.platform,
      tokens: this.tokens,
      credentials: this.credentials,
      issuer: new PlatformTokenIssuer(this.clock, this.transport.send),
      clock: this.clock,
      random: this.#random,
      memory: this.#memory,
      log: this.#log,
      metrics: this.#metrics,
    });
    const endsAtMs = this.clock.monotonicMs() + remainingMs - RESERVE_MS;
    const request = parseEvent(event, this.#deployment);
    return request.action === 'sweep'
      ? sweep(ports, this.#deployment, endsAtMs)
      : ensure(ports, request, endsAtMs);
  }

  versions(): readonly Version[] {
    return this.tokens.timedVersions(this.key);
  }

  log(): readonly LogLine[] {
    return this.#log.lines;
  }

  metrics(): Readonly<Record<string, number>> {
    return this.#metrics.sums;
  }

  visible(): readonly VisibleText[] {
    return [
      ...this.#answers,
      ...this.#log.lines.map((line) => ({ place: 'log', text: JSON.stringify(line) })),
      { place: 'metrics', text: JSON.stringify(this.#metrics.sums) },
    ];
  }
}

/** Credentials that the platform issued, one pair for every version that is loaded. */
class PlantedCredentials extends InMemoryCredentialStore {
  readonly #platform: PlatformDouble;
  readonly #pairs = new Map<string, { clientId: string; clientSecret: string }>();

  constructor(platform: PlatformDouble) {
    super();
    this.#platform = platform;
  }

  override load(tenantId: string, versionId: string): void {
    super.load(tenantId, versionId);
    this.#pairs.set(versionId, this.#platform.issueCredential(tenantId));
  }

  override async read(tenant: TokenKey) {
    const loaded = await super.read(tenant);
    return loaded && { ...loaded, ...this.#pairs.get(loaded.versionId) };
  }
}
