import { type InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

import { createTokenSource } from '../../../../client';
import { type DeploymentFile } from '../../../../core/deployment/deployment-file';
import { Authenticator } from '../../../../lambdas/authorizer/authenticate';
import { takeSnapshot } from '../../../../lambdas/credential-watch/take-snapshot';
import { watch } from '../../../../lambdas/credential-watch/watch';
import { parseWatchEvent } from '../../../../lambdas/credential-watch/watch-event';
import { recordRestoreMetrics } from '../../../../lambdas/restore/record-restore-metrics';
import { type ProbeEvent } from '../../../../core/restore/restore-operation';
import { OUTCOMES } from '../../../../core/restore/restore-outcomes';
import { OperationAvailability } from '../../../../lambdas/restore/operation-availability';
import { probeOperation } from '../../../../lambdas/restore/probe-operation';
import { parseRestoreRequest } from '../../../../lambdas/restore/restore-request';
import { restoreContent } from '../../../../lambdas/restore/restore-content';
import { CountedRuns } from '../../../../lambdas/rotate-credentials/counted-runs';
import { isProveEvent, parseProveEvent } from '../../../../lambdas/rotate-credentials/prove-event';
import { proveKeys } from '../../../../lambdas/rotate-credentials/prove-keys';
import { rotate } from '../../../../lambdas/rotate-credentials/rotate';
import { SecretsManagerAcceptedSecrets } from '../../../../lambdas/shared/adapters/secrets-manager-accepted-secrets';
import { PlatformProof } from '../../../../lambdas/shared/adapters/platform-proof';
import { SecretsManagerCredentialVersions } from '../../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { LambdaRestoreProbe } from '../../../../lambdas/shared/adapters/lambda-restore-probe';
import { SecretsManagerInspector } from '../../../../lambdas/shared/adapters/secrets-manager-inspector';
import { ClientUpstreamTokens } from '../../../../lambdas/shared/adapters/upstream-tokens';
import { type ContentPlatform, type Log, type Metrics } from '../../../../lambdas/shared/ports';
import { ensure } from '../../../../lambdas/token-refresh/ensure';
import { parseEnsureEvent } from '../../../../lambdas/token-refresh/ensure-event';
import { runSweep } from '../../../../lambdas/token-sweep/run-sweep';
import { parseSweepEvent } from '../../../../lambdas/token-sweep/sweep-event';
import { type FunctionInvoker } from 'cdk-on-loopback/testing';
import { requestOf } from '../../../support/lambdas/restore-functions';
import { clientOf, serviceException } from '../../../support/aws/simulated-secrets-manager';
import { type Outside, startProcess } from '../token-process';

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

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
  const versions = new SecretsManagerCredentialVersions(clientOf(outside.send));
  const ports = { ...startProcess(outside, deployment), metrics, versions };
  return async (event, endsAtMs) => {
    parseSweepEvent(event);
    return runSweep(ports, deployment, endsAtMs);
  };
}

/** rotate-credentials, like its handler. */
export function rotationProgram({ deployment, outside, metrics }: ProcessStart): Program {
  const { clock, random, send, sendRequest } = outside;
  const ports = {
    ...{ deployment, clock, metrics, log: SILENT, countedRuns: new CountedRuns() },
    memory: {},
    versions: new SecretsManagerCredentialVersions(clientOf(send)),
    proof: new PlatformProof({ platform: deployment.platform, clock, random, sendRequest }),
  };
  return (event, endsAtMs) =>
    isProveEvent(event)
      ? proveKeys(ports, parseProveEvent(event, deployment), endsAtMs)
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
  const { clock, send } = outside;
  const secrets = new SecretsManagerInspector(clientOf(send), deployment);
  const restore =
    restoreFunction && new LambdaRestoreProbe(lambdaOf(restoreFunction.invoker), restoreFunction.arn);
  const ports = { deployment, secrets, restore, clock, log: SILENT, metrics };
  return async (event, endsAtMs) => {
    const { action, tenantIds } = parseWatchEvent(event, deployment);
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
  const secrets = new SecretsManagerAcceptedSecrets(clientOf(outside.send), deployment);
  const authenticator = new Authenticator(deployment, secrets, outside.clock);
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
  const source = createTokenSource({
    ...{ prefix: deployment.prefix, tokenRefresh: tokenRefresh.arn, random, clock },
    secretsManager: clientOf(send),
    lambda: lambdaOf(tokenRefresh.invoker),
  });
  const stored = createTokenSource({
    ...{ prefix: deployment.prefix, random, clock },
    secretsManager: clientOf(send),
  });
  const ports = {
    ...{ deployment, clock, platform, tokens: new ClientUpstreamTokens(source, clock) },
    storedTokens: new ClientUpstreamTokens(stored, clock),
    availability: new OperationAvailability({ deployment, platform, clock, metrics }),
  };
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
  const send = async ({ input }: InvokeCommand) => {
    const result = await invoker.invoke(input.FunctionName!, Buffer.from(input.Payload as Uint8Array));
    if (result.kind === 'throttled') throw serviceException('TooManyRequestsException');
    return {
      Payload: result.payload,
      ...(result.kind === 'function-error' && { FunctionError: result.functionError }),
    };
  };
  return { send } as unknown as LambdaClient;
}
