import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { deploymentTimeNotice, firstDeploymentMin } from '../../../lib/costs/deployment-time';
import { configuration, tenant } from '../../support/lib/configuration';

const PAGE = readFileSync(join(__dirname, '../../../docs/costs.md'), 'utf8');

const deploymentsWith = (tenants: number) =>
  configuration({ tenants: Array.from({ length: tenants }, (_, n) => tenant(`tenant-${n}`)) }).deployments;

describe('how long a first deployment takes', () => {
  it.each([
    [300, '2 h 36 min', '21 min'],
    [1000, '8 h 26 min', '56 min'],
  ])('is said for %s tenants, also on the page', (tenants, oneByOne, parallel) => {
    expect(deploymentTimeNotice(deploymentsWith(tenants))).toEqual([
      `First deployment: about ${oneByOne} one stack at a time; ${parallel} with 10 at a time (estimates)`,
      '  npx cdk deploy --all --concurrency 10 --require-approval never',
    ]);
    expect(PAGE).toContain('npx cdk deploy --all --concurrency 10 --require-approval never\n');
    expect(PAGE).toMatch(
      new RegExp(`\\| ${tenants.toLocaleString('en-US')} tenants +\\| ${oneByOne} +\\| ${parallel} +\\|`),
    );
  });

  it('is not said if it is short', () => {
    expect(deploymentTimeNotice(deploymentsWith(46))).toEqual([]);
    expect(deploymentTimeNotice(deploymentsWith(48))).toHaveLength(2);
  });

  it('adds up the deployments, whose stacks come before those of their tenants', () => {
    const [one] = deploymentsWith(10);

    expect(firstDeploymentMin([one!], 1)).toBe(11);
    expect(firstDeploymentMin([one!, one!], 1)).toBe(22);
    expect(firstDeploymentMin([one!, one!], 10)).toBe(7);
  });
});
