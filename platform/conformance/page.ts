import { type Clause } from './clauses';
import { type NotExamined } from './not-examined';
import { type CheckResult } from './run-checks';
import { SUBJECT_EXAMPLE } from './subject-file';

/** What a platform did wrong when a check of the clause was seen to fail. */
interface Violation {
  readonly clause: string;
  /** Continues "a platform that …": `gives a token for any client_secret`. */
  readonly violation: string;
}

/** What the page is made of. */
interface PageInput {
  readonly clauses: readonly Clause[];
  /** Of a run against the sandbox. */
  readonly results: readonly CheckResult[];
  readonly notExamined: readonly NotExamined[];
  readonly violations: readonly Violation[];
}

/** docs/conformance.md: every clause of the specification, and what shows that the sandbox keeps to it. */
export function conformancePage(input: PageInput): string {
  const shown = input.clauses.filter(({ id }) => checksOf(id, input).length > 0);
  const gaps = rowsOf(input, ({ kind }) => kind === 'gap');
  const others = rowsOf(input, ({ kind }) => kind !== 'gap');
  return [
    introduction(input, shown.length),
    ...sectionsOf(shown).map((section) => sectionTable(section, input)),
    `## Not shown in the specification\n\nThe sandbox does what is assumed here; so do clients here, unless they are configured otherwise ([assumptions](assumptions.md)).\n\n${table(['Clause', 'The specification', 'Assumed'], gaps)}`,
    `## Not examined for another reason\n\n${table(['Clause', 'The specification', 'Why'], others)}`,
  ]
    .join('\n\n')
    .concat('\n');
}

function introduction({ clauses, results, violations }: PageInput, shown: number): string {
  const of = (needs: string) => results.filter((result) => result.needs === needs).length;
  return `# Conformance

[The specification](../platform/conformance/specification.md) of the platform has ${clauses.length} clauses: its bullets, rules, rows of tables and paragraphs. ${results.length} checks
show ${shown} of them over HTTPS; the others are listed with the reason. A check counts only because it was seen to fail
on a platform that violates the clause: a [sandbox](sandbox.md) whose requests or answers are changed on their way. There are ${violations.length} of them.

This page is written by \`npm run docs\`; do not edit it.

## Examine a platform

\`\`\`sh
npm run conformance -- --sandbox https://127.0.0.1:8443/_sandbox --ca-file ca.pem   # a sandbox: all ${results.length} checks
npm run conformance -- --target tenant.json                                          # any platform: reads only
npm run conformance -- --target tenant.json --writes                                 # and what changes contents, or generates keys
\`\`\`

The suite adds tenants of its own to a sandbox, resets it before each check, and puts its clock forward by years: one run at a
time, and no sandbox that others are using. Of a real tenant it asks for tokens, sends \`GET\`
requests, and does nothing else (${of('read')} checks) unless \`--writes\` is given (${of('write')} more); ${of('control')} need a sandbox.
Some of the requests carry a wrong secret on purpose: a platform that locks out after failures may lock the tenant out.
With \`--writes\` it leaves contents behind that are called "… conformance suite", and API keys that nobody knows.

The file of \`--target\` holds no secret; what is not needed may be left out: the references, archived contents. Restore is coming
soon: as long as the platform has none at \`POST /contents/{id}/restore\`, leave the archived contents out, and what needs one is
not examined. Later each of those checks takes up to four of them.

\`\`\`json
${JSON.stringify(SUBJECT_EXAMPLE, undefined, 2)}
\`\`\`

The credentials are read from standard input: \`{"clientId", "clientSecret", "apiKey"?, "session"?: {"authorization",
"correlationId"}}\`. Exit status: 0 nothing failed, 1 something did or could not be examined to the end, 2 faulty options or files,
69 not reachable or not trusted, 130 interrupted. \`--json\` gives one document with all results.

## The clauses

Behind each check: whether it reads, writes, or needs control.`;
}

/** Clauses that stand under the same heading. */
function sectionsOf(clauses: readonly Clause[]): Clause[][] {
  const sections = new Map<string, Clause[]>();
  for (const clause of clauses) {
    const heading = clause.section.join(' / ');
    sections.set(heading, [...(sections.get(heading) ?? []), clause]);
  }
  return [...sections.values()];
}

function sectionTable(clauses: readonly Clause[], input: PageInput): string {
  const rows = clauses.map(({ id, text }) => {
    const checks = checksOf(id, input);
    const failed = checks.filter(({ outcome }) => outcome !== 'passed');
    return [
      code(id),
      text,
      checks.map(({ name, needs }) => `${name} (${needs})`).join('<br>'),
      failed.length === 0 ? 'passed' : `${failed.length} of ${checks.length} ${failed[0]!.outcome}`,
      input.violations
        .filter(({ clause }) => clause === id)
        .map(({ violation }) => violation)
        .join('<br>'),
    ];
  });
  const heading = clauses[0]!.section.slice(1).join(' / ');
  return `### ${heading}\n\n${table(['Clause', 'The specification', 'Checks', 'Sandbox', 'Fails on a platform that'], rows)}`;
}

function checksOf(clause: string, { results }: PageInput): readonly CheckResult[] {
  return results.filter(({ clauses }) => clauses.includes(clause));
}

function rowsOf({ clauses, notExamined }: PageInput, isMeant: (entry: NotExamined) => boolean): string[][] {
  return notExamined.filter(isMeant).map((entry) => {
    const { text } = clauses.find(({ id }) => id === entry.clause)!;
    return [code(entry.clause), text, entry.kind === 'gap' ? entry.assumption : entry.why];
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** As code in Markdown, whatever backticks are in it. @see CommonMark, section 6.1 */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
