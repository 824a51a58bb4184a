import { type DeploymentConfiguration } from '../../../lib/options/schema';
import { type CountedTemplate } from '../../../lib/costs/inventory';
import { configuration, tenant, type WrittenDeployment } from '../../support/lib/configuration';
import { type Synthesis, synthesizeOnce } from '../../support/lib/synthesis';

/** A deployment's configuration and its synthesized templates. */
export interface Synthesized {
  deployment: DeploymentConfiguration;
  templates: CountedTemplate[];
  synthesis: Synthesis;
}

const TOKENS: NonNullable<WrittenDeployment['tenants']>[number]['tokens'] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
];

/** Synthesizes a deployment with a restore API and tenants that each have the two content tokens. */
export function synthesizeTenants(tenants: number, change: Partial<WrittenDeployment> = {}): Synthesized {
  const ids = Array.from({ length: tenants }, (_, n) => `tenant-${n + 1}`);
  const value = configuration({ tenants: ids.map((id) => tenant(id, TOKENS)), ...change });
  const synthesis = synthesizeOnce(value);
  const templates = synthesis.stackNames().map((stackName) => synthesis.template(stackName));
  return { deployment: value.deployments[0]!, templates, synthesis };
}
