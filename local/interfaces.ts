import { type RotationRules, type Schedule, type Secret } from './account';
import { type Principal } from './iam/principal';

/** The time of the whole local run. It can be set forward, and timers due on the way fire in order. */
export interface Clock {
  nowMs(): number;
}

/** What an invocation came to, as Lambda tells it. */
export type InvocationResult =
  | { kind: 'ok'; payload: Buffer; logTail: string; requestId: string }
  /** The handler threw, timed out, crashed or could not be loaded; payload is Lambda's error document. */
  | {
      kind: 'function-error';
      functionError: 'Handled' | 'Unhandled';
      payload: Buffer;
      logTail: string;
      requestId: string;
    }
  /** No environment may be added: reserved concurrency is used up. */
  | { kind: 'throttled'; reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' };

/** Runs functions. The caller has been authorized already. */
export interface FunctionInvoker {
  invoke(functionArn: string, payload: Buffer): Promise<InvocationResult>;
  /** Queues the event as `InvocationType: Event` does; retries and destinations follow the function's configuration. */
  invokeAsync(functionArn: string, payload: Buffer): { requestId: string };
  /** Ends the processes of a function that was deleted. */
  remove(functionArn: string): Promise<void>;
}

/** What `RotateSecret` asks for. What it leaves out stays as it was configured before. */
export interface RotationRequest {
  /** Id of the version that the rotation makes. */
  versionId: string;
  lambdaArn?: string;
  rules?: RotationRules;
  /** False: only the configuration is tested now. */
  isImmediate: boolean;
}

/** Rotates secrets, in the background and by their schedules. */
export interface SecretRotator {
  /**
   * Configures rotation, and starts one or the test of the configuration.
   * @throws {AwsError} InvalidRequestException, InvalidParameterException, AccessDeniedException or LimitExceededException.
   */
  request(secret: Secret, request: RotationRequest): void;
  /** Turns the schedule off, and ends a rotation after the step that it is at. */
  cancel(secret: Secret): void;
  /** Somebody put a new current value, which some schedules take for a rotation. */
  valuePut(secret: Secret): void;
}

/** Hears of schedules that were changed while the run goes on. */
export interface ScheduleUpdates {
  /** The account holds the new definition already. */
  replaced(previous: Schedule, current: Schedule): void;
}

/** Puts a message into a queue as `principal`, whose rights are checked. */
export interface QueueSender {
  /** @throws {AwsError} AccessDenied, or the queue does not exist. */
  send(
    principal: Principal,
    queueArn: string,
    body: string,
    attributes?: Record<string, string>,
  ): { messageId: string };
}

/** One line for the person who watches the run: a step, a log line of a function, a denial. */
export interface Reporter {
  step(text: string): void;
  functionLog(functionName: string, line: string): void;
  warning(text: string): void;
}
