import { inspect } from 'node:util';

import { type RotationStep } from '../../../contract/rotation';
import { rotate } from '../../../lambdas/rotate-credentials/rotate';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { PlatformProof } from '../../../lambdas/shared/adapters/platform-proof';
import { type CredentialVersions } from '../../../lambdas/shared/ports';
import { type VisibleText } from '../../support/canaries';
import { type VersionState } from '../../support/lambdas/in-memory-credential-versions';
import { RotationFunctions } from '../../support/lambdas/rotation-functions';
import { type Draw } from '../support/draw';
import { VirtualTransport } from '../support/virtual-transport';
import { CredentialPlatform } from './credential-platform';
import { OLD_VERSION, type RotationSituation, RotationWorld, TENANT_ID } from './rotation-world';

const STEP_MS = 58_500;

/** The use cases and the real proof on virtual time; the rest in memory. */
export class VirtualRotationWorld extends RotationWorld {
  readonly platform: CredentialPlatform;
  readonly old: string;
  /** What the function has of its secret. */
  readonly versionsPort: CredentialVersions;
  readonly #functions: RotationFunctions;
  readonly #proof: PlatformProof;
  readonly #errors: VisibleText[] = [];

  constructor(situation: RotationSituation, draw: Draw) {
    super(situation);
    this.#functions = new RotationFunctions(situation.kind);
    const { clock, deployment, secret } = this.#functions;
    this.versionsPort = secret;
    this.platform = new CredentialPlatform(TENANT_ID, () => clock.nowMs());
    const origin = 'https://platform.example';
    this.#proof = new PlatformProof({
      platform: {
        ...deployment.platform,
        contentBaseUrl: `${origin}/api`,
        contentTokenBaseUrl: `${origin}/content`,
      },
      clock,
      random: draw.next,
      sendRequest: new VirtualTransport(this.platform, clock).send,
    });
    this.old = this.platform.issueValue(situation.kind);
    this.put(OLD_VERSION, this.old, 'AWSCURRENT');
  }

  put(versionId: string, value: string | undefined, label: string): void {
    this.#functions.secret.put(versionId, value, [label]);
  }

  move(label: string, to: string | undefined): void {
    this.#functions.secret.move(label, to);
  }

  versions(): VersionState[] {
    return this.#functions.secret.versions();
  }

  clearPending(versionId: string): Promise<string> {
    const { secret } = this.#functions;
    return secret.moveLabel(secret.arn, { label: 'AWSPENDING', from: versionId, to: undefined });
  }

  async step(Step: RotationStep, runId: string): Promise<string> {
    const { secret, clock } = this.#functions;
    const event = { SecretId: secret.arn, ClientRequestToken: runId, Step };
    try {
      await rotate({ ...this.#functions.ports(), proof: this.#proof }, event, clock.monotonicMs() + STEP_MS);
      return 'done';
    } catch (error) {
      this.#errors.push({ place: 'error', text: inspect(error, { depth: 8 }) });
      return (error as RotationError).code;
    }
  }

  metrics(): Readonly<Record<string, number>> {
    return this.#functions.metrics.counts;
  }

  visible(): readonly VisibleText[] {
    return [...this.#errors, { place: 'log and metrics', text: this.#functions.visible() }];
  }
}
