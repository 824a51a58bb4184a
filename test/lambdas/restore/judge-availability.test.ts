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
const noPath = (path: string) => json(404, { message: `no operation at ${path}` });
const NO_CONTENT = json(404, { message: 'the content does not exist' });
const NO_USER = json(422, { message: 'authorRef or collaborationId is required' });

describe('the operation is offered', () => {
  it.each<[string, Answers]>([
    ['if it validates the request', { restore: NO_USER, unknown: noPath }],
    ['if it looks for the content first', { restore: NO_CONTENT, unknown: noPath }],
    ['if it calls the request bad', { restore: json(400, {}), unknown: noPath }],
    ['if unknown operations get a 403', { restore: NO_USER, unknown: () => json(403, {}) }],
    [
      'if only unknown operations get a page',
      { restore: NO_CONTENT, unknown: () => answerOf(404, '<html>') },
    ],
  ])('%s', (_, answers) => {
    expect(judge(answers)).toMatchObject({ availability: 'offered' });
  });
});

describe('the operation is absent', () => {
  it.each<[string, Answers]>([
    [
      'if it is answered like unknown operations, and publish is not',
      { restore: noPath(RESTORE), unknown: noPath, known: NO_USER },
    ],
    [
      'also if bodies contain times and request ids',
      {
        restore: json(404, { at: '2026-11-22T10:00:00.123Z', requestId: 'b7e1-00ff00ff00ff' }),
        unknown: () => json(404, { at: '2026-11-22T10:00:01.456Z', requestId: 'c8a2-11aa11aa11aa' }),
        known: NO_USER,
      },
    ],
    [
      'also behind a gateway that answers 403',
      {
        restore: json(403, { message: 'Missing Authentication Token' }),
        unknown: () => json(403, { message: 'Missing Authentication Token' }),
        known: NO_USER,
      },
    ],
    ['if the method is not allowed', { restore: answerOf(405), unknown: noPath }],
    ['if it is not implemented', { restore: answerOf(501), unknown: noPath }],
  ])('%s', (_, answers) => {
    expect(judge(answers)).toMatchObject({ availability: 'absent' });
  });

  it('only after a comparison with an operation that exists', () => {
    expect(judge({ restore: noPath(RESTORE), unknown: noPath })).toBe('compare');
  });
});

describe('the answers do not say', () => {
  it.each<[string, Answers]>([
    ['if all 404s are alike', { restore: answerOf(404), unknown: () => answerOf(404), known: answerOf(404) }],
    ['during an outage', { restore: answerOf(503), unknown: () => answerOf(503) }],
    ['if only unknown operations fail', { restore: answerOf(404), unknown: () => answerOf(500) }],
    ['if publish fails', { restore: answerOf(404), unknown: () => answerOf(404), known: answerOf(502) }],
    ['if the token is refused', { restore: answerOf(401), unknown: () => answerOf(401) }],
    ['if requests are throttled', { restore: answerOf(429), unknown: noPath }],
    ['if it is forbidden', { restore: json(403, { message: 'no' }), unknown: noPath }],
    ['if every path is answered with success', { restore: answerOf(200), unknown: () => answerOf(200) }],
    ['if every path is called unprocessable', { restore: NO_USER, unknown: () => NO_USER }],
    [
      'without an answer',
      { restore: { kind: 'no_answer', reason: 'no answer within 4000 ms' }, unknown: noPath },
    ],
  ])('%s', (_, answers) => {
    expect(judge(answers)).toMatchObject({
      availability: 'undetermined',
      reason: expect.any(String) as string,
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
