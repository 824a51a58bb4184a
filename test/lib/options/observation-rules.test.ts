import { ACCOUNT_ID, REGION, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

const KEY = `arn:aws:kms:${REGION}:444455556666:key/0f0f`;
const KEY_ELSEWHERE = 'arn:aws:kms:us-east-1:444455556666:key/0f0f';
const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT_ID}:pager`;
const SIGNING = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:code-signing-config:csc-0f0f0f0f0f0f0f0f0`;
const SIGNING_ELSEWHERE = SIGNING.replace(REGION, 'us-east-1');
const LAYER = `arn:aws:lambda:${REGION}:111122223333:layer:opentelemetry-node24:1`;
const layerNamed = (name: string) => LAYER.replace('opentelemetry-node24', name);
const LAYER_ELSEWHERE = LAYER.replace(REGION, 'us-east-1');

const signed = (change: object, configArn = SIGNING) => ({
  codeSigning: { configArn, signed: { bucket: 'company-signed-code', ...change } },
});
const traced = (change: object) => ({ tracing: { opentelemetry: { layerArn: LAYER, ...change } } });

const LAYER_RULE = 'the ARN of a version of a layer for Node 24 on arm64, such as arn:aws:lambda:eu-west-1:';
const VARIABLE_RULE = 'variables OTEL_…, without HEADERS in the name, because headers contain secrets';

it.each(
  Object.entries<object>({
    'logsKmsKeyArn: found "alias/logs"; allowed: deployment, or the full ARN of a kms resource, such as arn:aws:kms:':
      {
        logsKmsKeyArn: 'alias/logs',
      },
    [`logsKmsKeyArn: found "${KEY_ELSEWHERE}"; allowed: a key in eu-west-1, the region of the log groups and the queue`]:
      { logsKmsKeyArn: KEY_ELSEWHERE },
    [`alarms.topicKmsKeyArn: found "${KEY}"; allowed: nothing together with topicArn: your topic has its own key`]:
      {
        alarms: { topicKmsKeyArn: KEY, topicArn: TOPIC },
      },
    [`codeSigning.configArn: found "${SIGNING_ELSEWHERE}"; allowed: one of the deployment’s account and region`]:
      signed({}, SIGNING_ELSEWHERE),
    'codeSigning.signed.bucket: found "Company"; allowed: the name of a bucket: 3–63 lower-case letters, digits, . and -':
      signed({ bucket: 'Company' }),
    'codeSigning.signed.prefix: found "/latchkey"; allowed: at most 200 letters, digits and /_.=- that does not start with /':
      signed({ prefix: '/latchkey' }),
    'tracing: found "on"; allowed: "xray", or an object with opentelemetry': { tracing: 'on' },
    [`tracing.opentelemetry.layerArn: found "${LAYER_ELSEWHERE}"; allowed: a layer in eu-west-1, the region of the functions`]:
      traced({ layerArn: LAYER_ELSEWHERE }),
    [`tracing.opentelemetry.layerArn: found "${layerNamed('aws-otel-nodejs-arm64')}"; allowed: ${LAYER_RULE}`]:
      traced({
        layerArn: layerNamed('aws-otel-nodejs-arm64'),
      }),
    [`tracing.opentelemetry.layerArn: found "${layerNamed('otel-x86_64')}"; allowed: ${LAYER_RULE}`]: traced({
      layerArn: layerNamed('otel-x86_64'),
    }),
    'tracing.opentelemetry.execWrapper: found "/opt/wrapper"; allowed: /opt/otel-handler, /opt/otel-instrument':
      traced({
        execWrapper: '/opt/wrapper',
      }),
    [`tracing.opentelemetry.environment.NODE_OPTIONS: found "x"; allowed: ${VARIABLE_RULE}`]: traced({
      environment: { NODE_OPTIONS: 'x' },
    }),
    [`tracing.opentelemetry.environment.OTEL_HTTP_HEADERS_REQUEST: found "x"; allowed: ${VARIABLE_RULE}`]:
      traced({
        environment: { OTEL_HTTP_HEADERS_REQUEST: 'x' },
      }),
  }),
)('keys of logs and topic, code signing and tracing are refused: %s', (fault, deployment) => {
  expect(faultsOf(written(deployment))).toEqual([expect.stringContaining(`deployments[0].${fault}`)]);
});
