import { type ServerOptions } from 'node:https';
import { inspect } from 'node:util';
import { type Context } from 'aws-lambda';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { type EnsureAnswer, type EnsureEvent, type SweepAnswer } from '../../../core/tokens/token-refresh';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { serializeStoredToken } from '../../../core/tokens/stored-token';
import { type Secret } from 'cdk-on-loopback/testing';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { type VisibleText } from '../../support/canaries';
import { captureOutput } from '../../support/lambdas/captured-output';
import { CertificateAuthority } from '../../support/lambdas/certificates';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { type LoadedBundle, loadBundle, useAwsEndpoint } from '../../support/lambdas/restore-bundle';
import { trustAuthority } from '../../support/lambdas/trusted-authority';
import { deploymentFor, earlierTokens, keyOf } from './arrangement';
import { AwsGate } from './aws-gate';
import { logLinesOf, metricSumsOf } from './function-output';
import { PlatformDouble } from './platform-double';
import { roleEnvironment, type SecretRights } from './role-environment';
import { WirePlatform } from './wire-platform';
import { type Invocation, type LogLine, type Situation, type Version } from './world';

/** The permissions of the token functions. */
const RIGHTS: SecretRights = {
  'client-credentials-*': ['GetSecretValue', 'DescribeSecret'],
  'token/*': ['GetSecretValue', 'DescribeSecret', 'PutSecretValue'],
};

/** The function's bundle with the real SDK against a local account, and a TLS server as its platform. */
export class WireWorld {
  readonly aws: LocalAws;
  /** The function's AWS endpoint, in front of the local account. */
  readonly gate: AwsGate;
  readonly platform: PlatformDouble;
  readonly wirePlatform: WirePlatform;
  readonly situation: Situation;
  readonly key: TokenKey;
  readonly tokenSecret: Secret;
  readonly before: readonly Version[];
  readonly output: () => string;
  readonly #deployment: DeploymentFile;
  readonly #answers: VisibleText[] = [];
  /** Every bundle that was loaded, and the last one of each function. */
  readonly #bundles: LoadedBundle<TokenFunction>[] = [];
  readonly #current = new Map<string, LoadedBundle<TokenFunction>>();

  private constructor(
    situation: Situation,
    aws: LocalAws,
    gate: AwsGate,
    platform: PlatformDouble,
    wirePlatform: WirePlatform,
  ) {
    this.aws = aws;
    this.gate = gate;
    this.platform = platform;
    this.wirePlatform = wirePlatform;
    this.situation = situation;
    this.key = keyOf(situation);
    this.output = captureOutput();
    this.#deployment = deploymentFor(situation, wirePlatform.server.url);
    const { prefix } = this.#deployment;
    const credentialSecret = aws.addSecret(credentialSecretName(prefix, this.key, 'client-credentials'));
    this.tokenSecret = aws.addSecret(tokenSecretName(prefix, this.key));
    const credentialVersionId = 'credential-version-of-the-tenant-001';
    const credential = JSON.stringify(platform.issueCredential(this.key.tenantId));
    this.putByHand(credentialSecret, credentialVersionId, credential);
    for (const { token, versionId } of earlierTokens(platform, this.key, situation, this.nowMs())) {
      const value = serializeStoredToken({ ...token, credentialVersionId }, this.key);
      this.putByHand(this.tokenSecret, versionId, value);
    }
    this.before = this.versions();
    useAwsEndpoint(gate.url, roleEnvironment(aws, this.#deployment, RIGHTS));
    this.startNewProcess();
  }

  static async start(situation: Situation, server: ServerOptions = {}): Promise<WireWorld> {
    const platform = new PlatformDouble(() => Date.now());
    const authority = await trustedAuthority();
    trustAuthority(authority.certificatePem);
    const certificate = server.cert === undefined ? await authority.issue() : {};
    const aws = new LocalAws();
    const [wirePlatform] = await Promise.all([
      WirePlatform.start({ ...certificate, ...server }, platform),
      aws.start(),
    ]);
    const gate = await AwsGate.start(aws.url);
    return new WireWorld(situation, aws, gate, platform, wirePlatform);
  }

  async stop(): Promise<void> {
    for (const loaded of this.#bundles) loaded.remove();
    await Promise.all([LoopbackServer.stopAll(), this.gate.stop(), this.aws.stop()]);
  }

  nowMs(): number {
    return Date.now();
  }

  /** Loads the functions again, with empty memory. */
  startNewProcess(): void {
    for (const name of ['token-refresh', 'token-sweep']) {
      const loaded = loadBundle<TokenFunction>(name, this.#deployment);
      this.#bundles.push(loaded);
      this.#current.set(name, loaded);
    }
  }

  async invoke(
    action = this.situation.action,
    remainingMs = 5_000,
    change: Partial<EnsureEvent> = {},
  ): Promise<Invocation> {
    const startedMs = performance.now();
    const context = {
      awsRequestId: 'request-1',
      getRemainingTimeInMillis: () => remainingMs - (performance.now() - startedMs),
    } as Context;
    const { tenantId, interface: of, scope } = this.key;
    const event = action === 'sweep' ? { action } : { action, tenantId, interface: of, scope, ...change };
    try {
      const answer = await this.#current.get(functionFor(action))!.handler(event, context);
      this.#answers.push({ place: 'answer', text: JSON.stringify(answer) });
      return { answer, elapsedMs: performance.now() - startedMs };
    } catch (error) {
      this.#answers.push({ place: 'error', text: inspect(error, { depth: 8 }) });
      throw error;
    }
  }

  versions(): readonly Version[] {
    return [...this.tokenSecret.versions.values()].map(
      ({ versionId, stages, secretString, createdAtMs }) => ({
        versionId,
        stages: [...stages],
        secretString: secretString ?? '',
        writtenAtMs: createdAtMs,
      }),
    );
  }

  log(): readonly LogLine[] {
    return logLinesOf(this.output());
  }

  metrics(): Readonly<Record<string, number>> {
    return metricSumsOf(this.output());
  }

  visible(): readonly VisibleText[] {
    return [...this.#answers, { place: 'standard output and error', text: this.output() }];
  }

  /** Makes a version current without a call to the endpoint. */
  putByHand({ versions }: Secret, versionId: string, secretString: string): void {
    for (const { stages } of versions.values()) {
      stages.delete('AWSPREVIOUS');
      if (stages.delete('AWSCURRENT')) stages.add('AWSPREVIOUS');
    }
    const stages = new Set(['AWSCURRENT']);
    versions.set(versionId, { versionId, secretString, stages, createdAtMs: this.nowMs() });
  }
}

type TokenFunction = (event: object, context: Context) => Promise<EnsureAnswer | SweepAnswer>;

/** The function that accepts events with this action. */
export function functionFor(action: Situation['action']): string {
  return action === 'sweep' ? 'token-sweep' : 'token-refresh';
}

/**
 * Runs a row over the wire. Jitter is 0, so no time is wasted.
 * @param server the platform's certificate or TLS options
 */
export async function withWireWorld(
  situation: Situation,
  run: (world: WireWorld) => Promise<void>,
  server?: ServerOptions,
): Promise<void> {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const world = await WireWorld.start(situation, server);
  try {
    await run(world);
  } finally {
    await world.stop();
    jest.restoreAllMocks();
  }
}

let authority: Promise<CertificateAuthority> | undefined;

/** The certificate authority of the platform, created once per run. */
export function trustedAuthority(): Promise<CertificateAuthority> {
  authority ??= CertificateAuthority.create();
  return authority;
}
