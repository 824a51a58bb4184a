import { ACCOUNT_ID, REGION, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

const KEY = `arn:aws:kms:${REGION}:444455556666:key/0f0f`;
const KEY_ELSEWHERE = 'arn:aws:kms:us-east-1:444455556666:key/0f0f';
const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT_ID}:pager`;
const SIGNING = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:code-signing-config:csc-0f0f0f0f0f0f0f0f0`;
const SIGNING_ELSEWHERE = SIGNING.replace(REGION, 'us-east-1');
const LAYER = `arn:aws:lambda:${REGION}:111122223333:layer:opentelemetry-node24:1`;
const LAYER_ELSEWHERE = LAYER.replace(REGION, 'us-east-1');

const signed = (change: object, configArn = SIGNING) => ({
  codeSigning: { configArn, signed: { bucket: 'company-signed-code', ...change } },
});
const traced = (change: object) => ({ tracing: { opentelemetry: { layerArn: LAYER, ...change } } });

describe('keys of logs and topic, code signing and tracing', () => {
  it.each<[object, string]>([
    [
      { logsKmsKeyArn: 'alias/logs' },
      'logsKmsKeyArn: found "alias/logs"; allowed: deployment, or the full ARN of a kms resource, such as arn:aws:kms:eu-west-1:111122223333:…',
    ],
    [
      { logsKmsKeyArn: KEY_ELSEWHERE },
      `logsKmsKeyArn: found "${KEY_ELSEWHERE}"; allowed: a key in eu-west-1, the region of the log groups and the queue`,
    ],
    [
      { alarms: { topicKmsKeyArn: KEY, topicArn: TOPIC } },
      `alarms.topicKmsKeyArn: found "${KEY}"; allowed: nothing together with topicArn: your topic has its own key`,
    ],
    [
      signed({}, SIGNING_ELSEWHERE),
      `codeSigning.configArn: found "${SIGNING_ELSEWHERE}"; allowed: one of the deployment’s account and region`,
    ],
    [
      signed({ bucket: 'Company' }),
      'codeSigning.signed.bucket: found "Company"; allowed: the name of a bucket: 3–63 lower-case letters, digits, . and -',
    ],
    [
      signed({ prefix: '/latchkey' }),
      'codeSigning.signed.prefix: found "/latchkey"; allowed: at most 200 letters, digits and /_.=- that does not start with /',
    ],
    [{ tracing: 'on' }, 'tracing: found "on"; allowed: "xray", or an object with opentelemetry'],
    [
      traced({ layerArn: LAYER_ELSEWHERE }),
      `tracing.opentelemetry.layerArn: found "${LAYER_ELSEWHERE}"; allowed: a layer in eu-west-1, the region of the functions`,
    ],
    ...['aws-otel-nodejs-arm64-ver-1-30-2', 'otel-x86_64'].map((name): [object, string] => {
      const layerArn = LAYER.replace('opentelemetry-node24', name);
      const allowed =
        'the ARN of a version of a layer for Node 24 on arm64, such as arn:aws:lambda:eu-west-1:';
      return [
        traced({ layerArn }),
        `tracing.opentelemetry.layerArn: found "${layerArn}"; allowed: ${allowed}`,
      ];
    }),
    [
      traced({ execWrapper: '/opt/wrapper' }),
      'tracing.opentelemetry.execWrapper: found "/opt/wrapper"; allowed: /opt/otel-handler, /opt/otel-instrument',
    ],
    ...['OTEL_INSTRUMENTATION_HTTP_CAPTURE_HEADERS_CLIENT_REQUEST', 'NODE_OPTIONS'].map(
      (name): [object, string] => [
        traced({ environment: { [name]: 'x' } }),
        `tracing.opentelemetry.environment.${name}: found "x"; allowed: variables OTEL_…, without HEADERS in the name, because headers contain secrets`,
      ],
    ),
  ])('are refused: %j', (deployment, fault) => {
    expect(faultsOf(written(deployment))).toEqual([expect.stringContaining(`deployments[0].${fault}`)]);
  });
});
