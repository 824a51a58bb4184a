import { z } from 'zod';
import { ENVIRONMENTS, INTERFACES, PLATFORM_REGIONS } from '../../contract/platform';

/** The most repetitions of a fault. For more, inject it until cleared. */
const MOST_TIMES = 1000;
/** The steps in which the page advances the clock. */
const CLOCK_STEPS_SEC = [300, 3600, 86_400] as const;

const tenantKey = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  platformRegion: z.enum(PLATFORM_REGIONS),
  tenantId: z.string().min(1).max(128),
});

/** The input of each action. */
const INPUTS = {
  'refresh-token': tenantKey.extend({ interface: z.enum(INTERFACES), scope: z.string().max(32) }),
  'restore-record': tenantKey,
  'inject-fault': z
    .strictObject({
      target: z.enum(['token', 'content', 'tenants']),
      status: z.int().min(400).max(599).optional(),
      reset: z.enum(['before', 'after']).optional(),
      times: z.int().min(1).max(MOST_TIMES).optional(),
      match: tenantKey.optional(),
    })
    .refine(({ status, reset }) => (status === undefined) !== (reset === undefined), {
      error: 'give either status or reset',
    }),
  'clear-faults': z.strictObject({}),
  'advance-clock': z.strictObject({ sec: z.literal(CLOCK_STEPS_SEC) }),
} as const;

export type ActionName = keyof typeof INPUTS;
export type ActionInput<Name extends ActionName> = z.output<(typeof INPUTS)[Name]>;

/** An unknown action, or invalid input to one. */
export class ActionInputError extends Error {
  override readonly name = 'ActionInputError';
  readonly code: 'unknown_action' | 'invalid_input';

  constructor(code: ActionInputError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws {ActionInputError} `unknown_action` */
export function actionNamed(name: string): ActionName {
  if (Object.hasOwn(INPUTS, name)) return name as ActionName;
  const allowed = Object.keys(INPUTS).join(', ');
  throw new ActionInputError('unknown_action', `unknown action; allowed: ${allowed}`);
}

/** @throws {ActionInputError} `invalid_input`, naming the first invalid field */
export function parseActionInput<Name extends ActionName>(name: Name, body: string): ActionInput<Name> {
  let input: unknown;
  try {
    input = JSON.parse(body);
  } catch {
    throw new ActionInputError('invalid_input', 'the body is not valid JSON');
  }
  const result = INPUTS[name].safeParse(input);
  if (result.success) return result.data as ActionInput<Name>;
  const { path, message } = result.error.issues[0]!;
  const field = path.map(String).join('.');
  throw new ActionInputError('invalid_input', field === '' ? message : `${field}: ${message}`);
}
