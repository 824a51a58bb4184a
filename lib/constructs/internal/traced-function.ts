import * as lambda from 'aws-cdk-lib/aws-lambda';
import { type Construct } from 'constructs';

import { type CheckedOptions } from '../../options/schema';

type Tracing = CheckedOptions['tracing'];

/** Whether AWS X-Ray gets traces. */
export function hasXray(tracing: Tracing): boolean {
  return tracing === 'xray' || tracing?.opentelemetry.xray === true;
}

export function openTelemetryOf(
  tracing: Tracing,
): Exclude<Tracing, 'xray' | undefined>['opentelemetry'] | undefined {
  return typeof tracing === 'object' ? tracing.opentelemetry : undefined;
}

/**
 * A module whose export can be replaced, as layers do. The exports of a bundle cannot.
 * @see https://github.com/open-telemetry/opentelemetry-lambda/issues/1781
 */
export const TRACED_CODE = { 'traced.js': "exports.handler = require('./handler.js').handler;\n" };

/** Traces show only runs and requests, by method and URL. The metrics and logs of Application Signals would take more permissions. */
const DEFAULT_ENVIRONMENT = {
  OTEL_NODE_ENABLED_INSTRUMENTATIONS: 'aws-lambda,http',
  OTEL_AWS_APPLICATION_SIGNALS_ENABLED: 'false',
};

/**
 * What tracing changes in a function. With X-Ray, its role gets the permissions.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-modify.html#runtime-wrapper
 */
export function tracedFunction(
  scope: Construct,
  tracing: Tracing,
  environment: Readonly<Record<string, string>> = {},
): Partial<lambda.FunctionProps> {
  const openTelemetry = openTelemetryOf(tracing);
  return {
    ...(hasXray(tracing) && { tracing: lambda.Tracing.ACTIVE }),
    ...(openTelemetry !== undefined && {
      handler: 'traced.handler',
      layers: [lambda.LayerVersion.fromLayerVersionArn(scope, 'OpenTelemetry', openTelemetry.layerArn)],
      environment: {
        ...environment,
        ...DEFAULT_ENVIRONMENT,
        ...openTelemetry.environment,
        AWS_LAMBDA_EXEC_WRAPPER: openTelemetry.execWrapper,
      },
    }),
  };
}
