import { randomUUID } from 'node:crypto';
import { type RotationRules, type Secret } from '../account';
import { accessDenied, AwsError, invalidRequest } from '../aws/aws-error';
import { holderOf, unfinishedVersion } from '../aws/secrets-manager/labels';
import { addPendingVersion } from '../aws/secrets-manager/secret-versions';
import { type ClockTimer } from '../run-clock';
import { type RotationRequest, type SecretRotator } from '../interfaces';
import { admitsSecretsManager } from './rotation-function';
import { RotationRuns, type RotationRunsOptions } from './rotation-runs';
import { RotationRulesError, type RotationWindows, rotationWindows } from './rotation-windows';

type RotatorOptions = Omit<RotationRunsOptions, 'rotated'>;

/**
 * Secrets Manager's rotation: configures, schedules and starts it.
 * @see API_RotateSecret, API_CancelRotateSecret; Secrets Manager user guide, rotate-secrets_schedule
 */
export class Rotator implements SecretRotator {
  /**
   * Whether AWSPENDING stays on the version that a rotation made current. AWS documents both; its backend removes it.
   * @see https://github.com/aws-samples/aws-secrets-manager-rotation-lambdas/pull/145
   */
  keepsPending = false;
  private readonly options: RotatorOptions;
  private readonly runs: RotationRuns;
  /** By secret ARN. */
  private readonly planned = new Map<string, ClockTimer>();

  constructor(options: RotatorOptions) {
    this.options = options;
    this.runs = new RotationRuns({ ...options, rotated: (secret) => this.rotated(secret) });
  }

  /** Starts what was requested so far; functions can be invoked from now on. */
  start(): void {
    this.runs.start();
  }

  /** Ends all rotations, even during a step. */
  close(): void {
    for (const timer of this.planned.values()) timer.cancel();
    this.runs.close();
  }

  request(secret: Secret, { versionId, lambdaArn, rules, isImmediate }: RotationRequest): void {
    const { account, clock } = this.options;
    const functionArn = lambdaArn ?? secret.rotation?.lambdaArn;
    if (functionArn === undefined)
      throw invalidRequest('No Lambda rotation function ARN is associated with this secret.');
    if (!admitsSecretsManager(account, functionArn, secret.arn)) {
      throw accessDenied(
        'Secrets Manager cannot invoke the specified Lambda function. Ensure that the function policy grants access ' +
          'to the principal secretsmanager.amazonaws.com.',
      );
    }
    const unfinished = unfinishedVersion(secret);
    if (unfinished) {
      if (secret.rotation) this.runs.rotate(secret, unfinished.versionId);
      throw invalidRequest("A previous rotation isn't complete. That rotation will be reattempted.");
    }
    if (secret.versions.has(versionId))
      throw invalidRequest(
        `You can't use ClientRequestToken ${versionId}: a version of the secret has this id.`,
      );
    const allRules = rules ?? secret.rotation?.rules ?? {};
    const windows = this.windowsOf(allRules);
    const isChanged = rules !== undefined || !secret.rotation?.isEnabled;
    addPendingVersion(secret, versionId, clock.nowMs());
    secret.rotation = { ...secret.rotation, lambdaArn: functionArn, rules: allRules, isEnabled: true };
    if (isChanged) this.plan(secret, windows);
    if (isImmediate) this.runs.rotate(secret, versionId);
    else this.runs.test(secret, versionId);
  }

  cancel(secret: Secret): void {
    if (secret.rotation) secret.rotation.isEnabled = false;
    this.planned.get(secret.arn)?.cancel();
    this.runs.cancel(secret);
  }

  /**
   * Schedules the next rotation as if this had been one. Nothing else changes.
   * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda.html (a value updated manually)
   */
  valuePut(secret: Secret): void {
    const { rotation } = secret;
    if (rotation?.isEnabled) this.plan(secret, this.windowsOf(rotation.rules));
  }

  private rotated(secret: Secret): void {
    const { rotation } = secret;
    if (!rotation) return;
    if (!this.keepsPending) holderOf(secret, 'AWSCURRENT')?.stages.delete('AWSPENDING');
    rotation.lastRotatedAtMs = this.options.clock.nowMs();
    if (rotation.isEnabled) this.plan(secret, this.windowsOf(rotation.rules));
  }

  /** @throws {AwsError} InvalidParameterException */
  private windowsOf(rules: RotationRules): RotationWindows | undefined {
    try {
      return rotationWindows(rules, this.options.clock.nowMs());
    } catch (error) {
      if (!(error instanceof RotationRulesError)) throw error;
      throw new AwsError('InvalidParameterException', error.message, { cause: error });
    }
  }

  /** Schedules the next rotations. */
  private plan(secret: Secret, windows: RotationWindows | undefined): void {
    this.planned.get(secret.arn)?.cancel();
    const openingMs = windows?.openingMs(this.options.clock.nowMs());
    secret.rotation!.nextRotationAtMs =
      windows && openingMs !== undefined ? windows.endMs(openingMs) : undefined;
    if (windows) this.rotateAt(secret, windows, openingMs);
  }

  /** Runs the schedule. NextRotationDate changes only when a rotation succeeds, but the schedule continues either way. */
  private rotateAt(secret: Secret, windows: RotationWindows, openingMs: number | undefined): void {
    if (openingMs === undefined) return;
    const timer = this.options.clock.at(openingMs, () => {
      this.rotateAt(secret, windows, windows.openingMs(openingMs));
      this.rotateBySchedule(secret);
    });
    this.planned.set(secret.arn, timer);
  }

  private rotateBySchedule(secret: Secret): void {
    const { account, clock, reporter } = this.options;
    if (account.secrets.get(secret.arn) !== secret || secret.deletedAtMs !== undefined) return;
    try {
      const { versionId } =
        unfinishedVersion(secret) ?? addPendingVersion(secret, randomUUID(), clock.nowMs());
      this.runs.rotate(secret, versionId);
    } catch (error) {
      reporter.warning(`${secret.name} could not be rotated: ${(error as Error).message}`);
    }
  }
}
