/**
 * The `$context` variables of REST APIs. Those of features not supported here (Cognito, WAF, custom domains) have no value.
 * @see API Gateway developer guide, api-gateway-mapping-template-reference and api-gateway-variables-for-access-logging
 */
const KNOWN_VARIABLES = new Set([
  'accountId',
  'apiId',
  'authorize.error',
  'authorize.status',
  'authorizer.error',
  'authorizer.integrationLatency',
  'authorizer.latency',
  'authorizer.principalId',
  'authorizer.status',
  'awsEndpointRequestId',
  'cipherSuite',
  'customDomain.basePathMatched',
  'deploymentId',
  'domainName',
  'domainPrefix',
  'error.message',
  'error.messageString',
  'error.responseType',
  'error.validationErrorString',
  'extendedRequestId',
  'httpMethod',
  'identity.accessKey',
  'identity.accountId',
  'identity.apiKeyId',
  'identity.caller',
  'identity.cognitoAuthenticationProvider',
  'identity.cognitoAuthenticationType',
  'identity.cognitoIdentityId',
  'identity.cognitoIdentityPoolId',
  'identity.principalOrgId',
  'identity.sourceIp',
  'identity.user',
  'identity.userAgent',
  'identity.userArn',
  'integration.error',
  'integration.integrationStatus',
  'integration.latency',
  'integration.requestId',
  'integration.status',
  'integrationErrorMessage',
  'integrationLatency',
  'integrationStatus',
  'path',
  'protocol',
  'requestId',
  'requestTime',
  'requestTimeEpoch',
  'resourceId',
  'resourcePath',
  'responseLatency',
  'responseLength',
  'stage',
  'status',
  'tlsVersion',
  'waf.error',
  'waf.latency',
  'waf.status',
  'wafResponseCode',
  'webaclArn',
  'xrayTraceId',
]);

const VARIABLE = /\$(context((?:\.[A-Za-z_]\w*)+)|stageVariables\.(\w+)|\{?[A-Za-z!][\w.]*)/g;

/** Whether `$context.<name>` may have a value. Any property of an authorizer's context may. */
export function isContextVariable(name: string): boolean {
  return KNOWN_VARIABLES.has(name) || /^authorizer\.(?!claims\b)\w+$/.test(name);
}

/** Everything in a template that cannot be substituted: unknown variables, `$input`, `$util`, `${…}` or directives. */
export function unknownVariables(template: string): string[] {
  return [...template.matchAll(VARIABLE)]
    .filter(([, , context, stageVariable]) =>
      context === undefined ? stageVariable === undefined : !isContextVariable(context.slice(1)),
    )
    .map(([text]) => text);
}

/** Replaces the variables in a template by their values. */
export function substitute(
  template: string,
  context: (name: string) => string,
  stageVariable: (name: string) => string,
): string {
  return template.replace(
    VARIABLE,
    (text, _whole, contextName: string | undefined, stageName: string | undefined) => {
      if (contextName !== undefined) return context(contextName.slice(1));
      return stageName === undefined ? text : stageVariable(stageName);
    },
  );
}

/** The `$context` values of one request, filled in as it is handled. */
export class ContextVariables {
  private readonly values = new Map<string, string>();

  /** Sets a value; undefined and null have no effect. */
  set(name: string, value: string | number | null | undefined): void {
    if (value !== undefined && value !== null) this.values.set(name, String(value));
  }

  get(name: string): string | undefined {
    return this.values.get(name);
  }
}
