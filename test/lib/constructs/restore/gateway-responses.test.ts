import { CHALLENGES, INSUFFICIENT_SCOPE, type Problem } from '../../../../core/restore/problem';
import { OUTCOMES, PROBLEMS, REASON_PHRASES } from '../../../../core/restore/restore-outcomes';
import { synthesisWith } from '../../../support/lib/synthesis';

interface GatewayResponse {
  ResponseType: string;
  StatusCode: string;
  ResponseParameters: Record<string, string>;
  ResponseTemplates: Record<string, string>;
}

const MODES = ['platform', 'iam'] as const;
const responsesOf = (auth: (typeof MODES)[number]) =>
  synthesisWith({ restoreApi: { auth } })
    .resources('AWS::ApiGateway::GatewayResponse')
    .map(({ Properties }) => Properties as unknown as GatewayResponse);
const synthesized = { platform: responsesOf('platform'), iam: responsesOf('iam') };
const problemOf = ({ ResponseTemplates }: GatewayResponse) =>
  JSON.parse(ResponseTemplates['application/json']!) as Problem;

describe.each(MODES)('gateway responses in %s mode', (mode) => {
  const responses = synthesized[mode];

  it('exist once per type, with defaults for all other types', () => {
    const types = responses.map(({ ResponseType }) => ResponseType);

    expect(new Set(types).size).toBe(types.length);
    expect(types).toEqual(expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX']));
  });

  it('are problems of the contract, with the request id', () => {
    for (const response of responses) {
      const problem = problemOf(response);
      expect(Object.keys(response.ResponseTemplates)).toEqual(['application/json']);
      expect(problem).toEqual({
        type: 'about:blank',
        title: expect.any(String) as string,
        status: Number(response.StatusCode),
        detail: expect.any(String) as string,
        code: expect.any(String) as string,
        requestId: '$context.requestId',
      });
      expect(Object.keys(PROBLEMS)).toContain(problem.code);
      expect(Object.keys(REASON_PHRASES).map(Number)).toContain(problem.status);
      expect(JSON.stringify(problem).match(/\$\w*/g)).toEqual(['$context']);
    }
  });

  it('have a media type and must not be stored', () => {
    for (const { ResponseParameters } of responses) {
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.Content-Type': "'application/problem+json'",
        'gatewayresponse.header.Cache-Control': "'no-store'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      });
    }
  });

  // RFC 6750, section 3; RFC 7617, section 2
  it('have challenges only on 401, and the missing scope only on 403', () => {
    const challenged = responses.flatMap(({ ResponseType, ResponseParameters }) => {
      const value = ResponseParameters['gatewayresponse.header.WWW-Authenticate'];
      return value === undefined ? [] : [[ResponseType, value]];
    });

    expect(challenged.sort()).toEqual([
      ...(mode === 'platform' ? [['ACCESS_DENIED', `'${INSUFFICIENT_SCOPE}'`]] : []),
      ['UNAUTHORIZED', `'${CHALLENGES}'`],
    ]);
    expect(responses.filter(({ StatusCode }) => StatusCode === '401')).toHaveLength(1);
  });

  it('have outcome_unknown only for failures after the authorizer', () => {
    const failures = responses
      .filter(({ StatusCode }) => StatusCode.startsWith('5'))
      .map((response) => [response.ResponseType, response.StatusCode, problemOf(response).code]);

    expect(failures.sort()).toEqual([
      ['API_CONFIGURATION_ERROR', '500', 'outcome_unknown'],
      ['AUTHORIZER_CONFIGURATION_ERROR', '500', 'internal_error'],
      ['AUTHORIZER_FAILURE', '500', 'internal_error'],
      ['DEFAULT_5XX', '500', 'outcome_unknown'],
      ['INTEGRATION_FAILURE', '500', 'outcome_unknown'],
      ['INTEGRATION_TIMEOUT', '504', 'outcome_unknown'],
    ]);
  });

  // A private API's resource policy denies before the authorizer runs, and both are ACCESS_DENIED.
  it('do not claim on 403 that the caller was authenticated', () => {
    const denied = responses.find(({ ResponseType }) => ResponseType === 'ACCESS_DENIED')!;

    expect(problemOf(denied).detail).toMatch(/not allowed/);
    expect(problemOf(denied).detail).not.toMatch(/authenticated/);
  });

  it('distinguish an unknown route from a missing signature as far as API Gateway does', () => {
    const UNKNOWN = ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN'];
    const unknown = responses.filter(({ ResponseType }) => UNKNOWN.includes(ResponseType));

    const expected =
      mode === 'platform' ? { status: 404, code: 'unknown_route' } : { status: 403, code: 'forbidden' };
    expect(unknown.map(problemOf)).toEqual(UNKNOWN.map(() => expect.objectContaining(expected) as object));
  });
});

describe('the codes of the contract', () => {
  const gateway = MODES.flatMap((mode) => synthesized[mode].map(problemOf));
  const used: { code?: string; status: number }[] = [...Object.values(OUTCOMES), ...gateway];

  it('have one status each, with one exception', () => {
    const statuses = new Map<string, Set<number>>();
    for (const { code, status } of used) {
      if (code !== undefined) statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
    }

    const several = [...statuses].filter(([, { size }]) => size > 1);
    expect(Object.fromEntries(several.map(([code, all]) => [code, [...all].sort()]))).toEqual({
      outcome_unknown: [500, 504],
    });
  });
});
