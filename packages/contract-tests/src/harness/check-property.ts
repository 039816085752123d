import fc from 'fast-check'
import { type ContractTarget, TARGET_DEFAULTS } from '../contract-target.ts'
import { type Patience, SETTLE_MS } from './time-limit.ts'

/** Smaller values that are tried after a failure. The first few find most of what is to be found. */
const MAX_SHRINKS = 100
/** The most that is printed of a value, in characters. */
const VALUE_CHARACTERS = 4_000

interface PropertyInput<Value> {
  readonly target: ContractTarget
  readonly patience: Patience
  readonly values: fc.Arbitrary<Value>
  readonly claim: (value: Value) => Promise<void>
  /** The number of values. Default: the target's `propertyRuns`. */
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
  const property = fc.asyncProperty(values, boundShrinking(claim, patience))
  const details = await fc.check(property, {
    numRuns: runs,
    seed: target.seed ?? TARGET_DEFAULTS.seed,
  })
  if (!details.failed) return
  const { seed, counterexamplePath, errorInstance, counterexample, numRuns } = details
  const found = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  throw new Error(
    `${found}\n  value ${numRuns} of ${runs}, seed ${seed}, path "${counterexamplePath}", for ${valueText(counterexample)}`,
    { cause: errorInstance },
  )
}

/** The claim, which holds for everything as soon as enough was tried to make a failure smaller. */
function boundShrinking<Value>(
  claim: (value: Value) => Promise<void>,
  patience: Patience,
): (value: Value) => Promise<void> {
  let shrinks: number | undefined
  return async (value) => {
    // Each step would wait for an engine that hangs.
    if (shrinks !== undefined && (++shrinks > MAX_SHRINKS || patience.limitMs < SETTLE_MS)) return
    try {
      await claim(value)
    } catch (error) {
      shrinks ??= 0
      throw error
    }
  }
}

function valueText(counterexample: unknown): string {
  const text = fc.stringify(counterexample)
  return text.length <= VALUE_CHARACTERS
    ? text
    : `${text.slice(0, VALUE_CHARACTERS)} … (${text.length} characters)`
}
