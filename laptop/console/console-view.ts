import {
  type CredentialSnapshot,
  type DeploymentSnapshot,
  type TokenSnapshot,
} from '../../core/deployment/deployment-snapshot';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { DUE_BELOW_SEC, GUARANTEED_LIFE_SEC } from '../../core/tokens/lifetimes';
import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { SCHEDULED_FUNCTIONS, scheduleName } from '../../core/deployment/schedules';
import { credentialDates } from '../../core/findings/credential-dates';
import { credentialState } from '../../core/findings/describe';
import {
  findingsByTenant,
  foldTenants,
  groupByCause,
  type SharedCause,
  symptomLines,
} from '../../core/findings/causes';
import { type Finding } from '../../core/findings/finding';
import { inspect } from '../../core/findings/inspect';
import { type ScheduleState } from '../../core/findings/schedule-findings';
import { timeMs } from '../../core/findings/times';
import { deploymentKeyOf, deploymentText, tokenTypeOf } from '../../core/tokens/token-key';
import { type Account, type MetricStore } from 'cdk-on-loopback';
import { type SandboxFault, type SandboxRequest } from '../sandbox-control';
import { snapshotOf } from './account-snapshot';
import { alarmsView, type ShownAlarm } from './alarms-view';
import {
  type ConsoleState,
  type CredentialView,
  type DeploymentView,
  type FindingView,
  type TokenView,
} from './console-state';
import { recentRestores, type RestoreLogs } from './recent-restores';
import { availabilityView, type LastAnswer, lastRestoreAnswer } from './restore-availability';
import { faultView, requestView } from './sandbox-view';
import { knownSegments } from './shown-path';

const DAY_MS = 86_400_000;
/** As many as the sandbox remembers. */
const MAX_SHOWN_REQUESTS = 200;
const MAX_SHOWN_RESTORES = 20;
/** Messages of one cause; the rest are counted. */
const MAX_SHOWN_MESSAGES = 5;
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
  metrics: Pick<MetricStore, 'latest'>;
  /** The sandbox's active faults and its most recent requests, oldest first. */
  faults: readonly SandboxFault[];
  requests: readonly SandboxRequest[];
  nowMs: number;
  aheadMs: number;
}

/**
 * Builds the state that the page may know, field by field. Of secrets it includes times, labels and findings only.
 * It is pure, so that tests can plant secrets and check that none comes out.
 */
export function consoleView({ account, nowMs, aheadMs, ...input }: ConsoleInput): ConsoleState {
  const files = input.deployments.map(({ file }) => file);
  const known = knownSegments(files);
  const inspected = input.deployments.map(({ file, hasRestoreApi }): Inspected => {
    const last = hasRestoreApi ? lastRestoreAnswer(input.metrics, file) : undefined;
    const snapshot = snapshotOf(account, file, nowMs, last?.answer);
    return { snapshot, last, findings: findingsOf(account, snapshot, input.alarms, nowMs) };
  });
  const findings = inspected.flatMap((each) => each.findings);
  const restoreLogs = input.deployments.flatMap(({ restoreLogs: logs }) => logs ?? []);
  return {
    nowMs,
    aheadMs,
    renewedBelowMs: DUE_BELOW_SEC * 1000,
    guaranteedLifeMs: GUARANTEED_LIFE_SEC * 1000,
    deployments: input.deployments.map((deployment, index) => deploymentView(deployment, inspected[index]!)),
    findings: findingViews(findings),
    alarms: alarmsView(
      input.alarms,
      inspected.map(({ snapshot }) => snapshot),
      findings,
      FLAGS,
    ),
    faults: input.faults.map((fault) => faultView(fault, known)),
    requests: input.requests
      .slice(-MAX_SHOWN_REQUESTS)
      .reverse()
      .map((request) => requestView(request, known)),
    restores: recentRestores(account, restoreLogs, MAX_SHOWN_RESTORES),
  };
}

interface Inspected {
  snapshot: DeploymentSnapshot;
  last: LastAnswer | undefined;
  findings: readonly Finding[];
}

function deploymentView(
  { file, stack, hasRestoreApi }: ConsoleDeployment,
  { snapshot, last, findings }: Inspected,
): DeploymentView {
  const byTenant = findingsByTenant(findings);
  return {
    ...deploymentKeyOf(file),
    stack,
    hasRestoreApi,
    ...(hasRestoreApi && { restore: availabilityView(file, last, findings) }),
    tenants: snapshot.tenants.map(({ tenantId, credentials, tokens }) => ({
      tenantId,
      credentials: credentials.map((credential) => ({
        ...credentialView(credential, byTenant.get(tenantId) ?? [], file.credentials.maxAgeDays * DAY_MS),
        ...problemOf((byTenant.get(tenantId) ?? []).filter((each) => each.credential === credential.kind)),
      })),
      tokens: tokens.map(tokenView),
    })),
  };
}

/** What `latchkey status` would find. */
function findingsOf(
  account: Account,
  snapshot: DeploymentSnapshot,
  alarms: readonly ShownAlarm[],
  nowMs: number,
): Finding[] {
  const { deployment } = snapshot;
  return inspect({
    snapshot,
    nowMs,
    flags: FLAGS,
    alarms: alarms.filter(({ state }) => state === 'ALARM').map(({ name }) => name),
    schedules: SCHEDULED_FUNCTIONS.map((functionName): ScheduleState => {
      const name = scheduleName(deployment.prefix, deployment, functionName);
      const schedule = [...account.schedules.values()].find((each) => each.name === name);
      const state = schedule?.state === 'ENABLED' ? 'enabled' : 'disabled';
      return { functionName, name, state: schedule === undefined ? 'missing' : state };
    }),
  });
}

/** The most severe finding that needs attention. @param findings the most severe first */
function problemOf(findings: readonly Finding[]): Pick<CredentialView, 'problem'> {
  const found = findings.find(({ severity }) => severity !== 'info');
  return found === undefined ? {} : { problem: { kind: found.kind, severity: found.severity } };
}

function credentialView(
  credential: CredentialSnapshot,
  findings: readonly Finding[],
  maxAgeMs: number,
): CredentialView {
  const { kind } = credential;
  const state = credentialState(credential, findings);
  if (credential.access !== 'ok') return { kind, state };
  const dates = credentialDates(credential, maxAgeMs);
  const successor = successorOf(credential);
  return {
    kind,
    state,
    ...(dates.length > 0 && { dates }),
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
  const token = snapshot.access === 'ok' ? snapshot.token : undefined;
  const expiresAtMs = timeMs(token?.expiresAt);
  return {
    ...tokenTypeOf(snapshot),
    access: snapshot.access,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  };
}

/** For example `1,000 tenants, the first of which is eu-west-2_AbcdEfghI`. */
function sharedText({ tenantIds, deployments }: SharedCause): string {
  if (tenantIds.length > 0) {
    return `${tenantIds.length.toLocaleString('en-US')} tenants, the first of which is ${tenantIds[0]}`;
  }
  return deployments.map(deploymentText).join(', ');
}

function shownMessages(messages: readonly string[]): string[] {
  const more = messages.length - MAX_SHOWN_MESSAGES;
  const shown = messages.slice(0, MAX_SHOWN_MESSAGES);
  return more > 0 ? [...shown, `And ${more} more of the same kind.`] : shown;
}

function findingViews(findings: readonly Finding[]): FindingView[] {
  return foldTenants(groupByCause(findings)).map((group) => {
    const { finding, alike, isFolded, repair } = group;
    const { kind, place, meaning } = finding;
    const tenantId = isFolded ? undefined : place.tenantId;
    const messages = isFolded
      ? [`${sharedText(group)}: ${finding.message}`]
      : shownMessages([finding, ...alike].map(({ message }) => message));
    return {
      ...deploymentKeyOf(place),
      ...(tenantId !== undefined && { tenantId }),
      kind,
      severity: group.severity,
      message: [...messages, ...symptomLines(group)].join(' '),
      meaning: group.isFixedOneByOne
        ? `${meaning} The command is for the first tenant: each of the others needs the same.`
        : meaning,
      ...(repair.remedy !== undefined && { remedy: repair.remedy }),
      // As it runs in a project that has the package: `latchkey` alone is not on the path.
      ...(repair.command !== undefined && { command: repair.command.replace(/^latchkey /, 'npx $&') }),
    };
  });
}
