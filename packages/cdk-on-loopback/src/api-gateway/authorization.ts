import { AwsError } from '../aws/aws-error';
import { authorize } from '../iam/authorize';
import { type RequestContext } from '../iam/context-keys';
import { type SignedRequest } from '../iam/canonical-request';
import { type CredentialLookup } from '../iam/access-keys';
import { type Principal, userIdOf } from '../iam/principal';
import { verifySignature } from '../iam/sigv4';
import { type Reporter } from '../interfaces';
import { type Exchange, methodArn, type SignedCaller } from './exchange';
import { GatewayFailure, type GatewayResponseType } from './gateway-response';
import { valueOf } from './incoming-request';
import { type AuthorizerResult, type LambdaAuthorizers } from './lambda-authorizer';
import { type PolicyEffect, policyEffect } from './policy-effect';

const MAX_METHOD_ARN_BYTES = 1600;

interface AuthorizationOptions {
  authorizers: LambdaAuthorizers;
  credentials: CredentialLookup;
  reporter: Reporter;
}

/**
 * Authorizes a request, by the method's authorization type together with the API's resource policy.
 * @returns the Lambda authorizer's result, if the method has one
 * @throws {GatewayFailure} if the caller may not invoke the method
 * @see API Gateway developer guide, apigateway-authorization-flow (workflows and table A)
 */
export async function authorizeRequest(
  exchange: Exchange,
  options: AuthorizationOptions,
): Promise<AuthorizerResult | undefined> {
  const { authorization } = exchange.route.method;
  switch (authorization.type) {
    case 'NONE':
      requireResourcePolicy(exchange, options);
      return undefined;
    case 'AWS_IAM':
      requireSigner(exchange, options);
      return undefined;
    case 'CUSTOM':
      return requireAuthorizer(exchange, authorization.authorizerId, options);
  }
}

function requireResourcePolicy(exchange: Exchange, options: AuthorizationOptions): void {
  const byApi = resourcePolicyEffect(exchange);
  if (byApi !== undefined && byApi.effect !== 'allow') throw deniedByApi(exchange, byApi, options);
}

function deniedByApi(exchange: Exchange, byApi: PolicyEffect, options: AuthorizationOptions): GatewayFailure {
  const arn = methodArn(exchange);
  const denied = `User: anonymous is not authorized to perform: execute-api:Invoke on resource: ${arn}`;
  const reason = byApi.effect === 'deny' ? ' with an explicit deny in a resource-based policy' : '';
  return accessDenied(options, `${denied}${reason}`, byApi);
}

/** @throws {GatewayFailure} if the signature is missing, incomplete or wrong, or its key has expired */
export function requireSignature(
  request: SignedRequest,
  check: { region: string; nowMs: number; credentials: CredentialLookup },
): Principal {
  try {
    return verifySignature(request, { service: 'execute-api', ...check });
  } catch (error) {
    throw error instanceof AwsError ? signatureFailure(error) : error;
  }
}

/** Verifies the signature, then evaluates the signer's policies together with the API's. */
function requireSigner(exchange: Exchange, options: AuthorizationOptions): void {
  const { account, request, stage, variables } = exchange;
  const principal = requireSignature(request.signed, {
    region: account.region,
    nowMs: exchange.receivedAtMs,
    credentials: options.credentials,
  });
  exchange.caller = callerOf(principal, valueOf(request.headers, 'authorization') ?? '');
  variables.set('identity.accessKey', exchange.caller.accessKeyId);
  variables.set('identity.accountId', exchange.caller.accountId);
  variables.set('identity.caller', exchange.caller.userId);
  variables.set('identity.user', exchange.caller.userId);
  variables.set('identity.userArn', exchange.caller.arn);
  const decision = authorize(account, {
    principal,
    action: 'execute-api:Invoke',
    resource: methodArn(exchange),
    resourcePolicy: stage.definition.policy,
  });
  if (!decision.allowed) throw accessDenied(options, decision.message);
}

async function requireAuthorizer(
  exchange: Exchange,
  authorizerId: string,
  options: AuthorizationOptions,
): Promise<AuthorizerResult> {
  const { stage, variables } = exchange;
  const arn = methodArn(exchange);
  if (Buffer.byteLength(arn) > MAX_METHOD_ARN_BYTES) {
    throw new GatewayFailure('DEFAULT_4XX', 'RequestUriTooLongException', 'Request URI too long', {
      statusCode: 414,
    });
  }
  const byApi = resourcePolicyEffect(exchange);
  if (byApi?.effect === 'deny') throw deniedByApi(exchange, byApi, options);
  // The definition is that of the stage's deployment, so every authorizer that a method names is in it.
  const result = await options.authorizers.ask(stage.definition.authorizers.get(authorizerId)!, exchange);
  variables.set('authorizer.principalId', result.principalId);
  for (const [name, value] of Object.entries(result.context)) variables.set(`authorizer.${name}`, value);

  const byAuthorizer = policyEffect(result.policyDocument, 'identity', arn, contextOf(exchange));
  if (byAuthorizer.effect === 'deny') {
    const denied =
      'User is not authorized to access this resource with an explicit deny in an identity-based policy';
    throw accessDenied(options, denied, byAuthorizer);
  }
  if (byAuthorizer.effect === 'allow' || byApi?.effect === 'allow') return result;
  throw accessDenied(options, 'User is not authorized to access this resource');
}

/** @returns undefined if the API has no resource policy */
function resourcePolicyEffect(exchange: Exchange): PolicyEffect | undefined {
  const { policy } = exchange.stage.definition;
  return policy && policyEffect(policy, 'resource', methodArn(exchange), contextOf(exchange));
}

function contextOf({ account }: Exchange): RequestContext {
  return {
    'aws:SecureTransport': 'true',
    'aws:RequestedRegion': account.region,
    'aws:ResourceAccount': account.accountId,
  };
}

/** The caller gets the message with a masked account id, as on AWS; the run's warnings show all of it. */
function accessDenied(
  { reporter }: AuthorizationOptions,
  message: string,
  outcome: PolicyEffect = { effect: 'deny' },
): GatewayFailure {
  const reason =
    'notUnderstood' in outcome
      ? ` because the local evaluator does not understand ${outcome.notUnderstood}`
      : '';
  reporter.warning(`${message}${reason}`);
  const masked = message.replace(
    /(arn:aws:execute-api:[^:]*:)\d{8}(\d{4})/g,
    (_, before: string, after: string) => `${before}********${after}`,
  );
  return new GatewayFailure('ACCESS_DENIED', 'AccessDeniedException', masked);
}

function signatureFailure(error: AwsError): GatewayFailure {
  if (error.code === 'MissingAuthenticationTokenException') {
    return new GatewayFailure('MISSING_AUTHENTICATION_TOKEN', error.code, 'Missing Authentication Token', {
      cause: error,
    });
  }
  const type: GatewayResponseType =
    error.code === 'ExpiredTokenException' ? 'EXPIRED_TOKEN' : 'INVALID_SIGNATURE';
  return new GatewayFailure(type, error.code, error.message, { cause: error });
}

function callerOf(principal: Principal, authorization: string): SignedCaller {
  if (principal.kind === 'service') throw new TypeError('a service does not sign requests to an API');
  const [, accessKeyId = ''] = /Credential=([^/]+)\//.exec(authorization) ?? [];
  const { accountId, arn } = principal;
  return { accessKeyId, accountId, arn, userId: userIdOf(principal) };
}
