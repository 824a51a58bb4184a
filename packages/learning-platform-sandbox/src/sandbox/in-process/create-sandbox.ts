import { type Addresses, CONTROL_PATH } from '../addresses';
import { advanceClock, clockSchema } from '../control/clock-routes';
import { addFault } from '../control/faults-routes';
import { reset } from '../control/reset-routes';
import { describeTenant } from '../control/tenants-routes';
import { deploymentName } from '../deployment-key';
import { issueIssuerToken, issuerTokenToIssueSchema } from '../issuers/issuers';
import { type RunningSandbox, startOnOnePort, startOnSeparatePorts } from '../listening-sandbox';
import { type SandboxState } from '../sandbox-state';
import { type Tenant } from '../tenants';
import { issueToken, tokenToIssueSchema } from '../tokens/issue-token';
import { InvalidInputError, issueLine, parseInput } from '../validation';
import { readOptions } from './options';
import {
  type DeploymentKey,
  type PlatformAddresses,
  type Sandbox,
  type SandboxIssuer,
  type SandboxOptions,
  type SandboxTenant,
} from './sandbox-types';
import { fetchTrusting } from './trusting-fetch';

/**
 * Starts the whole learning platform inside this process: over TLS, on free ports of the loopback interface, with a
 * certificate of its own. Any number of sandboxes run side by side. It prints nothing, writes no file, installs no signal
 * handler, and never keeps the process alive.
 * @throws {Error} with the `code` `invalid_input` and one line for each fault of the options: its path, what was found, and
 * what is allowed
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed, separatePorts, nowMs, onUnexpectedError } = readOptions(options);
  const startOn = separatePorts ? startOnSeparatePorts : startOnOnePort;
  const running = await startOn(seed, 0, { nowMs, onUnexpectedError });
  running.unref();
  const { addresses, caCertificate, state } = running;
  const [first, ...others] = state.tenants.all().map((tenant) => withCredentials(tenant, state));
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= running.close());
  return {
    caCertificate,
    controlUrl: addresses.control,
    // A deployment has at least one tenant.
    tenants: [first!, ...others],
    issuers: addresses.issuers.map((issuer) => withTenants(issuer, state)),
    addresses: (deploymentKey) => addressesOf(addresses, deploymentKey),
    fetch: fetchTrusting(caCertificate),
    issueToken: (token) =>
      'issuer' in token
        ? issueIssuerToken(
            state.issuers.require(token.issuer),
            parseInput(issuerTokenToIssueSchema.strip(), token),
            state.clock.nowMs(),
          ).accessToken
        : issueToken(state, parseInput(tokenToIssueSchema.strip(), token)).accessToken,
    faults: {
      add: (fault) => addFault(state, fault),
      all: () => state.faults.all(),
      clear: () => state.faults.clear(),
    },
    clock: {
      now: () => new Date(state.clock.nowMs()),
      advance: (advanceSec) => advanceClock(state.clock, parseInput(clockSchema, { advanceSec })),
    },
    requests: () => [...state.recentRequests.all()],
    control: (method, path, body) => callControl(running, method, path, body),
    reset: () => reset(state),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function withTenants(addresses: Addresses['issuers'][number], { issuers }: SandboxState): SandboxIssuer {
  const { name, credentials, tenantIds } = issuers.find(addresses.name)!;
  const [first, ...others] = [...tenantIds].map((tenantId) => ({
    issuer: name,
    tenantId,
    clientCredentials: credentials.issue(tenantId),
  }));
  // An issuer has at least one tenant.
  return { ...addresses, tenants: [first!, ...others] };
}

function withCredentials(tenant: Tenant, { apiKeys, clock, credentials }: SandboxState): SandboxTenant {
  const { environment, platformRegion, tenantId } = tenant;
  const { authorRefs, ...described } = describeTenant(tenant);
  const [first, ...others] = authorRefs;
  return {
    ...described,
    // A tenant has at least one user.
    authorRefs: [first!, ...others],
    clientCredentials: credentials.issue({ environment, platformRegion, tenantId }),
    apiKey: apiKeys.generate(tenant, clock.nowMs()),
  };
}

function addressesOf({ deployments, tenantServices }: Addresses, key: DeploymentKey): PlatformAddresses {
  const served = deployments.find((deployment) => deploymentName(deployment) === deploymentName(key));
  if (!served) {
    const names = deployments.map(deploymentName).join(', ');
    throw new InvalidInputError([issueLine(['deployment'], deploymentName(key), names)]);
  }
  const { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl } = served;
  const tenantServiceUrl = tenantServices[key.environment === 'production' ? 'live' : 'staging'];
  return { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl };
}

async function callControl({ app }: RunningSandbox, method: string, path: string, body?: object) {
  const answer = await app.request(`${CONTROL_PATH}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  if (answer.ok) return parsed;
  const { message } = parsed as { message: string };
  throw Object.assign(new Error(`control refused ${method} ${path}: ${message}`), { status: answer.status });
}
