import { CANDIDATE_LABEL } from '../contract/credential-labels';
import {
  type CredentialSnapshot,
  type TenantSnapshot,
  type TokenSnapshot,
} from '../contract/deployment-snapshot';
import { CREDENTIAL_KINDS, type CredentialKind } from '../contract/secret-names';
import { describeCredential, lifeLeftMs, tokenName } from '../inspect/describe';
import { type Finding, type Severity } from '../inspect/finding';
import { spanText, timeMs } from '../inspect/times';
import { alarmCounts, alarmLines, isRed } from './alarm-lines';
import { findingLines, paintOf } from './findings-view';
import { allFindings, type Look, takenAtMs } from './look';
import { type StatusLook } from './status-look';
import { type TableCell, table } from './table';
import { type Style } from './terminal';

/** Each token gets a line of its own while the whole fits a window; beyond that, a tenant is one line. */
const TENANTS_IN_DETAIL = 8;
const BAR_CELLS = 10;
const DAY_MS = 86_400_000;

/** The state of deployments as people read it, with what is to be seen to at the end. */
export function statusText(seen: readonly StatusLook[], style: Style): string {
  return [...stateLines(seen, style), '', ...toSeeLines(seen, style)].join('\n');
}

/** The same, with what is to be seen to first: a window may be too small for all of it. */
export function watchText(seen: readonly StatusLook[], style: Style): string {
  return [...toSeeLines(seen, style), '', ...stateLines(seen, style)].join('\n');
}

function stateLines(seen: readonly StatusLook[], style: Style): string[] {
  const tenants = seen.reduce(
    (sum, { look }) => sum + ('failure' in look ? 0 : look.snapshot.tenants.length),
    0,
  );
  const isDetailed = tenants <= TENANTS_IN_DETAIL;
  return seen.flatMap(({ look, alarms, alarmsFailure }, index) => [
    ...(index === 0 ? [] : ['']),
    ...deploymentLines(look, isDetailed, style),
    alarmsFailure === undefined
      ? `  ${alarmCounts(alarms, style)}`
      : `  ${style.bad(`✗ alarms are not shown: ${alarmsFailure.message}`)}`,
  ]);
}

function toSeeLines(seen: readonly StatusLook[], style: Style): string[] {
  const findings = allFindings(seen.map(({ look }) => look));
  const toSee = findings.filter(({ severity }) => severity !== 'info');
  const infos = findings.length - toSee.length;
  const isAllSeen = seen.every(
    ({ look, alarmsFailure }) => !('failure' in look) && alarmsFailure === undefined,
  );
  const isQuiet = toSee.length === 0 && !seen.some(({ alarms }) => alarms.some(isRed));
  return [
    ...findingLines(toSee, style, { withMeaning: false }),
    ...seen.flatMap(({ look, alarms }) => {
      const nowMs = 'failure' in look ? undefined : takenAtMs(look.snapshot);
      return alarmLines(alarms, look.deployment, nowMs, style);
    }),
    ...(isQuiet && isAllSeen ? [style.good('✓ nothing has to be seen to')] : []),
    ...(infos === 0 ? [] : [style.dim(`${infos} more to know of, with nothing wrong: latchkey doctor`)]),
  ];
}

function deploymentLines(look: Look, isDetailed: boolean, style: Style): string[] {
  const { environment, platformRegion, stackName } = look.deployment;
  const heading = `${style.bold(`${environment} ${platformRegion}`)}  ${style.dim(stackName)}`;
  if ('failure' in look) {
    const { message, advice } = look.failure;
    return [heading, `  ${style.bad(`✗ ${message}`)}`, ...(advice === undefined ? [] : [`  ${advice}`])];
  }
  const { snapshot, findings } = look;
  const nowMs = takenAtMs(snapshot);
  const maxAgeMs = snapshot.deployment.credentials.maxAgeDays * DAY_MS;
  const rows = snapshot.tenants.map((tenant): TableCell[] => {
    const worst = (about: (finding: Finding) => boolean) =>
      worstOf(findings.filter((finding) => finding.place.tenantId === tenant.tenantId && about(finding)));
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
  const titles = ['TENANT', 'CLIENT CREDENTIALS', 'API KEY', 'TOKENS'];
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
  return [ageText(credential, maxAgeMs, nowMs), ...successorText(credential)].join(', ');
}

/** Of another version on its way; one that is young is not among the findings, as a command may be at work on it. */
function successorText(credential: CredentialSnapshot): string[] {
  const versions = credential.access === 'ok' ? credential.versions : [];
  const isOn = (label: string) =>
    versions.some(({ labels }) => labels.includes(label) && !labels.includes('AWSCURRENT'));
  if (isOn('AWSPENDING')) return ['another pending'];
  return isOn(CANDIDATE_LABEL) ? ['another staged'] : [];
}

/** Such as `12 days old, due in 77 days`. */
function ageText(credential: CredentialSnapshot, maxAgeMs: number, nowMs: number): string {
  if (credential.access !== 'ok') return credential.access;
  const promotedAtMs = timeMs(credential.promotedAt);
  if (promotedAtMs === undefined) return 'loaded';
  const validUntilMs = timeMs(credential.validUntil);
  const dueMs = promotedAtMs + maxAgeMs;
  const isValidityFirst = validUntilMs !== undefined && validUntilMs < dueMs;
  const [what, endMs] = isValidityFirst ? ['ends', validUntilMs] : ['due', dueMs];
  const leftMs = endMs - nowMs;
  const end = leftMs > 0 ? `${what} in ${spanText(leftMs)}` : `${what} ${spanText(-leftMs)} ago`;
  return `${spanText(nowMs - promotedAtMs)} old, ${end}`;
}

/** Such as `3 of 3, least 24 minutes`. */
function tokensText({ tokens }: TenantSnapshot, nowMs: number): string {
  const lives = tokens.flatMap((token) => lifeLeftMs(token, nowMs) ?? []).filter((life) => life > 0);
  const count = `${lives.length} of ${tokens.length}`;
  return lives.length === 0 ? count : `${count}, least ${spanText(Math.min(...lives))}`;
}

function tokenLines({ tokens }: TenantSnapshot, nowMs: number, style: Style): string[] {
  return table(
    tokens.map((token) => [tokenName(token), lifeCell(token, nowMs, style)]),
    '    ',
  );
}

function lifeCell(token: TokenSnapshot, nowMs: number, style: Style): TableCell {
  if (token.access !== 'ok') return { text: token.access, paint: style.bad };
  const leftMs = lifeLeftMs(token, nowMs);
  if (leftMs === undefined) return { text: 'none stored', paint: style.dim };
  if (leftMs <= 0) return { text: `expired ${spanText(-leftMs)} ago`, paint: style.bad };
  const issuedAtMs = timeMs(token.token?.issuedAt) ?? nowMs;
  const part = Math.min(1, leftMs / Math.max(1, leftMs + nowMs - issuedAtMs));
  const full = Math.max(1, Math.round(part * BAR_CELLS));
  return { text: `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)} ${spanText(leftMs)}` };
}

const GRAVEST_FIRST: readonly Severity[] = ['critical', 'warning', 'info'];

function worstOf(findings: readonly Finding[]): Severity | undefined {
  return GRAVEST_FIRST.find((severity) => findings.some((finding) => finding.severity === severity));
}
