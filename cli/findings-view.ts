import { type Finding, type Severity } from '../inspect/finding';
import { type Style } from './terminal';
import { wrapText } from './wrap-text';

const INDENT = '    ';
/** With the indentation, 80 columns. */
const TEXT_WIDTH = 76;

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
      ...indentText(message),
      ...(withMeaning ? indentText(meaning) : []),
      `    ${style.dim('→')} ${repair.command}`,
    ];
  });
}

/** Wraps and indents a text, as below a heading line. */
export function indentText(text: string): string[] {
  return wrapText(text, TEXT_WIDTH).map((line) => `${INDENT}${line}`);
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
