/** The sandbox inside a test process, for test suites of other projects: `latchkey/sandbox`. */
export { createSandbox } from './sandbox/in-process/create-sandbox';
export type {
  ActingUserHeaders,
  DeploymentKey,
  Environment,
  Fault,
  ItemProcessing,
  PlatformAddresses,
  PlatformRegion,
  ReceivedRequest,
  Sandbox,
  SandboxOptions,
  SandboxTenant,
  SeedContent,
  SeedDeployment,
  SeedItem,
  SeedTenant,
  TokenToIssue,
} from './sandbox/in-process/sandbox-types';
