import { readFileSync } from 'node:fs';
import { isOwnIssuer } from '../core/deployment/local-run';
import { isJsonObject } from '../core/json/json-object';
import { refused, unusable } from './refused-input';
import { hasOtherIssuers, sandboxSeed, type SandboxSeed } from './sandbox-seed';

const LOOPBACK_ORIGIN = /https:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=[/"]|$)/gi;

/** A configuration file for a local run. */
interface LocalConfiguration {
  /** The deployments and tenants to start the sandbox with. */
  sandboxSeed: SandboxSeed;
  /** Whether the sandbox serves other issuers, too, which only the synthesized deployments describe. */
  hasOtherIssuers: boolean;
  /** The configuration with every loopback origin replaced by `origin`, but not those of the user's own issuers. */
  withOrigin(origin: string): string;
}

/** @throws {HostError} `configuration_unreadable` */
export function readLocalConfiguration(file: string): LocalConfiguration {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw unusable(file, `the file cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
  const value = parse(text);
  // If the text is not JSON, the app fails with a message that names the line.
  const { local, deployments } = isJsonObject(value) ? value : { local: true, deployments: [] };
  if (local !== true) {
    // Otherwise functions would send sandbox credentials to whatever addresses the configuration names.
    const found = local === undefined ? 'nothing' : JSON.stringify(local);
    throw refused(file, 'local', found, 'true, because only such a configuration stays on this machine');
  }
  return {
    sandboxSeed: sandboxSeed(file, deployments),
    hasOtherIssuers: hasOtherIssuers(deployments),
    withOrigin: (origin) => (value === undefined ? text : JSON.stringify(moved(value, origin))),
  };
}

function moved(value: unknown, origin: string): unknown {
  if (typeof value === 'string') return value.replace(LOOPBACK_ORIGIN, origin);
  if (Array.isArray(value)) return value.map((each) => moved(each, origin));
  if (!isJsonObject(value)) return value;
  const isOwn = isOfOwnIssuer(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isOwn && name === 'tokenBaseUrl' ? each : moved(each, origin),
    ]),
  );
}

/** Whether the object is a deployment whose issuer is the user's own. */
function isOfOwnIssuer({ issuer, tokenBaseUrl }: Record<string, unknown>): boolean {
  return (
    hasOtherIssuers([{ issuer }]) &&
    typeof tokenBaseUrl === 'string' &&
    isOwnIssuer({ issuer: String(issuer), platform: { tokenBaseUrl } })
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
