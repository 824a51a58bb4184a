import { type TokenType } from '../../../core/deployment/platform';
import { type TokenKey } from '../../../core/tokens/published-keys';
import { parseConfiguration } from '../../../lib/options/load';
import { type Configuration, type WrittenConfiguration } from '../../../lib/options/schema';

export type { WrittenConfiguration };
export type WrittenDeployment = WrittenConfiguration['deployments'][number];
export type WrittenTenant = NonNullable<WrittenDeployment['tenants']>[number];

export const ACCOUNT_ID = '222233334444';
export const REGION = 'eu-west-1';

export const ALL_TOKENS: TokenType[] = [
  { interface: 'content', scope: 'api/all' },
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
  { interface: 'webhooks', scope: 'api/webhooks' },
  { interface: 'webhooks', scope: 'api/all' },
];

/** The token of the tenant of {@link written}. */
export const TOKEN_KEY: TokenKey = {
  environment: 'staging',
  platformRegion: 'global',
  tenantId: 'tenant-a',
  interface: 'content',
  scope: 'api/read',
};

/** All five URLs of one deployment, such as `staging-mea`. An environment has one tenant service. */
export function addressesOf(deploymentKey: string) {
  return {
    contentBaseUrl: `https://api.${deploymentKey}.platform.example/rest/v1`,
    contentTokenBaseUrl: `https://auth.${deploymentKey}.platform.example`,
    webhooksBaseUrl: `https://webhooks.${deploymentKey}.platform.example/v1`,
    webhooksTokenBaseUrl: `https://webhooks-auth.${deploymentKey}.platform.example`,
    tenantServiceUrl: `https://tenants.${deploymentKey.split('-')[0]}.platform.example/graphql`,
  };
}

/** A tenant with the token `content api/read`, or with the given tokens. */
export function tenant<Tokens = TokenType[]>(
  tenantId: string,
  tokens = [{ interface: 'content', scope: 'api/read' }] as Tokens,
): { tenantId: string; tokens: Tokens } {
  return { tenantId, tokens };
}

/**
 * A configuration with one deployment, staging global in its own account with one tenant; `deployment`
 * overrides fields.
 */
export function written(deployment: Partial<WrittenDeployment> = {}): WrittenConfiguration {
  return {
    endpoints: {
      staging: { global: addressesOf('staging-global'), mea: addressesOf('staging-mea') },
      production: { global: addressesOf('production-global'), mea: addressesOf('production-mea') },
    },
    deployments: [
      {
        environment: 'staging',
        account: ACCOUNT_ID,
        region: REGION,
        tenants: [tenant('tenant-a')],
        ...deployment,
      },
    ],
  };
}

/** The same, validated and with all defaults. */
export function configuration(deployment: Partial<WrittenDeployment> = {}): Configuration {
  return parseConfiguration(written(deployment), 'test configuration');
}

const keyIn = (region: string, name: string): string => `arn:aws:kms:${region}:${ACCOUNT_ID}:key/${name}`;

/** Keys of {@link EVERY_OPTION}, by their use. */
export const KEYS = {
  secrets: keyIn(REGION, 'secrets'),
  former: keyIn(REGION, 'former'),
  logs: keyIn(REGION, 'logs'),
  topic: keyIn(REGION, 'topic'),
  proxy: keyIn(REGION, 'proxy'),
  replica: keyIn('eu-central-1', 'replica'),
};

/** Every option that adds permissions to roles or files to functions, together. */
export const EVERY_OPTION = {
  tenants: [
    {
      tenantId: 'tenant-a',
      tokens: ALL_TOKENS.map((token) => ({
        ...token,
        readerAccounts: ['333344445555'],
        readerOrganizations: ['o-a1b2c3d4e5'],
      })),
    },
  ],
  kmsKeyArn: KEYS.secrets,
  formerKmsKeyArns: [KEYS.former],
  logsKmsKeyArn: KEYS.logs,
  alarms: { topicKmsKeyArn: KEYS.topic },
  vpc: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] },
  proxy: {
    url: 'http://proxy.example.org:3128',
    credentialsSecretArn: `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:proxy-AbCdEf`,
    credentialsKmsKeyArn: KEYS.proxy,
  },
  certificateAuthorities: { parameterName: '/corporate/authorities' },
  events: true,
  replicaRegions: [{ region: 'eu-central-1', kmsKeyArn: KEYS.replica }],
  tracing: { opentelemetry: { layerArn: `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:layer:otel:1` } },
  codeSigning: {
    configArn: `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:code-signing-config:csc-0f0f0f0f0f0f0f0f0`,
    signed: { bucket: 'signed-code' },
  },
  auditSecrets: true,
  trailEvents: true,
  dashboard: true,
  secretReaders: {
    breakGlassRoleArn: `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`,
    credentials: [`arn:aws:iam::${ACCOUNT_ID}:role/auditors`],
    tokens: [`arn:aws:iam::${ACCOUNT_ID}:role/services/*`],
  },
} satisfies Partial<WrittenDeployment>;
