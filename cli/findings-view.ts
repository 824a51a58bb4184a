import { type Finding, type Severity } from '../inspect/finding';
import { type Style } from './terminal';

/** Findings as text: what is wrong, with `withMeaning` what it means for callers, and the command that fixes it. */
export function findingLines(
  findings: readonly Finding[],
  style: Style,
  { withMeaning }: { withMeaning: boolean },
): string[] {
  return findings.flatMap(({ severity, place, message, meaning, repair }) => {
    const paint = paintOf(severity, style);
    return [
      `${paint(`${SIGNS[severity]} ${severity}`)}  ${style.bold(whereText(place))}`,
      `    ${message}`,
      ...(withMeaning ? [`    ${meaning}`] : []),
      `    ${style.dim('→')} ${repair.command}`,
    ];
  });
}

/** The name of a deployment or tenant in a line about it, such as `staging mea eu-west-2_AbcdEfghI`. */
export function whereText({ environment, platformRegion, tenantId }: Finding['place']): string {
  return [environment, platformRegion, tenantId].filter((name) => name !== undefined).join(' ');
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
