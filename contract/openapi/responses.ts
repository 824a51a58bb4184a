import { type ProblemCode } from '../problem';
import { type DocumentedAnswer } from './answers';
import { problemExample, RECORD_EXAMPLE } from './examples';
import { type JsonSchema } from './json-schema';
import { type DocumentedHeader, type HeaderName, HEADERS } from './schemas';

/** A body in one media type. */
export interface DocumentedContent {
  schema: JsonSchema;
  examples: Record<string, { value: unknown }>;
}

export interface DocumentedResponse {
  description: string;
  headers: Record<string, DocumentedHeader & { required: boolean }>;
  content: Record<string, DocumentedContent>;
}

/** A status that is not documented. Its body may be anything. @see the platform's specification, "Errors", default */
const DEFAULT_RESPONSE: DocumentedResponse = {
  description:
    'An unexpected error, perhaps a system failure, from API Gateway or a proxy in front of it. This request may have ' +
    'modified the content: check whether it is published before you retry. If it persists, contact the operators of the ' +
    'deployment.',
  headers: {},
  content: {},
};

/** The operation's responses by status, and the default; one response covers all answers with that status. */
export function responsesOf(answers: readonly DocumentedAnswer[]): Record<string, DocumentedResponse> {
  const statuses = [...new Set(answers.map(({ status }) => status))];
  const byStatus = statuses.map((status) => {
    const ofStatus = answers.filter((answer) => answer.status === status);
    return [
      String(status),
      { description: describe(ofStatus), headers: headersOf(ofStatus), content: contentOf(ofStatus) },
    ] as const;
  });
  return { ...Object.fromEntries<DocumentedResponse>(byStatus), default: DEFAULT_RESPONSE };
}

function describe(answers: readonly DocumentedAnswer[]): string {
  const lines = answers.map(({ status, code, by, cause, mayHaveChanged, advice }) => {
    const what = code === undefined ? by : `${code} (${by})`;
    const changed = mayHaveChanged
      ? 'This request may have modified the content.'
      : 'This request did not modify the content.';
    return `- ${[`${what}: ${cause}`, ...(status === 200 ? [] : [changed]), advice].join(' ')}`;
  });
  return [...new Set(lines)].join('\n');
}

/** A header is required if every answer with that status has it. */
function headersOf(answers: readonly DocumentedAnswer[]): DocumentedResponse['headers'] {
  const names = new Set(answers.flatMap(({ headers }) => Object.keys(headers) as HeaderName[]));
  return Object.fromEntries(
    [...names].map((name) => {
      const required = answers.every(({ headers }) => headers[name] === 'always');
      return [name, { ...HEADERS[name], ...(name === 'WWW-Authenticate' && challenges(answers)), required }];
    }),
  );
}

function challenges(answers: readonly DocumentedAnswer[]): { schema: JsonSchema } {
  const all = new Set(answers.flatMap(({ challenge }) => challenge ?? []));
  return { schema: { type: 'string', enum: [...all] } };
}

function contentOf(answers: readonly DocumentedAnswer[]): DocumentedResponse['content'] {
  const mediaTypes = [...new Set(answers.map(({ mediaType }) => mediaType))];
  return Object.fromEntries(
    mediaTypes.map((mediaType) => {
      const ofType = answers.filter((answer) => answer.mediaType === mediaType);
      return [mediaType, mediaType === 'application/problem+json' ? problems(ofType) : plain(ofType[0]!)];
    }),
  );
}

/** The problem schema, narrowed to the titles and codes of one status. */
function problems(answers: readonly DocumentedAnswer[]): DocumentedContent {
  const byCode = new Map<ProblemCode, DocumentedAnswer>();
  for (const answer of answers) {
    if (answer.code !== undefined && !byCode.has(answer.code)) byCode.set(answer.code, answer);
  }
  const { status } = answers[0]!;
  return {
    schema: {
      type: 'object',
      allOf: [{ $ref: '#/components/schemas/Problem' }],
      properties: {
        title: { enum: [...new Set(answers.map(({ title }) => title))] },
        status: { const: status },
        code: { enum: [...byCode.keys()] },
      },
    },
    examples: Object.fromEntries(
      [...byCode].map(([code, answer]) => [code, { value: problemExample(code, answer) }]),
    ),
  };
}

function plain({ status, detail }: DocumentedAnswer): DocumentedContent {
  return status === 200
    ? {
        schema: { $ref: '#/components/schemas/RestoredRecord' },
        examples: { restored: { value: RECORD_EXAMPLE } },
      }
    : {
        schema: { $ref: '#/components/schemas/GatewayMessage' },
        examples: { tooLong: { value: { message: detail } } },
      };
}
