import { type FindingKind } from '../../../core/findings/finding-kinds';
import { tenantStackName } from '../../../core/deployment/stack-names';
import { AGREE, type CommandOptions, type CommandResult, runLatchkey } from './command';
import { issue, type Place } from './journeys';
import { command, findings, openSession } from './operating';

/** A fault, and what `status` or `doctor` must advise about it. */
export interface AdviceRow {
  /** The fault, with its number in the fault matrix if it has one. */
  fault: string;
  /** `status` finds at least one of these. */
  finds: readonly FindingKind[];
  /** Makes the fault. Time is advanced afterwards, once for all rows. */
  make: (place: Place) => Promise<unknown>;
  /** Happens after the time was advanced. */
  late?: (place: Place) => Promise<unknown>;
  /** If the advice is something that a person does elsewhere: its text, and the effect of doing it. */
  elsewhere?: { says: RegExp; done?: (place: Place) => Promise<unknown> };
  /** Whether time has brought other causes, too. */
  isAmongOthers?: boolean;
}

/** How the advice about a fault ended. */
export interface AdviceOutcome {
  /** The commands that were run as printed. */
  commands: string[];
  end: 'fixed' | 'elsewhere';
}

/** One advice as it is printed: what to do elsewhere, and the command after the arrow. */
interface Advice {
  remedy: string;
  command: string | undefined;
}

/** No advice leads to more than: inspect, get something elsewhere, load. */
const MOST_STEPS = 6;

/**
 * Follows what `status` advises for a tenant until it finds nothing: runs each printed command, and does what is to be done
 * elsewhere.
 * @throws if a command fails, the advice is repeated, or it points nowhere
 */
export async function followAdvice(
  place: Place,
  { elsewhere, isAmongOthers = false }: AdviceRow,
): Promise<AdviceOutcome> {
  const commands: string[] = [];
  let isElsewhere = false;
  let last: CommandResult | undefined;
  let shown = await command(place, ['status']);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const [advice, ...more] = adviceIn(shown.stdout);
    if (advice === undefined) break;
    if (!isAmongOthers) expect({ more, shown: shown.stdout }).toMatchObject({ more: [] });
    if (
      !isElsewhere &&
      elsewhere !== undefined &&
      elsewhere.says.test(`${advice.remedy} ${advice.command ?? ''}`)
    ) {
      isElsewhere = true;
      if (elsewhere.done === undefined) {
        expectStack(place, advice.command);
        return { commands, end: 'elsewhere' };
      }
      await elsewhere.done(place);
    }
    if (advice.command === undefined || advice.command.startsWith('npx cdk ')) {
      expect({ isElsewhere, advice }).toMatchObject({ isElsewhere: true });
      expectStack(place, advice.command);
      break;
    }
    expect({ isRepeated: commands.includes(advice.command), shown: shown.stdout, last }).toMatchObject({
      isRepeated: false,
    });
    commands.push(advice.command);
    shown = await runAsPrinted(place, advice.command);
    last = shown;
    if (!/^latchkey (status|doctor) /.test(advice.command)) {
      expect({ ...shown, command: advice.command }).toMatchObject({ exitCode: 0 });
      shown = await command(place, ['status']);
    }
  }
  expect(await findings(place)).toEqual([]);
  return { commands, end: isElsewhere ? 'elsewhere' : 'fixed' };
}

/** A command of the CDK names a stack of this app. */
function expectStack({ deployment, tenant: { tenantId } }: Place, printed: string | undefined): void {
  const [, pattern] = /^npx cdk deploy '?([\w*-]+)'?/.exec(printed ?? '') ?? [];
  const stacks = [deployment.stack, tenantStackName('latchkey', deployment, tenantId)];
  if (pattern !== undefined) expect(stacks).toContain(pattern.replace('*', ''));
}

/** The advice in the findings of `status` or `doctor`. Alarms that no finding explains are of all tenants. */
function adviceIn(output: string): Advice[] {
  const parts = output.split(/^(?=[✗!·] (?:critical|warning|info) {2})/m);
  const found = parts.filter((part) => /^[✗!·] (?:critical|warning|info) {2}/.test(part));
  return found.map((text) => {
    const own = text.split(/^(?=[✗!] alarm {2}|✓ )/m)[0]!;
    const [before = '', after = ''] = own.split(/^ {4}→ /m);
    const isCommand = /^(latchkey|npx) /.test(after);
    const words = (lines: string) => lines.replaceAll(/\s+/g, ' ').trim();
    return {
      remedy: isCommand ? words(before) : words(after),
      command: isCommand ? after.split('\n')[0] : undefined,
    };
  });
}

/** Runs a printed command with what it asks for: agreement, or what the platform's support or a browser has. */
async function runAsPrinted(place: Place, printed: string): Promise<CommandResult> {
  const [program, ...words] = printed.split(' ');
  expect(program).toBe('latchkey');
  const options: CommandOptions = words.includes('--fix')
    ? { answers: AGREE }
    : await inputOf(place, printed);
  return runLatchkey(words, options);
}

async function inputOf(place: Place, printed: string): Promise<CommandOptions> {
  const inputs: Record<string, () => Promise<object>> = {
    'latchkey credentials put ': () => issue(place, 'credentials'),
    'latchkey api-key put ': () => issue(place, 'api-keys'),
    'latchkey api-key generate ': () => openSession(place),
  };
  const [, input] = Object.entries(inputs).find(([start]) => printed.startsWith(start)) ?? [];
  return input === undefined ? {} : { input: JSON.stringify(await input()) };
}
