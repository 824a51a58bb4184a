import { join } from 'node:path';

import { App, Stack, type StackProps } from 'aws-cdk-lib';
import { BuildSpec } from 'aws-cdk-lib/aws-codebuild';
import { CodePipeline, CodePipelineSource, ManualApprovalStep, ShellStep } from 'aws-cdk-lib/pipelines';
import { type Construct } from 'constructs';
import { LatchkeyStage, loadConfiguration, synthesizeWithCosts } from 'latchkey/constructs';

/** Yours: the account of the pipeline, and the repository that it deploys. */
const PIPELINE = { account: '111122223333', region: 'eu-west-1' };
const REPOSITORY = 'your-organization/latchkey-pipeline';
const BRANCH = 'main';
const CONNECTION =
  'arn:aws:codeconnections:eu-west-1:111122223333:connection/0f0f0f0f-1111-2222-3333-444444444444';

interface PipelineStackProps extends StackProps {
  readonly configuration: ReturnType<typeof loadConfiguration>;
}

/** Deploys staging, then, after an approval, production; each to the account in the configuration. */
class PipelineStack extends Stack {
  readonly stages: readonly LatchkeyStage[];

  constructor(scope: Construct, id: string, { configuration, ...props }: PipelineStackProps) {
    super(scope, id, props);
    const pipeline = new CodePipeline(this, 'Pipeline', {
      // The target accounts read the artifacts, so they need a key that they can use.
      crossAccountKeys: true,
      // A change set would be one more action per stack, and CodePipeline allows 50 actions per stage.
      // @see https://docs.aws.amazon.com/codepipeline/latest/userguide/limits.html
      useChangeSets: false,
      synth: new ShellStep('Synth', {
        input: CodePipelineSource.connection(REPOSITORY, BRANCH, { connectionArn: CONNECTION }),
        commands: ['npm ci --ignore-scripts', 'npx cdk synth --quiet'],
      }),
      synthCodeBuildDefaults: {
        partialBuildSpec: BuildSpec.fromObject({
          phases: { install: { 'runtime-versions': { nodejs: 22 } } },
        }),
      },
    });
    const staging = new LatchkeyStage(this, 'Staging', { configuration, environment: 'staging' });
    const production = new LatchkeyStage(this, 'Production', { configuration, environment: 'production' });
    pipeline.addStage(staging);
    pipeline.addStage(production, { pre: [new ManualApprovalStep('ApproveProduction')] });
    this.stages = [staging, production];
  }
}

const file = join(__dirname, 'latchkey.json');
const app = new App();
const { stages } = new PipelineStack(app, 'latchkey-pipeline', {
  env: PIPELINE,
  configuration: loadConfiguration(file),
});
synthesizeWithCosts(
  app,
  stages.map((stage) => ({ stage, configuration: stage.configuration })),
  file,
);
