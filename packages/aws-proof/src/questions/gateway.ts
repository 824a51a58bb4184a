import { RESTORE_PATH } from '../../../../core/restore/restore-operation';
import { answer, compare, notRun, type Question } from '../question';

const guide = (page: string) => `https://docs.aws.amazon.com/apigateway/latest/developerguide/${page}.html`;
/** How long a new REST API takes until it answers as it should. */
const NEW_API_SEC = 120;
/** The ways in which the functions behind the API of the run fail. */
const FAILURES = ['crash', 'exit', 'malformed', 'slow', 'throttled'] as const;

/** Pauses, in which Lambda freezes the process: as long as a connection may be reused, longer, and much longer. */
const PAUSES_SEC = [3, 6, 60, 300];

export const GATEWAY_QUESTIONS: readonly Question[] = [
  {
    id: 'failed-functions',
    subject:
      'The answer if a function throws, ends its process, answers in another format, times out, or is throttled',
    reliedOn:
      'the API’s own gateway responses, and so never 502: `DEFAULT_5XX` or a narrower type replaces it',
    promise: '502 from the restore API means that the platform failed and nothing was restored',
    pages: [
      guide('supported-gateway-response-types'),
      guide('handle-errors-in-lambda-integration'),
      'https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html',
    ],
    async ask(run) {
      const url = run.outputs.FailingUrl!.replace(/\/$/, '');
      // A new host name cannot be resolved at once.
      const isReady = async () =>
        (await run.request(`${url}/fine`).catch(() => undefined))?.status === 200 || undefined;
      if (!(await run.time.until(isReady, { withinSec: NEW_API_SEC })))
        return notRun('the API does not answer');
      const seen: string[] = [];
      for (const failure of FAILURES) {
        const { status, body } = await run.request(`${url}/${failure}`);
        const [, code = 'another body'] = /"code": ?"(\w+)"/.exec(body) ?? [];
        seen.push(`${failure}: ${status} ${code}`);
      }
      const isOurs = seen.every((each) => /: 50[04] outcome_unknown$/.test(each));
      return answer(isOurs, seen.join(', '));
    },
  },
  {
    id: 'challenge-header',
    subject: 'The `WWW-Authenticate` header on the 401 of a gateway response',
    reliedOn: 'it arrives under its own name',
    promise: 'a 401 of the restore API says how to authenticate, as HTTP demands',
    pages: [guide('api-gateway-known-issues'), guide('supported-gateway-response-types')],
    async ask(run) {
      const path = RESTORE_PATH.replaceAll(/\{\w+\}/g, 'unknown');
      const { status, headers } = await run.request(run.restoreApiUrl + path, {
        method: 'POST',
        headers: { authorization: 'Basic eDp5' },
      });
      const names = Object.keys(headers).filter((name) => name.endsWith('www-authenticate'));
      return compare({
        status: [String(status), '401'],
        header: [names.join(', ') || 'none', /(^|, )www-authenticate/],
      });
    },
  },
  {
    id: 'idle-connection',
    subject: 'A connection that the platform closed while Lambda had the process frozen',
    reliedOn: 'a connection idle for over 4 s is never reused, and the platform closes none sooner',
    promise: 'no restore has an unknown outcome because Latchkey reused a dead connection',
    pages: [
      'https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html',
      'https://nodejs.org/api/http.html',
    ],
    slow: true,
    async ask(run) {
      const tenant = run.tenants[0]!;
      const headers = tenant.basic(await tenant.apiKey());
      for (const pauseSec of [0, ...PAUSES_SEC]) {
        if (pauseSec > 0) await run.time.pass(pauseSec);
        const outcome = await tenant.restore(headers);
        if (outcome !== '200 published') return answer(false, `after a pause of ${pauseSec} s: ${outcome}`);
      }
      return answer(true, `restores succeeded after pauses of ${PAUSES_SEC.join(', ')} s`);
    },
  },
];
