import { foldTenants, groupByCause, type SharedCause, symptomLines } from '../core/findings/causes';
import { type Place } from '../core/commands/place-flags';
import { type Finding, type Severity } from '../core/findings/finding';
import { deploymentText } from '../core/tokens/token-key';
import { type Style } from './terminal';
import { wrapText } from './wrap-text';

const INDENT = '    ';
/** With the indentation, 80 columns. */
const TEXT_WIDTH = 76;
/** At most this many findings of one kind are listed; the rest are counted. */
const MAX_ALIKE = 5;
/** At most this many tenants are named; the rest are counted. */
const MAX_NAMED = 3;

interface FindingTexts {
  /** Whether to say what each finding means for callers. */
  withMeaning: boolean;
  /** Names or patterns of the inspected tenants. @default all */
  tenants?: readonly string[] | undefined;
  /** More lines about a cause. @default none */
  more?: (group: SharedCause) => string[];
}

/** Findings as text, a cause each: what is wrong, what it causes, and what fixes it. */
export function findingLines(
  findings: readonly Finding[],
  style: Style,
  { withMeaning, tenants, more = () => [] }: FindingTexts,
): string[] {
  return foldTenants(groupByCause(findings), tenants).flatMap((group) => {
    const { finding, alike, severity, tenantIds, repair, isFolded } = group;
    const { place, message, meaning } = finding;
    return [
      `${paintOf(severity, style)(`${SIGNS[severity]} ${severity}`)}  ${style.bold(isFolded ? sharedWhereText(group) : whereText(place))}`,
      ...(isFolded ? sharedLines(group) : alikeLines(message, alike)),
      ...(withMeaning ? indentText(meaning) : []),
      ...symptomLines(group).flatMap(indentText),
      ...more(group),
      ...repairLines(repair, style),
      ...(group.isFixedOneByOne
        ? [`${INDENT}  The same for each of the other ${countText(tenantIds.length - 1)} tenants.`]
        : []),
    ];
  });
}

function alikeLines(message: string, alike: readonly Finding[]): string[] {
  const listed = [message, ...alike.slice(0, MAX_ALIKE - 1).map((each) => each.message)];
  const unlisted = alike.length + 1 - listed.length;
  return [
    ...listed.flatMap(indentText),
    ...(unlisted === 0 ? [] : indentText(`And ${unlisted} more of the same kind.`)),
  ];
}

/** Such as `staging mea  3 tenants`, or `4 deployments`. */
function sharedWhereText({ finding: { place }, tenantIds, deployments }: SharedCause): string {
  const where =
    deployments.length > 1
      ? `${countText(deployments.length)} deployments`
      : whereText({ ...place, tenantId: undefined });
  return tenantIds.length === 0 ? where : `${where}  ${countText(tenantIds.length)} tenants`;
}

/** What the first of many tenants or deployments has, and who else has it. */
function sharedLines({ finding, tenantIds, deployments }: SharedCause): string[] {
  const names =
    tenantIds.length > 0 ? tenantIds : deployments.map((each) => whereText({ ...each, tenantId: undefined }));
  const named = names.slice(0, MAX_NAMED);
  const more = names.length - named.length;
  return [
    ...indentText(more === 0 ? `${named.join(', ')}.` : `${named.join(', ')} and ${countText(more)} more.`),
    ...indentText(`${named[0]}: ${finding.message}`),
  ];
}

/** A whole number, such as `1,000`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** The remedy, and the command after an arrow. Without a command, the arrow is before the remedy. */
function repairLines({ remedy, command }: Finding['repair'], style: Style): string[] {
  const arrow = `${INDENT}${style.dim('→')} `;
  if (command !== undefined) {
    return [...(remedy === undefined ? [] : indentText(remedy)), `${arrow}${command}`];
  }
  const [first, ...rest] = wrapText(remedy ?? '', TEXT_WIDTH - 2);
  return [`${arrow}${first}`, ...rest.map((line) => `${INDENT}  ${line}`)];
}

/** Wraps and indents a text, as below a heading line. */
export function indentText(text: string): string[] {
  return wrapText(text, TEXT_WIDTH).map((line) => `${INDENT}${line}`);
}

/** The name of a deployment or tenant in a line about it, such as `staging mea eu-west-2_AbcdEfghI`. */
export function whereText(place: Place): string {
  return [deploymentText(place), ...(place.tenantId === undefined ? [] : [place.tenantId])].join(' ');
}

const SIGNS: Record<Severity, string> = { critical: '✗', warning: '!', info: '·' };

/** The color of a severity. */
export function paintOf(severity: Severity | undefined, style: Style): (text: string) => string {
  switch (severity) {
    case 'critical':
      return style.bad;
    case 'warning':
      return style.warning;
    case 'info':
      return style.dim;
    case undefined:
      return (text) => text;
  }
}
