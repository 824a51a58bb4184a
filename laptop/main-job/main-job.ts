import { type KeyProofOutcome, type ProveAnswer, type ProveEvent } from '../../core/rotation/api-key-proof';
import {
  credentialRequest,
  isOwnIssuer,
  type LocalDeployment,
  type LocalTenant,
} from '../../core/deployment/local-run';
import { placeFlags } from '../../core/commands/place-flags';
import { mapConcurrently } from '../../core/calls/map-concurrently';
import { OUTCOMES } from '../../core/restore/restore-outcomes';
import { type TokenValue } from '../../core/secrets/secret-values';
import { type SweepAnswer } from '../../core/tokens/token-refresh';
import { deploymentName, tenantKeyOf, tokenName } from '../../core/tokens/token-key';
import { JobError, type LocalSystem } from './local-system';

/** How many tenants get their credentials at the same time. */
const PARALLEL = 8;

/** Prints one line of progress. */
type Report = (text: string) => void;

interface TenantOfDeployment {
  deployment: LocalDeployment;
  tenant: LocalTenant;
}

/**
 * Gets client credentials and an API key for each tenant from its issuer's support, and stores them. The user loads those of
 * their own issuers.
 */
export async function loadCredentials(system: LocalSystem, report: Report): Promise<void> {
  const tenants = sandboxTenants(system);
  await mapConcurrently(tenants, PARALLEL, async ({ deployment, tenant }) => {
    const tenantKey = tenantKeyOf(deployment, tenant.tenantId);
    const { path, body } = credentialRequest(tenantKey);
    const credential = await system.control('POST', path, body);
    await system.putSecret(tenant.clientCredentialsArn, credential.body);
    if (tenant.apiKeyArn === undefined) return;
    const key = await system.control('POST', '/api-keys', tenantKey);
    await system.putSecret(tenant.apiKeyArn, key.body);
  });
  await Promise.all(system.run.deployments.map((deployment) => proveApiKeys(system, deployment)));
  report(`loaded credentials for ${tenants.length} tenant${tenants.length === 1 ? '' : 's'}`);
}

/**
 * Says which tenants have no credential, because their issuer is the user's own.
 * @param flags that select this run, for the commands that load one; undefined if the run ends at once
 */
export function nameTenantsOfOwnIssuers(
  { run }: LocalSystem,
  flags: string | undefined,
  report: Report,
): void {
  for (const deployment of run.deployments.filter(isOwnIssuer)) {
    for (const { tenantId } of deployment.tenants) {
      const place = placeFlags(tenantKeyOf(deployment, tenantId));
      const load = flags === undefined ? '' : `; to load one: npx latchkey credentials put ${place} ${flags}`;
      report(`no credential for ${deploymentName(deployment)} ${tenantId}, as its issuer is your own${load}`);
    }
  }
}

/** Has rotate-credentials try the API keys at once: they open the restore API only then. */
async function proveApiKeys(system: LocalSystem, { stack, functions }: LocalDeployment): Promise<void> {
  const { rotateCredentials } = functions;
  if (rotateCredentials === undefined) return;
  const event: ProveEvent = { action: 'prove' };
  const { tenants } = await system.invoke<ProveAnswer>(rotateCredentials, event);
  // Without an answer of the platform, the schedule tries again.
  const allowed: readonly KeyProofOutcome[] = ['proven', 'unchanged', 'could_not_test'];
  const unproven = tenants.filter(({ outcome }) => !allowed.includes(outcome));
  if (unproven.length === 0) return;
  const reasons = unproven.map(({ tenantId, outcome, reason = '' }) => `${tenantId}: ${outcome} ${reason}`);
  throw new JobError(`${stack} has unproven API keys:\n  ${reasons.join('\n  ')}`);
}

/** Injects a fault into the sandbox. @param fault in the format of the sandbox's control API */
export async function injectFault(system: LocalSystem, fault: unknown, report: Report): Promise<void> {
  await system.control('POST', '/faults', fault);
  report(`injected fault: ${JSON.stringify(fault)}`);
}

/** Has token-sweep fetch all tokens of the sandbox's issuers, then checks what is stored, and that other issuers accept it. */
export async function refreshTokens(system: LocalSystem, report: Report): Promise<void> {
  await sweepAll(system);
  const tenants = sandboxTenants(system);
  const arns = tenants.flatMap(({ tenant }) => tenant.tokens.map(({ arn }) => arn));
  const values = await system.readSecrets<TokenValue>(arns);
  for (const { deployment, tenant } of tenants) {
    for (const { arn, ...token } of tenant.tokens) {
      const value = values.get(arn)!;
      const lifeSec = Math.round((Date.parse(value.expiresAt) - Date.now()) / 1000);
      const { tenantId } = tenant;
      if (value.tenantId !== tenantId || value.scope !== token.scope || lifeSec <= 0) {
        throw new JobError(`${arn} holds no valid token for ${tenantId} ${token.interface} ${token.scope}`);
      }
      if (deployment.issuer !== undefined) await requireAccepted(system, deployment, value);
      report(`${deploymentName(deployment)} ${tenantId} ${tokenName(token)}: valid for ${lifeSec} s`);
    }
  }
}

/** @throws {JobError} if a token cannot be fetched */
async function sweepAll(system: LocalSystem): Promise<void> {
  const failures = await Promise.all(
    sandboxDeployments(system).map(async (deployment) => {
      const { tokenSweep } = deployment.functions;
      if (tokenSweep === undefined) throw new JobError(`${deployment.stack} has no token-sweep function`);
      return describeFailures(deployment, await system.invoke<SweepAnswer>(tokenSweep, { action: 'sweep' }));
    }),
  );
  const lines = failures.flat();
  if (lines.length > 0)
    throw new JobError(`could not fetch ${lines.length} tokens:\n  ${lines.join('\n  ')}`);
}

/** Checks that the sandbox accepts a token of another issuer. */
async function requireAccepted(
  system: LocalSystem,
  { issuer, platform }: LocalDeployment,
  { accessToken, tenantId }: TokenValue,
): Promise<void> {
  const { status, body } = await system.https('GET', `${platform.tokenBaseUrl}/whoami`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  if (status === 200 && (body as { tenantId?: string }).tenantId === tenantId) return;
  throw new JobError(`${issuer} answered ${status} to a token of ${tenantId}: ${JSON.stringify(body)}`);
}

function describeFailures(deployment: LocalDeployment, { tenants }: SweepAnswer): string[] {
  return tenants.flatMap(({ tenantId, tokens }) =>
    tokens
      .filter(({ outcome }) => outcome !== 'refreshed' && outcome !== 'fresh')
      .map(
        ({ scope, outcome, message = '' }) =>
          `${deploymentName(deployment)} ${tenantId} ${scope}: ${outcome} ${message}`,
      ),
  );
}

/**
 * Restores one archived record through the REST API, and checks that a second attempt is refused. Restores nothing, and says so,
 * in a system that is not meant to restore: one without a restore API, without a token for it, or without `restore.available`.
 */
export async function restoreRecord(system: LocalSystem, report: Report): Promise<void> {
  const served = sandboxTenants(system).filter(({ deployment }) => deployment.restoreApiUrl !== undefined);
  if (served.length === 0) return report('restored nothing: no deployment has a restore API');
  const callers = new Map<LocalDeployment, RestoreCaller>();
  for (const { deployment, tenant } of served) {
    const token = tenant.tokens.find(({ scope }) => scope === 'api/write');
    if (token !== undefined && !callers.has(deployment)) {
      callers.set(deployment, { deployment, tenant, tokenArn: token.arn });
    }
  }
  if (callers.size === 0) return report('restored nothing: no tenant has a token content api/write');
  for (const caller of callers.values()) if (await tryRestore(system, caller, report)) return;
  report('restored nothing: no deployment with a token content api/write has restore.available');
}

interface RestoreCaller extends TenantOfDeployment {
  readonly tokenArn: string;
}

/** @returns false if restore is off in the tenant's deployment */
async function tryRestore(
  system: LocalSystem,
  { deployment, tenant, tokenArn }: RestoreCaller,
  report: Report,
): Promise<boolean> {
  const contentId = tenant.archivedContentIds[0];
  if (contentId === undefined) throw new JobError(`${tenant.tenantId} has no archived record`);
  const { accessToken } = await system.readSecret<TokenValue>(tokenArn);
  const url = `${deployment.restoreApiUrl}/tenants/${tenant.tenantId}/contents/${contentId}/restore`;
  const body = { authorRef: tenant.authorRefs[0] };
  const restore = async () => {
    const answer = await system.https('POST', url, {
      headers: { authorization: `Bearer ${accessToken}` },
      body,
    });
    // With IAM, API Gateway takes every authorization for a signature.
    return answer.status === 403 ? system.signed('POST', url, body) : answer;
  };

  const first = await restore();
  const record = first.body as {
    status?: string;
    detail?: string;
    items?: { rank: number; summary: string }[];
  };
  if (first.status === 501 && record.detail === OUTCOMES.restoreUnavailable.detail) return false;
  if (first.status !== 200 || record.status !== 'published') {
    throw new JobError(`restoring ${contentId} returned ${first.status}: ${JSON.stringify(first.body)}`);
  }
  const items = record.items ?? [];
  report(`restored ${contentId} of ${tenant.tenantId}: ${record.status}, ${items.length} items`);
  for (const { rank, summary } of items) report(`  item ${rank}: ${summary}`);

  const second = await restore();
  if (second.status !== 409) throw new JobError(`restoring it again returned ${second.status}, not 409`);
  report(`restoring it again: 409 ${(second.body as { code?: string }).code}`);
  return true;
}

function sandboxDeployments({ run }: LocalSystem): LocalDeployment[] {
  return run.deployments.filter((each) => !isOwnIssuer(each));
}

function sandboxTenants(system: LocalSystem): TenantOfDeployment[] {
  return sandboxDeployments(system).flatMap((deployment) =>
    deployment.tenants.map((tenant) => ({ deployment, tenant })),
  );
}
