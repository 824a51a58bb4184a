import { type Place } from './journeys';

interface SandboxFault {
  match?: { tenantId?: string };
}

/** Faults of Secrets Manager, by tenant. */
const secretFaults = new Map<string, (() => Promise<void>)[]>();

/** Makes the platform's token endpoints fail for the tenant, until its faults end. */
export async function failTokens({ system, tenant }: Place, fault: object): Promise<void> {
  await system.control('POST', '/faults', {
    target: 'token',
    match: { tenantId: tenant.tenantId },
    ...fault,
  });
}

/** Makes Secrets Manager fail an operation on a secret of the tenant, until its faults end. */
export async function failSecrets(
  { system, tenant: { tenantId } }: Place,
  operation: string,
  error: string,
  arn: string,
): Promise<void> {
  // Callers name the secret by its ARN or its name, which the ARN contains.
  const name = arn.split(':').at(-1)!.slice(0, -'-AbCdEf'.length);
  const begin = () => system.failSecrets(operation, error, name);
  secretFaults.set(tenantId, [...(secretFaults.get(tenantId) ?? []), begin]);
  await begin();
}

/** Ends the faults of one tenant, in the sandbox and in Secrets Manager; those of others go on. */
export async function endFaults({ system, tenant: { tenantId } }: Place): Promise<void> {
  const { faults } = await system.control<{ faults: SandboxFault[] }>('GET', '/faults');
  await system.control('DELETE', '/faults');
  for (const fault of faults.filter(({ match }) => match?.tenantId !== tenantId)) {
    await system.control('POST', '/faults', fault);
  }
  secretFaults.delete(tenantId);
  await system.clearSecretFaults();
  for (const begin of [...secretFaults.values()].flat()) await begin();
}
