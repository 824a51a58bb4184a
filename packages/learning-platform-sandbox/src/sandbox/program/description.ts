import { CONTROL_PATH } from '../addresses';
import { type DeploymentKey, deploymentName } from '../deployment-key';
import { type RunningSandbox } from '../separate-ports';
import { type CaFile } from './ca-file';

const NAME_WIDTH = 18;

type ListedTenant = DeploymentKey & { readonly tenantId: string };

/** What `--json` prints for a running sandbox: its addresses, CA file and tenants. */
export async function describeForPrograms(sandbox: RunningSandbox, caFile: CaFile): Promise<object> {
  return {
    ...sandbox.addresses,
    caFile: caFile.absolutePath,
    tenants: await tenantsOf(sandbox),
  };
}

/** The lines that describe a running sandbox to people; the last one starts with `ready`. */
export async function describeForPeople(sandbox: RunningSandbox, caFile: CaFile): Promise<string[]> {
  const { addresses } = sandbox;
  const tenants = await tenantsOf(sandbox);
  const tenantLines = async (deploymentKey: DeploymentKey) =>
    Promise.all(
      tenants
        .filter((tenant) => deploymentName(tenant) === deploymentName(deploymentKey))
        .map(async (tenant) => entry('tenant', `${tenant.tenantId} (${await contentsOf(sandbox, tenant)})`)),
    );
  const cells = addresses.cells.map(async (deploymentKey) => [
    deploymentName(deploymentKey),
    entry('content', deploymentKey.contentBaseUrl),
    entry('content tokens', deploymentKey.contentTokenBaseUrl),
    entry('webhooks', deploymentKey.webhooksBaseUrl),
    entry('webhooks tokens', deploymentKey.webhooksTokenBaseUrl),
    ...(await tenantLines(deploymentKey)),
  ]);
  return [
    ...(await Promise.all(cells)).flat(),
    'tenant service',
    entry('staging', addresses.tenantServices.staging),
    entry('live', addresses.tenantServices.live),
    ...addresses.issuers.flatMap(({ name, tokenBaseUrl, whoamiUrl }) => [
      `issuer ${name}`,
      entry('tokens', tokenBaseUrl),
      entry('accepts them', whoamiUrl),
      ...[...sandbox.state.issuers.find(name)!.tenantIds].map((tenantId) => entry('tenant', tenantId)),
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

async function tenantsOf(sandbox: RunningSandbox): Promise<ListedTenant[]> {
  const { tenants } = (await askControl(sandbox, '/tenants')) as { tenants: ListedTenant[] };
  return tenants;
}

/** `8 contents: 5 archived, 1 draft, …` */
async function contentsOf(
  sandbox: RunningSandbox,
  { tenantId, ...deploymentKey }: ListedTenant,
): Promise<string> {
  const path = `/contents/${deploymentName(deploymentKey)}/${tenantId}`;
  const { contents } = (await askControl(sandbox, path)) as { contents: { status: string }[] };
  const counts = new Map<string, number>();
  for (const { status } of contents) counts.set(status, (counts.get(status) ?? 0) + 1);
  const statuses = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  return `${contents.length} contents${statuses && `: ${statuses}`}`;
}

async function askControl({ app }: RunningSandbox, path: string): Promise<unknown> {
  return (await app.request(`${CONTROL_PATH}${path}`)).json();
}
