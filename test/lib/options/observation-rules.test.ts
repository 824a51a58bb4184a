import { parseConfiguration } from '../../../lib/options/load';
import { ACCOUNT_ID, REGION, written } from '../../support/lib/configuration';
import { faultsIn } from '../../support/lib/faults';

const faultsOf = (deployment: object) => faultsIn(() => parseConfiguration(written(deployment), 'file'));
const at = (field: string, rest: string) => `deployments[0].${field}: ${rest}`;

const KEY = `arn:aws:kms:${REGION}:444455556666:key/0f0f`;
const ELSEWHERE = 'arn:aws:kms:us-east-1:444455556666:key/0f0f';
const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT_ID}:pager`;

describe('keys of logs and topic', () => {
  it.each([
    [
      { logsKmsKeyArn: 'alias/logs' },
      at(
        'logsKmsKeyArn',
        'found "alias/logs"; allowed: deployment, or the full ARN of a kms resource, such as arn:aws:kms:eu-west-1:111122223333:…',
      ),
    ],
    [
      { logsKmsKeyArn: ELSEWHERE },
      at(
        'logsKmsKeyArn',
        `found "${ELSEWHERE}"; allowed: a key in eu-west-1, the region of the log groups and the queue`,
      ),
    ],
    [
      { alarms: { topicKmsKeyArn: ELSEWHERE } },
      at(
        'alarms.topicKmsKeyArn',
        `found "${ELSEWHERE}"; allowed: a key in eu-west-1, the region of the topic`,
      ),
    ],
    [
      { alarms: { topicKmsKeyArn: KEY, topicArn: TOPIC } },
      at(
        'alarms.topicKmsKeyArn',
        `found "${KEY}"; allowed: nothing together with topicArn: your topic has its own key`,
      ),
    ],
  ])('%j is refused', (deployment, fault) => {
    expect(faultsOf(deployment)).toEqual([fault]);
  });
});

describe('code signing', () => {
  const configArn = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:code-signing-config:csc-0f0f0f0f0f0f0f0f0`;
  const signed = { bucket: 'company-signed-code' };
  const elsewhere = configArn.replace(REGION, 'us-east-1');

  it.each([
    [
      { configArn: elsewhere, signed },
      'configArn',
      `found "${elsewhere}"; allowed: one of the deployment’s account and region`,
    ],
    [
      { configArn, signed: { bucket: 'Company' } },
      'signed.bucket',
      'found "Company"; allowed: the name of a bucket: 3–63 lower-case letters, digits, . and -',
    ],
    [
      { configArn, signed: { ...signed, prefix: '/latchkey' } },
      'signed.prefix',
      'found "/latchkey"; allowed: at most 200 letters, digits and /_.=- that does not start with /',
    ],
  ])('is refused with %j', (codeSigning, field, fault) => {
    expect(faultsOf({ codeSigning })).toEqual([at(`codeSigning.${field}`, fault)]);
  });
});

describe('tracing', () => {
  const layerArn = `arn:aws:lambda:${REGION}:111122223333:layer:opentelemetry-node24:1`;
  const LAYER =
    'the ARN of a version of a layer for Node 24 on arm64, such as arn:aws:lambda:eu-west-1:111122223333:layer:opentelemetry-node24:1';
  const VARIABLE = 'variables OTEL_…, without HEADERS in the name, because headers contain secrets';

  it.each([
    ['on', '', 'found "on"; allowed: "xray", or an object with opentelemetry'],
    [
      { opentelemetry: { layerArn: layerArn.replace(REGION, 'us-east-1') } },
      '.opentelemetry.layerArn',
      `found "${layerArn.replace(REGION, 'us-east-1')}"; allowed: a layer in eu-west-1, the region of the functions`,
    ],
    ...['aws-otel-nodejs-arm64-ver-1-30-2', 'otel-x86_64'].map((name): [object, string, string] => {
      const unfit = layerArn.replace('opentelemetry-node24', name);
      return [
        { opentelemetry: { layerArn: unfit } },
        '.opentelemetry.layerArn',
        `found "${unfit}"; allowed: ${LAYER}`,
      ];
    }),
    [
      { opentelemetry: { layerArn, execWrapper: '/opt/wrapper' } },
      '.opentelemetry.execWrapper',
      'found "/opt/wrapper"; allowed: /opt/otel-handler, /opt/otel-instrument',
    ],
    ...['OTEL_INSTRUMENTATION_HTTP_CAPTURE_HEADERS_CLIENT_REQUEST', 'NODE_OPTIONS'].map(
      (name): [object, string, string] => [
        { opentelemetry: { layerArn, environment: { [name]: 'x' } } },
        `.opentelemetry.environment.${name}`,
        `found "x"; allowed: ${VARIABLE}`,
      ],
    ),
  ])('is refused with %j', (tracing, field, fault) => {
    expect(faultsOf({ tracing })).toEqual([at(`tracing${field}`, fault)]);
  });
});
