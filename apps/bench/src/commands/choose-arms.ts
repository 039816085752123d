import type { Arm } from '../arms/arm.ts'
import { UsageError } from './usage-error.ts'

/**
 * The arms with these names, in the order in which they are listed; all of them without names. The bounds are always there:
 * every share is seen against them. Case does not matter, and a hyphen may stand for a space.
 *
 * @throws UsageError for a name that no arm has.
 */
export function chooseArms(arms: readonly Arm[], names: readonly string[] | undefined): Arm[] {
  if (names === undefined) return [...arms]
  const known = new Set(arms.map(({ name }) => plain(name)))
  const unknown = names.find((name) => !known.has(plain(name)))
  if (unknown !== undefined)
    throw new UsageError(
      `--engines: there is no ‘${unknown}’. There are: ${arms.map(({ name }) => name).join(', ')}`,
    )
  const chosen = new Set(names.map(plain))
  return arms.filter(({ name, kind }) => kind === 'bound' || chosen.has(plain(name)))
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s-]+/g, ' ')
