import { type CommandDefinition, type Program } from './command';
import { EXIT } from './exit-codes';
import { type OptionName, optionNamed } from './options';

/**
 * A command that runs a program which was built with it, and passes on the options that were given: the program validates them.
 * The sandbox shares no code with the command, so that a misreading of the platform's specification cannot hide on both sides.
 * @param variables environment variables that give a value where no option does
 */
export function programCommand(
  program: Program,
  definition: Omit<CommandDefinition, 'run'>,
  variables: Partial<Record<OptionName, string>> = {},
): CommandDefinition {
  return {
    ...definition,
    run: async ({ runProgram, env = {} }, flags) => {
      const given = flags as Readonly<Record<string, string | boolean | undefined>>;
      const args = definition.options.flatMap((name) => {
        const option = optionNamed(name);
        const variable = variables[name];
        const value = given[option.attributeName()] ?? ((variable && env[variable]) || undefined);
        if (value === undefined || value === option.negate) return [];
        return typeof value === 'boolean' ? option.long! : `${option.long!}=${value}`;
      });
      const status = await runProgram(program, args);
      return Object.values(EXIT).find((code) => code === status) ?? EXIT.failed;
    },
  };
}
