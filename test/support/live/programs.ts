import { type InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { type APIGatewayProxyEvent, type APIGatewayRequestAuthorizerEvent, type Context } from 'aws-lambda';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { portsOver as authorizerPorts } from '../../../lambdas/authorizer/compose';
import { handle as handleAuthorizer } from '../../../lambdas/authorizer/handler';
import { portsOver as watchPorts } from '../../../lambdas/credential-watch/compose';
import { handle as handleWatch } from '../../../lambdas/credential-watch/handler';
import { portsOver as restorePorts } from '../../../lambdas/restore/compose';
import { handle as handleRestore } from '../../../lambdas/restore/handler';
import { portsOver as rotationPorts } from '../../../lambdas/rotate-credentials/compose';
import { handle as handleRotation } from '../../../lambdas/rotate-credentials/handler';
import { LambdaRestoreProbe } from '../../../lambdas/shared/adapters/lambda-restore-probe';
import { type ContentPlatform, type Metrics } from '../../../lambdas/shared/ports';
import { portsOver as refreshPorts } from '../../../lambdas/token-refresh/compose';
import { handle as handleRefresh } from '../../../lambdas/token-refresh/handler';
import { portsOver as sweepPorts } from '../../../lambdas/token-sweep/compose';
import { handle as handleSweep } from '../../../lambdas/token-sweep/handler';
import { type FunctionInvoker } from 'cdk-on-loopback/testing';
import { serviceException } from '../aws/simulated-secrets-manager';
import { type Outside, outsideOf, SILENT } from './token-process';

export type Program = (event: object, context: Context) => Promise<unknown>;

export interface ProcessStart {
  deployment: DeploymentFile;
  outside: Outside;
  metrics: Metrics & { flush?: () => void };
  /** What its invocations of other functions go to. */
  invoker: Pick<FunctionInvoker, 'invoke'>;
  environment: Readonly<Record<string, string>>;
  /** The platform's restore operation. */
  platform: ContentPlatform;
}

/** The functions' handlers on the ports of a new process, by the parameters that name the functions. */
export const PROGRAMS = {
  'token-refresh-arn': (start) => {
    const ports = refreshPorts(givenOf(start));
    return (event, context) => handleRefresh(ports, event, context);
  },
  'token-sweep-arn': (start) => {
    const ports = sweepPorts(refreshPorts(givenOf(start)));
    return (event, context) => handleSweep(ports, event, context);
  },
  'rotate-credentials-arn': (start) => {
    const ports = { ...rotationPorts(givenOf(start)), announce: undefined };
    return (event, context) => handleRotation(ports, event, context);
  },
  'credential-watch-arn': (start) => {
    const { RESTORE_ARN } = start.environment;
    const probe = RESTORE_ARN ? new LambdaRestoreProbe(lambdaOf(start.invoker), RESTORE_ARN) : undefined;
    const ports = watchPorts(givenOf(start), probe);
    return (event, context) => handleWatch(ports, event, context);
  },
  'authorizer-arn': (start) => {
    const ports = authorizerPorts(givenOf(start));
    return (event, context) => handleAuthorizer(ports, event as APIGatewayRequestAuthorizerEvent, context);
  },
  'restore-arn': (start) => {
    const { platform, invoker, environment } = start;
    const given = { ...givenOf(start), platform };
    const { clock, random, secretsManager } = given;
    const tokenRefresh = environment.TOKEN_REFRESH_ARN!;
    const ports = restorePorts(given, {
      tokenRefresh,
      random,
      clock,
      secretsManager,
      lambda: lambdaOf(invoker),
    });
    return (event, context) => handleRestore(ports, event as APIGatewayProxyEvent, context);
  },
} satisfies Record<string, (start: ProcessStart) => Program>;

function givenOf({ deployment, outside, metrics }: ProcessStart) {
  return {
    ...outsideOf(outside, deployment),
    log: { ...SILENT, addContext: () => undefined },
    metrics: { count: metrics.count.bind(metrics), flush: () => metrics.flush?.() },
    events: undefined,
  };
}

/** A Lambda client whose invocations go to `invoker`. */
export function lambdaOf(invoker: Pick<FunctionInvoker, 'invoke'>): LambdaClient {
  return { send: sendTo(invoker) } as unknown as LambdaClient;
}

export function sendTo(invoker: Pick<FunctionInvoker, 'invoke'> & Partial<FunctionInvoker>) {
  return async ({ input }: InvokeCommand): Promise<object> => {
    const payload = Buffer.from(input.Payload as Uint8Array);
    if (input.InvocationType === 'Event') return invoker.invokeAsync!(input.FunctionName!, payload);
    const result = await invoker.invoke(input.FunctionName!, payload);
    if (result.kind === 'throttled') throw serviceException('TooManyRequestsException');
    return {
      Payload: result.payload,
      ...(result.kind === 'function-error' && { FunctionError: result.functionError }),
    };
  };
}
