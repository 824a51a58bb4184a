import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type DeploymentFile, type PlatformAddresses } from '../core/deployment/deployment-file';
import { isOwnIssuer } from '../core/deployment/local-run';
import { isSameDeployment } from '../core/tokens/token-key';
import { type SandboxAddresses } from './sandbox-process';
import { refused } from './refused-input';
import { type CloudAssembly, type Template } from 'cdk-on-loopback';

const FILE = 'deployment.json';
const AUTHORITIES_FILE = 'certificate-authorities.pem';

const ADDRESSES = [
  'tokenBaseUrl',
  'contentBaseUrl',
  'contentTokenBaseUrl',
  'webhooksBaseUrl',
  'webhooksTokenBaseUrl',
  'tenantServiceUrl',
] as const satisfies (keyof PlatformAddresses)[];

/** What tells a deployment file from another file of its name. */
const deploymentFileSchema = z.looseObject({
  environment: z.string(),
  prefix: z.string(),
  platform: z.record(z.string(), z.string()),
  tenants: z.array(z.looseObject({ tenantId: z.string(), tokens: z.array(z.unknown()) })),
});

/** The deployment file beside a function's code; undefined if the function is none of Latchkey's. */
function readDeploymentFile(codeDir: string): DeploymentFile | undefined {
  const file = join(codeDir, FILE);
  if (!existsSync(file)) return undefined;
  try {
    return deploymentFileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) as unknown as DeploymentFile;
  } catch {
    return undefined;
  }
}

/** Each deployment once, although all of its functions have its file. */
export function distinctDeployments(codeDirs: Iterable<string>): DeploymentFile[] {
  const files = new Map<string, DeploymentFile>();
  for (const codeDir of codeDirs) {
    const file = readDeploymentFile(codeDir);
    if (file !== undefined) files.set(JSON.stringify(file), file);
  }
  return [...files.values()];
}

/**
 * The deployments that the functions of an assembly serve.
 * @param dir of the assembly, for messages
 * @throws {HostError} `configuration_unreadable` if there are none
 */
export function servedDeployments(dir: string, assembly: CloudAssembly): DeploymentFile[] {
  const deployments = distinctDeployments(codeDirsOf(assembly));
  if (deployments.length > 0) return deployments;
  throw refused(dir, 'deployments', 'none', 'at least one stack with a deployment of Latchkey');
}

/**
 * The assembly with the sandbox's addresses in place of the platform's, in deployment files and templates: whatever addresses
 * it was made with, nothing in it sends a credential of the sandbox elsewhere. Its own files stay as they are.
 * @param dir for the changed files
 */
export function onSandbox(assembly: CloudAssembly, addresses: SandboxAddresses, dir: string): CloudAssembly {
  const moves = new Map<string, string>();
  const dirs = new Map<string, string>();
  for (const codeDir of codeDirsOf(assembly)) {
    const file = readDeploymentFile(codeDir);
    if (file === undefined) continue;
    const platform = sandboxPlatform(file, addresses);
    for (const name of ADDRESSES) {
      const [from, to] = [file.platform[name], platform[name]];
      if (from !== to && from !== undefined && to !== undefined && !moves.has(from)) moves.set(from, to);
    }
    const copy = join(dir, basename(codeDir));
    cpSync(codeDir, copy, { recursive: true });
    writeFileSync(join(copy, FILE), JSON.stringify({ ...file, platform }, null, 2));
    dirs.set(codeDir, copy);
  }
  const stacks = assembly.stacks.map((stack) => ({
    ...stack,
    template: JSON.parse(withMoved(JSON.stringify(stack.template), moves)) as Template,
    assetDirs: new Map([...stack.assetDirs].map(([key, codeDir]) => [key, dirs.get(codeDir) ?? codeDir])),
  }));
  return { ...assembly, stacks };
}

/** Each directory once, although the stacks of all tenants name the same ones. */
function codeDirsOf({ stacks }: CloudAssembly): Set<string> {
  return new Set(stacks.flatMap(({ assetDirs }) => [...assetDirs.values()]));
}

/** The certificate authorities of the deployments whose issuer is the user's own, as PEM, for commands that call it. */
export function ownAuthorities(assembly: CloudAssembly): string[] {
  const files = [...codeDirsOf(assembly)]
    .filter((codeDir) => {
      const deployment = readDeploymentFile(codeDir);
      return deployment !== undefined && isOwnIssuer(deployment);
    })
    .map((codeDir) => join(codeDir, AUTHORITIES_FILE))
    .filter((file) => existsSync(file));
  return [...new Set(files.map((file) => readFileSync(file, 'utf8').trim()))];
}

/** The sandbox's addresses for those that a deployment has. No other address stays but that of the user's own issuer. */
function sandboxPlatform(
  file: DeploymentFile,
  { deployments, tenantServices, issuers }: SandboxAddresses,
): PlatformAddresses {
  if (isOwnIssuer(file)) return { tokenBaseUrl: file.platform.tokenBaseUrl! };
  if (file.issuer !== undefined) {
    return { tokenBaseUrl: issuers.find(({ name }) => name === file.issuer)!.tokenBaseUrl };
  }
  const deployment = deployments.find((each) => isSameDeployment(each, file))!;
  const served: Required<PlatformAddresses> = {
    ...deployment,
    tenantServiceUrl: file.environment === 'production' ? tenantServices.live : tenantServices.staging,
  };
  return Object.fromEntries(
    ADDRESSES.filter((name) => file.platform[name] !== undefined).map((name) => [name, served[name]]),
  );
}

/** The text with each base URL replaced, the longest ones first, as one may begin with another. */
function withMoved(text: string, moves: ReadonlyMap<string, string>): string {
  if (moves.size === 0) return text;
  const bases = [...moves.keys()].sort((one, other) => other.length - one.length);
  const patterns = bases.map((base) => base.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.replaceAll(new RegExp(`(?:${patterns.join('|')})(?![\\w.:-])`, 'g'), (base) =>
    moves.get(base)!,
  );
}
