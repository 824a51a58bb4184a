import { gatewayProblems } from '../../../contract/gateway-problems';
import { type Problem, RESTORE_STATUSES } from '../../../contract/problem';
import { type Outcome, OUTCOMES } from '../../../contract/restore-outcomes';

/**
 * What Node's HTTP server answers by itself, without a body: what it cannot read (400), bodies with too much in their
 * framing (413), an expectation that it does not know (417), heads that are too large (431), and the interim 100.
 * @see https://nodejs.org/api/http.html, "Event: 'clientError'" and "Event: 'checkContinue'"
 */
const SERVER_STATUSES: readonly number[] = [100, 400, 413, 417, 431];
/**
 * What API Gateway answers before it knows which API is meant: another address (403), what it cannot read (400), an
 * address or headers that are too long (414, 431).
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const UNADDRESSED_STATUSES: readonly number[] = [400, 403, 413, 414, 431];

const DOCUMENTED: readonly Pick<Outcome, 'status' | 'code'>[] = [
  ...Object.values<Outcome>(OUTCOMES),
  ...gatewayProblems('platform'),
];

/** The body of an answer in chunks, which only the server itself gives, and without any. */
const NO_CHUNKS = '0\r\n\r\n';

interface ParsedAnswer {
  status: number;
  body: string;
}

/** Takes a connection's answers apart. @throws {Error} for anything that is none */
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

/** Whether an answer is one of the contract, or one that API Gateway or the server gives to what is no request of it. */
export function isDocumented({ status, body }: ParsedAnswer): boolean {
  if (body === '') return SERVER_STATUSES.includes(status);
  const document = JSON.parse(body) as Partial<Problem>;
  if (document.code === undefined) return UNADDRESSED_STATUSES.includes(status);
  const isKnown = DOCUMENTED.some((problem) => problem.status === status && problem.code === document.code);
  return isKnown && RESTORE_STATUSES.some((documented) => documented === status) && status < 500;
}
