/**
 * Runs a state machine as Step Functions does, without its waits. Knows only the parts of the language that the examples use.
 * @see https://states-language.net/spec.html
 */
interface State {
  Type: 'Task' | 'Choice' | 'Succeed' | 'Fail';
  Next?: string;
  Resource?: string;
  Parameters?: Fields;
  ResultPath?: string;
  Retry?: { ErrorEquals: string[]; MaxAttempts: number }[];
  Catch?: { ErrorEquals: string[]; ResultPath: string; Next: string }[];
  Choices?: { Variable: string; BooleanEquals: boolean; Next: string }[];
  Default?: string;
}

export interface Definition {
  StartAt: string;
  States: Record<string, State>;
}

type Fields = Record<string, unknown>;

/** Does what the resource of a task does. A task fails if it throws a {@link TaskFailure}. */
export type RunTask = (resource: string, parameters: Fields) => unknown;

/** The failure of a task. */
export class TaskFailure extends Error {
  readonly error: string;
  override readonly cause: string;

  /** @param error its name, as in `ErrorEquals` */
  constructor(error: string, cause: string) {
    super(`${error}: ${cause}`);
    this.error = error;
    this.cause = cause;
  }
}

/** The definition in a template, with logical ids in place of references. */
export function definitionOf(definitionString: unknown): Definition {
  const [, parts] = (definitionString as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  return JSON.parse(
    parts.map((part) => (typeof part === 'string' ? part : nameOf(part as Fields))).join(''),
  ) as Definition;
}

function nameOf(reference: Fields): string {
  if (typeof reference.Ref === 'string') return reference.Ref;
  const [logicalId] = (reference['Fn::GetAtt'] ?? ['(computed)']) as string[];
  return logicalId!;
}

/** Runs the state machine until it ends. @returns the names of its states, in order, once for each attempt of a task */
export function runStateMachine({ StartAt, States }: Definition, input: Fields, task: RunTask): string[] {
  const states: string[] = [];
  const data: Fields = { ...input };
  for (let name: string | undefined = StartAt; name !== undefined;) {
    const state: State = States[name]!;
    states.push(name);
    if (state.Type === 'Choice') {
      const chosen = state.Choices!.find(
        ({ Variable, BooleanEquals }) => at(data, Variable) === BooleanEquals,
      );
      name = chosen?.Next ?? state.Default;
    } else if (state.Type === 'Task') {
      name = runTask(state, data, () => states.push(name!), task);
    } else name = undefined;
  }
  return states;
}

function runTask(state: State, data: Fields, repeated: () => void, task: RunTask): string | undefined {
  const attempts = new Map<object, number>();
  for (;;) {
    try {
      put(data, state.ResultPath, task(state.Resource!, filled(state.Parameters ?? data, data)));
      return state.Next;
    } catch (failure) {
      if (!(failure instanceof TaskFailure)) throw failure;
      const matches = ({ ErrorEquals }: { ErrorEquals: string[] }) =>
        ErrorEquals.some((error) => error === 'States.ALL' || error === failure.error);
      const retrier = state.Retry?.find(matches);
      const attempt = retrier === undefined ? 0 : (attempts.get(retrier) ?? 0);
      if (retrier !== undefined && attempt < retrier.MaxAttempts) {
        attempts.set(retrier, attempt + 1);
        repeated();
        continue;
      }
      const catcher = state.Catch?.find(matches);
      if (catcher === undefined) throw failure;
      put(data, catcher.ResultPath, { Error: failure.error, Cause: failure.cause });
      return catcher.Next;
    }
  }
}

/** Parameters with the values of the fields whose names end with `.$`. */
function filled(parameters: Fields, data: Fields): Fields {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (name.endsWith('.$')) return [name.slice(0, -2), computed(value as string, data)];
      return [
        name,
        typeof value === 'object' && !Array.isArray(value) ? filled(value as Fields, data) : value,
      ];
    }),
  );
}

/** A path, or `States.Format` with paths. */
function computed(expression: string, data: Fields): unknown {
  const [, template, args] = /^States\.Format\('(.*?)', (.*)\)$/.exec(expression) ?? [];
  if (template === undefined) return at(data, expression);
  const values = args!.split(', ').map((path) => String(at(data, path)));
  return template.replaceAll('{}', () => values.shift()!);
}

function at(data: Fields, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, field) => (value as Fields)[field], data);
}

function put(data: Fields, path: string | undefined, value: unknown): void {
  data[path!.slice(2)] = value;
}
