/**
 * What an answer says about one fact:
 * - `holds`: it gives the value that holds, as what holds.
 * - `stale`: it gives a value that was corrected, as what holds.
 * - `not-stated`: it gives no value that could be checked: silence, a vague phrase, a refusal.
 * - `wrong`: it gives any other value.
 */
export const VERDICTS = ['holds', 'stale', 'not-stated', 'wrong'] as const

export type Verdict = (typeof VERDICTS)[number]

export function isVerdict(value: unknown): value is Verdict {
  return VERDICTS.some((verdict) => verdict === value)
}
