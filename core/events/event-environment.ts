/** Environment variables of functions that send events. */
export interface EventEnvironment {
  /** ARN of the event bus; not set if the deployment sends no events. */
  EVENT_BUS_ARN?: string;
}

/** Modules bundled beside the handlers of such functions: one sends events, the other announces what a command changed. */
export const EVENT_MODULES = { changeEvents: 'change-events', announce: 'announce' } as const;
