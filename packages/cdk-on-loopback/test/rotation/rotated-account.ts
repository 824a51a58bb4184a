import { type RotationEvent, type RotationStep } from '../../src/rotation/rotation-function';
import { type PolicyDocument, type Secret } from '../../src/account';
import { moveLabel } from '../../src/aws/secrets-manager/labels';
import { standingClock } from '../../src/testing/standing-clock';
import { type InvocationResult, type RotationRequest } from '../../src/interfaces';
import { Rotator } from '../../src/rotation/rotator';
import { lambdaFunction } from '../../src/testing/account-parts';
import { RecordingReporter } from '../../src/testing/recording-reporter';
import { emptyAccount, NOW_MS } from '../../src/testing/stacks';
import { THROTTLED } from '../support/invocation-results';
import { allow } from '../support/policies';

const ACCOUNT_ID = '111111111111';
export const FUNCTION_ARN = `arn:aws:lambda:eu-west-1:${ACCOUNT_ID}:function:rotate`;
const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
export { B, C };

/** An account with one function that rotates secrets by AWS's contract, on a clock that stands still. */
export class RotatedAccount {
  readonly account = emptyAccount();
  readonly clock = standingClock(NOW_MS);
  readonly reporter = new RecordingReporter();
  /** Seconds since the start, step and version, in order of invocation. */
  readonly invoked: string[] = [];
  /** Steps that fail, and how many more times. */
  readonly failing = new Map<RotationStep, number>();
  /** Every step waits for this first. */
  gate: Promise<void> = Promise.resolve();
  isThrottled = false;
  /** Makes finishSecret succeed without promoting a version. */
  forgetsToPromote = false;
  /** Called during finishSecret. */
  atFinish: () => void = () => undefined;
  readonly rotator: Rotator;

  constructor({ isStarted = true } = {}) {
    const resourcePolicy: PolicyDocument = {
      Statement: {
        ...allow('lambda:InvokeFunction', FUNCTION_ARN, {
          StringEquals: { 'aws:SourceAccount': ACCOUNT_ID },
          ArnLike: { 'aws:SourceArn': `arn:aws:secretsmanager:eu-west-1:${ACCOUNT_ID}:secret:latchkey/*` },
        }),
        Principal: { Service: 'secretsmanager.amazonaws.com' },
      },
    };
    this.account.functions.set(FUNCTION_ARN, lambdaFunction('rotate', { resourcePolicy }));
    this.rotator = new Rotator({
      account: this.account,
      clock: this.clock,
      reporter: this.reporter,
      invoker: {
        invoke: (_, payload) => this.invoke(JSON.parse(payload.toString()) as RotationEvent),
        invokeAsync: () => ({ requestId: 'r' }),
        remove: async () => undefined,
      },
    });
    if (isStarted) this.rotator.start();
  }

  /** A secret whose version A is current. */
  addSecret(name = 'latchkey/staging/mea/t1/api-key'): Secret {
    const arn = `arn:aws:secretsmanager:eu-west-1:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
    const current = {
      versionId: A,
      createdAtMs: NOW_MS,
      secretString: 'one',
      stages: new Set(['AWSCURRENT']),
    };
    const times = { createdAtMs: NOW_MS, lastChangedAtMs: NOW_MS };
    const secret = { arn, name, tags: {}, ...times, versions: new Map([[A, current]]) };
    this.account.secrets.set(arn, secret);
    return secret;
  }

  /** Blocks all steps. @returns a function that unblocks them */
  close(): () => void {
    let open = (): void => undefined;
    this.gate = new Promise((resolve) => (open = resolve));
    return open;
  }

  request(secret: Secret, more: Partial<RotationRequest> = {}): void {
    this.rotator.request(secret, { versionId: B, lambdaArn: FUNCTION_ARN, isImmediate: true, ...more });
  }

  private async invoke({ Step, SecretId, ClientRequestToken }: RotationEvent): Promise<InvocationResult> {
    this.invoked.push(`${(this.clock.nowMs() - NOW_MS) / 1000} ${Step} ${ClientRequestToken.slice(0, 1)}`);
    await this.gate;
    if (this.isThrottled) return THROTTLED;
    const told = { logTail: '', requestId: 'r' };
    const failures = this.failing.get(Step) ?? 0;
    if (failures > 0) {
      this.failing.set(Step, failures - 1);
      const payload = Buffer.from('{"errorType":"RotationError","errorMessage":"candidate_missing"}');
      return { kind: 'function-error', functionError: 'Unhandled', payload, ...told };
    }
    const secret = this.account.secrets.get(SecretId)!;
    const version = secret.versions.get(ClientRequestToken)!;
    if (Step === 'createSecret') version.secretString ??= 'two';
    if (Step === 'finishSecret') this.atFinish();
    if (Step === 'finishSecret' && !this.forgetsToPromote) moveLabel(secret, 'AWSCURRENT', version);
    return { kind: 'ok', payload: Buffer.from('null'), ...told };
  }
}

/** Labels by version: `{a: 'AWSPREVIOUS', b: 'AWSCURRENT AWSPENDING'}`. */
export function labelsOf(secret: Secret): Record<string, string> {
  return Object.fromEntries(
    [...secret.versions.values()].map(({ versionId, stages }) => [
      versionId[0]!,
      [...stages].sort().join(' '),
    ]),
  );
}
