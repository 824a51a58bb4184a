import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

import { type ProveAnswer, type ProveEvent } from '../../../core/rotation/api-key-proof';
import { type AccessKey, type LocalDeployment, type LocalTenant } from '../../../core/deployment/local-run';
import { parameterName, type ParameterLeaf } from '../../../core/deployment/parameter-names';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type EnsureAnswer, type SweepAnswer } from '../../../core/tokens/token-refresh';
import { type RunningSystem } from './running-system';

/** One deployment of a running system, with one of its tenants. */
export interface Place {
  system: RunningSystem;
  deployment: LocalDeployment;
  tenant: LocalTenant;
}

/** @param tenant its index */
export function placeOf(
  system: RunningSystem,
  environment: string,
  platformRegion: string,
  tenant = 0,
): Place {
  const deployment = system.run.deployments.find(
    (each) => each.environment === environment && each.platformRegion === platformRegion,
  )!;
  return { system, deployment, tenant: deployment.tenants[tenant]! };
}

/** Creates new credentials of a kind, as the platform's support does. */
export async function issue(
  { system, deployment, tenant }: Place,
  kind: 'credentials' | 'api-keys',
): Promise<object> {
  const { environment, platformRegion } = deployment;
  return system.control('POST', `/${kind}`, { environment, platformRegion, tenantId: tenant.tenantId });
}

/** Loads both credentials as the administrator, for journeys about other things. */
export async function load(place: Place): Promise<void> {
  const { system, tenant } = place;
  await system.putSecret(
    system.administrator,
    tenant.clientCredentialsArn,
    await issue(place, 'credentials'),
  );
  await system.putSecret(system.administrator, tenant.apiKeyArn!, await issue(place, 'api-keys'));
  await proveKey(place);
}

/** The same, and has a sweep fetch the tokens. */
export async function loadWithTokens(place: Place): Promise<void> {
  await load(place);
  await sweep(place);
}

/** Has the tenant's API key proven at once, as commands do, instead of by the schedule. */
export async function proveKey({
  system,
  deployment,
  tenant: { tenantId },
}: Place): Promise<ProveAnswer['tenants'][number] | undefined> {
  const event: ProveEvent = { action: 'prove', tenantIds: [tenantId] };
  const { rotateCredentials } = deployment.functions;
  const { tenants } = await system.invoke<ProveAnswer>(system.administrator, rotateCredentials!, event);
  return tenants[0];
}

/** Loads another credential, and makes the platform revoke the previous one with all its tokens. */
export async function replaceCredential(place: Place): Promise<void> {
  const { system, tenant } = place;
  const { clientId } = await system.secret<{ clientId: string }>(tenant.clientCredentialsArn);
  await system.putSecret(
    system.administrator,
    tenant.clientCredentialsArn,
    await issue(place, 'credentials'),
  );
  await system.control('DELETE', '/credentials', { clientId });
}

export async function ensure(place: Place, scope: string, more: object = {}): Promise<EnsureAnswer> {
  const { system, deployment, tenant } = place;
  const event = { action: 'ensure', tenantId: tenant.tenantId, interface: 'content', scope, ...more };
  return system.invoke(system.operator, deployment.functions.tokenRefresh!, event);
}

export async function sweep({ system, deployment }: Place): Promise<SweepAnswer> {
  return system.invoke(system.operator, deployment.functions.tokenSweep!, { action: 'sweep' });
}

export function tokenArn({ tenant }: Place, scope: string): string {
  return tenant.tokens.find((token) => token.scope === scope)!.arn;
}

export function basic({ tenantId }: LocalTenant, apiKey: string): string {
  return `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;
}

/** The tenant's contents that are archived now. */
export async function archivedContents({ system, tenant }: Place): Promise<string[]> {
  const { tenants } = await system.control<{ tenants: { tenantId: string; archivedContentIds: string[] }[] }>(
    'GET',
    '/tenants',
  );
  return tenants.find(({ tenantId }) => tenantId === tenant.tenantId)!.archivedContentIds;
}

/** An archived record that no earlier journey used. */
export async function archived(place: Place): Promise<string> {
  return (await archivedContents(place))[0]!;
}

export async function published(
  { system, deployment }: Place,
  leaf: ParameterLeaf,
  credentials: AccessKey = system.run.aws,
): Promise<string> {
  const { endpoint, region } = system.run.aws;
  const ssm = new SSMClient({ endpoint, region, credentials, maxAttempts: 2 });
  const Name = parameterName(DEFAULT_PREFIX, deployment, leaf);
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
  return Parameter!.Value!;
}

export async function deadLetters(place: Place) {
  return place.system.messages(await published(place, 'dead-letter-queue-url'));
}
