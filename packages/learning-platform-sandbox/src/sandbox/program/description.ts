import { lifecycleStatus } from '../content/records';
import { describeTenant } from '../control/tenants-routes';
import { deploymentName } from '../deployment-key';
import { type RunningSandbox } from '../listening-sandbox';
import { type Tenant } from '../tenants';
import { type CaFile } from './ca-file';

const NAME_WIDTH = 18;

/** What `--json` prints for a running sandbox: its addresses, CA file and tenants. */
export function describeForPrograms({ addresses, state }: RunningSandbox, caFile: CaFile): object {
  return { ...addresses, caFile: caFile.absolutePath, tenants: state.tenants.all().map(describeTenant) };
}

/** The lines that describe a running sandbox to people; the last one starts with `ready`. */
export function describeForPeople({ addresses, state }: RunningSandbox, caFile: CaFile): string[] {
  const tenants = state.tenants.all();
  const nowMs = state.clock.nowMs();
  return [
    ...addresses.deployments.flatMap((deployment) => [
      deploymentName(deployment),
      entry('content', deployment.contentBaseUrl),
      entry('content tokens', deployment.contentTokenBaseUrl),
      entry('webhooks', deployment.webhooksBaseUrl),
      entry('webhooks tokens', deployment.webhooksTokenBaseUrl),
      ...tenants
        .filter((tenant) => deploymentName(tenant) === deploymentName(deployment))
        .map((tenant) => entry('tenant', `${tenant.tenantId} (${contentsOf(tenant, nowMs)})`)),
    ]),
    'tenant service',
    entry('staging', addresses.tenantServices.staging),
    entry('live', addresses.tenantServices.live),
    ...addresses.issuers.flatMap(({ name, tokenBaseUrl, whoamiUrl }) => [
      `issuer ${name}`,
      entry('tokens', tokenBaseUrl),
      entry('resource', whoamiUrl),
      ...[...state.issuers.find(name)!.tenantIds].map((tenantId) => entry('tenant', tenantId)),
    ]),
    'sandbox',
    entry('control', addresses.control),
    entry('CA to trust', caFile.path),
    ...tenants.slice(0, 1).flatMap(({ environment, platformRegion, tenantId }) => {
      const body = JSON.stringify({ environment, platformRegion, tenantId });
      return [
        'a token for a test, and likewise a client credential (/credentials) or an API key (/api-keys)',
        `  curl --cacert ${caFile.path} --json '${body}' ${addresses.control}/tokens`,
      ];
    }),
    `ready: curl --cacert ${caFile.path} ${addresses.control}/tenants; stop with Ctrl-C`,
  ];
}

function entry(name: string, text: string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${text}`;
}

/** `8 contents: 5 archived, 1 draft, …` */
function contentsOf({ contents }: Tenant, nowMs: number): string {
  const all = contents.all();
  const counts = new Map<string, number>();
  for (const content of all) {
    const status = lifecycleStatus(content, nowMs);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const statuses = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  return `${all.length} contents${statuses && `: ${statuses}`}`;
}
