import { ACCOUNT_ID, REGION, type WrittenDeployment } from './configuration';

type WrittenApi = NonNullable<WrittenDeployment['restoreApi']>;

const ID = '0f0f0f0f-1111-2222-3333-444444444444';

/** Resources around a restore API in the tests' account and region, as named in the configuration. */
export const WEB_ACL = `arn:aws:wafv2:${REGION}:${ACCOUNT_ID}:regional/webacl/edge/${ID}`;
export const CERTIFICATE = `arn:aws:acm:${REGION}:${ACCOUNT_ID}:certificate/${ID}`;
export const DOMAIN = { name: 'restore.example.org', certificateArn: CERTIFICATE };
export const VPC_ENDPOINTS = ['vpce-0a1b2c3d4e5f60718', 'vpce-0a1b2c3d'];

export const EDGES = {
  usagePlan: { usagePlan: { rateLimit: 2, burstLimit: 4, quota: { limit: 1000, period: 'day' } } },
  webAclArn: { webAclArn: WEB_ACL },
  ratePerIp: { ratePerIp: 300 },
  domain: { domain: DOMAIN },
  domainWithZone: { domain: { ...DOMAIN, hostedZoneId: 'Z0123456789ABCDEFGHIJ' } },
  vpcEndpointIds: { vpcEndpointIds: VPC_ENDPOINTS },
  vpcEndpointIdsIam: { auth: 'iam', vpcEndpointIds: VPC_ENDPOINTS },
  callerAccounts: { auth: 'iam', callerAccounts: ['333344445555'] },
  callerOrganizations: { auth: 'iam', callerOrganizations: ['o-a1b2c3d4e5'] },
} as const satisfies Record<string, WrittenApi>;
