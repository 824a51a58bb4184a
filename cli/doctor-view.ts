import { type RepairOutcome } from './apply-fix';
import { type Check } from './check-access';
import { findingLines } from './findings-view';
import { allFindings, type Inspection } from './inspect-deployments';
import { type Style } from './terminal';

/** A fix that was tried, and its outcome. */
export type TriedRepair = RepairOutcome & { readonly repair: string };

/** What doctor found and did. */
export function doctorText(
  {
    inspections,
    checks,
    tried,
  }: { inspections: readonly Inspection[]; checks: readonly Check[]; tried: readonly TriedRepair[] },
  style: Style,
): string {
  const failedChecks = checks.filter(({ failure }) => failure !== undefined);
  const failedInspections = inspections.filter((inspection) => 'failure' in inspection);
  const findings = allFindings(inspections);
  const lines = [
    ...tried.map(({ repair, isDone, outcome }) =>
      isDone ? `${style.good('✓')} ${repair}: ${outcome}` : `${style.bad('✗')} ${repair}: ${outcome}`,
    ),
    ...checks.flatMap((check) => noteLines(check, style)),
    ...failedInspections.flatMap((inspection) =>
      failureLines(inspection.deployment, 'the deployment', inspection.failure, style),
    ),
    ...failedChecks.flatMap((check) => failureLines(check, check.name, check.failure!, style)),
    ...findingLines(findings, style, { withMeaning: true }),
  ];
  const isHealthy = failedChecks.length + failedInspections.length + findings.length === 0;
  return [...lines, ...(isHealthy ? [style.good('✓ Nothing is wrong')] : [])].join('\n');
}

function noteLines({ environment, platformRegion, name, note }: Check, style: Style): string[] {
  if (note === undefined) return [];
  const place = style.bold(`${environment} ${platformRegion}`);
  return [`${style.dim('· Not checked')}  ${place}  ${name}`, `    ${note}`];
}

function failureLines(
  { environment, platformRegion }: Pick<Check, 'environment' | 'platformRegion'>,
  name: string,
  { message, advice }: { message: string; advice: string | undefined },
  style: Style,
): string[] {
  return [
    `${style.bad('✗ Check failed')}  ${style.bold(`${environment} ${platformRegion}`)}  ${name}`,
    `    ${message}`,
    ...(advice === undefined ? [] : [`    ${style.dim('→')} ${advice}`]),
  ];
}
