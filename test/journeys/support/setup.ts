// Journeys start whole systems, which takes seconds on a busy machine.
jest.setTimeout(120_000);
