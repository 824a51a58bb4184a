/** The sandbox inside a test process, for test suites of other projects: `latchkey/sandbox`. */
export { createSandbox } from './sandbox/in-process/create-sandbox';
export type {
  ActingUserHeaders,
  DeploymentKey,
  Environment,
  Fault,
  IssuerTenant,
  IssuerTokenToIssue,
  ItemProcessing,
  PlatformAddresses,
  PlatformRegion,
  ReceivedRequest,
  Sandbox,
  SandboxIssuer,
  SandboxOptions,
  SandboxTenant,
  SeedContent,
  SeedDeployment,
  SeedIssuer,
  SeedItem,
  SeedTenant,
  TokenToIssue,
} from './sandbox/in-process/sandbox-types';
