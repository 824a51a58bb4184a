import { Stage, type StageProps } from 'aws-cdk-lib';
import { type Construct } from 'constructs';

import { ConfigurationError } from '../options/configuration-error';
import { type Configuration, type DeploymentConfiguration } from '../options/schema';
import { addStacks } from './add-stacks';

export interface LatchkeyStageProps extends StageProps {
  readonly configuration: Configuration;
  /** @default every deployment of the configuration */
  readonly environment?: DeploymentConfiguration['environment'];
}

/**
 * The stacks of a configuration, or of one of its environments, as one stage of a CDK app or pipeline. Their names are
 * those that `cdk deploy` gives them in bin/app.ts.
 * @throws {ConfigurationError} if the environment has no deployment, or `env` differs from the account or region of one
 */
export class LatchkeyStage extends Stage {
  /** With the deployments of this stage only. */
  readonly configuration: Configuration;

  constructor(scope: Construct, id: string, { configuration, environment, ...props }: LatchkeyStageProps) {
    super(scope, id, props);
    const deployments = configuration.deployments.filter(
      (deployment) => environment === undefined || deployment.environment === environment,
    );
    if (deployments.length === 0) {
      throw new ConfigurationError(`the configuration of the stage ${this.node.path}`, [
        `deployments: found none of ${environment}; allowed: at least one, or another environment for the stage`,
      ]);
    }
    this.configuration = { ...configuration, deployments };
    addStacks(this, this.configuration);
  }
}
