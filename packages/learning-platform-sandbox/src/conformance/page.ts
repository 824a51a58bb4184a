import { type Clause } from './clauses';
import { type NotExamined } from './not-examined';
import { type CheckResult } from './run-checks';
import { SUBJECT_EXAMPLE } from './subject-file';

interface PageInput {
  readonly clauses: readonly Clause[];
  /** Results of a run against the sandbox. */
  readonly results: readonly CheckResult[];
  readonly notExamined: readonly NotExamined[];
}

/** docs/conformance.md: all clauses of the specification, with the checks that cover them and their results. */
export function conformancePage(input: PageInput): string {
  const shown = input.clauses.filter(({ id }) => checksOf(id, input).length > 0);
  return [
    introduction(input, shown.length),
    ...sectionsOf(shown).map((section) => sectionTable(section, input)),
    `## Only in the sandbox\n\nThese take a second tenant or deployment, the clock, a fault, or the stored state. Tests of the sandbox prove that it keeps them.\n\n${table(['Clause', 'The specification', 'Tests of the sandbox'], rowsOf(input, 'sandbox'))}`,
    `## Not shown in the specification\n\nThe sandbox does what this table assumes, and so do clients by default ([assumptions](assumptions.md)).\n\n${table(['Clause', 'The specification', 'Assumed'], rowsOf(input, 'gap'))}`,
    `## Not examined for other reasons\n\n${table(['Clause', 'The specification', 'Why'], rowsOf(input, 'definition'))}`,
  ]
    .join('\n\n')
    .concat('\n');
}

function introduction({ clauses, results }: PageInput, shown: number): string {
  const countOf = (needs: string) => results.filter((result) => result.needs === needs).length;
  return `# Conformance

The conformance suite runs ${results.length} checks over HTTPS against a tenant of any platform. They cover ${shown} of the ${clauses.length} clauses of
[the platform's specification](../packages/learning-platform-sandbox/src/conformance/specification.md): its bullets, rules, table rows and paragraphs. The other clauses are listed below,
with the reason. [Tests](../packages/learning-platform-sandbox/test/conformance/checks.test.ts) prove every check: it must not pass if any answer that it gets is turned
around, from permitted to refused or the reverse, and must fail if a field that it reads is wrong.

\`npm run docs\` generates this page. Do not edit it.

## Check a platform

\`\`\`sh
npm run conformance -- --target tenant.json            # reads only
npm run conformance -- --target tenant.json --writes   # also changes contents and generates API keys
\`\`\`

In a project with the package installed, \`npx latchkey conformance\` does the same, with the same options.

The suite only requests tokens and sends \`GET\` requests (${countOf('read')} checks). With \`--writes\` it runs ${countOf('write')} more, and leaves behind contents
called "… conformance suite" and unused API keys. Some requests carry a wrong secret on purpose: a platform that locks tenants out
after failures may lock this one out.

The \`--target\` file holds no secrets. References and archived contents are optional. Restore is announced as coming soon: while the
platform does not have \`POST /contents/{id}/restore\`, leave out the archived contents, and the checks that need them are not
examined. After that, each of these checks uses up to four archived contents. If the platform takes the acting user of restore from
headers, add their names: \`"actingUserHeaders": {"authorRef": "…", "collaborationId": "…"}\`.

\`\`\`json
${JSON.stringify(SUBJECT_EXAMPLE, undefined, 2)}
\`\`\`

Pass the credentials on standard input: \`{"clientId", "clientSecret", "apiKey"?, "session"?: {"authorization", "correlationId"}}\`.

| Exit code | Meaning                                                      |
| --------- | ------------------------------------------------------------ |
| 0         | nothing failed                                               |
| 1         | a check failed, or could not be completed                    |
| 2         | faulty options or files                                      |
| 69        | the platform is unreachable, or its certificate not trusted  |
| 130       | interrupted                                                  |

\`--json\` prints one JSON document with all results.

## The clauses

In parentheses behind each check: what it needs (\`read\` or \`write\`), and its outcome against the sandbox unless it passed.`;
}

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
    return [code(id), text, checksOf(id, input).map(resultText).join('<br>')];
  });
  const heading = clauses[0]!.section.slice(1).join(' / ');
  return `### ${heading}\n\n${table(['Clause', 'The specification', 'Checks'], rows)}`;
}

/** A check, what it needs, and its outcome against the sandbox unless it passed. */
function resultText({ name, needs, outcome }: CheckResult): string {
  return `${name} (${needs}${outcome === 'passed' ? '' : `, ${outcome}`})`;
}

function checksOf(clause: string, { results }: PageInput): readonly CheckResult[] {
  return results.filter(({ clauses }) => clauses.includes(clause));
}

function rowsOf({ clauses, notExamined }: PageInput, kind: NotExamined['kind']): string[][] {
  return notExamined
    .filter((entry) => entry.kind === kind)
    .map((entry) => {
      const { text } = clauses.find(({ id }) => id === entry.clause)!;
      return [code(entry.clause), text, reasonOf(entry)];
    });
}

function reasonOf(entry: NotExamined): string {
  if (entry.kind === 'sandbox') return entry.tests.map(testLink).join(', ');
  return entry.kind === 'gap' ? entry.assumption : entry.why;
}

function testLink(file: string): string {
  return `[${file}](../packages/learning-platform-sandbox/test/sandbox/${file})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Formats text as Markdown code, even if it contains backticks. @see CommonMark, section 6.1 */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
