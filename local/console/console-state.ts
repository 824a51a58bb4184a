/**
 * What the page knows: types alone, so that the page's own scripts are checked against them too. Nothing in it is secret.
 * Times are milliseconds since the epoch by the clock of the run.
 */
import { type SecretFailure } from '../../contract/deployment-snapshot';
import { type FindingKind } from '../../contract/finding-kinds';
import { type TokenType } from '../../contract/platform';
import { type CredentialKind } from '../../contract/secret-names';
import { type DeploymentKey, type TenantKey } from '../../contract/token-key';

/** The whole system at one moment. */
export interface ConsoleState {
  nowMs: number;
  /** How far the clock of the run is ahead of real time. */
  aheadMs: number;
  /** The clock is being set forward right now. */
  isAdvancing: boolean;
  /** Under this life left a token is renewed. */
  renewedBelowMs: number;
  /** A token that is renewed in time never has less life left than this. */
  guaranteedLifeMs: number;
  deployments: DeploymentView[];
  alarms: AlarmsView;
  /** Faults in force in the sandbox. */
  faults: FaultView[];
  /** Requests to the platform, the latest first. */
  requests: RequestView[];
  /** Requests to the restore APIs, the latest first. */
  restores: RestoreView[];
}

export interface DeploymentView extends DeploymentKey {
  stack: string;
  /** Age at which a credential has to be replaced. */
  maxAgeMs: number;
  hasRestoreApi: boolean;
  tenants: TenantView[];
}

export interface TenantView {
  tenantId: string;
  credentials: CredentialView[];
  tokens: TokenView[];
  findings: FindingView[];
}

export interface CredentialView {
  kind: CredentialKind;
  /** `loaded`, `not loaded`, or why it could not be looked at. */
  state: string;
  promotedAtMs?: number;
  /** Of an API key. */
  validUntilMs?: number;
  /** A version that is to replace the current one. */
  successor?: 'pending' | 'staged';
}

export type TokenView = TokenType & {
  /** Why it could not be looked at. */
  access: 'ok' | SecretFailure['access'];
  issuedAtMs?: number;
  expiresAtMs?: number;
};

export interface FindingView {
  kind: FindingKind;
  severity: 'critical' | 'warning' | 'info';
  message: string;
  meaning: string;
  /** The command that mends it. */
  command: string;
}

export interface AlarmsView {
  /** Those that notify first, then the latest first. */
  inAlarm: AlarmView[];
  /** How many are in each state. */
  counts: { alarm: number; ok: number; insufficientData: number };
}

export interface AlarmView extends DeploymentKey {
  /** Without deployment and tenant, such as `token-life`. */
  name: string;
  tenantId?: string;
  sinceMs: number;
  /** Whether somebody was notified of it. */
  notifies: boolean;
  /** What happened, what it means, what to do; commands are in back-quotes. */
  advice: string;
}

export interface FaultView {
  target: FaultPoint;
  /** Such as `answers 503`. */
  effect: string;
  /** How often it still happens; for ever without. */
  times?: number;
  /** Where it happens; everywhere without. */
  place?: Partial<TenantKey>;
}

/** A part of the sandbox that faults and requests are about. */
type FaultPoint = 'token' | 'content' | 'tenants' | 'webhooks';

export interface RequestView {
  atMs: number;
  target: FaultPoint;
  method: string;
  /** Parts of it that are neither known words nor known ids are left out. */
  path: string;
  /** 0 where the connection broke. */
  status: number;
}

export interface RestoreView extends DeploymentKey {
  atMs: number;
  /** Absent where the caller named none that exists. */
  tenantId?: string;
  contentId?: string;
  status: number;
  /** Of the problem that was answered. */
  code?: string;
}

/** How an action ended. */
export interface ActionOutcome {
  ok: boolean;
  /** One sentence for the person. */
  message: string;
}
