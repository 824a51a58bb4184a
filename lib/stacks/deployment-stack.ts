import { Stack, type StackProps } from 'aws-cdk-lib';
import { type Construct } from 'constructs';

import { optionsOf } from '../options/checked-options';
import { type Configuration, type DeploymentConfiguration } from '../options/schema';
import { Latchkey, type LatchkeyProps } from '../constructs/latchkey';
import { addDeploymentOutputs } from './stack-outputs';

export interface DeploymentStackProps extends StackProps {
  readonly configuration: Configuration;
  readonly deployment: DeploymentConfiguration;
}

/** The stack of one deployment of a configuration. Its tenants have stacks of their own. */
export class DeploymentStack extends Stack {
  readonly latchkey: Latchkey;

  constructor(
    scope: Construct,
    id: string,
    { configuration, deployment, ...stackProps }: DeploymentStackProps,
  ) {
    super(scope, id, stackProps);
    // CDK leaves the id `Default` out of logical ids.
    const props = optionsOf(configuration, deployment) as object as LatchkeyProps;
    this.latchkey = new Latchkey(this, 'Default', props);
    addDeploymentOutputs(this, configuration.prefix, deployment);
  }
}
