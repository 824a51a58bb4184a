/**
 * Replaces `@smithy/core/event-streams` in the functions, which call no operation with an event stream. These are the two
 * parts that the constructor of a client with such operations uses; the others fail as undefined.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = (): undefined => undefined;
