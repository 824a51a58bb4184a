import { type CANDIDATE_LABEL, type OutcomeLabel } from '../contract/credential-labels';
import { type FindingKind } from '../contract/finding-kinds';
import { type TokenType } from '../contract/platform';
import { type ScheduledFunction } from '../contract/schedules';
import { type CredentialKind } from '../contract/secret-names';
import { type TenantKey } from '../contract/token-key';
import { type FixCommands } from './fix-commands';

/** `critical`: callers fail, or will within days. `warning`: somebody has to do something. `info`: nothing to do. */
export type Severity = 'critical' | 'warning' | 'info';

/** One thing to know about a deployment, with its one safe remedy. Holds nothing secret. */
export interface Finding {
  kind: FindingKind;
  severity: Severity;
  place: Omit<TenantKey, 'tenantId'> & { tenantId?: string };
  /** Which credential, where it is about one. */
  credential?: CredentialKind;
  /** Which token, where it is about one. */
  token?: TokenType;
  /** What is the case: one sentence. */
  message: string;
  /** What it means for those who read tokens and call the API: one sentence. */
  meaning: string;
  /** The one command that fixes it, or a page of the runbook; `doctor --fix` does what `fix` says. */
  repair: { command: string; fix?: Fix };
}

/** A label that a fix may remove from a version. */
export type RemovableLabel = 'AWSPENDING' | typeof CANDIDATE_LABEL | OutcomeLabel;

/** A fix that a program can do. All are compare-and-set or harmless when repeated. */
export type Fix =
  /** Takes these labels off these versions, in this order, each if it is still there. */
  | {
      action: 'remove_labels';
      secretId: string;
      versions: { versionId: string; labels: RemovableLabel[] }[];
    }
  /** Rotates to what is staged, after it has cleared what an ended run left: as `latchkey credentials rotate` does. */
  | { action: 'rotate'; credential: CredentialKind }
  /** Asks for a fresh token. */
  | { action: 'refresh_token'; token: TokenType }
  /** Sweeps all tokens of the deployment, which replaces those of a retired credential. */
  | { action: 'sweep' }
  /** Has a schedule start its function again; of token-sweep, the run that is due is made up for at once. */
  | { action: 'enable_schedule'; functionName: ScheduledFunction; scheduleName: string };

/** What every rule gets besides the state that it inspects. */
export interface RuleContext {
  nowMs: number;
  commands: FixCommands;
}

/** A finding without its place. */
export type Found = Omit<Finding, 'place'>;
