/**
 * The restore handler, written with other libraries: media type, JSON, validation of request and response, token from
 * memory, one log line, two metrics. Each takes a function that sends `(path, body, token)` and returns `{ status, text }`.
 */
import { Router } from '@aws-lambda-powertools/event-handler/http';
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { z } from 'zod';

import { END_MS, MARGIN_MS } from './warm-requests.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const isJson = (contentType) => /^application\/json\s*(;|$)/i.test(contentType ?? '');

const Reference = z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/);
const ActingUser = z
  .strictObject({ authorRef: Reference.optional(), collaborationId: Reference.optional() })
  .refine((user) => user.authorRef !== undefined || user.collaborationId !== undefined);
const ContentId = z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/);
const Item = z.object({
  id: z.string().optional(),
  type: z.string().optional(),
  rank: z.number().optional(),
  summary: z.string().optional(),
  status: z.string().optional(),
  reason: z.string().optional(),
});
const ContentRecord = z.object({ id: z.string(), status: z.string(), items: z.array(Item) });

const tokens = new Map([
  ['bench-tenant|content|api/write', { accessToken: process.env.ACCESS_TOKEN, endMs: END_MS }],
]);

/** The token in memory, by tenant. */
export function tokenOf(tenantId) {
  const token = tokens.get(`${tenantId}|content|api/write`);
  if (token === undefined || token.endMs - MARGIN_MS < Date.now()) throw new Error('no token');
  return token.accessToken;
}

/** The minimum that could work: no checks, log line or metrics. */
export const least =
  (send) =>
  async ({ pathParameters: { tenantId, contentId }, body }) => {
    const user = JSON.stringify(JSON.parse(body));
    const { status, text } = await send(`/contents/${contentId}/restore`, user, tokenOf(tenantId));
    return { statusCode: status, headers: JSON_TYPE, body: JSON.stringify(JSON.parse(text)) };
  };

/** Handles a parsed body up to the platform's record. */
async function restore(send, { tenantId, contentId }, body) {
  const user = ActingUser.parse(body);
  const path = `/contents/${ContentId.parse(contentId)}/restore`;
  const { status, text } = await send(path, JSON.stringify(user), tokenOf(tenantId));
  const record = ContentRecord.parse(JSON.parse(text));
  return { statusCode: status, headers: JSON_TYPE, body: JSON.stringify(record) };
}

const logger = new Logger({ serviceName: 'restore', logLevel: 'INFO' });
const metrics = new Metrics({
  namespace: 'Bench',
  defaultDimensions: { environment: 'staging', platformRegion: 'global' },
});

/** Logs the same fields as our handler. */
function logged(event, answer, startedMs) {
  logger.info('restore answered', {
    ...event.pathParameters,
    ...event.body,
    traceId: event.headers['X-Amzn-Trace-Id'].slice(5),
    code: 'restored',
    status: answer.statusCode,
    apiRequestId: event.requestContext.requestId,
    durationMs: Math.round(performance.now() - startedMs),
    upstreamStatus: answer.statusCode,
  });
}

function measured(startedMs) {
  metrics.addMetric('Restored', MetricUnit.Count, 1);
  metrics.addMetric('RestoreLatency', MetricUnit.Milliseconds, Math.round(performance.now() - startedMs));
}

export const PEERS = {
  'middy + body parser + error handler + zod, no log': (send) =>
    middy({ timeoutEarlyInMillis: 0 })
      .use(httpJsonBodyParser())
      .use(httpErrorHandler())
      .handler((event) => restore(send, event.pathParameters, event.body)),
  'middy + Powertools logger + zod': (send) =>
    middy({ timeoutEarlyInMillis: 0 })
      .use(injectLambdaContext(logger, { clearState: true }))
      .use(httpJsonBodyParser())
      .use(httpErrorHandler())
      .handler(async (event) => {
        const startedMs = performance.now();
        const answer = await restore(send, event.pathParameters, event.body);
        logged(event, answer, startedMs);
        return answer;
      }),
  'middy + Powertools logger + metrics + zod': (send) =>
    middy({ timeoutEarlyInMillis: 0 })
      .use(injectLambdaContext(logger, { clearState: true }))
      .use(logMetrics(metrics))
      .use(httpJsonBodyParser())
      .use(httpErrorHandler())
      .handler(async (event) => {
        const startedMs = performance.now();
        const answer = await restore(send, event.pathParameters, event.body);
        measured(startedMs);
        logged(event, answer, startedMs);
        return answer;
      }),
  'hono + aws-lambda adapter + zod, no log': (send) => {
    const app = new Hono();
    app.post('/tenants/:tenantId/contents/:contentId/restore', async (c) => {
      if (!isJson(c.req.header('content-type'))) return c.json({}, 415);
      const { statusCode, headers, body } = await restore(send, c.req.param(), await c.req.json());
      return c.body(body, statusCode, headers);
    });
    return handle(app);
  },
  'Powertools Router + zod, no log': (send) => {
    const app = new Router();
    app.post('/tenants/:tenantId/contents/:contentId/restore', async ({ req, params }) => {
      if (!isJson(req.headers.get('content-type'))) return new Response('{}', { status: 415 });
      const { statusCode, headers, body } = await restore(send, params, await req.json());
      return new Response(body, { status: statusCode, headers });
    });
    return (event, context) => app.resolve(event, context);
  },
};
