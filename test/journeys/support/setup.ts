import { LocalProcess } from './local-process';

// Starting a whole system takes seconds on a busy machine.
jest.setTimeout(120_000);

afterAll(() => LocalProcess.disposeAll());
