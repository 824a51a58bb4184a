import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { REGION, type WrittenDeployment } from '../support/lib/configuration';
import { type Synthesis, synthesisWith } from '../support/lib/synthesis';

const LAYER = `arn:aws:lambda:${REGION}:111122223333:layer:opentelemetry-node24:1`;
const withTracing = (tracing: WrittenDeployment['tracing']): Synthesis => synthesisWith({ tracing });
const functionsOf = (synthesis: Synthesis) => synthesis.properties('AWS::Lambda::Function');
const XRAY = {
  Effect: 'Allow',
  Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  Resource: '*',
};

const xrayStatements = (synthesis: Synthesis) =>
  synthesis.statements().filter((statement) => JSON.stringify(statement).includes('xray:'));

describe('tracing with X-Ray', () => {
  const traced = withTracing('xray');

  it('is active for every function, whose roles may send traces, and for the stage', () => {
    expect(functionsOf(traced).map(({ TracingConfig }) => TracingConfig)).toEqual(
      Array(6).fill({ Mode: 'Active' }),
    );
    expect(xrayStatements(traced)).toMatchObject(Array(6).fill(XRAY));
    expect(traced.only('AWS::ApiGateway::Stage').Properties).toMatchObject({ TracingEnabled: true });
  });

  it('leaves the code as it is', () => {
    const keys = (synthesis: Synthesis) =>
      functionsOf(synthesis).map(({ Code }) => (Code as { S3Key: string }).S3Key);

    expect(keys(traced)).toEqual(keys(withTracing(undefined)));
  });
});

describe('tracing with OpenTelemetry', () => {
  const traced = withTracing({
    opentelemetry: { layerArn: LAYER, environment: { OTEL_TRACES_SAMPLER: 'always_on' } },
  });

  it('adds the layer, its wrapper and variables to every function, beside those that it has', () => {
    expect(JSON.stringify(functionsOf(traced))).toContain('TOKEN_REFRESH_ARN');
    for (const { Layers, Handler, Environment, TracingConfig } of functionsOf(traced)) {
      expect({ Layers, Handler, TracingConfig }).toEqual({
        Layers: [LAYER],
        Handler: 'traced.handler',
        TracingConfig: { Mode: 'Active' },
      });
      expect((Environment as { Variables: object }).Variables).toMatchObject({
        AWS_LAMBDA_EXEC_WRAPPER: '/opt/otel-handler',
        OTEL_NODE_ENABLED_INSTRUMENTATIONS: 'aws-lambda,http',
        OTEL_AWS_APPLICATION_SIGNALS_ENABLED: 'false',
        OTEL_TRACES_SAMPLER: 'always_on',
      });
    }
  });

  it('has a handler that a layer can replace, unlike that of the bundle', () => {
    const replaced = (exports: object) =>
      Object.defineProperty(exports, 'handler', { configurable: true, writable: true, value: 'patched' });
    for (const folder of traced.codeFolders()) {
      const handlerModule = Object.defineProperty({}, 'handler', { enumerable: true, get: () => 'handler' });
      const exports: { handler?: unknown } = {};
      const require = () => handlerModule;
      runInNewContext(readFileSync(join(folder, 'traced.js'), 'utf8'), { exports, require });

      expect(exports.handler).toBe('handler');
      expect(replaced(exports)).toEqual({ handler: 'patched' });
      expect(() => replaced(handlerModule)).toThrow('Cannot redefine property: handler');
    }
    const files = traced.codeFolders().map((folder) => readdirSync(folder).sort());
    expect(files).toEqual(Array(6).fill(['deployment.json', 'handler.js', 'traced.js']));
  });

  it('without X-Ray takes no permission and no tracing of Lambda', () => {
    const without = withTracing({ opentelemetry: { layerArn: LAYER, xray: false } });

    expect(xrayStatements(without)).toEqual([]);
    expect(functionsOf(without).map(({ TracingConfig }) => TracingConfig)).toEqual(Array(6).fill(undefined));
    expect(without.only('AWS::ApiGateway::Stage').Properties).not.toHaveProperty('TracingEnabled');
  });
});
