/** A secret that a function rotates every week, and an alarm on that function's errors. */
import { App, Duration, Stack } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';

const stack = new Stack(new App(), 'rotating-secret');
const secret = new Secret(stack, 'Password');
const rotate = new Function(stack, 'Rotate', {
  runtime: Runtime.NODEJS_22_X,
  handler: 'index.handler',
  code: Code.fromInline(`
const { SecretsManager } = require('@aws-sdk/client-secrets-manager');
const { randomBytes } = require('node:crypto');
const secrets = new SecretsManager();
exports.handler = async ({ SecretId, ClientRequestToken: id, Step }) => {
  if (Step === 'createSecret')
    await secrets.putSecretValue({
      SecretId,
      ClientRequestToken: id,
      SecretString: randomBytes(24).toString('base64'),
      VersionStages: ['AWSPENDING'],
    });
  if (Step === 'testSecret') await secrets.getSecretValue({ SecretId, VersionId: id });
  if (Step === 'finishSecret') {
    const { VersionIdsToStages } = await secrets.describeSecret({ SecretId });
    const current = Object.keys(VersionIdsToStages).find((each) => VersionIdsToStages[each].includes('AWSCURRENT'));
    await secrets.updateSecretVersionStage({
      SecretId,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: id,
      ...(current && { RemoveFromVersionId: current }),
    });
  }
};
`),
});
secret.addRotationSchedule('Weekly', { rotationLambda: rotate, automaticallyAfter: Duration.days(7) });
rotate
  .metricErrors({ period: Duration.minutes(5) })
  .createAlarm(stack, 'RotationFails', {
    threshold: 1,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  })
  .addAlarmAction(new SnsAction(new Topic(stack, 'OnCall')));
stack.exportValue(secret.secretArn, { name: 'SecretArn' });
stack.exportValue(rotate.functionName, { name: 'FunctionName' });
