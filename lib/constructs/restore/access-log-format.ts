import * as apigateway from 'aws-cdk-lib/aws-apigateway';

/** What API Gateway logs of a request: neither headers nor bodies. */
export function accessLogFormat(): apigateway.AccessLogFormat {
  return apigateway.AccessLogFormat.custom(
    JSON.stringify({
      requestId: '$context.requestId',
      requestTime: '$context.requestTime',
      httpMethod: '$context.httpMethod',
      resourcePath: '$context.resourcePath',
      path: '$context.path',
      status: '$context.status',
      responseLength: '$context.responseLength',
      responseLatency: '$context.responseLatency',
      integrationStatus: '$context.integration.status',
      integrationLatency: '$context.integration.latency',
      authorizerStatus: '$context.authorizer.status',
      errorType: '$context.error.responseType',
      principalId: '$context.authorizer.principalId',
      sourceIp: '$context.identity.sourceIp',
      tlsVersion: '$context.tlsVersion',
      cipherSuite: '$context.cipherSuite',
    }),
  );
}
