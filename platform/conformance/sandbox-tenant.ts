import { randomBytes } from 'node:crypto';
import { SharedTokens } from './shared-tokens';
import { type Send } from './https-requests';
import { requestedToken } from './requests';
import { type Control, controlAt, ControlRefusedError } from './control-client';
import {
  type Addresses,
  type DeploymentKey,
  type ClientCredential,
  type ControlledTenant,
  type Interface,
  NotExaminableError,
  type Session,
} from './tenant';

/** The answer of `GET /addresses`. */
interface SandboxAddresses {
  readonly cells: readonly (DeploymentKey & Omit<Addresses, 'tenantServiceUrl'>)[];
  readonly tenantServices: { readonly staging: string; readonly live: string };
}

/** The answer of `POST /tenants`. */
interface DescribedTenant extends DeploymentKey {
  readonly tenantId: string;
  readonly authorRefs: readonly string[];
  readonly collaborationIds: readonly string[];
}

/** A sandbox to check. */
interface ExaminedSandbox {
  readonly tenant: ControlledTenant;
  /** Resets contents, faults and settings. */
  readonly reset: () => Promise<void>;
}

/**
 * Adds tenants for the checks to a sandbox. They stay until the sandbox stops.
 * @param controlUrl control's address, without a trailing slash
 * @param secret gives access to the control of a sandbox on AWS
 * @throws {NoAnswerError | ControlRefusedError} if there is no sandbox at this address
 */
export async function examineSandbox(
  controlUrl: string,
  send: Send,
  secret?: string,
): Promise<ExaminedSandbox> {
  const tenants = new SandboxTenants(controlAt(controlUrl, send, secret), send);
  return { tenant: await tenants.first(), reset: () => tenants.control('POST', 'reset') };
}

/** The tenants of one sandbox. They share its clock, so moving it drops all cached tokens. */
class SandboxTenants {
  readonly control: Control;
  readonly send: Send;
  readonly #tokens: SharedTokens[] = [];
  readonly #byDeployment = new Map<string, Promise<ControlledTenant>>();

  constructor(control: Control, send: Send) {
    this.send = send;
    this.control = async <T>(method: string, path: string, input?: unknown) => {
      const answer = await control<T>(method, path, input);
      if (method === 'POST' && path === 'clock') this.#tokens.forEach((tokens) => tokens.forget());
      return answer;
    };
  }

  /** A tenant of the first deployment. */
  async first(): Promise<ControlledTenant> {
    const answered = await this.control<Partial<SandboxAddresses> | undefined>('GET', 'addresses');
    const [deploymentKey] = answered?.cells ?? [];
    // Something else than a sandbox answers at this address.
    if (!deploymentKey) throw new ControlRefusedError('GET /addresses', 200);
    const { environment, platformRegion } = deploymentKey;
    return this.inDeployment({ environment, platformRegion });
  }

  /** Returns the tenant of a deployment. @throws {NotExaminableError} if the sandbox does not serve it */
  inDeployment({ environment, platformRegion }: DeploymentKey): Promise<ControlledTenant> {
    const name = `${environment}/${platformRegion}`;
    const known = this.#byDeployment.get(name);
    if (known) return known;
    const added = this.#addPair({ environment, platformRegion });
    this.#byDeployment.set(name, added);
    return added;
  }

  async #addPair(deploymentKey: DeploymentKey): Promise<ControlledTenant> {
    const addresses = await this.#addressesOf(deploymentKey);
    const [tenant, neighbor] = [
      await this.#add(deploymentKey, addresses),
      await this.#add(deploymentKey, addresses),
    ];
    tenant.neighbor = neighbor;
    neighbor.neighbor = tenant;
    return tenant;
  }

  async #addressesOf({ environment, platformRegion }: DeploymentKey): Promise<Addresses> {
    const { cells, tenantServices } = await this.control<SandboxAddresses>('GET', 'addresses');
    const deploymentKey = cells.find(
      (other) => other.environment === environment && other.platformRegion === platformRegion,
    );
    if (!deploymentKey)
      throw new NotExaminableError(`the sandbox does not serve ${environment}/${platformRegion}`);
    const { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl } = deploymentKey;
    const tenantServiceUrl = tenantServices[environment === 'production' ? 'live' : 'staging'];
    return { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl };
  }

  async #add(deploymentKey: DeploymentKey, addresses: Addresses): Promise<SandboxTenant> {
    const tenantId = `conformance_${randomBytes(8).toString('hex')}`;
    const described = await this.control<DescribedTenant>('POST', 'tenants', { ...deploymentKey, tenantId });
    const credential = await this.control<ClientCredential>('POST', 'credentials', {
      ...deploymentKey,
      tenantId,
    });
    const tokens = new SharedTokens();
    this.#tokens.push(tokens);
    return new SandboxTenant(this, described, addresses, credential, tokens);
  }
}

class SandboxTenant implements ControlledTenant {
  readonly environment: DeploymentKey['environment'];
  readonly platformRegion: DeploymentKey['platformRegion'];
  readonly tenantId: string;
  readonly authorRef: string;
  readonly collaborationId: string;
  readonly others: ControlledTenant['others'];
  readonly addresses: Addresses;
  readonly credential: ClientCredential;
  readonly send: Send;
  readonly control: Control;
  neighbor: ControlledTenant = this;
  readonly #sandbox: SandboxTenants;
  readonly #tokens: SharedTokens;

  constructor(
    sandbox: SandboxTenants,
    { environment, platformRegion, tenantId, authorRefs, collaborationIds }: DescribedTenant,
    addresses: Addresses,
    credential: ClientCredential,
    tokens: SharedTokens,
  ) {
    this.#sandbox = sandbox;
    this.#tokens = tokens;
    this.environment = environment;
    this.platformRegion = platformRegion;
    this.tenantId = tenantId;
    this.authorRef = authorRefs[0]!;
    this.collaborationId = collaborationIds[0]!;
    this.others = { authorRef: authorRefs[1]!, collaborationId: collaborationIds[1]! };
    this.addresses = addresses;
    this.credential = credential;
    this.send = sandbox.send;
    this.control = sandbox.control;
  }

  async apiKey(): Promise<string> {
    return (await this.control<{ apiKey: string }>('POST', 'api-keys', this.#name())).apiKey;
  }

  token(scope: string, of: Interface = 'content'): Promise<string> {
    return this.#tokens.get(of, scope, () => requestedToken(this, of, scope));
  }

  archivedContent(): Promise<string> {
    return this.contentIn('archived');
  }

  async contentIn(status: string, more: object = {}): Promise<string> {
    const asked = { ...this.#name(), status, ...more };
    return (await this.control<{ contentIds: string[] }>('POST', 'contents', asked)).contentIds[0]!;
  }

  session(): Promise<Session> {
    return this.control('POST', 'sessions', this.#name());
  }

  inDeployment(deploymentKey: DeploymentKey): Promise<ControlledTenant> {
    return this.#sandbox.inDeployment(deploymentKey);
  }

  #name() {
    return {
      environment: this.environment,
      platformRegion: this.platformRegion,
      tenantId: this.tenantId,
    };
  }
}
