import { createSecureContext } from 'node:tls';

/**
 * Works while Lambda loads the function, with a whole vCPU. Invocations have a share of one: 0.29 with 512 MB.
 * @returns undefined outside of Lambda, and if the work fails. The first invocation then repeats it, and fails with its error
 * @see https://serverlessland.com/content/service/lambda/guides/effectively-running-java-on-serverless/init-heavy-lifting
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html (1,769 MB have one vCPU)
 * @see docs/decisions/0050-work-in-the-init-phase.md
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function inInitPhase<Result>(work: () => Result): Result | undefined {
  if (process.env.AWS_LAMBDA_INITIALIZATION_TYPE === undefined) return undefined;
  try {
    // Node reads its certificate authorities for the first TLS context, and keeps them.
    createSecureContext();
    return work();
  } catch {
    return undefined;
  }
}
