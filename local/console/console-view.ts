import { type CredentialSnapshot, type TokenSnapshot } from '../../contract/deployment-snapshot';
import { type DeploymentFile } from '../../contract/deployment-file';
import { DUE_BELOW_SEC, GUARANTEED_LIFE_SEC } from '../../contract/lifetimes';
import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { SCHEDULED_FUNCTIONS, scheduleName } from '../../contract/schedules';
import { describeCredential } from '../../inspect/describe';
import { groupByCause, symptomLines } from '../../inspect/causes';
import { type Finding } from '../../inspect/finding';
import { inspect } from '../../inspect/inspect';
import { type ScheduleState } from '../../inspect/schedule-findings';
import { timeMs } from '../../inspect/times';
import { type Account } from '../account';
import { type SandboxFault, type SandboxRequest } from '../sandbox-control';
import { snapshotOf } from './account-snapshot';
import { alarmsView, type ShownAlarm } from './alarms-view';
import {
  type ConsoleState,
  type CredentialView,
  type DeploymentView,
  type FaultView,
  type FindingView,
  type TokenView,
} from './console-state';
import { recentRestores, type RestoreLogs } from './recent-restores';
import { knownSegments, shownPath } from './shown-path';

const DAY_MS = 86_400_000;
const SHOWN_REQUESTS = 30;
const SHOWN_RESTORES = 20;
/** The flags that make `latchkey` address this system instead of AWS. */
const FLAGS = '--local';

/** A running deployment. */
export interface ConsoleDeployment {
  file: DeploymentFile;
  stack: string;
  hasRestoreApi: boolean;
  /** Absent if requests to the restore API are not logged. */
  restoreLogs?: RestoreLogs;
}

/** The input of {@link consoleView}. */
export interface ConsoleInput {
  account: Account;
  deployments: readonly ConsoleDeployment[];
  alarms: readonly ShownAlarm[];
  /** The sandbox's active faults and its most recent requests, oldest first. */
  faults: readonly SandboxFault[];
  requests: readonly SandboxRequest[];
  nowMs: number;
  aheadMs: number;
  isAdvancing: boolean;
}

/**
 * Builds the state that the page may know, field by field. Of secrets it includes times, labels and findings only.
 * It is pure, so that tests can plant secrets and check that none comes out.
 */
export function consoleView({ account, nowMs, aheadMs, isAdvancing, ...input }: ConsoleInput): ConsoleState {
  const files = input.deployments.map(({ file }) => file);
  const known = knownSegments(files);
  const findings = input.deployments.map(({ file }) => findingsOf(account, file, input.alarms, nowMs));
  const restoreLogs = input.deployments.flatMap(({ restoreLogs: logs }) => logs ?? []);
  return {
    nowMs,
    aheadMs,
    isAdvancing,
    renewedBelowMs: DUE_BELOW_SEC * 1000,
    guaranteedLifeMs: GUARANTEED_LIFE_SEC * 1000,
    deployments: input.deployments.map((deployment, index) =>
      deploymentView(account, deployment, findings[index]!, nowMs),
    ),
    alarms: alarmsView(input.alarms, files, findings.flat(), FLAGS),
    faults: input.faults.map((fault) => faultView(fault, known)),
    requests: input.requests
      .slice(-SHOWN_REQUESTS)
      .reverse()
      .map(({ at, target, method, path, status }) => ({
        atMs: Date.parse(at),
        target,
        method,
        path: shownPath(path, known),
        status,
      })),
    restores: recentRestores(account, restoreLogs, SHOWN_RESTORES),
  };
}

function deploymentView(
  account: Account,
  { file, stack, hasRestoreApi }: ConsoleDeployment,
  findings: readonly Finding[],
  nowMs: number,
): DeploymentView {
  const snapshot = snapshotOf(account, file, nowMs);
  const causedIn = (tenantId: string | undefined) =>
    findings.filter(({ place, cause }) => (cause?.place ?? place).tenantId === tenantId);
  return {
    environment: file.environment,
    platformRegion: file.platformRegion,
    stack,
    maxAgeMs: file.credentials.maxAgeDays * DAY_MS,
    hasRestoreApi,
    findings: findingViews(causedIn(undefined)),
    tenants: snapshot.tenants.map(({ tenantId, credentials, tokens }) => ({
      tenantId,
      credentials: credentials.map((credential) => ({
        ...credentialView(credential),
        ...problemOf(
          findings.filter((each) => each.place.tenantId === tenantId && each.credential === credential.kind),
        ),
      })),
      tokens: tokens.map(tokenView),
      findings: findingViews(causedIn(tenantId)),
    })),
  };
}

/** What `latchkey status` would find. */
function findingsOf(
  account: Account,
  file: DeploymentFile,
  alarms: readonly ShownAlarm[],
  nowMs: number,
): Finding[] {
  return inspect({
    snapshot: snapshotOf(account, file, nowMs),
    nowMs,
    flags: FLAGS,
    alarms: alarms.filter(({ state }) => state === 'ALARM').map(({ name }) => name),
    schedules: SCHEDULED_FUNCTIONS.map((functionName): ScheduleState => {
      const name = scheduleName(file.prefix, file, functionName);
      const schedule = [...account.schedules.values()].find((each) => each.name === name);
      const state = schedule?.state === 'ENABLED' ? 'enabled' : 'disabled';
      return { functionName, name, state: schedule === undefined ? 'missing' : state };
    }),
  });
}

/** The first is the most severe. */
function problemOf(findings: readonly Finding[]): Pick<CredentialView, 'problem'> {
  const found = findings.find(({ severity }) => severity !== 'info');
  return found === undefined ? {} : { problem: { kind: found.kind, severity: found.severity } };
}

function credentialView(credential: CredentialSnapshot): CredentialView {
  const { kind } = credential;
  const state = describeCredential(credential);
  if (credential.access !== 'ok') return { kind, state };
  const promotedAtMs = timeMs(credential.promotedAt);
  const validUntilMs = timeMs(credential.validUntil);
  const successor = successorOf(credential);
  return {
    kind,
    state,
    ...(promotedAtMs !== undefined && { promotedAtMs }),
    ...(validUntilMs !== undefined && { validUntilMs }),
    ...(successor && { successor }),
  };
}

function successorOf(credential: CredentialSnapshot & { access: 'ok' }): CredentialView['successor'] {
  const labels = credential.versions
    .filter((version) => !version.labels.includes('AWSCURRENT'))
    .flatMap((version) => version.labels);
  if (labels.includes('AWSPENDING')) return 'pending';
  return labels.includes(CANDIDATE_LABEL) ? 'staged' : undefined;
}

function tokenView(snapshot: TokenSnapshot): TokenView {
  const { interface: of, scope, access } = snapshot;
  const token = snapshot.access === 'ok' ? snapshot.token : undefined;
  const [issuedAtMs, expiresAtMs] = [timeMs(token?.issuedAt), timeMs(token?.expiresAt)];
  return {
    interface: of,
    scope,
    access,
    ...(issuedAtMs !== undefined && { issuedAtMs }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  } as TokenView;
}

function findingViews(findings: readonly Finding[]): FindingView[] {
  return groupByCause(findings).map((group) => {
    const { kind, meaning, repair } = group.finding;
    const messages = [group.finding, ...group.alike].map(({ message }) => message);
    return {
      kind,
      severity: group.severity,
      message: [...messages, ...symptomLines(group)].join(' '),
      meaning,
      ...(repair.remedy !== undefined && { remedy: repair.remedy }),
      ...(repair.command !== undefined && { command: repair.command }),
    };
  });
}

/**
 * A fault as the page shows it.
 * @param known the tenant ids that may be shown; anything else could be a secret in the wrong field
 */
function faultView({ target, match, times, ...fault }: SandboxFault, known: ReadonlySet<string>): FaultView {
  return {
    target,
    effect: effectOf(fault),
    ...(times !== undefined && { times }),
    ...(match && { place: shownMatch(match, known) }),
  };
}

function shownMatch(
  { environment, platformRegion, tenantId }: NonNullable<SandboxFault['match']>,
  known: ReadonlySet<string>,
): NonNullable<FaultView['place']> {
  return {
    ...(environment && { environment }),
    ...(platformRegion && { platformRegion }),
    ...(tenantId !== undefined && { tenantId: known.has(tenantId) ? tenantId : '…' }),
  };
}

/** For example `waits 2 s, then returns 503`. */
function effectOf({ status, delayMs, reset }: Pick<SandboxFault, 'status' | 'delayMs' | 'reset'>): string {
  const parts = [
    ...(delayMs === undefined ? [] : [`waits ${delayMs / 1000} s`]),
    ...(status === undefined ? [] : [`returns ${status}`]),
    ...(reset === undefined ? [] : [`breaks the connection ${reset} processing`]),
  ];
  return parts.join(', then ') || 'returns a different response';
}
