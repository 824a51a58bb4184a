import { parseConfiguration } from '../../../lib/options/load';
import { ALL_TOKENS, tenant, type WrittenDeployment, written } from './configuration';
import { EDGES } from './edge';
import { type Synthesis, synthesizeOnce } from './synthesis';

/** Deployments that together have every kind of resource. */
export const DEPLOYMENTS: Partial<WrittenDeployment>[] = [
  {
    tenants: [
      tenant('tenant-a', ALL_TOKENS),
      tenant('tenant-b', [{ interface: 'content', scope: 'api/read', readerAccounts: ['333344445555'] }]),
    ],
    alarms: { emails: ['team@example.org'] },
    vpc: { vpcId: 'vpc-0a', subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] },
  },
  { restoreApi: { ...EDGES.usagePlan, auditRetentionDays: 365 } },
  { restoreApi: EDGES.webAclArn },
  { restoreApi: EDGES.domain },
  { restoreApi: EDGES.vpcEndpointIdsIam },
  { restoreApi: EDGES.callerAccounts },
];

/** A deployment in another region, with the ARNs in its configuration. */
export function synthesizedIn(
  region: string,
  partition: string,
  deployment: Partial<WrittenDeployment>,
): Synthesis {
  const text = JSON.stringify(written({ ...deployment, region: 'eu-west-1' }))
    .replaceAll('arn:aws:', `arn:${partition}:`)
    .replaceAll('eu-west-1', region);
  return synthesizeOnce(parseConfiguration(JSON.parse(text), 'test configuration'));
}
