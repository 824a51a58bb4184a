import './counted-esbuild';

import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

import * as esbuild from 'esbuild';

import { loadConfiguration } from '../../../lib/options/load';
import { type Synthesis, synthesize } from '../../support/lib/synthesis';

const LOCAL = join(__dirname, '../../../config/local.json');

/** Optional dependencies of the AWS SDK. */
const OPTIONAL = new Set(['@aws-sdk/signature-v4-crt']);

describe('bundling', () => {
  let synthesis: Synthesis;
  beforeAll(() => (synthesis = synthesize(loadConfiguration(LOCAL))));

  it('builds only once per process', () => {
    synthesize(loadConfiguration(LOCAL));

    expect(synthesis.resources('AWS::Lambda::Function').length).toBeGreaterThan(20);
    expect(esbuild.buildSync).toHaveBeenCalledTimes(1);
  });

  it('puts only the handler and deployment.json into every asset', () => {
    for (const folder of synthesis.codeFolders()) {
      const code = readFileSync(join(folder, 'handler.js'), 'utf8');

      // CommonJS with all dependencies: only Node's own modules are required.
      expect(code).not.toMatch(/^\s*(import|export)\s/m);
      const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);
      expect(required.filter((name) => !isBuiltin(name) && !OPTIONAL.has(name))).toEqual([]);
      expect(readdirSync(folder).sort()).toEqual(['deployment.json', 'handler.js']);
    }
  });
});
