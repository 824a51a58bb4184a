import { RegionInfo } from 'aws-cdk-lib/region-info';

import { AWS_REGIONS, nearestRegions, partitionOf } from '../../../lib/options/aws-regions';
import { written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

describe('the AWS regions', () => {
  it('are those that CDK knows, in their partitions', () => {
    const partitions = RegionInfo.regions.map(({ name, partition }) => [name, partition]);

    expect(AWS_REGIONS.map((region) => [region, partitionOf(region)])).toEqual(partitions);
  });

  it('may each have a deployment', () => {
    expect(AWS_REGIONS.filter((region) => faultsOf(written({ region })).length > 0)).toEqual([]);
  });

  it.each([
    ['eu-west-9', 'eu-west-1'],
    ['eu-wset-1', 'eu-west-1'],
    ['me-central-2', 'me-central-1'],
  ])('closest to %s include %s', (found, meant) => {
    expect(nearestRegions(found)).toContain(meant);
  });
});
