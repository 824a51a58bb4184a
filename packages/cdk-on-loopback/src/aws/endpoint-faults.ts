import { AwsError, validationError } from './aws-error';
import { type Input } from './input';

/** An error that the endpoint returns instead of running an operation. */
interface Fault {
  service: string;
  operation: string;
  error: string;
  /** How many more times it strikes; absent for a fault that lasts until all are deleted. */
  timesLeft?: number;
  /** Strikes only requests whose SecretId contains this text. */
  secretId?: string;
}

/** Errors injected into the endpoint, to test how clients handle them. */
export class Faults {
  private readonly faults: Fault[] = [];

  /**
   * Adds a fault: `{"service","operation","error","times"?,"match"?: {"secretId"}}`.
   * @throws {AwsError} ValidationException naming the invalid member
   */
  add(input: Input): void {
    input.refuseOtherThan(['service', 'operation', 'error', 'times', 'match']);
    const match = input.optionalInput('match');
    match?.refuseOtherThan(['secretId']);
    const error = input.text('error');
    if (!/^\w{1,100}$/.test(error)) throw validationError('error must be the name of an exception');
    this.faults.push({
      service: input.text('service'),
      operation: input.text('operation'),
      error,
      timesLeft: input.optionalInteger('times', { min: 1 }),
      secretId: match?.text('secretId'),
    });
  }

  clear(): void {
    this.faults.length = 0;
  }

  /** @throws {AwsError} the oldest matching fault, which loses one of its remaining times */
  strike(service: string, operation: string, secretId: string | undefined): void {
    const fault = this.faults.find(
      (candidate) =>
        candidate.service === service &&
        candidate.operation === operation &&
        candidate.timesLeft !== 0 &&
        (candidate.secretId === undefined || (secretId ?? '').includes(candidate.secretId)),
    );
    if (!fault) return;
    if (fault.timesLeft !== undefined) fault.timesLeft--;
    const statusCode = /^Internal|^ServiceUnavailable/.test(fault.error) ? 500 : 400;
    throw new AwsError(fault.error, `injected by /_local/faults into ${service} ${operation}`, {
      statusCode,
    });
  }
}
