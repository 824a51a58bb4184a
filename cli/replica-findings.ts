import {
  type DescribeSecretCommandOutput,
  type ReplicationStatusType,
} from '@aws-sdk/client-secrets-manager';

import { mapConcurrently } from '../core/calls/map-concurrently';
import { type DeploymentKey, tenantKeyOf, tokenName, tokenTypeOf } from '../core/tokens/token-key';
import { credentialKindsOf } from '../core/deployment/deployment-file';
import { CREDENTIAL_NAMES } from '../core/findings/describe';
import { withPageLinks } from '../core/commands/page-links';
import { type Finding } from '../core/findings/finding';
import { fixCommands } from '../core/commands/fix-commands';
import { type ChosenDeployment } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError, orFailure } from './command-error';
import { describeSecret } from './describe-secret';
import { type Deployment, type Tenant } from './system';

/** Calls in flight: fewer than the client's 50 connections, so that its other calls need not wait. */
const MAX_PARALLEL = 25;

/** A secret that should have replicas. */
interface Replicated {
  readonly tenantId: string;
  readonly secretId: string;
  /** What it holds, such as `API key`. */
  readonly name: string;
  readonly about: Pick<Finding, 'credential' | 'token'>;
}

/**
 * Findings about the replicas of a deployment's secrets that are missing or failed. CloudFormation reports neither. Has
 * none without `replicaRegions`, and skips secrets that have no value yet.
 * @throws {CommandError} if a secret cannot be described. A missing one is left out: another finding reports it
 * @see https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1459
 */
export async function replicaFindings(
  context: Pick<CommandContext, 'terminal'>,
  { deployment, tenantIds }: Pick<ChosenDeployment, 'tenantIds'> & { deployment: ReplicatedDeployment },
  flags: string,
): Promise<Finding[]> {
  const { replicaRegions = [] } = deployment;
  if (replicaRegions.length === 0) return [];
  const tenants = deployment.tenants.filter(({ tenantId }) => tenantIds?.includes(tenantId) ?? true);
  const found = await mapConcurrently(tenants.flatMap(replicatedOf), MAX_PARALLEL, async (secret) => {
    const described = await orFailure(
      describeSecret(deployment, secret.secretId, context.terminal.interrupted),
    );
    if (described instanceof CommandError) {
      if (described.code === 'not_found') return [];
      throw described;
    }
    if (described.ARN === undefined || described.VersionIdsToStages === undefined) return [];
    return replicaRegions.flatMap((region) => findingOf(deployment, secret, described, region, flags));
  });
  return found.flat();
}

type ReplicatedDeployment = DeploymentKey &
  Pick<Deployment, 'prefix' | 'issuing' | 'stackName' | 'tenants' | 'secretsManager' | 'replicaRegions'>;

/** The secrets that Latchkey replicates. It leaves out adopted ones, whose id is an ARN: their owners replicate them. */
function replicatedOf({ tenantId, apiKey, secretIds, tokens }: Tenant): Replicated[] {
  return [
    ...credentialKindsOf({ apiKey })
      .filter((kind) => !secretIds[kind].startsWith('arn:'))
      .map((kind) => ({
        tenantId,
        secretId: secretIds[kind],
        name: CREDENTIAL_NAMES[kind],
        about: { credential: kind },
      })),
    ...tokens.map(({ secretId, ...token }) => ({
      tenantId,
      secretId,
      name: `token ${tokenName(token)}`,
      about: { token: tokenTypeOf(token) },
    })),
  ];
}

function findingOf(
  deployment: ReplicatedDeployment,
  { tenantId, secretId, name, about }: Replicated,
  { ARN: arn = '', ReplicationStatus: statuses = [] }: DescribeSecretCommandOutput,
  region: string,
  flags: string,
): Finding[] {
  const place = tenantKeyOf(deployment, tenantId);
  const replica = statuses.find((status) => status.Region === region);
  if (replica?.Status === 'InSync' || replica?.Status === 'InProgress') return [];
  const common = { kind: 'replica_failed', severity: 'warning', place, ...about } as const;
  const meaning = `Readers in ${region} get no new value, and find none once the last one has expired.`;
  if (replica === undefined) {
    const command = fixCommands(
      { prefix: deployment.prefix, platform: deployment.issuing.platform },
      place,
      flags,
    ).revertTenant();
    const message = `The secret ${secretId} for the ${name} has no replica in ${region}.`;
    return [{ ...common, message, meaning, repair: { command } }];
  }
  return [
    {
      ...common,
      message: `The replica in ${region} of the secret ${secretId} for the ${name} failed${reasonOf(replica)}.`,
      meaning,
      repair: {
        remedy: withPageLinks('Remove the cause, which docs/regions.md explains, then replicate again:'),
        command:
          `aws secretsmanager replicate-secret-to-regions --region ${arn.split(':')[3]} --secret-id ${secretId} ` +
          `--add-replica-regions Region=${region}${keyOf(replica)}`,
      },
    },
  ];
}

/** AWS's text, which ends with a period. */
function reasonOf({ StatusMessage: text = '' }: ReplicationStatusType): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
  return printable === '' ? '' : `: ${printable.replace(/\.$/, '')}`;
}

function keyOf({ KmsKeyId: key }: ReplicationStatusType): string {
  return key === undefined || key.endsWith('alias/aws/secretsmanager') ? '' : `,KmsKeyId=${key}`;
}
