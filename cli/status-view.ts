import { CANDIDATE_LABEL } from '../core/secrets/credential-labels';
import {
  type CredentialSnapshot,
  type TenantSnapshot,
  type TokenSnapshot,
} from '../core/deployment/deployment-snapshot';
import { CREDENTIAL_KINDS, type CredentialKind } from '../core/secrets/secret-names';
import { alarmsByCause } from '../core/findings/alarm-causes';
import { credentialDates } from '../core/findings/credential-dates';
import { credentialState, describeRestore, timeToExpiryMs } from '../core/findings/describe';
import { findingsByTenant, worstOf } from '../core/findings/causes';
import { type Finding } from '../core/findings/finding';
import { RESTORE_KINDS } from '../core/findings/finding-kinds';
import { spanText, timeMs } from '../core/findings/times';
import { deploymentText, tokenName } from '../core/tokens/token-key';
import { alarmCounts, alarmLines, causedAlarmLines } from './alarm-lines';
import { countText, findingLines, paintOf } from './findings-view';
import { allFindings, type Inspection, takenAtMs } from './inspect-deployments';
import { DEFAULT_SHOWN_TENANTS } from './options';
import { isInAlarm } from './read-alarms';
import { table, type TableCell } from './table';
import { type Style } from './terminal';

/** Up to this many tenants, each token has its own line; beyond, each tenant is one line. */
const MAX_TENANTS_IN_DETAIL = 8;
const BAR_CELLS = 10;
const DAY_MS = 86_400_000;

/** What the commands in the text choose, and those that show more. */
export interface StatusCommands {
  /** Names or patterns of the tenants that were chosen; undefined for all. */
  readonly tenants: readonly string[] | undefined;
  /** Shows the notices. */
  readonly doctor: string;
  /** Shows this many tenants. */
  readonly more: (tenants: number) => string;
}

/**
 * The state of deployments, with what needs attention at the end; with `--watch` it comes first, because the window cuts off the
 * end.
 * @param limit the most tenants to show
 */
export function statusText(
  inspections: readonly Inspection[],
  commands: StatusCommands,
  { limit, watch = false }: { limit: number; watch?: boolean },
  style: Style,
): string {
  const state = stateLines(inspections, commands, limit, style);
  const attention = attentionLines(inspections, commands, style);
  return (watch ? [...attention, '', ...state] : [...state, '', ...attention]).join('\n');
}

function stateLines(
  inspections: readonly Inspection[],
  { more }: StatusCommands,
  limit: number,
  style: Style,
): string[] {
  const rows = inspections.flatMap(tenantRows);
  const isDetailed = rows.length <= MAX_TENANTS_IN_DETAIL;
  const isLarge = rows.length > Math.min(limit, DEFAULT_SHOWN_TENANTS);
  const shown = isLarge ? [...rows].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, limit) : rows;
  return [
    ...inspections.flatMap((inspection, index) => {
      const isHere = (row: TenantRow) => row.inspection === inspection;
      const shownHere = shown.filter(isHere);
      const table = 'failure' in inspection ? [] : tableLines(inspection, shownHere, isDetailed, style);
      return [
        ...(index === 0 ? [] : ['']),
        ...headingLines(inspection, style),
        ...(isLarge ? summaryLines(rows.filter(isHere), style) : table),
        ...restoreLines(inspection, style),
        ...alarmStateLines(inspection, style),
        ...(isLarge && shownHere.length > 0 ? ['', ...table] : []),
      ];
    }),
    ...(shown.length === rows.length ? [] : ['', ...moreLines(rows, shown.length, more(rows.length), style)]),
  ];
}

function moreLines(rows: readonly TenantRow[], shown: number, all: string, style: Style): string[] {
  const start = rows[0]?.tenant.tenantId.slice(0, -2) ?? '';
  return [
    style.dim(
      `${countText(shown)} of ${countText(rows.length)} tenants, the most severe findings first. Some: --tenant '${start}*'. All:`,
    ),
    `  ${style.dim('→')} ${all}`,
  ];
}

type Inspected = Extract<Inspection, { snapshot: unknown }>;

/** A tenant with the findings about it. */
interface TenantRow {
  readonly inspection: Inspected;
  readonly tenant: TenantSnapshot;
  readonly findings: readonly Finding[];
}

function tenantRows(inspection: Inspection): TenantRow[] {
  if ('failure' in inspection) return [];
  const byTenant = findingsByTenant(inspection.findings);
  return inspection.snapshot.tenants.map((tenant) => ({
    inspection,
    tenant,
    findings: byTenant.get(tenant.tenantId) ?? [],
  }));
}

/** The order in which tenants are shown. Notices do not make a tenant come first. */
const RANKS = [
  { word: 'critical', severity: 'critical' },
  { word: 'with a warning', severity: 'warning' },
  { word: 'without a problem', severity: undefined },
] as const;

function rankOf({ findings }: TenantRow): number {
  const worst = worstOf(findings);
  const rank = RANKS.findIndex(({ severity }) => severity === worst);
  return rank < 0 ? RANKS.length - 1 : rank;
}

/** How many tenants, credentials and tokens of one deployment are in which state. */
function summaryLines(rows: readonly TenantRow[], style: Style): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const nowMs = takenAtMs(first.inspection.snapshot);
  const tenants = RANKS.flatMap(({ word, severity }, rank) => {
    const count = rows.filter((row) => rankOf(row) === rank).length;
    return count === 0 ? [] : paintOf(severity, style)(`${countText(count)} ${word}`);
  });
  const tokens = rows.flatMap(({ tenant }) => tenant.tokens);
  const leftMs = tokens.flatMap((token) => timeToExpiryMs(token, nowMs) ?? []).filter((ms) => ms > 0);
  const firstMs = leftMs.reduce((least, ms) => Math.min(least, ms), Infinity);
  return table(
    [
      ['TENANTS', tenants.join(', ')],
      ...CREDENTIAL_KINDS.map((kind) => [
        CREDENTIAL_TITLES[kind],
        countsText(rows.map((row) => credentialWord(row, kind))),
      ]),
      [
        'TOKENS',
        [
          countsText(tokens.map((token) => tokenWord(token, nowMs))),
          ...(leftMs.length === 0 ? [] : [`the first expires in ${spanText(firstMs)}`]),
        ].join(', '),
      ],
    ].map(([title = '', text = '']) => [{ text: title, paint: style.dim }, text]),
    '  ',
  );
}

const CREDENTIAL_TITLES: Readonly<Record<CredentialKind, string>> = {
  'client-credentials': 'CLIENT CREDENTIALS',
  'api-key': 'API KEYS',
};

function credentialWord({ tenant: { credentials }, findings }: TenantRow, kind: CredentialKind): string {
  const credential = credentials.find((each) => each.kind === kind);
  return credential === undefined ? 'none' : credentialState(credential, findings);
}

function tokenWord(token: TokenSnapshot, nowMs: number): string {
  if (token.access !== 'ok') return token.access.replaceAll('_', ' ');
  const leftMs = timeToExpiryMs(token, nowMs);
  if (leftMs === undefined) return 'not stored';
  return leftMs > 0 ? 'valid' : 'expired';
}

/** How often each word occurs, such as `990 loaded, 10 not loaded`; the most frequent first. */
function countsText(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([word, count]) => `${countText(count)} ${word}`)
    .join(', ');
}

function restoreLines(inspection: Inspection, style: Style): string[] {
  if ('failure' in inspection) return [];
  const { snapshot, findings } = inspection;
  const { deployment, restore } = snapshot;
  if (restore === undefined) return [];
  const found = findings.filter(({ kind }) => RESTORE_KINDS.includes(kind));
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

function attentionLines(
  inspections: readonly Inspection[],
  { doctor, tenants }: StatusCommands,
  style: Style,
): string[] {
  const findings = allFindings(inspections);
  const toFix = findings.filter(({ severity }) => severity !== 'info');
  const infos = findings.length - toFix.length;
  const isComplete = inspections.every(
    (inspection) => !('failure' in inspection) && inspection.alarmsFailure === undefined,
  );
  const isQuiet = toFix.length === 0 && !inspections.some(({ alarms }) => alarms.some(isInAlarm));
  const byCause = inspections.map((inspection) => {
    const { findings: causes, snapshot } =
      'failure' in inspection ? { findings: [], snapshot: undefined } : inspection;
    const isPart = inspection.tenantIds !== undefined;
    return {
      inspection,
      nowMs: snapshot && takenAtMs(snapshot),
      ...alarmsByCause(inspection.alarms.filter(isInAlarm), causes, snapshot, isPart),
    };
  });
  return [
    ...findingLines(toFix, style, {
      withMeaning: false,
      tenants,
      more: ({ finding, alike }) => {
        const caused = byCause.flatMap((alarms) =>
          [finding, ...alike].flatMap((cause) => alarms.caused.get(cause) ?? []),
        );
        const nowMs = byCause.find((alarms) => alarms.caused.has(finding))?.nowMs;
        return causedAlarmLines(caused, nowMs, style);
      },
    }),
    ...alarmLines(
      byCause.flatMap(({ inspection: { deployment }, others, nowMs }) =>
        others.map((unexplained) => ({ ...unexplained, deployment, nowMs })),
      ),
      style,
    ),
    ...(isQuiet && isComplete ? [style.good('✓ No action needed')] : []),
    ...(infos === 0
      ? []
      : [
          style.dim(
            `${countText(infos)} ${infos === 1 ? 'notice' : 'notices'}, nothing wrong. Details: ${doctor}`,
          ),
        ]),
  ];
}

function headingLines(inspection: Inspection, style: Style): string[] {
  const { deployment } = inspection;
  const heading = `${style.bold(deploymentText(deployment))}  ${style.dim(deployment.stackName)}`;
  if (!('failure' in inspection)) return [heading];
  const { message, advice } = inspection.failure;
  return [heading, `  ${style.bad(`✗ ${message}`)}`, ...(advice === undefined ? [] : [`  ${advice}`])];
}

/** Tenants of one deployment. */
function tableLines(
  { snapshot }: Inspected,
  shown: readonly TenantRow[],
  isDetailed: boolean,
  style: Style,
): string[] {
  const nowMs = takenAtMs(snapshot);
  const maxAgeMs = snapshot.deployment.credentials.maxAgeDays * DAY_MS;
  const rows = shown.map(({ tenant, findings }): TableCell[] => {
    const worst = (about: (finding: Finding) => boolean) => worstOf(findings.filter(about));
    return [
      { text: tenant.tenantId },
      ...CREDENTIAL_KINDS.map((kind) => ({
        text: credentialText({ tenant, findings }, kind, maxAgeMs, nowMs),
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
  return [
    head,
    ...shown.flatMap(({ tenant }, index) => [
      lines[index]!,
      ...(isDetailed ? tokenLines(tenant, nowMs, style) : []),
    ]),
  ];
}

function credentialText(
  { tenant, findings }: Pick<TenantRow, 'tenant' | 'findings'>,
  kind: CredentialKind,
  maxAgeMs: number,
  nowMs: number,
): string {
  const credential = tenant.credentials.find((each) => each.kind === kind);
  if (credential === undefined) return '–';
  const state = credentialState(credential, findings);
  return [
    state === 'loaded' ? dueText(credential, maxAgeMs, nowMs) : state,
    ...successorText(credential),
  ].join(', ');
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
  const [next] = credentialDates(credential, maxAgeMs);
  if (next === undefined) return 'loaded';
  const leftMs = next.atMs - nowMs;
  switch (next.what) {
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
