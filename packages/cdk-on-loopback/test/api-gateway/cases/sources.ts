/** AWS's answers that LocalStack's tests recorded; `TEST` names the one in `PATH.snapshot.json`. Apache License 2.0. */
const recorded =
  (path: string) =>
  (test: string): string =>
    `https://github.com/localstack/localstack/blob/main/tests/aws/services/${path}.snapshot.json#${test}`;
const page = (name: string): string =>
  `https://docs.aws.amazon.com/apigateway/latest/developerguide/${name}.html`;

export const RECORDED_PROXY = recorded('apigateway/test_apigateway_lambda');
export const RECORDED_COMMON = recorded('apigateway/test_apigateway_common');

export const KNOWN_ISSUES = page('api-gateway-known-issues');
export const PROXY_FORMATS = page('set-up-lambda-proxy-integrations');
/** Lambda's sample event of a regional API, sent by a browser over HTTP/2, whose header names are in lower case. */
export const SAMPLE_EVENT = 'https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html';
