import { type InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { parseTenantsEvent } from '../../../core/events/tenants-event';
import { isJsonObject } from '../../../core/json/json-object';
import { portsOver as authorizerPorts } from '../../../lambdas/authorizer/compose';
import { portsOver as watchPorts } from '../../../lambdas/credential-watch/compose';
import { takeSnapshot } from '../../../lambdas/credential-watch/take-snapshot';
import { watch } from '../../../lambdas/credential-watch/watch';
import { recordRestoreMetrics } from '../../../lambdas/restore/record-restore-metrics';
import { type ProbeEvent } from '../../../core/restore/restore-operation';
import { OUTCOMES } from '../../../core/restore/restore-outcomes';
import { portsOver as restorePorts } from '../../../lambdas/restore/compose';
import { probeOperation } from '../../../lambdas/restore/probe-operation';
import { parseRestoreRequest } from '../../../lambdas/restore/restore-request';
import { restoreContent } from '../../../lambdas/restore/restore-content';
import { portsOver as rotationPorts } from '../../../lambdas/rotate-credentials/compose';
import { proveKeys } from '../../../lambdas/rotate-credentials/prove-keys';
import { rotate } from '../../../lambdas/rotate-credentials/rotate';
import { LambdaRestoreProbe } from '../../../lambdas/shared/adapters/lambda-restore-probe';
import { type ContentPlatform, type Metrics } from '../../../lambdas/shared/ports';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { parseEnsureEvent } from '../../../lambdas/token-refresh/ensure-event';
import { portsOver as sweepPorts } from '../../../lambdas/token-sweep/compose';
import { runSweep } from '../../../lambdas/token-sweep/run-sweep';
import { parseSweepEvent } from '../../../lambdas/token-sweep/sweep-event';
import { type FunctionInvoker } from 'cdk-on-loopback/testing';
import { requestOf } from '../lambdas/restore-functions';
import { clientOf, serviceException } from '../aws/simulated-secrets-manager';
import { type Outside, outsideOf, startProcess } from './token-process';

/** Handles one event after another, each until a deadline on the monotonic clock. */
export type Program = (event: object, endsAtMs: number) => Promise<unknown>;

/** What every process gets at its start. */
export interface ProcessStart {
  deployment: DeploymentFile;
  outside: Outside;
  metrics: Metrics;
}

/** token-refresh, like its handler. */
export function refreshProgram({ deployment, outside, metrics }: ProcessStart): Program {
  const ports = { ...startProcess(outside, deployment), metrics };
  return (event, endsAtMs) => ensure(ports, parseEnsureEvent(event, deployment), endsAtMs);
}

/** token-sweep, like its handler. */
export function sweepProgram({ deployment, outside, metrics }: ProcessStart): Program {
  const ports = sweepPorts({ ...startProcess(outside, deployment), metrics });
  return async (event, endsAtMs) => {
    parseSweepEvent(event);
    return runSweep(ports, deployment, endsAtMs);
  };
}

/** rotate-credentials, like its handler. */
export function rotationProgram({ deployment, outside, metrics }: ProcessStart): Program {
  const ports = rotationPorts({ ...outsideOf(outside, deployment), metrics });
  return (event, endsAtMs) =>
    isJsonObject(event) && 'action' in event
      ? proveKeys(ports, parseTenantsEvent(event, ['prove'], deployment), endsAtMs)
      : rotate(ports, event, endsAtMs);
}

/** A function that another one invokes. */
interface InvokedFunction {
  arn: string;
  invoker: Pick<FunctionInvoker, 'invoke'>;
}

/** credential-watch, like its handler. */
export function watchProgram(
  { deployment, outside, metrics }: ProcessStart,
  restoreFunction?: InvokedFunction,
): Program {
  const restore =
    restoreFunction && new LambdaRestoreProbe(lambdaOf(restoreFunction.invoker), restoreFunction.arn);
  const ports = watchPorts({ ...outsideOf(outside, deployment), metrics }, restore);
  return async (event, endsAtMs) => {
    const { action, tenantIds } = parseTenantsEvent(event, ['watch', 'report'], deployment);
    const snapshot = await takeSnapshot(ports, tenantIds, endsAtMs);
    return action === 'report' ? snapshot : { findings: watch(ports, snapshot) };
  };
}

/** The parts of a restore request that API Gateway forwards. */
export interface RestoreEvent {
  pathParameters: { tenantId: string };
  multiValueHeaders?: Readonly<Record<string, string[]>>;
  methodArn?: string;
}

/** The authorizer, like its handler. */
export function authorizerProgram({ deployment, outside }: Omit<ProcessStart, 'metrics'>): Program {
  const { authenticator } = authorizerPorts(outsideOf(outside, deployment));
  return async (event) => {
    const { pathParameters, multiValueHeaders = {}, methodArn } = event as RestoreEvent;
    const [, authorization = []] =
      Object.entries(multiValueHeaders).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
    const { kind } = await authenticator.authenticate(pathParameters.tenantId, authorization);
    if (kind === 'unauthenticated') throw new Error('Unauthorized');
    const Effect = kind === 'allowed' ? 'Allow' : 'Deny';
    const Statement = [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }];
    return { principalId: pathParameters.tenantId, policyDocument: { Version: '2012-10-17', Statement } };
  };
}

/** restore, like its handler, with tokens from the client library. */
export function restoreProgram(
  { deployment, outside, metrics }: ProcessStart,
  platform: ContentPlatform,
  tokenRefresh: InvokedFunction,
): Program {
  const { clock, random, send } = outside;
  const lambda = lambdaOf(tokenRefresh.invoker);
  const source = { tokenRefresh: tokenRefresh.arn, random, clock, secretsManager: clientOf(send), lambda };
  const ports = restorePorts({ deployment, clock, platform, metrics }, source);
  return async (event, endsAtMs) => {
    const startedAtMs = clock.monotonicMs();
    if ('action' in (event as RestoreEvent | ProbeEvent)) return probeOperation(ports, endsAtMs);
    const { tenantId } = (event as RestoreEvent).pathParameters;
    const { outcome } = await restoreContent(ports, tenantId, parseRestoreRequest(requestOf()), endsAtMs);
    recordRestoreMetrics(metrics, outcome, clock.monotonicMs() - startedAtMs);
    return { statusCode: OUTCOMES[outcome].status };
  };
}

/** A Lambda client whose invocations go to `invoker`. */
export function lambdaOf(invoker: Pick<FunctionInvoker, 'invoke'>): LambdaClient {
  return { send: sendTo(invoker) } as unknown as LambdaClient;
}

/** Replaces the Lambda client's `send`. */
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
