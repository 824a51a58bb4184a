import { type ExitCode } from './exit-codes';
import { type FlagsOf, type OptionName } from './options';
import { type System } from './system';
import { type Terminal } from './terminal';

/** What every command gets besides its flags. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Opens the system that the flags select (`--local`, `--config`, `--profile`), once. @throws {CommandError} */
  readonly system: () => Promise<System>;
  /** Milliseconds since the epoch, by the clock of the opened system. */
  readonly nowMs: () => number;
  /** The trace that the command's requests continue: a valid `traceparent`. @default none */
  readonly traceparent?: string | undefined;
  /** The environment variables of the process. @default none */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the command is of an installed package, so that Latchkey's own app is not beside it. @default false */
  readonly isPackage?: boolean;
  /** Waits. @throws {CommandError} when interrupted */
  readonly sleep: (ms: number) => Promise<void>;
}

/** For a command that synthesizes an app of its own. */
export interface ProjectFolders {
  /** Of the command: the checkout, or the folder of an installed package. */
  readonly projectRoot: string;
  readonly workingDir: string;
}

/** A program that is built with the command. */
export type Program = 'sandbox' | 'conformance' | 'prove' | 'start';

/** For a command that starts another program. */
export interface ProgramRunner {
  /**
   * Runs a program that was built with the command, on this process's standard streams, and passes signals on to it.
   * @returns its exit status
   */
  readonly runProgram: (program: Program, args: readonly string[]) => Promise<number>;
}

/** The flag that names the AWS account of a deployment. */
export interface LocationFlags {
  account?: string;
}

/** The flags that name a tenant; each is optional if only one matches. */
export interface TenantFlags extends LocationFlags {
  issuer?: string;
  environment?: string;
  platformRegion?: string;
  tenant?: string;
  /** The environment variables that these come from, where no flag was given. */
  variables?: Partial<Record<'issuer' | 'environment' | 'platformRegion' | 'tenant', string>>;
}

/** A command of the command line. */
export interface CommandDefinition<Name extends OptionName = OptionName> {
  summary: string;
  /** A positional argument; it is passed among the flags, as `contentId` or `issuer`. */
  argument?: { name: '[content-id]' | '[issuer]'; description: string };
  options: readonly Name[];
  /** Without `latchkey` before them. */
  examples: string[];
  /** Follows the summary in the command's own help. */
  details?: string;
  /** Always acts on the running laptop system, without --local. */
  isLocal?: boolean;
  run(
    this: void,
    context: CommandContext & ProgramRunner & ProjectFolders,
    flags: CommandFlags<Name>,
  ): Promise<ExitCode>;
}

/** The flags of a command with these options. */
export type CommandFlags<Name extends OptionName = OptionName> = FlagsOf<Name | 'contentId' | 'issuer'> &
  Pick<TenantFlags, 'variables'>;

/** A command whose flags have the types of its options. */
export function command<const Name extends OptionName>(
  definition: CommandDefinition<Name>,
): CommandDefinition {
  return definition;
}
