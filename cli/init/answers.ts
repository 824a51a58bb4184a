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

/** The options of `latchkey init`, each the answer to a question, in the order of the questions. */
export const INIT_OPTIONS = [
  'issuer',
  'environment',
  'platformRegion',
  'tenants',
  'contentBaseUrl',
  'contentTokenBaseUrl',
  'contentScopes',
  'restore',
  'webhooksBaseUrl',
  'webhooksTokenBaseUrl',
  'webhooksScopes',
  'tenantServiceUrl',
  'interface',
  'scope',
  'parameter',
  'tokenBaseUrl',
  'account',
  'region',
  'alarmEmails',
  'app',
  'app:none',
  'add',
  'yes',
  'config',
] as const;
export type InitFlags = FlagsOf<(typeof INIT_OPTIONS)[number]> & Pick<TenantFlags, 'variables'>;

/** A new deployment, or new tenants of an existing one. */
export type AnsweredDeployment = DeploymentKey & {
  /** As they are written. */
  tenants: { tenantId: string; tokens: object[] }[];
  /** The new deployment as it is written, without its tenants. */
  deployment: WrittenDeployment;
  /** Of the learning platform. */
  addresses?: Addresses;
};

/** The fields of a deployment in the file that `latchkey init` reads or writes. */
export interface WrittenDeployment {
  issuer?: string | undefined;
  environment: string;
  platformRegion?: string | undefined;
  tokenBaseUrl?: string | undefined;
  account?: string | undefined;
  region?: string | undefined;
  restore?: { available?: boolean } | undefined;
  alarms?: { emails: string[] } | undefined;
  reservedConcurrency?: 1 | 'none';
  tenants?: object[];
}
