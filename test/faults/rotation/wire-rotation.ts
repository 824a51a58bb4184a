import { inspect } from 'node:util';
import { type Context } from 'aws-lambda';

import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { type RotationStep } from '../../../core/rotation/rotation';
import { credentialSecretName, DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type TenantKey } from '../../../core/tokens/token-key';
import { type handler as Handler } from '../../../lambdas/rotate-credentials/handler';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { type CredentialVersions } from '../../../lambdas/shared/ports';
import { SecretsManagerCredentialVersions } from '../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { type VisibleText } from '../../support/canaries';
import { captureOutput } from '../../support/lambdas/captured-output';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { type LoadedBundle, loadBundle, useAwsEndpoint } from '../../support/lambdas/restore-bundle';
import { deploymentOf } from '../../support/lambdas/token-functions';
import { trustAuthority } from '../../support/lambdas/trusted-authority';
import { metricSumsOf } from '../support/function-output';
import { roleEnvironment, type SecretRights } from '../support/role-environment';
import { WirePlatform } from '../support/wire-platform';
import { trustedAuthority } from '../support/wire-world';
import { CredentialPlatform } from './credential-platform';
import { type RotationSituation, RotationWorld, TENANT_ID } from './rotation-world';

const TENANT: TenantKey = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID };
/** Too short to test a refused key again, which would take half a minute of real time. */
const REMAINING_MS = 1_500 + 8_000 + 900;

const ACTIONS = ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'];
/** The permissions that a rotation needs. */
const RIGHTS: SecretRights = { 'client-credentials-*': ACTIONS, 'api-key-*': ACTIONS };

/** The function's bundle with the real SDK against a local account, and a TLS server as its platform. */
class WireRotationWorld extends RotationWorld {
  readonly versionsPort: CredentialVersions;
  readonly #aws: LocalAws;
  readonly #bundle: LoadedBundle<typeof Handler>;
  readonly #output = captureOutput();
  readonly #errors: VisibleText[] = [];

  private constructor(
    situation: RotationSituation,
    aws: LocalAws,
    platform: CredentialPlatform,
    url: string,
  ) {
    const { kind, prefix = DEFAULT_PREFIX } = situation;
    const secret = aws.addSecret(credentialSecretName(prefix, TENANT, kind), {
      tags: { [KIND_TAG]: kind },
    });
    super(situation, platform, secret);
    this.#aws = aws;
    this.versionsPort = new SecretsManagerCredentialVersions(aws.secretsManager());
    const deployment = deploymentOf([TENANT_ID], {
      prefix,
      platform: { contentBaseUrl: `${url}/api`, contentTokenBaseUrl: `${url}/content` },
    });
    useAwsEndpoint(aws.url, roleEnvironment(aws, deployment, RIGHTS));
    this.#bundle = loadBundle<typeof Handler>('rotate-credentials', deployment);
  }

  static async start(situation: RotationSituation): Promise<WireRotationWorld> {
    const authority = await trustedAuthority();
    trustAuthority(authority.certificatePem);
    const aws = new LocalAws();
    const platform = new CredentialPlatform(TENANT_ID, () => Date.now());
    const [{ server }] = await Promise.all([
      WirePlatform.start(await authority.issue(), platform),
      aws.start(),
    ]);
    return new WireRotationWorld(situation, aws, platform, server.url);
  }

  async stop(): Promise<void> {
    this.#bundle.remove();
    await Promise.all([LoopbackServer.stopAll(), this.#aws.stop()]);
  }

  async step(Step: RotationStep, runId: string): Promise<string> {
    const startedMs = performance.now();
    const context = {
      awsRequestId: 'request-1',
      getRemainingTimeInMillis: () => REMAINING_MS - (performance.now() - startedMs),
    } as Context;
    try {
      await this.#bundle.handler({ SecretId: this.secret.arn, ClientRequestToken: runId, Step }, context);
      return 'done';
    } catch (error) {
      this.#errors.push({ place: 'error', text: inspect(error, { depth: 8 }) });
      return (error as RotationError).code;
    }
  }

  metrics(): Readonly<Record<string, number>> {
    return metricSumsOf(this.#output());
  }

  visible(): readonly VisibleText[] {
    return [...this.#errors, { place: 'standard output and error', text: this.#output() }];
  }
}

/** Runs a row over the wire. Jitter is 0, so no time is wasted. */
export async function withWireRotation(
  situation: RotationSituation,
  run: (world: RotationWorld) => Promise<void>,
): Promise<void> {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const world = await WireRotationWorld.start(situation);
  try {
    await run(world);
  } finally {
    await world.stop();
    jest.restoreAllMocks();
  }
}
