import { createHmac } from 'node:crypto';
import { type Account, type MfaDevice } from '../account';
import { AwsError } from '../aws/aws-error';
import { type Principal } from './principal';

const STEP_MS = 30_000;
/** Codes of the steps before and after the present one also count, because clocks differ. */
const DRIFT_STEPS = 1;

/** The code that a device shows: six digits. @see https://www.rfc-editor.org/rfc/rfc6238 */
export function mfaCodeAt({ secret }: Pick<MfaDevice, 'secret'>, nowMs: number): string {
  return codeOfStep(secret, Math.floor(nowMs / STEP_MS));
}

/**
 * Requires that the caller's own device shows a code, which counts once.
 * @throws {AwsError} AccessDeniedException with AWS's text
 * @see https://github.com/aws/aws-cli/issues/6325 (another's device)
 * @see https://github.com/aws/aws-cli/issues/2279 (a wrong code, or one that was used)
 */
export function requireMfaCode(
  { mfaDevices }: Account,
  principal: Principal,
  { serial, code, nowMs }: { serial: string; code: string; nowMs: number },
): void {
  const device = mfaDevices.get(serial);
  if (!device || principal.kind === 'service' || device.userArn !== principal.arn) {
    throw failure(
      ', unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.',
    );
  }
  const now = Math.floor(nowMs / STEP_MS);
  const steps = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, n) => now - DRIFT_STEPS + n);
  const step = steps.find(
    (each) => each > (device.lastUsedStep ?? -1) && codeOfStep(device.secret, each) === code,
  );
  if (step === undefined) throw failure(' with invalid MFA one time pass code.');
  device.lastUsedStep = step;
}

function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash.at(-1)! & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function failure(reason: string): AwsError {
  return new AwsError('AccessDeniedException', `MultiFactorAuthentication failed${reason}`);
}
