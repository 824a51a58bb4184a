import { inInitPhase } from '../../../../lambdas/shared/adapters/init-phase';

const inLambda = (type: string) =>
  jest.replaceProperty(process, 'env', { ...process.env, AWS_LAMBDA_INITIALIZATION_TYPE: type });

describe('inInitPhase', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(['on-demand', 'provisioned-concurrency', 'snap-start'])('works at once: %s', (type) => {
    inLambda(type);

    expect(inInitPhase(() => 'composed')).toBe('composed');
  });

  it('leaves the work to the first invocation outside of Lambda', () => {
    const work = jest.fn();

    expect(inInitPhase(work)).toBeUndefined();
    expect(work).not.toHaveBeenCalled();
  });

  it('leaves the work to the first invocation if it fails, since an error while loading says less', () => {
    inLambda('on-demand');

    const composed = inInitPhase(() => {
      throw new Error('deployment.json is missing');
    });

    expect(composed).toBeUndefined();
  });
});
