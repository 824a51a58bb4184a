import { gatewayProblems } from '../../../core/restore/gateway-problems';
import { type Problem } from '../../../core/restore/problem';
import { type Outcome, OUTCOMES, REASON_PHRASES } from '../../../core/restore/restore-outcomes';

/**
 * Statuses of Node's HTTP server itself, without a body: unreadable requests (400), excessive framing (413),
 * an unknown expectation (417), large headers (431), and the interim 100.
 * @see https://nodejs.org/api/http.html, "Event: 'clientError'" and "Event: 'checkContinue'"
 */
const SERVER_STATUSES: readonly number[] = [100, 400, 413, 417, 431];
/**
 * Statuses of API Gateway before it has found the API: unknown host (403), unreadable requests (400),
 * oversized paths or headers (414, 431).
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const UNADDRESSED_STATUSES: readonly number[] = [400, 403, 413, 414, 431];

const DOCUMENTED: readonly Pick<Outcome, 'status' | 'code'>[] = [
  ...Object.values<Outcome>(OUTCOMES),
  ...gatewayProblems('platform'),
];

/** The end of an empty chunked body, as the server itself sends it. */
const NO_CHUNKS = '0\r\n\r\n';

interface ParsedAnswer {
  status: number;
  body: string;
}

/**
 * Parses all answers on a connection.
 * @throws {Error} for anything else
 */
export function answersIn(text: string): ParsedAnswer[] {
  const answers: ParsedAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const [head = '', status] =
      /^HTTP\/1\.1 (\d{3}) [ -~]*\r\n(?:[!-~]+: ?[\t -~]*\r\n)*\r\n/.exec(rest) ?? [];
    if (status === undefined) throw new Error(`no answer of HTTP: ${JSON.stringify(rest.slice(0, 40))}`);
    const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0);
    const body = rest.slice(head.length, head.length + length);
    answers.push({ status: Number(status), body });
    const isChunked = /^transfer-encoding: chunked\r$/im.test(head);
    rest = rest.slice(head.length + (isChunked ? NO_CHUNKS.length : length));
  }
  return answers;
}

/** Whether an answer is documented, or one of API Gateway or the server to an unreadable request. */
export function isDocumented({ status, body }: ParsedAnswer): boolean {
  if (body === '') return SERVER_STATUSES.includes(status);
  const document = JSON.parse(body) as Partial<Problem>;
  if (document.code === undefined) return UNADDRESSED_STATUSES.includes(status);
  const isKnown = DOCUMENTED.some((problem) => problem.status === status && problem.code === document.code);
  return (
    isKnown &&
    Object.keys(REASON_PHRASES)
      .map(Number)
      .some((documented) => documented === status) &&
    status < 500
  );
}
