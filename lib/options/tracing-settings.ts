import { z } from 'zod';

import { lateArn } from './arn';

const TRACING = '"xray", or an object with opentelemetry';
const LAYER =
  'the ARN of a version of a layer for Node 24 on arm64, such as arn:aws:lambda:eu-west-1:111122223333:layer:opentelemetry-node24:1';
const VARIABLE = 'variables OTEL_…, without HEADERS in the name, because headers contain secrets';
const VALUE = 'a text of at most 512 characters';

/**
 * Refuses layers whose names say that they are for another architecture, and those that fail with Node 24.
 * @see https://github.com/open-telemetry/opentelemetry-js-contrib/issues/3251
 */
const LAYER_VERSION = String.raw`(?![\w-]*(amd64|x86_64)|aws-otel-nodejs-)[\w-]+:\d+`;

/** Layers that patch the code before it runs, by their wrapper scripts. */
const opentelemetry = z.strictObject({
  layerArn: lateArn('lambda', 'layer:', LAYER_VERSION, LAYER).describe(
    'A layer with the instrumentation of OpenTelemetry, in the deployment’s region. It must support Node 24 on arm64.',
  ),
  execWrapper: z
    .enum(['/opt/otel-handler', '/opt/otel-instrument'], { error: '/opt/otel-handler, /opt/otel-instrument' })
    .default('/opt/otel-handler')
    .describe(
      'The layer’s wrapper script. /opt/otel-handler: layers of OpenTelemetry. /opt/otel-instrument: AWSOpenTelemetryDistroJs of AWS.',
    ),
  xray: z
    .boolean()
    .default(true)
    .describe(
      'Whether spans go to AWS X-Ray. The functions then get permissions for it. false: the environment names another exporter.',
    ),
  environment: z
    .record(
      z.string().regex(/^OTEL_(?!.*HEADERS)[A-Z0-9_]{1,100}$/, { error: VARIABLE }),
      z.string({ error: VALUE }).max(512, { error: VALUE }),
    )
    .default({})
    .describe(
      'Environment variables of OpenTelemetry for every function, such as OTEL_EXPORTER_OTLP_ENDPOINT. No secrets.',
    ),
});

/**
 * The `tracing` of a deployment's configuration.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html
 * @see https://opentelemetry.io/docs/platforms/faas/lambda-auto-instrument/
 */
export const tracing = z.union(
  [
    z.literal('xray', { error: TRACING }),
    z.strictObject(
      { opentelemetry: opentelemetry.describe('A layer that patches the functions before they run.') },
      { error: TRACING },
    ),
  ],
  { error: TRACING },
);
