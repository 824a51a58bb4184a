import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { deploymentTimeNotice, firstDeploymentMin } from '../../../lib/costs/deployment-time';
import { configuration, tenant } from '../../support/lib/configuration';

const PAGE = readFileSync(join(__dirname, '../../../docs/costs.md'), 'utf8');

const deploymentsWith = (tenants: number) =>
  configuration({ tenants: Array.from({ length: tenants }, (_, n) => tenant(`tenant-${n}`)) }).deployments;

describe('how long a first deployment takes', () => {
  it.each([
    [300, '5 h 6 min', '36 min'],
    [1000, '16 h 46 min', '1 h 46 min'],
  ])('is said for %s tenants, also on the page', (tenants, oneByOne, parallel) => {
    expect(deploymentTimeNotice(deploymentsWith(tenants))).toEqual([
      `First deployment: about ${oneByOne}, or ${parallel} with npx cdk deploy --all --concurrency 10 (estimates)`,
    ]);
    expect(PAGE).toMatch(
      new RegExp(`\\| ${tenants.toLocaleString('en-US')} tenants +\\| ${oneByOne} +\\| ${parallel} +\\|`),
    );
  });

  it('is not said if it is short', () => {
    expect(deploymentTimeNotice(deploymentsWith(20))).toEqual([]);
    expect(deploymentTimeNotice(deploymentsWith(24))).toHaveLength(1);
  });

  it('adds up the deployments, whose stacks come before those of their tenants', () => {
    const [one] = deploymentsWith(10);

    expect(firstDeploymentMin([one!], 1)).toBe(16);
    expect(firstDeploymentMin([one!, one!], 1)).toBe(32);
    expect(firstDeploymentMin([one!, one!], 10)).toBe(8);
  });
});
