/** Runs the stacks of a CDK app on loopback addresses, under its own IAM policies. */
export { Account, type LogEvent, type Secret, type SecretVersion } from './account';
export { startAccountServices, type AccountServices } from './account-services';
export { type RestApis } from './api-gateway/rest-api';
export { type AlarmState } from './cloudwatch/alarm-state';
export { type MetricStore } from './cloudwatch/metric-store';
export { AUTHORITIES_FOLDER } from './functions/lambda-environment';
export { HostError } from './host-error';
export { callHttps } from './https-call';
export { type Reporter } from './interfaces';
export { isLoopbackHost, loopbackHosts } from './loopback-hosts';
export { RunClock } from './run-clock';
export { readAssembly, type AssemblyStack, type CloudAssembly } from './template/assembly';
export { dependenciesOf, type Omission } from './template/left-out';
export { type ProvisionedStack } from './template/provision';
export { referencedNames } from './template/resolve';
export { type Template } from './template/template';
