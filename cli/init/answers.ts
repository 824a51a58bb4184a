import { type PlatformInterface, type Scope } from '../../core/deployment/platform';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { type TenantFlags } from '../command';
import { type FlagsOf } from '../options';

/** The addresses of a deployment, by their fields in the configuration. */
export const ADDRESS_FIELDS = [
  'contentBaseUrl',
  'contentTokenBaseUrl',
  'webhooksBaseUrl',
  'webhooksTokenBaseUrl',
  'tenantServiceUrl',
] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];
export type Addresses = Partial<Record<AddressField, string>>;

/** The flags of `latchkey init`, each the answer to a question. */
export type InitFlags = FlagsOf<
  | AddressField
  | 'config'
  | 'app'
  | 'add'
  | 'yes'
  | 'issuer'
  | 'environment'
  | 'platformRegion'
  | 'tenants'
  | 'contentScopes'
  | 'webhooksScopes'
  | 'restore'
  | 'account'
  | 'region'
  | 'alarmEmails'
  | 'interface'
  | 'scope'
  | 'parameter'
  | 'tokenBaseUrl'
> &
  Pick<TenantFlags, 'variables'>;

/** A token of a new tenant. */
export interface AnsweredToken {
  interface: PlatformInterface;
  scope: Scope;
}

/** A new deployment, or new tenants of an existing one. */
export type AnsweredDeployment = DeploymentKey & {
  tenants: string[];
  tokens: AnsweredToken[];
  addresses: Addresses;
  hasRestore: boolean;
  /** What only a deployment of another issuer than the learning platform has, as it is written. */
  ofIssuer?: { issuer: string; tokenBaseUrl?: string; tenants: object[] };
  account: string | undefined;
  region: string | undefined;
  alarmEmails: string[];
};
