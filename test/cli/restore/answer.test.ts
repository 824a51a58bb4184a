import { interpretAnswer } from '../../../cli/restore/answer';
import { FAILURES } from '../../../cli/restore/outcome-kinds';
import { gatewayProblems } from '../../../core/restore/gateway-problems';
import { type RestoreAuth } from '../../../core/restore/restore-operation';
import { OUTCOMES } from '../../../core/restore/restore-outcomes';
import { problem, REQUEST_ID } from './support/fake-restore-api';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const RECORD = { id: 'id-1', status: 'published', items: [] };

const answerOf = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const read = (answer: ReturnType<typeof answerOf>, auth: RestoreAuth = 'platform') =>
  interpretAnswer(answer, 'id-1', auth, NOW_MS);

const documented = (['platform', 'iam'] as const).flatMap((auth) =>
  [...Object.values(OUTCOMES), ...gatewayProblems(auth)].flatMap(({ status, code, retry, detail }) =>
    code === undefined ? [] : [{ auth, status, code, retry, detail }],
  ),
);

describe('an answer of the restore API', () => {
  it.each(documented)(
    '$status $code ($auth) is recognized by its code: $detail',
    ({ status, code, auth, detail }) => {
      const answer = read(problem(status, code)('id-1', undefined as never) as never, auth);

      expect(answer).toMatchObject({ outcome: code, status, requestId: REQUEST_ID });
      expect(JSON.stringify(answer)).not.toContain('canary');
      const isAmbiguous = detail === OUTCOMES.contentOrOperationNotFound.detail;
      const outcome = isAmbiguous ? 'content_or_operation_not_found' : code;
      expect(read(answerOf(status, { code, detail }), auth)).toMatchObject({ outcome, detail });
    },
  );

  it.each(documented)(
    'of $status $code ($auth): is retried only if a retry can succeed',
    ({ code, retry }) => {
      const { kind } = FAILURES[code];

      if (retry === 'later') expect(['transient', 'throttled', 'access']).toContain(kind);
      else expect(['transient', 'throttled']).not.toContain(kind);
      expect(kind === 'unknown').toBe(retry === 'after_checking');
    },
  );

  it('is a record of this content, in either case of its id', () => {
    const record = { ...RECORD, id: 'ID-1' };

    expect(read(answerOf(200, record, { 'x-amzn-requestid': REQUEST_ID }))).toEqual({
      outcome: 'restored',
      status: 200,
      requestId: REQUEST_ID,
      record,
    });
  });

  it.each([
    ['a 200 that is no JSON', answerOf(200, '<html>')],
    ['a 200 of another content', answerOf(200, { ...RECORD, id: 'id-2' })],
    ['a 200 without items', answerOf(200, { id: 'id-1', status: 'published' })],
    ['a 200 with a record that is still archived', answerOf(200, { ...RECORD, status: ' Archived ' })],
    ['a 200 with a record that is a draft', answerOf(200, { ...RECORD, status: 'draft' })],
    ['a redirect', answerOf(307, '', { location: 'https://elsewhere.example' })],
    ['a 404 of something on the way', answerOf(404, { message: 'Not Found' })],
    ['a code that the contract does not have', answerOf(409, { code: 'new_code' })],
    ['a code with a status that is not its own', answerOf(502, { code: 'not_archived' })],
    ['a code of JavaScript', answerOf(500, { code: 'constructor' })],
  ])('%s leaves the outcome unknown', (_, answer) => {
    expect(read(answer)).toMatchObject({ outcome: 'outcome_unknown', status: answer.status });
  });

  it('shows a request id only in API Gateway’s format', () => {
    const answer = read(answerOf(409, { code: 'not_archived', requestId: 'canary-token' }));

    expect(answer.requestId).toBeUndefined();
  });

  it.each([
    [{ 'retry-after': 'Sat, 31 Jan 2026 12:00:05 GMT' }, { retryAfterMs: 5_000 }],
    [{}, {}],
  ])('with %j says when to retry: %j', (headers, retry) => {
    expect(read(answerOf(429, { code: 'too_many_requests' }, headers))).toEqual({
      outcome: 'too_many_requests',
      status: 429,
      detail: expect.any(String) as string,
      ...retry,
    });
  });
});
