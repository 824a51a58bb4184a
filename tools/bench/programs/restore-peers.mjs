/** What a restore function without Latchkey is made of: a function that sends requests, and a handler that takes such a function. */
import https from 'node:https';

import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { z } from 'zod';

const JSON_TYPE = { 'content-type': 'application/json' };

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

const MARGIN_MS = 300_000;
const token = { accessToken: process.env.ACCESS_TOKEN, expiryMs: Date.now() + 3_600_000 };
const tokens = new Map([['bench-tenant|content|api/write', token]]);

/** The token in memory, by tenant. */
function tokenOf(tenantId) {
  const found = tokens.get(`${tenantId}|content|api/write`);
  if (found === undefined || found.expiryMs - MARGIN_MS < Date.now()) throw new Error('no token');
  return found.accessToken;
}

/** Returns a function that sends `(path, body, token)` over kept connections. @param base address of the platform's content API */
export function sender(base) {
  const { hostname, port, pathname } = new URL(base);
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  return (path, body, accessToken) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const options = { hostname, port, path: `${pathname}${path}`, method: 'POST', agent, headers };
      const outgoing = https.request(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

const logger = new Logger({ serviceName: 'restore', logLevel: 'INFO' });
const metrics = new Metrics({
  namespace: 'Bench',
  defaultDimensions: { environment: 'staging', platformRegion: 'global' },
});

/** The same work as ours: media type, JSON, both checks, the token from memory, one log line with the same fields, two metrics. */
export const powertools = (send) =>
  middy({ timeoutEarlyInMillis: 0 })
    .use(injectLambdaContext(logger, { clearState: true }))
    .use(logMetrics(metrics))
    .use(httpJsonBodyParser())
    .use(httpErrorHandler())
    .handler(async ({ pathParameters, body, headers, requestContext }) => {
      const startedMs = performance.now();
      const user = ActingUser.parse(body);
      const path = `/contents/${ContentId.parse(pathParameters.contentId)}/restore`;
      const { status, text } = await send(path, JSON.stringify(user), tokenOf(pathParameters.tenantId));
      const record = ContentRecord.parse(JSON.parse(text));
      const durationMs = Math.round(performance.now() - startedMs);
      metrics.addMetric('Restored', MetricUnit.Count, 1);
      metrics.addMetric('RestoreLatency', MetricUnit.Milliseconds, durationMs);
      logger.info('restore answered', {
        ...pathParameters,
        ...body,
        traceId: headers['X-Amzn-Trace-Id'].slice(5),
        code: 'restored',
        status,
        apiRequestId: requestContext.requestId,
        durationMs,
        upstreamStatus: status,
      });
      return { statusCode: status, headers: JSON_TYPE, body: JSON.stringify(record) };
    });
