import { LocalProcess } from './local-process';

// Journeys start whole systems, which takes seconds on a busy machine.
jest.setTimeout(120_000);

afterAll(() => LocalProcess.disposeAll());
