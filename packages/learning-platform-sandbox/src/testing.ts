/** For tests inside one process: the parts of the sandbox, and doubles around them. */
export { ALL_CHECKS } from './conformance/checks/all-checks';
export { sendOverHttps, type HttpRequest, type Send } from './conformance/https-requests';
export { runChecks } from './conformance/run-checks';
export { CONTROL_PATH, deploymentPaths } from './sandbox/addresses';
export { startServer, type RunningServer } from './sandbox/https-server';
export { sandboxApp } from './sandbox/sandbox';
export { createState } from './sandbox/sandbox-state';
export { parseSeed } from './sandbox/seed';
export { Authority, createTlsIdentity } from './sandbox/tls-identity';
export { controlAt } from './testing/control';
export { describedTenant, sandboxTenant } from './testing/sandbox-tenant';
