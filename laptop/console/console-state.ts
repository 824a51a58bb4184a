/**
 * The state that the page receives. These are types only, so that the page's scripts can be checked against them.
 * Nothing in it is secret. Times are milliseconds since the epoch, by the run's clock.
 */
import { type SecretFailure } from '../../core/deployment/deployment-snapshot';
import { type FindingKind } from '../../core/findings/finding-kinds';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { type DeploymentKey, type TenantKey, type TokenType } from '../../core/tokens/token-key';
import { type CredentialDate } from '../../core/findings/credential-dates';

/** The state of the whole system. */
export interface ConsoleState {
  nowMs: number;
  /** How far the run's clock is ahead of real time. */
  aheadMs: number;
  /** A token that expires sooner than this is renewed. */
  renewedBelowMs: number;
  /** While renewals work, no token is closer to its expiry than this. */
  guaranteedLifeMs: number;
  deployments: DeploymentView[];
  /** What `latchkey status` would find, by cause, the most severe first. */
  findings: FindingView[];
  alarms: AlarmsView;
  /** The active faults in the sandbox. */
  faults: FaultView[];
  /** Requests to the platform, latest first. */
  requests: RequestView[];
  /** Requests to the restore APIs, latest first. */
  restores: RestoreView[];
}

export type DeploymentView = DeploymentKey & {
  stack: string;
  hasRestoreApi: boolean;
  /** Whether the platform offers restore; absent without a restore API. */
  restore?: AvailabilityView;
  tenants: TenantView[];
};

export interface AvailabilityView {
  /** For example `offered by the platform`. */
  text: string;
  /** When the restore function found out; absent if it has not. */
  foundAtMs?: number;
  /** Set if that contradicts the configuration. */
  severity?: FindingView['severity'];
}

export interface TenantView {
  tenantId: string;
  credentials: CredentialView[];
  tokens: TokenView[];
}

export interface CredentialView {
  kind: CredentialKind;
  /** `loaded`, `not loaded`, `refused`, or why it cannot be read. */
  state: string;
  /** When something happens to it, the earliest first; absent if nothing is loaded. */
  dates?: CredentialDate[];
  /** A version that will replace the current one. */
  successor?: 'pending' | 'staged';
  /** The most severe finding about it that needs attention. */
  problem?: Pick<FindingView, 'kind' | 'severity'>;
}

export type TokenView = TokenType & {
  /** `ok`, or why it cannot be read. */
  access: 'ok' | SecretFailure['access'];
  expiresAtMs?: number;
};

/** A cause with what it causes. Without a tenant if it is about the whole deployment. */
export type FindingView = DeploymentKey & {
  tenantId?: string;
  kind: FindingKind;
  severity: 'critical' | 'warning' | 'info';
  message: string;
  meaning: string;
  /** What a person does elsewhere: before the command, if there is one. */
  remedy?: string;
  /** The command that fixes it. */
  command?: string;
};

export interface AlarmsView {
  /** Those that notify first, then latest first: at most 50. */
  inAlarm: AlarmView[];
  /** The number of alarms in each state. */
  counts: { alarm: number; ok: number; insufficientData: number };
}

export type AlarmView = DeploymentKey & {
  /** The name without deployment and tenant, for example `token-life`. */
  name: string;
  tenantId?: string;
  sinceMs: number;
  /** Whether the alarm notifies the topic. */
  notifies: boolean;
  /** What happened, what it means and what to do, with commands in back-quotes. */
  advice: string;
};

export interface FaultView {
  target: FaultPoint;
  /** For example `returns 503`. */
  effect: string;
  /** How many more times it happens; absent if until cleared. */
  times?: number;
  /** Where it happens; absent if everywhere. */
  place?: Partial<TenantKey> & { issuer?: string };
}

/** The part of the sandbox that a fault or request is about. */
type FaultPoint = 'token' | 'content' | 'tenants' | 'webhooks' | 'resource';

export interface RequestView {
  atMs: number;
  target: FaultPoint;
  method: string;
  /** Segments that are neither known words nor known ids are left out. */
  path: string;
  /** 0 if the connection broke. */
  status: number;
  durationMs: number;
  /** Absent if the request names no configured tenant. */
  tenantId?: string;
  /** What the injected fault does, for example `returns 503`; absent if there was none. */
  fault?: string;
}

/** A request to a restore API. What the log lines lack is absent. */
export type RestoreView = DeploymentKey & {
  atMs: number;
  durationMs?: number;
  /** How the caller authenticated: `basic`, `bearer` or `iam`. */
  scheme?: string;
  /** `api-key`, a token type such as `content api/write`, or the ARN of an IAM principal. */
  caller?: string;
  /** Whether that key or token was the `current` or the `previous` one. */
  callerVersion?: string;
  /** The acting user; a digest if the platform did not accept it. */
  authorRef?: string;
  collaborationId?: string;
  traceId?: string;
  /** API Gateway's, as in the `requestId` of a problem. */
  requestId?: string;
  /** Absent if the request names no existing tenant. */
  tenantId?: string;
  contentId?: string;
  status: number;
  /** The code of the problem in the response. */
  code?: string;
};
