/** The constructs, for CDK apps: `latchkey/constructs`. */
export { CredentialRotator, type CredentialRotatorProps } from './constructs/credentials/credential-rotator';
export type { ChangeEventOptions } from './constructs/events/change-events';
export { CredentialSecret, type CredentialSecretProps } from './constructs/credentials/credential-secret';
export {
  DeploymentSettings,
  type DeploymentSettingsProps,
  type IssuerDeploymentProps,
} from './constructs/deployment-settings';
export { OperatorPolicy, type OperatorPolicyProps } from './constructs/internal/operator-policy';
export { Latchkey, type LatchkeyProps } from './constructs/latchkey';
export {
  type ICreatedLatchkey,
  type ICreatedTenant,
  type ILatchkey,
  type LatchkeyAttributes,
  type LatchkeyLookupOptions,
} from './constructs/latchkey-reference';
export type { LatchkeyResources } from './constructs/latchkey-resources';
export { LatchkeyTenant, type LatchkeyTenantProps } from './constructs/latchkey-tenant';
export { AlarmTopic, type AlarmTopicProps } from './constructs/observability/alarm-topic';
export { CredentialWatch, type CredentialWatchProps } from './constructs/observability/credential-watch';
export { DeploymentAlarms, type DeploymentAlarmsProps } from './constructs/observability/deployment-alarms';
export {
  DeploymentDashboard,
  type DeploymentDashboardProps,
} from './constructs/observability/deployment-dashboard';
export { SecretAudit, type SecretAuditProps } from './constructs/observability/secret-audit';
export { TenantAlarms, type TenantAlarmsProps } from './constructs/observability/tenant-alarms';
export { ApiGatewayLogging, type ApiGatewayLoggingProps } from './constructs/restore/api-gateway-logging';
export { RestoreApi, type GrantRestoreOptions, type RestoreApiProps } from './constructs/restore/restore-api';
export { TokenRefresher, type TokenRefresherProps } from './constructs/tokens/token-refresher';
export {
  TokenSecret,
  type ForeignTokenOptions,
  type ITokenSecret,
  type TokenSecretBase,
  type TokenSecretProps,
} from './constructs/tokens/token-secret';
export { ConfigurationError } from './options/configuration-error';
export { loadConfiguration } from './options/load';
export { addStacks } from './stacks/add-stacks';
export { LatchkeyStage, type LatchkeyStageProps } from './stacks/latchkey-stage';
export { synthesizeWithCosts, type ConfiguredStage } from './stacks/synthesize-with-costs';
export type { IssuerOptions, IssuerTenant, IssuerToken } from './options/issuer-options';
export type { LatchkeyOptions } from './options/latchkey-options';
export type { Replica } from './options/replica-regions-settings';
export type { Configuration, DeploymentConfiguration } from './options/schema';
// What the declarations above refer to.
export type { FunctionSchedule } from './constructs/internal/function-schedule';
export type { OnlyReaders } from './constructs/internal/secret-shell';
export type { DeploymentAlarm, TenantAlarm } from '../core/alarms/alarm-rows';
export type { PlatformAddresses } from '../core/deployment/deployment-file';
export type {
  IssuerInterface,
  IssuerOffer,
  IssuerParameter,
  IssuerProfile,
  ProfileSource,
  RequestField,
  TokenAnswerForm,
  TokenBase,
  TokenEndpoint,
  TokenErrorForm,
  TokenRequestForm,
} from '../core/issuers/issuer-profile';
export type { FindingKind } from '../core/findings/finding-kinds';
export type { Metric, RestoreMetric, TokenFault } from '../core/alarms/metrics';
export type {
  Environment,
  PlatformInterface,
  PlatformRegion,
  SCOPES,
  ScopeOf,
  TokenType,
} from '../core/deployment/platform';
export type { RestoreAuth } from '../core/restore/restore-operation';
export type { CredentialKind } from '../core/secrets/secret-names';
export type { DeploymentKey, TenantKey, TokenKey } from '../core/tokens/published-keys';
