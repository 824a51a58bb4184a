import { type RotationRules, type Schedule, type Secret } from './account';
import { type Principal } from './iam/principal';

/** The key pair with which a client signs its requests. */
export interface KeyPair {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Tells the time of the local run. */
export interface Clock {
  nowMs(): number;
}

/** The result of an invocation, in Lambda's terms. */
export type InvocationResult =
  | { kind: 'ok'; payload: Buffer; logTail: string; requestId: string }
  /** The handler threw, timed out, crashed or failed to load. The payload is Lambda's error document. */
  | {
      kind: 'function-error';
      functionError: 'Unhandled';
      payload: Buffer;
      logTail: string;
      requestId: string;
    }
  /** The function's reserved concurrency is used up. */
  | { kind: 'throttled'; reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' };

/** What a caller sends besides the event. */
export interface InvocationOptions {
  /** The caller's `X-Amzn-Trace-Id`. */
  traceHeader?: string | undefined;
}

/** Runs functions for callers that are already authorized. */
export interface FunctionInvoker {
  invoke(functionArn: string, payload: Buffer, options?: InvocationOptions): Promise<InvocationResult>;
  /** Queues the event, as `InvocationType: Event` does. The function's configuration sets retries and destinations. */
  invokeAsync(functionArn: string, payload: Buffer, options?: InvocationOptions): { requestId: string };
  /** Ends the processes of a deleted function. */
  remove(functionArn: string): Promise<void>;
}

/** The input of `RotateSecret`. Absent fields keep their configured values. */
export interface RotationRequest {
  /** Id of the version that the rotation creates. */
  versionId: string;
  lambdaArn?: string;
  rules?: RotationRules;
  /** False if only the configuration is to be tested now. */
  isImmediate: boolean;
}

/** Rotates secrets, in the background and on their schedules. */
export interface SecretRotator {
  /**
   * Configures rotation, then starts one, or a test of the configuration.
   * @throws {AwsError} InvalidRequestException, InvalidParameterException, AccessDeniedException or LimitExceededException.
   */
  request(secret: Secret, request: RotationRequest): void;
  /** Disables the schedule, and ends a running rotation after its current step. */
  cancel(secret: Secret): void;
  /** Reschedules the next rotation, because a current value was put by hand. */
  valuePut(secret: Secret): void;
}

/** Receives changes to schedules during the run. */
export interface ScheduleUpdates {
  /** Called once the account holds the new definition. */
  replaced(previous: Schedule, current: Schedule): void;
}

/** Sends a message to a queue as `principal`, whose permissions are checked. */
export interface QueueSender {
  /** @throws {AwsError} AccessDenied, or if the queue does not exist */
  send(
    principal: Principal,
    queueArn: string,
    body: string,
    attributes?: Record<string, string>,
  ): { messageId: string };
}

/** Takes lines for the person watching the run: steps, function logs, warnings. */
export interface Reporter {
  step(text: string): void;
  functionLog(functionName: string, line: string): void;
  warning(text: string): void;
}
