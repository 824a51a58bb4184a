import { type DeploymentKey, deploymentText } from '../core/tokens/token-key';
import { type FixOutcome } from './apply-fix';
import { type Check } from './check-access';
import { type CommandError } from './command-error';
import { countText, findingLines, indentText } from './findings-view';
import { allFindings, type Inspection } from './inspect-deployments';
import { type Style } from './terminal';

/** A fix that was tried, and its outcome. */
export type TriedFix = FixOutcome & { readonly repair: string };

/** At most this many fixes that were tried are listed. */
const MAX_TRIED = 20;

/** What doctor found and did. */
interface DoctorReport {
  readonly inspections: readonly Inspection[];
  readonly checks: readonly Check[];
  readonly tried: readonly TriedFix[];
  /** Names or patterns of the tenants that were chosen; undefined for all. */
  readonly tenants: readonly string[] | undefined;
  /** The command that asks the issuer about the stored tokens; undefined if that is done, or there are none. */
  readonly ask: string | undefined;
}

export function doctorText({ inspections, checks, tried, tenants, ask }: DoctorReport, style: Style): string {
  const failedChecks = checks.filter(({ failure }) => failure !== undefined);
  const failedInspections = inspections.filter((inspection) => 'failure' in inspection);
  const findings = allFindings(inspections);
  const renewed = inspections.reduce((sum, each) => sum + ('failure' in each ? 0 : (each.renewed ?? 0)), 0);
  const lines = [
    ...(renewed === 0 ? [] : [style.good(`✓ Tokens renewed to see whether that works: ${renewed}`)]),
    ...triedLines(tried, style),
    ...checks.flatMap((check) => noteLines(check, style)),
    ...failureLines(
      [
        ...failedInspections.map(({ deployment, failure }) => ({
          ...deployment,
          name: 'the deployment',
          failure,
        })),
        ...failedChecks.map((check) => ({ ...check, failure: check.failure! })),
      ],
      style,
    ),
    ...findingLines(findings, style, { withMeaning: true, tenants }),
  ];
  const isHealthy = failedChecks.length + failedInspections.length + findings.length === 0;
  return [
    ...lines,
    ...(isHealthy ? healthyLines(inspections.some(hasScheduledKeyTests), ask, style) : []),
  ].join('\n');
}

/** Whether the deployment has API keys that rotate-credentials tests on its schedule; doctor itself tests none. */
function hasScheduledKeyTests(inspection: Inspection): boolean {
  if ('failure' in inspection) return false;
  const { deployment, tenants } = inspection.snapshot;
  const hasKey = tenants.some(({ credentials }) => credentials.some(({ kind }) => kind === 'api-key'));
  return deployment.restoreApi.acceptsApiKeys === true && hasKey;
}

function healthyLines(hasKeys: boolean, ask: string | undefined, style: Style): string[] {
  return [
    style.good('✓ No fault found'),
    ...indentText('Not checked: the alarms, which can show more. See `latchkey status`.'),
    ...(hasKeys
      ? indentText(
          'Not asked: whether the platform still accepts the API keys. rotate-credentials tries them every 6 hours.',
        )
      : []),
    ...(ask === undefined
      ? []
      : [
          ...indentText(
            'Not asked: whether the issuer still accepts the credentials, and its APIs still accept the stored tokens. If callers of a tenant get 401:',
          ),
          `    ${style.dim('→')} ${ask}`,
        ]),
  ];
}

/** What doctor did before it stopped in the middle of its fixes. */
export function stoppedText(tried: readonly TriedFix[], unstarted: number, style: Style): string {
  return [...triedLines(tried, style), style.dim(`Not started: ${countText(unstarted)}`)].join('\n');
}

/** Failures first if there are many, since the rest are only counted. */
function triedLines(tried: readonly TriedFix[], style: Style): string[] {
  const isMany = tried.length > MAX_TRIED;
  const listed = isMany ? [...tried].sort((a, b) => Number(a.isDone) - Number(b.isDone)) : tried;
  const unlisted = listed.slice(MAX_TRIED);
  const failed = unlisted.filter(({ isDone }) => !isDone).length;
  return [
    ...listed
      .slice(0, MAX_TRIED)
      .map(({ repair, isDone, outcome }) =>
        isDone ? `${style.good('✓')} ${repair}: ${outcome}` : `${style.bad('✗')} ${repair}: ${outcome}`,
      ),
    ...(unlisted.length === 0
      ? []
      : [style.dim(`  and ${countText(unlisted.length)} more, of which ${countText(failed)} failed`)]),
  ];
}

function noteLines(check: Check, style: Style): string[] {
  const { name, note, hint } = check;
  const text = note ?? hint;
  if (text === undefined) return [];
  const place = style.bold(deploymentText(check));
  return [`${style.dim(note === undefined ? '· Hint' : '· Not checked')}  ${place}  ${name}`, `    ${text}`];
}

type FailedCheck = DeploymentKey & Pick<Check, 'name'> & { readonly failure: CommandError };

/** Checks that fail alike are one line: the first names the place. */
function failureLines(checks: readonly FailedCheck[], style: Style): string[] {
  const textOf = ({ failure: { message, advice } }: FailedCheck) => JSON.stringify([message, advice]);
  const firsts = checks.filter((check) => checks.find((each) => textOf(each) === textOf(check)) === check);
  return firsts.flatMap((check) => {
    const { name, failure } = check;
    const alike = checks.filter((each) => textOf(each) === textOf(check)).length - 1;
    return [
      `${style.bad('✗ Check failed')}  ${style.bold(deploymentText(check))}  ${name}${alike === 0 ? '' : ` and ${alike} more`}`,
      `    ${failure.message}`,
      ...(failure.advice === undefined ? [] : [`    ${style.dim('→')} ${failure.advice}`]),
    ];
  });
}
