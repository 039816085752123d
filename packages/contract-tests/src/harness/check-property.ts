import fc from 'fast-check'
import { type ContractTarget, TARGET_DEFAULTS } from '../contract-target.ts'
import { type Patience, SETTLE_MS } from './time-limit.ts'

interface PropertyInput<Value> {
  readonly target: ContractTarget
  readonly patience: Patience
  readonly values: fc.Arbitrary<Value>
  readonly claim: (value: Value) => Promise<void>
  /** How many values. Default: the target's `propertyRuns`. */
  readonly runs?: number
}

/** Tries a claim on generated values; rejects with the smallest value that breaks it and the seed to repeat it. */
export async function checkProperty<Value>({
  target,
  patience,
  values,
  claim,
  runs = target.propertyRuns ?? TARGET_DEFAULTS.propertyRuns,
}: PropertyInput<Value>): Promise<void> {
  const details = await fc.check(fc.asyncProperty(values, claim), {
    numRuns: runs,
    seed: target.seed ?? TARGET_DEFAULTS.seed,
    // Each step of shrinking would wait for an engine that hangs.
    endOnFailure: patience.limitMs < SETTLE_MS,
  })
  if (!details.failed) return
  const { seed, counterexamplePath, errorInstance, counterexample } = details
  const found = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  throw new Error(
    `${found}\n  seed ${seed}, path "${counterexamplePath}", for ${fc.stringify(counterexample)}`,
    { cause: errorInstance },
  )
}
