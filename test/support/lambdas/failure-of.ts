export function failureOf<Failure extends Error>(call: Promise<unknown>): Promise<Failure> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: Failure) => error,
  );
}
