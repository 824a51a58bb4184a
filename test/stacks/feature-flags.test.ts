import { App } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json';

import cdkJson from '../../cdk.json';
import { parseConfiguration } from '../../lib/options/load';
import { addStacks } from '../../lib/stacks/add-stacks';
import { EVERY_OPTION, written, type WrittenDeployment } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { Synthesis, temporaryFolder } from '../support/lib/synthesis';
import { IS_FULL } from '../support/test-size';

const { context } = cdkJson;

/** Deployments that together have every kind of resource. */
const DEPLOYMENTS: Record<string, Partial<WrittenDeployment>> = {
  usual: { alarms: { emails: ['team@example.org'] } },
  'in the account and region of the AWS credentials': { account: undefined, region: undefined },
  'with every option and a permissions boundary': {
    ...EVERY_OPTION,
    permissionsBoundaryArn: 'arn:aws:iam::aws:policy/PowerUserAccess',
  },
  ...Object.fromEntries(
    Object.entries(EDGES).map(([name, restoreApi]) => [`edge ${name}`, { restoreApi }] as const),
  ),
};

/** The templates of a deployment in an app with this context. */
function templatesWith(deployment: Partial<WrittenDeployment>, flags: Record<string, unknown>): unknown[] {
  const app = new App({ outdir: temporaryFolder(), context: { ...flags, [BUNDLING_STACKS]: [] } });
  addStacks(app, parseConfiguration(written(deployment), 'test configuration'));
  return new Synthesis(app).assembly.stacks.map(({ template }) => template as unknown);
}

describe('the feature flags in cdk.json', () => {
  it('include every flag that `cdk init` sets', () => {
    const missing = Object.keys(recommended).filter((flag) => !(flag in context));

    expect(missing).toEqual([]);
  });

  // Every third kind, unless TEST_SIZE is full.
  const taken = Object.entries(DEPLOYMENTS).filter((_, index) => IS_FULL || index % 3 === 0);
  it.each(taken)('change no template of a deployment: %s', (_, deployment) => {
    const partitions = { '@aws-cdk/core:target-partitions': context['@aws-cdk/core:target-partitions'] };

    expect(templatesWith(deployment, context)).toEqual(templatesWith(deployment, partitions));
  });
});
