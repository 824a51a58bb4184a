import { type RestoreAuth } from '../../core/restore/restore-operation';
import { PROBLEMS, REASON_PHRASES, type RestoreStatus } from '../../core/restore/restore-outcomes';
import { ADVICE, type DocumentedAnswer, documentedAnswers, modifies } from './restore-answers';
import { tableLines } from './markdown-table';

const REQUEST_ID = '0c8f2a4e-6b1d-4f3a-9e57-2d7c1b8a9f60';

/** `docs/restore-api.md`: its table of answers, and what its words mean. */
export function restoreApiPage(current: string): string {
  const words = Object.values(ADVICE).map(([word, advice]) => `- **${word}**: ${advice}`);
  const head = ['Status', 'Code', 'Given by', 'When', 'Content modified?', 'What to do', 'Retry-After'];
  const table = tableLines(head, rowsOfBothModes());
  return current.replace(
    /(?<=^<!-- prettier-ignore-start -->\n- \*\*)[^]*(?=\n<!-- prettier-ignore-end -->$)/m,
    () => `${words.join('\n')}\n\n${table.join('\n')}`.replace(/^- \*\*/, ''),
  );
}

/** A row for each answer, sorted by status; those of one mode say so. */
function rowsOfBothModes(): string[][] {
  const rows = (mode: RestoreAuth) =>
    new Map(documentedAnswers(mode).map((answer) => [JSON.stringify(answer), answer]));
  const [platform, iam] = [rows('platform'), rows('iam')];
  const only = (key: string) =>
    !iam.has(key) ? ', platform mode only' : platform.has(key) ? '' : ', iam mode only';
  return [...new Map([...platform, ...iam])]
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([key, answer]) => rowOf(answer, only(key)));
}

function rowOf(answer: DocumentedAnswer, only: string): string[] {
  const { status, code, by, name, cause, retry, retryAfter = '–' } = answer;
  const isModified = modifies(answer);
  return [
    String(status),
    code === undefined ? '–' : `\`${code}\``,
    `${by}, \`${name}\`${only}`,
    cause,
    isModified === 'unknown' ? '**not known**' : isModified,
    status === 200 ? '–' : ADVICE[retry][0],
    retryAfter,
  ];
}

interface Response {
  description: string;
  headers: object;
  content: Record<string, object>;
}

/** The parts of the OpenAPI documents that follow from the answers. */
interface RestoreDocument {
  paths: Record<string, { post: { responses: Record<string, Response> } }>;
  components: { schemas: { Problem: { properties: { code: { enum: string[] } } } } };
}

/** An OpenAPI document with the answers of a mode. Headers stay as they are; a new status gets those of 400. */
export function restoreOpenApi(current: string, mode: RestoreAuth): string {
  const document = JSON.parse(current) as RestoreDocument;
  document.components.schemas.Problem.properties.code.enum = Object.keys(PROBLEMS);
  const { responses } = Object.values(document.paths)[0]!.post;
  const answers = documentedAnswers(mode);
  for (const status of new Set(answers.map((answer) => answer.status))) {
    const ofStatus = answers.filter((answer) => answer.status === status);
    const { headers, content } = responses[status] ?? { ...responses[400]!, content: {} };
    responses[status] = {
      description: [...new Set(ofStatus.map(descriptionOf))].join('\n'),
      headers,
      content:
        status === 200 ? content : { ...content, 'application/problem+json': problemOf(status, ofStatus) },
    };
  }
  for (const status of Object.keys(responses)) {
    if (status !== 'default' && !answers.some((answer) => String(answer.status) === status))
      delete responses[status];
  }
  return JSON.stringify(document);
}

function descriptionOf(answer: DocumentedAnswer): string {
  const { status, code, by, cause, retry } = answer;
  const what = code === undefined ? by : `${code} (${by})`;
  if (status === 200) return `- ${what}: ${cause} No action needed.`;
  const did = modifies(answer) === 'unknown' ? 'may have modified' : 'did not modify';
  return `- ${what}: ${cause} This request ${did} the content. ${ADVICE[retry][1]}`;
}

function problemOf(status: RestoreStatus, answers: readonly DocumentedAnswer[]): object {
  const codes = [...new Set(answers.flatMap(({ code }) => code ?? []))];
  const title = REASON_PHRASES[status];
  const examples = codes.map((code) => {
    const { detail } = answers.find((answer) => answer.code === code)!;
    return [code, { value: { type: 'about:blank', title, status, detail, code, requestId: REQUEST_ID } }];
  });
  return {
    schema: {
      type: 'object',
      allOf: [{ $ref: '#/components/schemas/Problem' }],
      properties: { title: { enum: [title] }, status: { const: status }, code: { enum: codes } },
    },
    examples: Object.fromEntries(examples) as object,
  };
}
