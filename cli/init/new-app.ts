import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { context } from '../../cdk.json';
import { dependencies, devDependencies, version } from '../../package.json';
import { usageError } from '../command-error';
import { showFile } from '../safe-text';
import { writeAtomically } from './write-atomically';

/** A file to write: its path and its text. */
type NewFile = readonly [path: string, text: string];

const PACKAGE_FILE = 'package.json';
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** A CDK app that creates the deployments of a configuration. It replaces no file. */
export class NewApp {
  readonly #folder: string;
  readonly #files: readonly NewFile[];
  readonly #configuration: string;

  /** @param configuration path of the configuration, from the folder or absolute */
  constructor(folder: string, configuration: string) {
    this.#folder = folder;
    this.#configuration = configuration;
    this.#files = Object.entries(textsOf(configuration)).map(([name, text]) => [join(folder, name), text]);
  }

  /** @throws {CommandError} usage, if there are files of the same names */
  requireFree(): void {
    const names = [...this.#files.map(([path]) => path.slice(this.#folder.length + 1)), this.#configuration];
    if (installedVersion(this.#folder) === undefined) names.push(PACKAGE_FILE);
    const inTheWay = names.filter((name) => existsSync(join(this.#folder, name)) || existsSync(name)).sort();
    if (inTheWay.length === 0) return;
    throw usageError(
      '--app',
      `existing ${inTheWay.map(showFile).join(', ')}`,
      'a folder without these files; or --no-app, which writes the configuration only',
    );
  }

  /**
   * Writes the app and `others`: all, or after an error none.
   * @returns the paths
   * @throws any file system error, such as EEXIST for a file that was written meanwhile
   */
  write(others: readonly NewFile[]): string[] {
    const packageFile = join(this.#folder, PACKAGE_FILE);
    const installed = installedVersion(this.#folder);
    const packageText = json(packageDocument(installed));
    const files = [...this.#files, ...others];
    const written: string[] = [];
    const writeNew = ([path, text]: NewFile) => {
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    };
    try {
      files.forEach(writeNew);
      if (installed === undefined) writeNew([packageFile, packageText]);
      else writeAtomically(packageFile, packageText);
    } catch (error) {
      for (const path of written) rmSync(path, { force: true });
      throw error;
    }
    return [packageFile, ...files.map(([path]) => path)];
  }
}

/**
 * The version of this package in a package.json that has nothing else, as `npm install` writes it in an empty folder: completing
 * that file loses nothing. Undefined if there is no such file.
 */
function installedVersion(folder: string): string | undefined {
  try {
    const document = JSON.parse(readFileSync(join(folder, PACKAGE_FILE), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    const hasNothingElse =
      Object.keys(document).join() === 'dependencies' &&
      Object.keys(document.dependencies!).join() === 'latchkey';
    return hasNothingElse ? document.dependencies!.latchkey : undefined;
  } catch {
    return undefined;
  }
}

/** @param latchkey where npm finds the package */
function packageDocument(latchkey = `^${version}`): object {
  const versions = { ...dependencies, ...devDependencies };
  const tested = (name: keyof typeof versions) => ({ [name]: `^${versions[name]}` });
  return {
    private: true,
    scripts: { build: 'tsc', synth: 'cdk synth --quiet', deploy: 'cdk deploy --all' },
    dependencies: { ...tested('aws-cdk-lib'), ...tested('constructs'), latchkey },
    devDependencies: {
      ...tested('@types/node'),
      ...tested('aws-cdk'),
      ...tested('tsx'),
      ...tested('typescript'),
    },
  };
}

/** The other files, by name. The feature flags are those that Latchkey's stacks are tested with. */
function textsOf(configuration: string): Record<string, string> {
  return {
    '.gitignore': 'node_modules/\ncdk.out/\n.latchkey/\n',
    'app.ts': [
      `import { App } from 'aws-cdk-lib';`,
      `import { addStacks, loadConfiguration, synthesizeWithCosts } from 'latchkey/constructs';`,
      '',
      `const file = ${JSON.stringify(configuration)};`,
      'const app = new App();',
      'const configuration = loadConfiguration(file);',
      'addStacks(app, configuration);',
      'synthesizeWithCosts(app, [{ stage: app, configuration }], file);',
      '',
    ].join('\n'),
    'cdk.json': json({ app: 'node --import tsx app.ts', versionReporting: false, context }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ['*.ts'],
    }),
  };
}
