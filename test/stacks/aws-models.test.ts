import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Stack } from 'aws-cdk-lib';

import { parseConfiguration } from '../../lib/options/load';
import { hasAwsModels, Judgment } from '../support/lib/aws-models';
import { NEWER_THAN_MODELS } from '../support/lib/aws-model-shapes';
import { EVERY_OPTION } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { latchkeyIn } from '../support/lib/learning';
import { DEPLOYMENTS, synthesizedIn } from '../support/lib/partitions';
import {
  type PlacedResource,
  Synthesis,
  synthesisWith,
  synthesizeOnce,
  temporaryApp,
} from '../support/lib/synthesis';

const CONFIGURATIONS = join(__dirname, '../../config');
const ofFile = (name: string): Synthesis =>
  synthesizeOnce(parseConfiguration(JSON.parse(readFileSync(join(CONFIGURATIONS, name), 'utf8')), name));

/** A stack whose author has only the constructs. */
function ofConstructs(): Synthesis {
  const app = temporaryApp();
  latchkeyIn(new Stack(app, 'learning'));
  return new Synthesis(app);
}

if (!hasAwsModels) {
  process.stderr.write('skipped: AWS’s API models judge no template. Debian has them in python3-botocore.\n');
}

(hasAwsModels ? describe : describe.skip)('AWS’s API models', () => {
  let everyOption: Synthesis;
  let judgment: Judgment;

  beforeAll(() => {
    everyOption = synthesisWith(EVERY_OPTION);
    const syntheses = [
      ofFile('example.json'),
      ofFile('local.json'),
      everyOption,
      ofConstructs(),
      ...Object.values(EDGES).map((restoreApi) => synthesisWith({ restoreApi })),
      ...DEPLOYMENTS.flatMap((deployment) => [
        synthesizedIn('cn-north-1', 'aws-cn', deployment),
        synthesizedIn('us-gov-west-1', 'aws-us-gov', deployment),
      ]),
    ];
    judgment = new Judgment(syntheses.flatMap((synthesis) => synthesis.resources()));
  });

  it('refuse no value of any template', () => {
    expect(judgment.refusals).toEqual([]);
  });

  it('are older than each row of the allow list', () => {
    expect([...judgment.usedRows].sort()).toEqual([...NEWER_THAN_MODELS].sort());
  });

  it.each([
    ['AWS::ApiGateway::Method', 'MethodResponses', [{ StatusCode: 'default' }], '[1-5]\\d\\d'],
    ['AWS::CloudWatch::Alarm', 'ComparisonOperator', 'GreaterThan', 'GreaterThanThreshold'],
    ['AWS::CloudWatch::Alarm', 'EvaluationPeriods', 0, '1 to'],
    ['AWS::Lambda::Function', 'MemorySize', 64, '128 to 10240'],
    ['AWS::Scheduler::Schedule', 'FlexibleTimeWindow', { Mode: 'ON' }, 'FLEXIBLE'],
    ['AWS::SecretsManager::Secret', 'Description', 'x'.repeat(2_049), '2048 characters'],
    [
      'AWS::SecretsManager::Secret',
      'Name',
      { 'Fn::Join': ['/', ['latchkey', { Ref: 'AWS::Region' }, 'x'.repeat(512)]] },
      '512 characters',
    ],
    ['AWS::SecretsManager::RotationSchedule', 'RotationRules', { AutomaticallyAfterDays: 1_001 }, '1000'],
  ])('%s: a planted %s is refused', (type, property, value, allowed) => {
    const { Properties, ...rest } = everyOption.resources(type)[0]!;
    const planted: PlacedResource = { ...rest, Properties: { ...Properties, [property]: value } };
    const { refusals } = new Judgment([planted]);

    expect(refusals).toHaveLength(1);
    expect(refusals[0]!.place).toContain(`${type}.${property}`);
    expect(refusals[0]!.allowed).toContain(allowed);
  });
});
