import { CANDIDATE_LABEL } from '../contract/credential-labels';
import {
  type CredentialSnapshot,
  type TenantSnapshot,
  type TokenSnapshot,
} from '../contract/deployment-snapshot';
import { CREDENTIAL_KINDS, type CredentialKind } from '../contract/secret-names';
import { alarmsByCause } from '../inspect/alarm-causes';
import { credentialDates } from '../inspect/credential-dates';
import { describeCredential, describeRestore, timeToExpiryMs, tokenName } from '../inspect/describe';
import { findingsByTenant, worstOf } from '../inspect/causes';
import { type Finding } from '../inspect/finding';
import { spanText, timeMs } from '../inspect/times';
import { alarmCounts, alarmLines, causedAlarmLines, isInAlarm } from './alarm-lines';
import { findingLines, paintOf } from './findings-view';
import { allFindings, type Inspection, takenAtMs } from './inspect-deployments';
import { table, type TableCell } from './table';
import { type Style } from './terminal';

/** Up to this many tenants, each token has its own line; beyond, each tenant is one line. */
const TENANTS_IN_DETAIL = 8;
const BAR_CELLS = 10;
const DAY_MS = 86_400_000;

/**
 * The state of deployments, with what needs attention at the end.
 * @param doctor the command that shows the notices
 */
export function statusText(inspections: readonly Inspection[], doctor: string, style: Style): string {
  return [...stateLines(inspections, style), '', ...attentionLines(inspections, doctor, style)].join('\n');
}

/** The same with what needs attention first, for a window that cuts off the end. */
export function watchText(inspections: readonly Inspection[], doctor: string, style: Style): string {
  return [...attentionLines(inspections, doctor, style), '', ...stateLines(inspections, style)].join('\n');
}

function stateLines(inspections: readonly Inspection[], style: Style): string[] {
  const tenants = inspections.reduce(
    (sum, inspection) => sum + ('failure' in inspection ? 0 : inspection.snapshot.tenants.length),
    0,
  );
  const isDetailed = tenants <= TENANTS_IN_DETAIL;
  return inspections.flatMap((inspection, index) => [
    ...(index === 0 ? [] : ['']),
    ...deploymentLines(inspection, isDetailed, style),
    ...restoreLines(inspection, style),
    ...alarmStateLines(inspection, style),
  ]);
}

function restoreLines(inspection: Inspection, style: Style): string[] {
  if ('failure' in inspection) return [];
  const { snapshot, findings } = inspection;
  const { deployment, restore } = snapshot;
  if (restore === undefined) return [];
  const found = findings.filter(({ kind }) => kind === 'restore_absent' || kind === 'restore_offered');
  const paint = paintOf(worstOf(found), style);
  return [`  ${style.dim('RESTORE')}  ${paint(describeRestore(deployment.restore, restore))}`];
}

function alarmStateLines(inspection: Inspection, style: Style): string[] {
  const { alarms, alarmsFailure } = inspection;
  if (alarmsFailure === undefined) return [`  ${alarmCounts(alarms, style)}`];
  // The same cause is one line, for example a missing AWS region.
  if ('failure' in inspection && inspection.failure.message === alarmsFailure.message) return [];
  return [`  ${style.bad(`✗ Cannot show alarms: ${alarmsFailure.message}`)}`];
}

function attentionLines(inspections: readonly Inspection[], doctor: string, style: Style): string[] {
  const findings = allFindings(inspections);
  const toFix = findings.filter(({ severity }) => severity !== 'info');
  const infos = findings.length - toFix.length;
  const isComplete = inspections.every(
    (inspection) => !('failure' in inspection) && inspection.alarmsFailure === undefined,
  );
  const isQuiet = toFix.length === 0 && !inspections.some(({ alarms }) => alarms.some(isInAlarm));
  const byCause = inspections.map((inspection) => {
    const nowMs = 'failure' in inspection ? undefined : takenAtMs(inspection.snapshot);
    const own = 'failure' in inspection ? [] : inspection.findings;
    return { inspection, nowMs, ...alarmsByCause(inspection.alarms.filter(isInAlarm), own) };
  });
  return [
    ...findingLines(toFix, style, {
      withMeaning: false,
      more: ({ finding, alike }) =>
        byCause.flatMap(({ caused, nowMs }) =>
          [finding, ...alike].flatMap((each) => causedAlarmLines(caused.get(each) ?? [], nowMs, style)),
        ),
    }),
    ...byCause.flatMap(({ inspection, others, nowMs }) =>
      alarmLines(others, inspection.deployment, nowMs, style),
    ),
    ...(isQuiet && isComplete ? [style.good('✓ No action needed')] : []),
    ...(infos === 0
      ? []
      : [style.dim(`${infos} ${infos === 1 ? 'notice' : 'notices'}, nothing wrong. Details: ${doctor}`)]),
  ];
}

function deploymentLines(inspection: Inspection, isDetailed: boolean, style: Style): string[] {
  const { environment, platformRegion, stackName } = inspection.deployment;
  const heading = `${style.bold(`${environment} ${platformRegion}`)}  ${style.dim(stackName)}`;
  if ('failure' in inspection) {
    const { message, advice } = inspection.failure;
    return [heading, `  ${style.bad(`✗ ${message}`)}`, ...(advice === undefined ? [] : [`  ${advice}`])];
  }
  const { snapshot, findings } = inspection;
  const nowMs = takenAtMs(snapshot);
  const maxAgeMs = snapshot.deployment.credentials.maxAgeDays * DAY_MS;
  const byTenant = findingsByTenant(findings);
  const rows = snapshot.tenants.map((tenant): TableCell[] => {
    const worst = (about: (finding: Finding) => boolean) =>
      worstOf((byTenant.get(tenant.tenantId) ?? []).filter(about));
    return [
      { text: tenant.tenantId },
      ...CREDENTIAL_KINDS.map((kind) => ({
        text: credentialText(tenant, kind, maxAgeMs, nowMs),
        paint: paintOf(
          worst(({ credential }) => credential === kind),
          style,
        ),
      })),
      {
        text: tokensText(tenant, nowMs),
        paint: paintOf(
          worst(({ token }) => token !== undefined),
          style,
        ),
      },
    ];
  });
  const titles = ['TENANT', 'CLIENT CREDENTIALS', 'API KEY', 'VALID TOKENS'];
  const [head = '', ...lines] = table([titles.map((text) => ({ text, paint: style.dim })), ...rows], '  ');
  if (!isDetailed) return [heading, head, ...lines];
  return [
    heading,
    head,
    ...snapshot.tenants.flatMap((tenant, index) => [lines[index]!, ...tokenLines(tenant, nowMs, style)]),
  ];
}

function credentialText(
  tenant: TenantSnapshot,
  kind: CredentialKind,
  maxAgeMs: number,
  nowMs: number,
): string {
  const credential = tenant.credentials.find((each) => each.kind === kind);
  if (credential === undefined) return '–';
  const state = describeCredential(credential);
  if (state !== 'loaded') return state;
  return [dueText(credential, maxAgeMs, nowMs), ...successorText(credential)].join(', ');
}

/** A version on its way to become current. While it is young there is no finding about it: a command may be working on it. */
function successorText(credential: CredentialSnapshot): string[] {
  const versions = credential.access === 'ok' ? credential.versions : [];
  const isOn = (label: string) =>
    versions.some(({ labels }) => labels.includes(label) && !labels.includes('AWSCURRENT'));
  if (isOn('AWSPENDING')) return ['another pending'];
  return isOn(CANDIDATE_LABEL) ? ['another staged'] : [];
}

/** The next date that matters, such as `due in 77 days`. */
function dueText(credential: CredentialSnapshot, maxAgeMs: number, nowMs: number): string {
  if (credential.access !== 'ok') return credential.access;
  const [next] = credentialDates(credential, maxAgeMs, nowMs);
  if (next === undefined) return 'loaded';
  const leftMs = next.atMs - nowMs;
  switch (next.what) {
    case 'rotation':
      return `rotation in ${spanText(leftMs)}`;
    case 'due':
      return leftMs > 0 ? `due in ${spanText(leftMs)}` : `overdue for ${spanText(-leftMs)}`;
    case 'expiry':
      return leftMs > 0 ? `expires in ${spanText(leftMs)}` : `expired ${spanText(-leftMs)} ago`;
  }
}

/** Valid tokens, and the time until the first of them expires, such as `3 of 3, 24 min`. */
function tokensText({ tokens }: TenantSnapshot, nowMs: number): string {
  const validForMs = tokens.flatMap((token) => timeToExpiryMs(token, nowMs) ?? []).filter((ms) => ms > 0);
  const count = `${validForMs.length} of ${tokens.length}`;
  if (validForMs.length === 0) return count;
  return `${count}, ${spanText(Math.min(...validForMs)).replace(/ minutes?$/, ' min')}`;
}

function tokenLines({ tokens }: TenantSnapshot, nowMs: number, style: Style): string[] {
  return table(
    tokens.map((token) => [tokenName(token), expiryCell(token, nowMs, style)]),
    '    ',
  );
}

function expiryCell(token: TokenSnapshot, nowMs: number, style: Style): TableCell {
  if (token.access !== 'ok') return { text: token.access, paint: style.bad };
  const leftMs = timeToExpiryMs(token, nowMs);
  if (leftMs === undefined) return { text: 'none stored', paint: style.dim };
  if (leftMs <= 0) return { text: `expired ${spanText(-leftMs)} ago`, paint: style.bad };
  const issuedAtMs = timeMs(token.token?.issuedAt) ?? nowMs;
  const part = Math.min(1, leftMs / Math.max(1, leftMs + nowMs - issuedAtMs));
  const full = Math.max(1, Math.round(part * BAR_CELLS));
  return { text: `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)} ${spanText(leftMs)}` };
}
