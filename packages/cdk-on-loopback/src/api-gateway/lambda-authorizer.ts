import { z } from 'zod';
import { parseJsonObject } from '../json-object';
import { sha256Hex } from '../sha256';
import { type PolicyDocument } from '../account';
import { type Clock, type InvocationResult } from '../interfaces';
import { readErrorDocument } from '../functions/error-document';
import { policyDocument } from '../iam/policy-document';
import { apiArn, type Exchange, methodArn } from './exchange';
import { GatewayFailure } from './gateway-response';
import { valueOf } from './incoming-request';
import { callLambda, type LambdaCaller } from './lambda-call';
import { requestEvent } from './proxy-event';
import { type Authorizer, type IdentitySource } from './rest-api';

/** The default integration timeout. AWS documents no timeout for authorizers. */
const TIMEOUT_MS = 29_000;

/** An authorizer's decision and what it returned about the caller. Context values are converted to text. */
export interface AuthorizerResult {
  principalId: string;
  policyDocument: PolicyDocument;
  context: Readonly<Record<string, string>>;
}

const result = z.object({
  principalId: z.string(),
  policyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).nullish(),
  usageIdentifierKey: z.string().nullish(),
});

/** Calls Lambda authorizers, and caches their results for their time to live on the run's clock. */
export class LambdaAuthorizers {
  private readonly caller: LambdaCaller;
  private readonly clock: Clock;
  /** By digest, because identity sources are credentials. */
  private readonly kept = new Map<string, { result: AuthorizerResult; untilMs: number }>();

  constructor(caller: LambdaCaller, clock: Clock) {
    this.caller = caller;
    this.clock = clock;
  }

  /**
   * The authorizer's result for a request, from the cache or by invoking it.
   * @throws {GatewayFailure} UNAUTHORIZED without an identity, or if the function throws `Unauthorized`; AUTHORIZER_FAILURE
   * if it fails otherwise; AUTHORIZER_CONFIGURATION_ERROR if it cannot be invoked or its result is invalid
   * @see API Gateway developer guide, apigateway-use-lambda-authorizer, configure-api-gateway-lambda-authorization
   */
  async ask(authorizer: Authorizer, exchange: Exchange): Promise<AuthorizerResult> {
    const identities = authorizer.identitySources.map((source) => identityOf(source, exchange));
    if (!identities.every((value) => value !== undefined && value !== '')) throw unauthorized();
    if (authorizer.tokenPattern && !authorizer.tokenPattern.test(identities[0]!)) throw unauthorized();

    const { api, stage } = exchange;
    const key = sha256Hex(JSON.stringify([api.id, stage.name, authorizer.id, ...identities]));
    const nowMs = this.clock.nowMs();
    const cached = this.kept.get(key);
    if (cached && nowMs < cached.untilMs) return cached.result;
    const fresh = await this.invoke(authorizer, exchange, identities[0]);
    if (authorizer.resultTtlSec > 0) this.keep(key, fresh, nowMs + authorizer.resultTtlSec * 1000);
    return fresh;
  }

  private keep(key: string, fresh: AuthorizerResult, untilMs: number): void {
    const nowMs = this.clock.nowMs();
    for (const [other, entry] of this.kept) if (entry.untilMs <= nowMs) this.kept.delete(other);
    this.kept.set(key, { result: fresh, untilMs });
  }

  private async invoke(
    { id, type, target }: Authorizer,
    exchange: Exchange,
    token: string | undefined,
  ): Promise<AuthorizerResult> {
    const event =
      type === 'TOKEN'
        ? { type, methodArn: methodArn(exchange), authorizationToken: token }
        : { type, methodArn: methodArn(exchange), ...requestEvent(exchange) };
    const sourceArn = `${apiArn(exchange.account, exchange.api)}/authorizers/${id}`;
    const startedMs = this.clock.nowMs();
    const payload = Buffer.from(JSON.stringify(event));
    const call = { sourceArn, timeoutMs: TIMEOUT_MS, payload, traceHeader: exchange.trace.inEvent };
    const invocation = await callLambda(this.caller, target, call).catch((cause: unknown) => {
      throw new GatewayFailure('AUTHORIZER_CONFIGURATION_ERROR', 'AuthorizerConfigurationException', null, {
        cause,
      });
    });
    const latencyMs = this.clock.nowMs() - startedMs;
    exchange.variables.set('authorizer.latency', latencyMs);
    exchange.variables.set('authorizer.integrationLatency', latencyMs);
    const authorizerResult = readResult(invocation);
    exchange.variables.set('authorizer.status', 200);
    return authorizerResult;
  }
}

function readResult(invocation: InvocationResult | { kind: 'timed-out' }): AuthorizerResult {
  if (invocation.kind !== 'ok') {
    if (
      invocation.kind === 'function-error' &&
      readErrorDocument(invocation.payload).errorMessage === 'Unauthorized'
    ) {
      throw unauthorized();
    }
    throw new GatewayFailure('AUTHORIZER_FAILURE', 'AuthorizerFailureException', null);
  }
  const parsed = result.safeParse(parseJsonObject(invocation.payload.toString()));
  if (!parsed.success) {
    throw new GatewayFailure('AUTHORIZER_CONFIGURATION_ERROR', 'AuthorizerConfigurationException', null);
  }
  const { principalId, policyDocument: policy, context } = parsed.data;
  return { principalId, policyDocument: policy, context: context ?? {} };
}

function identityOf({ from, name }: IdentitySource, exchange: Exchange): string | undefined {
  switch (from) {
    case 'header':
      return valueOf(exchange.request.headers, name);
    case 'querystring':
      return exchange.request.query.get(name)?.at(-1);
    case 'stageVariables':
      return exchange.stage.variables[name];
    case 'context':
      return exchange.variables.get(name);
  }
}

function unauthorized(): GatewayFailure {
  return new GatewayFailure('UNAUTHORIZED', 'UnauthorizedException', 'Unauthorized');
}
