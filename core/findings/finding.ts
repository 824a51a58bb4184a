import { type TokenType } from '../tokens/token-key';
import { type CANDIDATE_LABEL, type LacksLabel, type OutcomeLabel } from '../secrets/credential-labels';
import { type FindingKind } from './finding-kinds';
import { type DeployedProfile } from '../deployment/deployment-file';
import { type Place } from '../commands/place-flags';
import { type ScheduledFunction } from '../deployment/schedules';
import { type CredentialKind } from '../secrets/secret-names';
import { type FixCommands } from '../commands/fix-commands';

/** The most severe first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const;
/** `critical`: callers fail, or will within days. `warning`: someone must act. `info`: no action needed. */
export type Severity = (typeof SEVERITIES)[number];

/** One thing that inspect reports about a deployment, with what removes it. Holds no secrets. */
export interface Finding {
  kind: FindingKind;
  severity: Severity;
  place: Place;
  /** Set if the finding is about a credential. */
  credential?: CredentialKind;
  /** Set if the finding is about a token. */
  token?: TokenType;
  /** Set if the finding is about a schedule. */
  schedule?: ScheduledFunction;
  /** The earliest time at which it can have begun, if known: ISO 8601. */
  since?: string;
  /** What is wrong: one sentence. */
  message: string;
  /** What it means for callers: a sentence or two. */
  meaning: string;
  repair: Repair;
  /** The finding of the same inspection that causes this one. `repair` is then that of the cause. */
  cause?: FindingKey;
}

/** What identifies a finding in an inspection. */
export type FindingKey = Pick<Finding, 'kind' | 'place' | 'credential' | 'token' | 'schedule'>;

/** What removes a finding: at least a remedy or a command. */
export interface Repair {
  /** What a person does elsewhere: before the command, if there is one. */
  remedy?: string;
  /** The command that fixes it. */
  command?: string;
  /** What `doctor --fix` applies. */
  fix?: Fix;
}

/** A label that a fix may remove from a version. */
export type RemovableLabel = 'AWSPENDING' | typeof CANDIDATE_LABEL | OutcomeLabel | LacksLabel;

/** A fix that a program can apply. Each is safe to repeat. */
export type Fix =
  /** Removes these labels from these versions, in this order, if they are still there. */
  | {
      action: 'remove_labels';
      secretId: string;
      versions: { versionId: string; labels: RemovableLabel[] }[];
    }
  /** Rotates to the candidate, as `latchkey credentials rotate` does. */
  | { action: 'rotate'; credential: CredentialKind }
  /** Has rotate-credentials try the current API key. */
  | { action: 'prove_key' }
  /** Renews a token. */
  | { action: 'refresh_token'; token: TokenType }
  /** Runs a sweep, which replaces tokens of a retired credential. */
  | { action: 'sweep' }
  /** Enables a schedule, and runs a sweep at once if it is token-sweep's. */
  | { action: 'enable_schedule'; functionName: ScheduledFunction; scheduleName: string }
  /** Lets Secrets Manager rotate on this schedule, `cron(…)` or `none`. Starts no rotation. */
  | { action: 'set_rotation_schedule'; secretId: string; schedule: string }
  /** Cancels the deletion of a secret. */
  | { action: 'restore_secret'; secretId: string };

/** What `doctor --fix` does, for its help. */
export const FIX_TEXTS: Readonly<Record<Fix['action'], string>> = {
  remove_labels: 'removes the labels that a stopped or refused rotation left behind',
  rotate: 'rotates to a staged credential, if its issuer accepts it',
  prove_key: 'has an unproven API key tried',
  refresh_token: 'renews tokens that are overdue or missing',
  sweep: 'runs a sweep, which replaces tokens of a retired credential',
  enable_schedule: 'enables a disabled schedule, and if it is that of token-sweep, runs a sweep',
  set_rotation_schedule: 'sets the configured rotation schedule, which takes an administrator of the account',
  restore_secret: 'cancels the deletion of a secret',
};

/** What every rule gets besides the snapshot. */
export interface RuleContext {
  nowMs: number;
  /** Of the deployment's issuer. */
  profile: DeployedProfile;
  /** Whether any secret of the tenant exists, so that its stack is deployed. */
  isDeployed: boolean;
  commands: FixCommands;
}

/** A finding without its place. */
export type FindingDetails = Omit<Finding, 'place'>;
