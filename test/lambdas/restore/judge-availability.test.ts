import { judgeAvailability, type ProbeResult } from '../../../lambdas/restore/judge-availability';
import { type UpstreamResult } from '../../../lambdas/shared/ports';
import { answerOf } from '../../support/lambdas/restore-functions';

const RESTORE = '/contents/0123456789abcdef01234567/restore';
const UNKNOWN = ['-9f8e7d6c5b4a3210', '-0a1b2c3d4e5f6071'] as const;
const KNOWN = '/contents/76543210fedcba9876543210/publish';

interface Answers {
  restore: UpstreamResult;
  unknown: (path: string) => UpstreamResult;
  known?: UpstreamResult;
}

function judge({ restore, unknown, known }: Answers) {
  const results = UNKNOWN.map((suffix): ProbeResult => {
    const path = `${RESTORE}${suffix}`;
    return { path, suffix, result: unknown(path) };
  });
  const of = (path: string, result: UpstreamResult): ProbeResult => ({ path, suffix: '', result });
  return judgeAvailability(of(RESTORE, restore), results, known && of(KNOWN, known));
}

const json = (status: number, body: object) => answerOf(status, JSON.stringify({ status, ...body }));
const page = (text: string) => answerOf(404, text);
const noPath = (path: string) => json(404, { message: `no operation at ${path}` });
const NO_CONTENT = json(404, { message: 'the content does not exist' });
const NO_USER = json(422, { message: 'authorRef or collaborationId is required' });

describe('the operation is offered', () => {
  it.each<[string, number, Answers]>([
    ['if it validates the request', 422, { restore: NO_USER, unknown: noPath }],
    ['if it looks for the content first', 404, { restore: NO_CONTENT, unknown: noPath }],
    ['if it calls the request bad', 400, { restore: json(400, {}), unknown: noPath }],
    ['if only its answer has a number', 404, { restore: answerOf(404, 'no 7'), unknown: () => page('no ') }],
    ['if unknown operations get a 403', 422, { restore: NO_USER, unknown: () => json(403, {}) }],
    ['if only unknown operations get a page', 404, { restore: NO_CONTENT, unknown: () => page('<html>') }],
  ])('%s', (_, status, answers) => {
    expect(judge(answers)).toEqual({
      availability: 'offered',
      reason: `it answered ${status}, and differently to unknown operations`,
    });
  });

  it('if the two unknown operations have different statuses, one of them that of restore', () => {
    const unknown = (path: string) => (path.endsWith(UNKNOWN[1]) ? answerOf(410) : NO_CONTENT);

    expect(judge({ restore: NO_CONTENT, unknown })).toMatchObject({ availability: 'offered' });
  });
});

describe('the operation is absent', () => {
  const AS_UNKNOWN = 'it answered 404, as to operations that do not exist';
  const noGateway = () => json(403, { message: 'Missing Authentication Token' });
  it.each<[string, string, Answers]>([
    [
      'if it is answered like unknown operations, and publish is not',
      AS_UNKNOWN,
      { restore: noPath(RESTORE), unknown: noPath, known: NO_USER },
    ],
    [
      'also if publish gets another 404',
      AS_UNKNOWN,
      { restore: noPath(RESTORE), unknown: noPath, known: NO_CONTENT },
    ],
    [
      'also if bodies contain times and request ids',
      AS_UNKNOWN,
      {
        restore: json(404, { at: '2026-11-22T10:00:00.123Z', requestId: 'b7e1-00ff00ff00ff' }),
        unknown: () => json(404, { at: '2026-11-22T10:00:01.4Z', requestId: 'c8a2-11aa11aa11aa' }),
        known: NO_USER,
      },
    ],
    [
      'also behind a gateway that answers 403',
      'it answered 403, as to operations that do not exist',
      { restore: noGateway(), unknown: noGateway, known: NO_USER },
    ],
    ['if the method is not allowed', 'it answered 405', { restore: answerOf(405), unknown: noPath }],
    ['if it is not implemented', 'it answered 501', { restore: answerOf(501), unknown: noPath }],
    [
      'if it has moved',
      'it answered 308, a redirect, which is never followed',
      { restore: answerOf(308), unknown: noPath },
    ],
  ])('%s', (_, reason, answers) => {
    expect(judge(answers)).toEqual({ availability: 'absent', reason });
  });

  it.each<[string, (path: string, suffix: string) => string]>([
    ['the path', (path) => `none at ${path}`],
    ['the path without its query', (path) => `none at ${path.split('?')[0]}`],
    ['only the end of the path', (_, suffix) => `no operation restore${suffix}`],
    ['the path twice', (path) => `${path} is not ${path}`],
    ['nothing of the path', () => 'none'],
  ])('only after a comparison with an operation that exists, if bodies name %s', (_, body) => {
    const of = (suffix: string): ProbeResult => {
      const path = `/restore${suffix}?content=0123456789ab`;
      return { path, suffix, result: answerOf(404, body(path, suffix)) };
    };

    expect(judgeAvailability(of(''), UNKNOWN.map(of))).toBe('compare');
  });
});

it.each<[string, Answers]>([
  ['the restore operation', { restore: answerOf(401), unknown: noPath }],
  ['an operation that cannot exist', { restore: answerOf(404), unknown: () => answerOf(401) }],
])('a 401 of %s refuses the token', (_, answers) => {
  expect(judge(answers)).toEqual({ availability: 'refused', reason: 'it answered 401' });
});

describe('the answers do not say', () => {
  it.each<[string, string, Answers]>([
    [
      'if all 404s are alike',
      'it answers 404 to every such request',
      { restore: answerOf(404), unknown: () => answerOf(404), known: answerOf(404) },
    ],
    ...[407, 408, 429, 500, 503].map((status): [string, string, Answers] => [
      `if it is answered ${status}`,
      `it answered ${status}`,
      { restore: answerOf(status), unknown: () => answerOf(status) },
    ]),
    [
      'if only unknown operations fail',
      'it answered 500',
      { restore: answerOf(404), unknown: () => answerOf(500) },
    ],
    [
      'if only one unknown operation fails',
      'it answered 500',
      { restore: answerOf(404), unknown: (path) => answerOf(path.endsWith(UNKNOWN[1]) ? 500 : 404) },
    ],
    [
      'if publish fails',
      'it answered 502',
      { restore: answerOf(404), unknown: () => answerOf(404), known: answerOf(502) },
    ],
    ['if it is forbidden', 'it answered 403', { restore: json(403, { message: 'no' }), unknown: noPath }],
    [
      'if every path is called unprocessable',
      'it answered 422, as to unknown operations',
      { restore: NO_USER, unknown: () => NO_USER },
    ],
    [
      'without an answer',
      'no answer within 4000 ms',
      { restore: { kind: 'no_answer', reason: 'no answer within 4000 ms' }, unknown: noPath },
    ],
  ])('%s', (_, reason, answers) => {
    expect(judge(answers)).toEqual({ availability: 'undetermined', reason });
  });

  it('if bodies name only the path without its query, which is of another operation', () => {
    const of = (path: string, suffix = ''): ProbeResult => ({
      path,
      suffix,
      result: answerOf(404, `none at ${path.split('?')[0]}`),
    });
    const unknown = UNKNOWN.map((suffix) => of(`/restore${suffix}?content=1`, suffix));

    expect(judgeAvailability(of('/restore?content=1'), unknown, of(KNOWN))).toEqual({
      availability: 'undetermined',
      reason: 'it answers 404 to every such request',
    });
  });

  it('if bodies differ by chance, and the statuses are the same', () => {
    let chance = 0;
    const random = () => json(404, { token: `${'ghijkl'[(chance += 1)]}x` });

    expect(judge({ restore: random(), unknown: random, known: random() })).toMatchObject({
      availability: 'undetermined',
    });
  });
});
