import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { withPageLinks } from '../core/commands/page-links';
import { placeFlags } from '../core/commands/place-flags';
import { shellWord } from '../core/commands/shell-word';
import { deploymentText } from '../core/tokens/token-key';
import { configurationJsonSchema } from '../lib/options/schema';
import { ConfigurationError } from '../lib/options/configuration-error';
import { parseConfiguration } from '../lib/options/load';
import { readJsonFile } from '../lib/options/read-json-file';
import { type CommandContext } from './command';
import { CommandError, usageError } from './command-error';
import { flagOf } from './command-text';
import { EXIT, type ExitCode } from './exit-codes';
import { answerDeployment } from './init/answer-any-deployment';
import { isRegion, regionRule } from './init/answer-settings';
import { type AnsweredDeployment, type InitFlags } from './init/answers';
import { knownLocation } from './init/known-location';
import { NewApp } from './init/new-app';
import { reserveConcurrency } from './init/reserve-concurrency';
import { Questions } from './init/questions';
import { writeAtomically } from './init/write-atomically';
import { textOf, writeUnlessChanged } from './init/write-unless-changed';
import { addDeployment, withReservation, type WrittenConfiguration } from './init/written-configuration';
import { showArgument, showFile } from './safe-text';
import { type Location, DEFAULT_CONFIGURATION } from './system';

/** A configuration alone deploys nothing in somebody else's app. */
const TAKEN_BY_APP = withPageLinks(
  'Your CDK app deploys it once it calls addStacks: docs/constructs.md#keep-the-configuration-file',
);

/** The schema for editors, beside the configuration. */
const SCHEMA_FILE = 'latchkey.schema.json';

/**
 * `latchkey init`: writes a configuration from flags and questions, or adds to one. Confirms before it replaces a file.
 * With `--app`, also writes a CDK app that deploys it, which replaces no file.
 * @throws {CommandError}
 */
export async function init(context: CommandContext, flags: InitFlags): Promise<ExitCode> {
  const { terminal, env } = context;
  const name = flags.config ?? DEFAULT_CONFIGURATION;
  const file = resolve(name);
  const questions = new Questions(terminal.isInteractive && flags.yes !== true ? terminal : undefined);
  if (flags.region !== undefined && !isRegion(flags.region)) {
    throw usageError(flagOf('region'), showArgument(flags.region), regionRule(flags.region));
  }
  const app = (await wantsApp(context, questions, flags, file)) ? new NewApp(process.cwd(), name) : undefined;
  app?.requireFree();
  if (flags.add !== true && flags.yes !== true && existsSync(file)) {
    if (!questions.isAsking) {
      throw usageError('init', `an existing ${showFile(name)}`, '--add to add to it, --yes to replace it');
    }
    if (!(await terminal.confirm(`${name} exists. Replace it?`))) {
      terminal.say(`${name} is unchanged`);
      return EXIT.failed;
    }
  }
  const textBefore = textOf(file);
  const before: WrittenConfiguration =
    flags.add === true
      ? readWritten(file, name)
      : { $schema: `./${SCHEMA_FILE}`, endpoints: undefined, deployments: [] };
  const { configuration, added } = await answerAll(
    questions,
    flags,
    before,
    env === undefined ? {} : await knownLocation(env),
  );
  orUsageError(() => parseConfiguration(configuration, name));
  const files = writeAll(file, name, configuration, textBefore, app);
  const reserved = await reserveConcurrency(context, env, before, added);
  if (reserved.deployments.length > 0) {
    const text = `${JSON.stringify(withReservation(configuration, reserved.deployments), null, 2)}\n`;
    writeAtomically(file, text);
  }
  const next = nextCommands(added, flags.config, app !== undefined, context.isPackage === true);
  terminal.result({ file, ...(app !== undefined && { files }), next }, (style) =>
    [
      `${style.good('✓')} Wrote ${app === undefined ? name : files.map((path) => relative('', path)).join(', ')}`,
      ...added.flatMap(locationLines),
      ...reserved.lines,
      ...(context.isPackage === true && app === undefined && flags.add !== true ? [TAKEN_BY_APP] : []),
      `${style.bold('Next')} (the first once per account and AWS region)`,
      ...next.map((command) => `  ${command}`),
    ].join('\n'),
  );
  return EXIT.done;
}

/** Whether to write an app: the flag decides, otherwise a person who has none yet is asked. @throws {CommandError} usage */
async function wantsApp(
  { isPackage = false }: CommandContext,
  questions: Questions,
  { app, add }: InitFlags,
  file: string,
): Promise<boolean> {
  if (app === true && add === true) throw usageError('--app', 'a value with --add', 'only one of them');
  const isNew = isPackage && add !== true && !existsSync(file) && !existsSync('cdk.json');
  return questions.confirm(
    isNew ? app : (app ?? false),
    'Write a CDK app here as well, which deploys the configuration? Without it, only the configuration is written.',
  );
}

/** Adds deployments, until the person has no more. */
async function answerAll(
  questions: Questions,
  flags: InitFlags,
  before: WrittenConfiguration,
  known: Partial<Location>,
): Promise<{ configuration: WrittenConfiguration; added: AnsweredDeployment[] }> {
  const added: AnsweredDeployment[] = [];
  let configuration = before;
  do {
    const answers = await answerDeployment(questions, flags, configuration, known);
    questions.requireAnswers();
    configuration = addDeployment(configuration, answers);
    added.push(answers);
  } while (
    await questions.confirm(
      flags.environment === undefined ? undefined : false,
      'Add another environment or region?',
    )
  );
  return { configuration, added };
}

/** Reads the file to add to. @throws {CommandError} usage, if it is missing or invalid */
function readWritten(file: string, name: string): WrittenConfiguration {
  if (!existsSync(file)) {
    throw usageError(
      '--add',
      `no ${showFile(name)}`,
      'an existing configuration; without --add, a new one is written',
    );
  }
  return orUsageError(() => {
    const value = readJsonFile(file);
    parseConfiguration(value, file);
    return value as WrittenConfiguration;
  });
}

/** @throws {CommandError} usage, if the check finds faults of a configuration */
function orUsageError<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(EXIT.usage, 'usage', `${error.message}\nnothing was written`);
  }
}

/** The account and region that were written for a new deployment. They may come from AWS settings. */
function locationLines(answers: AnsweredDeployment): string[] {
  const { account, region } = answers.deployment;
  const names = [account && `AWS account ${account}`, region].filter((name) => name !== undefined);
  return names.length === 0 ? [] : [`  ${deploymentText(answers)}: ${names.join(', ')}`];
}

/** What to do next, as commands. */
function nextCommands(
  added: readonly AnsweredDeployment[],
  config: string | undefined,
  isOwnApp: boolean,
  isPackage: boolean,
): string[] {
  // Only Latchkey's own app reads the context.
  const context = config === undefined || isPackage ? '' : ` -c config=${shellWord(config)}`;
  const configFlag = config === undefined ? '' : ` --config ${shellWord(config)}`;
  return [
    ...(isOwnApp ? ['npm install'] : []),
    `npx cdk bootstrap${context}`,
    `npx cdk deploy --all${context}`,
    ...added.flatMap((answers) =>
      answers.tenants.map(
        ({ tenantId }) => `npx latchkey credentials put ${placeFlags({ ...answers, tenantId })}${configFlag}`,
      ),
    ),
  ];
}

/**
 * Writes the configuration, next to it the schema for editors, and the app if there is one.
 * @param textBefore what the answers were added to
 * @returns the paths of what was written
 * @throws {CommandError} if a file has changed since then, so that no other command's answers are lost
 */
function writeAll(
  file: string,
  name: string,
  configuration: object,
  textBefore: string | undefined,
  app: NewApp | undefined,
): string[] {
  const schema = join(dirname(file), SCHEMA_FILE);
  return writeUnlessChanged(file, name, textBefore, () => {
    const files = [
      ...(app !== undefined && existsSync(schema) ? [] : [[schema, configurationJsonSchema()] as const]),
      [file, `${JSON.stringify(configuration, null, 2)}\n`] as const,
    ];
    if (app !== undefined) return app.write(files);
    for (const [path, text] of files) writeAtomically(path, text);
    return files.map(([path]) => path);
  });
}
