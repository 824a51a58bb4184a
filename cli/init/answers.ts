import { type PlatformInterface, type Scope } from '../../core/deployment/platform';
import { type DeploymentKey } from '../../core/tokens/token-key';

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
export interface InitFlags extends Addresses {
  config?: string;
  /** True with `--app`, false with `--no-app`. */
  app?: boolean;
  add?: boolean;
  yes?: boolean;
  environment?: string;
  platformRegion?: string;
  tenants?: string[];
  contentScopes?: string[];
  webhooksScopes?: string[];
  restore?: boolean;
  account?: string;
  region?: string;
  anyRegion?: boolean;
  alarmEmails?: string[];
}

/** A token of a new tenant. */
export interface AnsweredToken {
  interface: PlatformInterface;
  scope: Scope;
}

/** A new deployment, or new tenants of an existing one. */
export interface AnsweredDeployment extends DeploymentKey {
  tenants: string[];
  tokens: AnsweredToken[];
  addresses: Addresses;
  hasRestore: boolean;
  account: string | undefined;
  region: string | undefined;
  alarmEmails: string[];
}
