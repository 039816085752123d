import fc from 'fast-check'

/**
 * Property tests try the same cases in every run, so that a red run is about the change and not about luck.
 * `FAST_CHECK_SEED=random` looks for new ones, and `FAST_CHECK_SEED=<number>` repeats a run.
 */
const wanted = process.env.FAST_CHECK_SEED ?? '20261121'
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })
