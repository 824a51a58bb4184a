/** The constructs, for CDK apps: `latchkey/constructs`. */
export { CredentialRotator, type CredentialRotatorProps } from './constructs/credentials/credential-rotator';
export { OperatorPolicy, type OperatorPolicyProps } from './constructs/internal/operator-policy';
export { AlarmTopic, type AlarmTopicProps } from './constructs/observability/alarm-topic';
export { CredentialWatch, type CredentialWatchProps } from './constructs/observability/credential-watch';
export { DeploymentAlarms, type DeploymentAlarmsProps } from './constructs/observability/deployment-alarms';
export {
  DeploymentDashboard,
  type DeploymentDashboardProps,
} from './constructs/observability/deployment-dashboard';
export { SecretAudit, type SecretAuditProps } from './constructs/observability/secret-audit';
export { RestoreApi, type RestoreApiProps, type GrantRestoreOptions } from './constructs/restore/restore-api';
export { TokenRefresher, type TokenRefresherProps } from './constructs/tokens/token-refresher';
export {
  TokenSecret,
  type ITokenSecret,
  type ForeignTokenOptions,
  type TokenSecretProps,
} from './constructs/tokens/token-secret';
export { ConfigurationError, loadConfiguration } from './config/load';
export { addStacks } from './stacks/add-stacks';
export { LatchkeyStage, type LatchkeyStageProps } from './stacks/latchkey-stage';
export { synthesizeWithCosts, type ConfiguredStage } from './stacks/synthesize-with-costs';
