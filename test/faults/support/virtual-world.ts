import { inspect } from 'node:util';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { type EnsureAnswer, type EnsureEvent, type SweepAnswer } from '../../../core/tokens/token-refresh';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { serializeStoredToken, type StoredToken } from '../../../core/tokens/stored-token';
import { portsOver } from '../../../lambdas/token-refresh/compose';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { parseEnsureEvent } from '../../../lambdas/token-refresh/ensure-event';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { type Secret } from 'cdk-on-loopback/testing';
import { clientOf, SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { type VisibleText } from '../../support/canaries';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { type Draw } from './draw';
import { deploymentFor, earlierTokens, keyOf } from './arrangement';
import { PlatformDouble } from './platform-double';
import { SummedMetrics } from './summed-metrics';
import { VirtualTransport } from './virtual-transport';
import { type Invocation, type LogLine, type Situation, type Version, type World } from './world';

/** Time that the handler reserves at the end of an invocation. */
const RESERVE_MS = 1_500;

/** The credential's version when a row begins. */
const CREDENTIAL_ID = 'credential-version-of-the-tenant-001';

type Process = ReturnType<VirtualWorld['start']>;

/** The functions' ports on virtual time, over doubles of the platform and Secrets Manager. */
export class VirtualWorld implements World {
  readonly where = 'virtual';
  readonly clock = new VirtualClock();
  readonly platform = new PlatformDouble(() => this.clock.monotonicMs());
  readonly transport = new VirtualTransport(this.platform, this.clock);
  /** Has the correct time, as the platform has. */
  readonly secrets = new SimulatedSecretsManager({ nowMs: () => this.clock.monotonicMs() });
  readonly tokenSecret: Secret;
  readonly credentialSecret: Secret;
  readonly situation: Situation;
  readonly key: TokenKey;
  readonly before: readonly Version[];
  /** A test's wrapper around the ports of the use cases. */
  between = (ports: Process): Process => ports;
  readonly #deployment: DeploymentFile;
  readonly #log = new RecordingLog();
  readonly #metrics = new SummedMetrics();
  readonly #answers: VisibleText[] = [];
  readonly #random: () => number;
  /** Of token-refresh and of token-sweep. */
  #processes: Record<Situation['action'], Process>;

  constructor(situation: Situation, draw: Draw) {
    this.situation = situation;
    this.key = keyOf(situation);
    this.#random = draw.next;
    this.#deployment = deploymentFor(situation, 'https://platform.example');
    this.#processes = { ensure: this.start(), sweep: this.start() };
    this.tokenSecret = this.secrets.create(tokenSecretName('latchkey', this.key));
    this.credentialSecret = this.secrets.create(
      credentialSecretName('latchkey', this.key, 'client-credentials'),
    );
    this.loadCredential(CREDENTIAL_ID);
    for (const { token, versionId } of earlierTokens(this.platform, this.key, situation, this.nowMs())) {
      this.putToken(versionId, { ...token, credentialVersionId: CREDENTIAL_ID });
    }
    this.before = this.versions();
  }

  /** Makes another credential of the platform current. */
  loadCredential(versionId: string): void {
    const pair = this.platform.issueCredential(this.key.tenantId);
    this.secrets.put(this.credentialSecret.name, JSON.stringify(pair), versionId);
  }

  /** Makes a token current, as another writer would. */
  putToken(versionId: string, token: StoredToken): void {
    this.secrets.put(this.tokenSecret.name, serializeStoredToken(token, this.key), versionId);
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

  /** Clears what a cold start loses. */
  startNewProcess(): void {
    this.#processes = { ensure: this.start(), sweep: this.start() };
  }

  /** Starts a process of one of the functions. */
  start() {
    return portsOver({
      deployment: this.#deployment,
      secretsManager: clientOf(this.secrets.send),
      sendRequest: this.transport.send,
      clock: this.clock,
      random: this.#random,
      log: this.#log,
      metrics: this.#metrics,
    });
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
      const answer = await this.#handle(action, event, remainingMs);
      this.#answers.push({ place: 'answer', text: JSON.stringify(answer) });
      return { answer, elapsedMs: this.clock.monotonicMs() - startedMs };
    } catch (error) {
      this.#answers.push({ place: 'error', text: inspect(error, { depth: 8 }) });
      throw error;
    }
  }

  /** Mirrors the handler. */
  async #handle(
    action: Situation['action'],
    event: object,
    remainingMs: number,
  ): Promise<EnsureAnswer | SweepAnswer> {
    const ports = this.between(this.#processes[action]);
    const endsAtMs = this.clock.monotonicMs() + remainingMs - RESERVE_MS;
    return action === 'sweep'
      ? sweep(ports, this.#deployment, endsAtMs)
      : ensure(ports, parseEnsureEvent(event, this.#deployment), endsAtMs);
  }

  versions(): readonly Version[] {
    return [...this.tokenSecret.versions.values()].map(
      ({ versionId, stages, secretString = '', createdAtMs }) => ({
        versionId,
        stages: [...stages],
        secretString,
        writtenAtMs: createdAtMs,
      }),
    );
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
