import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

import { Account, matchesWildcards, type PolicyDocument } from 'cdk-on-loopback/testing';
import { TokenSecret } from '../../lib';
import { ACCOUNT_ID, EVERY_OPTION, KEYS, REGION, TOKEN_KEY } from '../support/lib/configuration';
import { provisionSynthesis, roleOutside } from '../support/lib/provisioned';
import { synthesisWith, temporaryFolder } from '../support/lib/synthesis';
import { unzipped } from '../support/lib/unzipped';

const OPEN: PolicyDocument = {
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'kms:*', Resource: '*' }],
};
const inAccount = new Account(ACCOUNT_ID, REGION);
for (const arn of Object.values(KEYS))
  inAccount.inRegion(arn.split(':')[3]!).keys.set(arn, { arn, policy: OPEN });
const synthesis = synthesisWith(EVERY_OPTION);
const { account, roles } = provisionSynthesis(synthesis, inAccount);
const reader = roleOutside(account, (stack, role) => {
  const { kmsKeyArn, formerKmsKeyArns, replicaRegions } = EVERY_OPTION;
  TokenSecret.fromKey(stack, TOKEN_KEY, {
    otherKeyArns: [kmsKeyArn, ...formerKmsKeyArns],
    replicas: replicaRegions,
  }).grantReadToken(role);
});

const policiesOf = (roleArn: string): PolicyDocument[] =>
  account.roles.get(roleArn)!.inlinePolicies.map(({ document }) => document);
const policies: Record<string, PolicyDocument[]> = {
  ...Object.fromEntries(
    roles.map(({ description, arn }) => [
      description.replace(/^Role of (?:the )?| of staging global$/g, ''),
      policiesOf(arn),
    ]),
  ),
  operator: [...account.managedPolicies.values()].map(({ document }) => document),
  reader: policiesOf(reader.roleArn),
};

interface Right {
  readonly Action: string | string[];
  readonly Resource: string | string[];
}

/** Which roles and policies may do something with a resource, sorted. */
const whoMay = (action: string, resource: string): string[] =>
  Object.entries(policies)
    .filter(([, documents]) =>
      documents
        .flatMap(({ Statement }) => Statement as Right[])
        .some(
          (statement) =>
            [statement.Action].flat().includes(action) &&
            [statement.Resource].flat().some((pattern) => matchesWildcards(pattern, resource)),
        ),
    )
    .map(([name]) => name)
    .sort();

const CALLERS = ['restore', 'rotate-credentials', 'token-refresh', 'token-sweep'];
const FUNCTIONS = ['authorizer', 'credential-watch', ...CALLERS];
const WRITERS = ['rotate-credentials', 'token-refresh', 'token-sweep'];
const SENDERS = ['credential-watch', ...WRITERS];
const SCHEDULES = ['rotate-credentials', 'credential-watch', 'token-sweep'].map(
  (name) => `schedule that starts ${name}`,
);
const TOKEN = `${REGION}:${ACCOUNT_ID}:secret:latchkey/staging/global/tenant-a/token/content/api-read-AbCdEf`;

it.each<[string, string, string, string[]]>([
  ['formerKmsKeyArns', 'kms:Decrypt', KEYS.former, [...FUNCTIONS, 'operator', 'reader']],
  ['logsKmsKeyArn', 'kms:GenerateDataKey', KEYS.logs, [...SENDERS, ...SCHEDULES]],
  ['alarms.topicKmsKeyArn', 'kms:GenerateDataKey', KEYS.topic, ['rules that notify of access to secrets']],
  ['vpc', 'ec2:CreateNetworkInterface', '*', FUNCTIONS],
  ['proxy', 'secretsmanager:GetSecretValue', EVERY_OPTION.proxy.credentialsSecretArn, CALLERS],
  ['proxy.credentialsKmsKeyArn', 'kms:Decrypt', KEYS.proxy, CALLERS],
  [
    'certificateAuthorities',
    'ssm:GetParameter',
    `arn:aws:ssm:${REGION}:${ACCOUNT_ID}:parameter/corporate/authorities`,
    FUNCTIONS,
  ],
  ['events', 'events:PutEvents', `arn:aws:events:${REGION}:${ACCOUNT_ID}:event-bus/default`, WRITERS],
  ['replicaRegions', 'kms:Encrypt', KEYS.replica, [...WRITERS, 'operator']],
  ['replicaRegions for readers', 'kms:Decrypt', KEYS.replica, ['reader']],
  [
    'replicaRegions for readers',
    'secretsmanager:GetSecretValue',
    `arn:aws:secretsmanager:${TOKEN.replace(REGION, 'eu-central-1')}`,
    ['reader'],
  ],
  ['tracing', 'xray:PutTraceSegments', '*', FUNCTIONS],
])('with every option, %s still gives %s to who needs it', (_, action, resource, expected) => {
  expect(whoMay(action, resource)).toEqual([...expected].sort());
});

it.each([
  ['kmsKeyArn', REGION, REGION],
  ['replicaRegions (eu-central-1)', 'eu-central-1', '*'],
])(
  'the policy of the key of %s must let readers of other accounts decrypt, a synthesis says',
  (setting, ...regions) => {
    const [keyRegion, secretRegion] = regions;
    const secrets = `arn:aws:secretsmanager:${secretRegion}:${ACCOUNT_ID}:secret:latchkey/staging/global/*/token/*-??????`;
    const viaService = { 'kms:ViaService': `secretsmanager.${keyRegion}.amazonaws.com` };
    const StringLike = { 'kms:EncryptionContext:SecretARN': [secrets] };

    expect(synthesis.statementsForKey(setting)).toMatchObject([
      {
        Action: 'kms:Decrypt',
        Principal: { AWS: 'arn:aws:iam::333344445555:root' },
        Condition: { StringEquals: viaService, StringLike },
      },
      {
        Action: 'kms:Decrypt',
        Principal: { AWS: '*' },
        Condition: { StringEquals: { ...viaService, 'aws:PrincipalOrgID': ['o-a1b2c3d4e5'] }, StringLike },
      },
    ]);
  },
);

describe('with every option and a file of authorities', () => {
  const file = join(temporaryFolder(), 'authorities.pem');
  writeFileSync(file, rootCertificates[0]!);
  const withFile = synthesisWith({ ...EVERY_OPTION, certificateAuthorities: { file } });

  it('the functions have the layer, and trust the authorities', () => {
    const functions = withFile.properties('AWS::Lambda::Function');

    expect(functions).toHaveLength(FUNCTIONS.length);
    for (const { Environment } of functions)
      expect(Environment).toMatchObject({
        Variables: {
          AWS_LAMBDA_EXEC_WRAPPER: '/opt/otel-handler',
          NODE_EXTRA_CA_CERTS: '/var/task/certificate-authorities.pem',
        },
      });
  });

  it('the bundles to sign have every file that the functions load', () => {
    const folder = join(withFile.assembly.directory, 'bundles');
    const files = Object.fromEntries(
      readdirSync(folder).map((name) => [
        name.replace(/-[0-9a-f]{64}\.zip$/, ''),
        Object.keys(unzipped(readFileSync(join(folder, name)))),
      ]),
    );
    const always = ['certificate-authorities.pem', 'deployment.json', 'handler.js', 'traced.js'];
    const withMore = (...more: string[]) => [...always, ...more].sort();

    expect(files).toEqual({
      authorizer: always,
      'credential-watch': always,
      restore: withMore('network.js'),
      'rotate-credentials': withMore('network.js', 'change-events.js', 'announce.js'),
      'token-refresh': withMore('network.js', 'change-events.js'),
      'token-sweep': withMore('network.js', 'change-events.js'),
    });
  });
});
